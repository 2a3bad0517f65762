// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `convert`: writes the same sentences in another scheme or format. Files that hold something else: rewrites.hpp.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/convert/rewrites.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/split_by.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/input/tag_options.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/document.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/output/render.hpp"
#include "entrain/app/train/unchanged.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "entrain/text/records/record_words.hpp"  // find_words
#include "entrain/text/tags/detect.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/repair.hpp"
#include "entrain/text/tags/tag_place.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {
namespace detail {

/// One document from the sentences [begin, end) of a corpus.
inline Document sentences_of(const task::Tagged& gold, std::size_t begin, std::size_t end, const std::string& repair,
                             std::size_t& documents) {
  Document d;
  for (std::size_t s = begin; s < end; ++s) {
    const auto first = static_cast<std::uint32_t>(d.words.size());
    d.add_sentence(gold.corpus, s, documents);
    task::entities(gold, s, repair, [&](const text::Span& span) {
      d.mentions.push_back({first + span.begin, first + span.end, gold.types.name(span.type)});
    });
  }
  return d;
}

/// Whether the document keeps the record's own text: the record has one and contains its words, whose places are set in
/// `words`. Otherwise the document is its words with blanks between.
inline bool keeps_text(const text::Record& record, std::span<const text::Token> read, std::vector<text::Token>& words) {
  if (record.counts_words()) return text::find_words(record, words);
  words.assign(read.begin(), read.end());
  return true;
}

/// The document of one record, with the words and sentences that its reader found.
inline Document document_of_record(const text::Record& record, std::span<const text::Token> words,
                                   const text::Corpus& corpus, const text::ReadBy& entities) {
  Document d;
  if (keeps_text(record, words, d.words)) {
    d.text = record.text;
  } else {
    d.words.clear();
    for (std::size_t i = 0; i < corpus.size(); ++i) d.add_word(corpus.token(i));
  }
  text::Types types;
  std::vector<text::Mark> marks;
  for (const std::string& tag : corpus.tags) marks.push_back(text::read_mark(tag, types));
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const std::uint32_t first = corpus.sentence[s], end = corpus.sentence[s + 1];
    d.sentences.push_back({first, end});
    entities(text::MarksAt{marks, std::span(corpus.tag).subspan(first, end - first)}, [&](const text::Span& span) {
      d.mentions.push_back({first + span.begin, first + span.end, types.name(span.type)});
    });
  }
  return d;
}

/// Calls f(read, corpus, where) for each line of files with one record per line: the reader, and what the line holds.
template <class Source, class F>
void each_line(const std::vector<std::string>& files, const text::RecordOptions& options, F&& f) {
  Source source(files, options);
  source.start(0, {});
  auto read = source.work();
  typename Source::Raw block, line;
  text::Corpus corpus;
  while (source.read(block)) {
    line.name = block.name;
    line.block.line = block.block.line;
    for (std::string_view rest = block.block.bytes; !rest.empty(); ++line.block.line) {
      line.block.bytes = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
      rest.remove_prefix(line.block.bytes.size());
      read(line, corpus);
      f(read, corpus, text::Where{line.name, line.block.line});
    }
  }
}

/// Collects the tags of records, as training and check do: their scheme, and the tags that break it.
class TagsSeen {
 public:
  void see(const text::Corpus& corpus) {
    marks_.clear();
    for (const std::string& tag : corpus.tags) marks_.push_back(text::read_mark(tag, types_));
    for (std::size_t i = 0; first_.empty() && i < corpus.size(); ++i)
      if (marks_[static_cast<std::size_t>(corpus.tag[i])].letter == text::Mark::malformed)
        first_ = corpus.tag_name(i), where_ = corpus.where(i);
    for (std::size_t s = 0; s < corpus.sentences(); ++s)
      detector_.sentence_of_marks(
          text::MarksAt{marks_, std::span(corpus.tag).subspan(corpus.sentence[s], corpus.length(s))},
          [&](std::size_t i) { return text::tag_and_place(corpus, corpus.sentence[s] + i); });
    any_ |= corpus.sentences() > 0;
  }
  void say(const std::string& name, const Reading& reading, Console& console) const {
    if (!any_) return;
    const text::Detection found = detector_.finding();
    const text::SchemeId taken = reading.scheme.empty() ? found.taken : text::scheme_by_name(reading.scheme);
    const std::vector<std::string> notes = task::scheme_notes(found, taken, name, reading.repair);
    console.fact("tags", notes[0]);
    for (std::size_t i = 1; i < notes.size(); ++i) console.warn(notes[i]);
  }
  text::SchemeId taken() const { return detector_.finding().taken; }
  /// Refuses records in which no tag but O can be read, as training does.
  void refuse_unread() const {
    if (first_.empty() || types_.size() > 0) return;
    task::refuse_unread_tags(where_, first_, detector_.finding().malformed);
  }

 private:
  text::Detector detector_;
  text::Types types_;
  std::vector<text::Mark> marks_;
  std::string first_, where_;  // of the first malformed tag
  bool any_ = false;
};

/// The scheme of the tags in records. Only a repair rule that keeps to the scheme asks for it. Empty if the files can
/// be read only once, so that the scheme cannot be found out.
template <class Source>
std::optional<text::SchemeId> scheme_of_tags(const std::vector<std::string>& files, const Reading& reading) {
  if (!reading.scheme.empty()) return text::scheme_by_name(reading.scheme);
  if (reading.repair != text::repair::Drop::name) return text::SchemeId::bio;
  if (std::any_of(files.begin(), files.end(), text::can_be_read_once)) return std::nullopt;
  TagsSeen tags;
  each_line<Source>(files, reading.records, [&](const auto& read, const text::Corpus& corpus, const text::Where&) {
    if (read.record().has_tags) tags.see(corpus);
  });
  return tags.taken();
}

/// Refuses a label that JSON cannot hold.
///
/// throws    entrain.app.72, with the label's first line
inline void refuse_labels_json_lacks(const task::Tagged& gold) {
  for (const std::string& type : gold.types.names())
    if (!text::is_valid_utf8(type))
      throw Error("entrain.app.72", text::place_of_type(gold.corpus, type),
                  "label '" + text::excerpt(type) + "' is not UTF-8", "UTF-8, as JSON has it",
                  "convert the file with iconv -t UTF-8; check --list all lists every line");
}

/// Calls write(document) for each record of files with one record per line.
template <class Source, class Write> text::Met each_document(const std::vector<std::string>& files,
                                                             const Reading& reading, Console& console, Write&& write) {
  std::optional<Unchanged> read_twice;
  if (reading.scheme.empty() && reading.repair == text::repair::Drop::name) read_twice.emplace(files, reading, 0);
  const std::optional<text::SchemeId> scheme = scheme_of_tags<Source>(files, reading);
  const text::ReadBy by_tags{scheme.value_or(text::SchemeId::bio), reading.repair};
  const text::ReadBy by_annotations;  // entrain made these tags, so they keep their scheme
  text::RecordOptions options = reading.records;
  options.annotations_as.reset();  // IO would join two entities into one
  text::Met met;
  TagsSeen tags;
  ProblemsSaid problems;
  std::size_t told_apart = 0;  // texts that are not their words with blanks between
  std::string first;
  text::Types labels;
  NotUtf8 not_utf8(reading.strict);
  each_line<Source>(files, options, [&](const auto& read, const text::Corpus& corpus, const text::Where& where) {
    met += corpus.met;
    problems.say(corpus.problems, corpus.name, console);
    if (corpus.met.lone_surrogates > 0) not_utf8.surrogates(corpus.met.lone_surrogates, where);
    if (corpus.size() == 0) return;
    const text::Record& record = read.record();
    if (record.has_tags) tags.see(corpus);
    if (record.has_tags && !scheme)
      throw Error("entrain.app.46", where.words(), "tags in an unknown scheme, in an input that can be read only once",
                  "--scheme with --repair drop", "or save it in a file");
    Document d = document_of_record(record, read.words(), corpus, record.has_tags ? by_tags : by_annotations);
    if (record.has_text && d.text != record.text && told_apart++ == 0) first = where.words();
    d.file = where.file;
    d.line = where.line;
    d.annotated = record.has_tags || record.has_annotations;
    for (const auto& mention : d.mentions) labels.add(mention.type);
    write(d);
  });
  if (read_twice) read_twice->check();
  tags.refuse_unread();
  not_utf8.warn({}, console);
  const std::string name = text::name_of(files[0]);
  tags.say(name, reading, console);
  for (const std::string& one : text::look_alikes(labels.names())) console.warn(name + ": " + one);
  problems.say_total(met, name, console);
  if (told_apart > 0)
    console.warn(first +
                 ": the text is not its words separated by white space: the words are written, separated by blanks" +
                 (told_apart > 1 ? "; one of " + grouped(told_apart) + " such records" : ""));
  return met;
}

}  // namespace detail

ENTRAIN_INLINE int convert(const Settings& settings) {
  Settings s = settings;
  s.reading = split_by(std::move(s.reading), predict::Splitting(s.splitter, s.sentence_splitter, "convert"));
  Console console(s.quiet);
  const std::string path = s.inputs.empty() ? "-" : s.inputs[0];
  if (s.inputs.size() > 1)
    throw WrongUsage("entrain.app.13", "convert", std::to_string(s.inputs.size()) + " files",
                     "one, or a pattern in quotes");
  const std::vector<std::string> files =
      text::file_list({path}, s.of_classes ? text::Folders::kept : text::Folders::refused);
  const Format format = format_of(files, s.reading);
  const Written to = written_as(files, format, s);
  if (const std::string how = how_format_was_found(files[0], format, s.reading); !how.empty())
    console.fact("format", how);
  warn_of_tag_options(s, matter_of(format), console);
  warn_of_splitter_options(s, matter_of(format), true, console);
  switch (matter_of(format)) {
    case Matter::texts:
      return rewrite_texts(files, format, to, s, console), 0;
    case Matter::raw:
      return rewrite_raw(files, to, s, console), 0;
    case Matter::numbers:
      return rewrite_numbers(files, to, s, console), 0;
    case Matter::sentences:
      break;
  }
  const bool to_jsonl = to == Written::jsonl;
  warn_of_scheme_to_write(s, written_name(to), console);
  auto scheme = s.to_scheme.empty() ? text::SchemeId::bio : text::scheme_by_name(s.to_scheme, "--to");
  Output out(s.destination, s.signals);
  std::string text;
  std::size_t documents = 0, mentions = 0, joined = 0;
  const auto write = [&](const Document& d) {
    if (to_jsonl)
      append_jsonl(text, d, d.annotated);
    else
      joined += append_conll(text, d, scheme);
    ++documents;
    mentions += d.mentions.size();
    if (text.size() < std::size_t{1} << 20) return;
    out.write(text);
    text.clear();
  };
  if (format == Format::conll) {
    const task::Tagged gold =
        read_split("from", path, s.reading, console, to_jsonl ? "such bytes are written as U+FFFD" : "");
    if (s.to_scheme.empty()) scheme = gold.scheme;
    const std::string lost = words_of_lost_borders(gold.corpus, written_name(to));
    if (to_jsonl && !lost.empty()) console.warn(lost);
    if (to_jsonl)
      detail::refuse_labels_json_lacks(gold);
    else
      say_labels_not_utf8(gold.corpus, gold.types.names(), s.reading.strict, console);
    std::size_t started = 0;  // documents begun
    for (std::size_t k = 0; k < gold.corpus.sentences(); ++k)
      write(detail::sentences_of(gold, k, k + 1, s.reading.repair, started));
  } else {
    const text::Met met = format == Format::jsonl
                              ? detail::each_document<text::Jsonl<>>(files, s.reading, console, write)
                              : detail::each_document<text::AnnotatedText<>>(files, s.reading, console, write);
    console.fact("from", text::name_of(files[0]) + ": " + format_name(format));
    if (const std::string words = text::describe(met); !words.empty()) console.fact("", "met " + words);
  }
  out.write(text);
  out.close();
  if (joined > 0) console.warn(words_of_joined(joined));
  console.fact("to", (s.destination == "-" ? "standard output" : s.destination) + ": " +
                         (to_jsonl ? counted(documents, "line", "lines")
                                   : counted(documents, "sentence in ", "sentences in ") +
                                         std::string(text::scheme_name(scheme))) +
                         ", " + counted(mentions - joined, "entity", "entities"));
  return 0;
}

}  // namespace entrain::app
