// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of answer.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/splits.hpp"  // ProblemsSaid, place_of_first, words_of_pieceless
#include "entrain/app/input/tag_options.hpp"
#include "entrain/app/output/document.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/output/render.hpp"
#include "entrain/app/predict/answer.hpp"
#include "entrain/app/predict/lines.hpp"
#include "entrain/app/train/long_sentences.hpp"
#include "entrain/core/free_memory.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/raw/raw_text.hpp"  // TextEnd
#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/json_record.hpp"
#include "entrain/text/records/record_words.hpp"
#include "entrain/text/records/records.hpp"  // reason_of
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {
namespace detail {

class Answers {
 public:
  Answers(const PredictBackend& model, const Settings& s, Console& console)
      : model_(model),
        s_(s),
        console_(console),
        out_(s.destination, s.signals),
        at_(out_.is_standard() ? report::look_at(STDOUT_FILENO) : report::Terminal{}),
        format_(s.format != "auto"               ? s.format
                : out_.is_standard() && at_.live ? "colour"
                                                 : "jsonl"),
        scheme_(s.to_scheme.empty() ? text::SchemeId::bio : text::scheme_by_name(s.to_scheme, "--to")) {
    warn_of_scheme_to_write(s, format_, console);
    if (s.format == "colour") at_.colour = !report::refuses_colour();  // asked for, so a pipe gets it too
  }

  /// throws    entrain.app.60: the file holds no texts
  void file(const std::string& path) {
    const Format format = format_of({path}, s_.reading, Otherwise::text);
    if (format == Format::npy)
      throw Error("entrain.app.60", text::name_of(path), matter_name(Matter::numbers) + " (npy)",
                  "text, or sentences or texts in another format");
    const std::string how = how_format_was_found(path, format, s_.reading);
    if ((format != Format::text || (path != "-" && is_read_unseen(path))) && !how.empty()) console_.fact("format", how);
    if (format == Format::text && !how.empty() && may_be_columns(path))
      console_.warn_of(
          "files that may be columns",
          text::name_of(path) +
              ": read as text, although some lines have a tag after a word; to read columns, use --input-format conll");
    switch (format) {
      case Format::conll:
        return conll(path);
      case Format::csv:
      case Format::tsv:
        return table(path, format);
      default:
        return lines(path, format);
    }
  }
  void close() {
    out_.close();
    if (joined_ > 0) console_.warn(words_of_joined(joined_));
  }

 private:
  /// One text per line, or one record per line.
  void lines(const std::string& path, Format format) {
    const std::string name = text::name_of(path);
    Lines source(path, format == Format::text ? longest_text : longest_record);
    LongSentences warned(s_.training.token_budget, "words", model_.in_parts);
    NotUtf8 not_utf8(s_.reading.strict);
    text::Where where{name, 0};
    std::vector<Document> chunk;
    ProblemsSaid problems;
    text::Met met;
    for (std::string_view block; source.next(block, where.line);) {
      chunk.clear();
      const bool utf8 = text::is_valid_utf8(block);  // checks all lines at once; if that fails, each line
      for (std::size_t at = 0; at < block.size();) {
        const std::size_t end = std::min(block.find('\n', at), block.size());
        std::string_view line = block.substr(at, end - at);
        at = end + 1;
        ++where.line;
        if (line.ends_with('\r')) line.remove_suffix(1);
        const bool valid = utf8 || text::is_valid_utf8(line);
        if (format == Format::text) {
          if (!valid) not_utf8.line(line, where);
          Document& d = chunk.emplace_back();
          d.text = line;
          model_.splitting.split(d.text, d.words, d.sentences);
        } else if (line.find_first_not_of(" \t\r") != line.npos) {
          chunk.emplace_back();
          try {
            if (!valid) text::refuse_record_not_utf8(where);
            record(line, format, where, not_utf8, chunk.back());
          } catch (const Error& e) {
            if (!s_.reading.records.lenient) throw;
            chunk.pop_back();
            ++met.malformed;
            const text::Problem problem{static_cast<std::uint32_t>(where.line),
                                        std::string(text::detail::reason_of(e, where, block, true))};
            problems.say(std::span(&problem, 1), name, console_);
            continue;
          }
        } else {
          continue;
        }
        Document& d = chunk.back();
        d.file = name;
        d.line = where.line;
        refuse_no_room(d.words.size(), where);
        for (const text::Sentence& sentence : d.sentences)
          warned.see(sentence.end - sentence.begin, [&] { return where.words(); });
      }
      answer(chunk);
    }
    problems.say_total(met, name, console_);
    warn(name, warned, not_utf8);
  }

  /// Refuses a text that does not fit in memory with all its words and their tags.
  ///
  /// throws    entrain.train.50
  static void refuse_no_room(std::size_t words, const text::Where& where) {
    constexpr std::size_t always = std::size_t{1} << 20, bytes_of_word = 200;  // measured
    if (words < always) return;
    const std::size_t bytes = words * bytes_of_word, free = free_memory();
    if (bytes < free) return;
    throw Error("entrain.train.50", where.words(), "a text of " + grouped(words) + " words takes " + mebibytes(bytes),
                "less than the " + mebibytes(free) + " of free memory", "split it into lines, or stop other programs");
  }

  /// Reads the text and the words of a record, and ignores its entities.
  void record(std::string_view line, Format format, const text::Where& where, NotUtf8& not_utf8, Document& d) {
    text::RecordOptions options = s_.reading.records;
    options.texts_only = true;
    text::Record& r = record_;
    r.clear();
    if (format == Format::annotated)
      text::AnnotatedLine::read(line, where, options, r);
    else
      text::JsonRecord::read(line, where, options, r);
    if (r.lone_surrogates > 0) not_utf8.surrogates(r.lone_surrogates, where);
    std::uint64_t blank = 0;
    std::string odd;
    switch (r.words_are) {
      case text::Record::WordsAre::unknown:
        if (!r.has_text) text::refuse_record(where, "neither a text nor words", "\"text\" or \"tokens\"");
        d.text = r.text;
        return model_.splitting.split(d.text, d.words, d.sentences);
      case text::Record::WordsAre::places:
        text::given_words(r, where, options.unit, d.words, blank, odd);
        if (!odd.empty()) console_.warn_of("words that do not match their offsets", where.words() + ": " + odd);
        d.text = r.text;
        break;
      case text::Record::WordsAre::text:
        if (r.has_text && text::find_words(r, d.words)) {
          d.text = r.text;
          break;
        }
        d.words.clear();
        for (std::size_t i = 0; i < r.words.size(); ++i) d.add_word(r.words[i]);
    }
    if (r.has_sentences)
      text::given_sentences(r, where, d.words.size(), d.sentences);
    else if (r.has_text && !r.has_tags && !r.of_words)  // as RecordReader, so that evaluate reads the same sentences
      model_.splitting.split_sentences(d.text, d.words, d.sentences);
    else
      d.end_sentence();
  }

  /// Texts with labels; the labels are not read.
  void table(const std::string& path, Format format) {
    const std::string name = text::name_of(path);
    Reading reading = s_.reading;
    reading.csv.labels = false;
    LongSentences warned(s_.training.token_budget, "words", model_.in_parts);
    std::vector<Document> chunk;
    ProblemsSaid problems;
    text::Met met;
    detail::each_block_of_texts({path}, format, reading, [&](const text::Texts& texts, const std::string&) {
      chunk.clear();
      met += texts.met;
      problems.say(texts.problems, name, console_);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        Document& d = chunk.emplace_back();
        d.text = texts.text(i);
        model_.splitting.split(d.text, d.words, d.sentences);
        d.file = name;
        d.line = texts.line[i];
        for (const text::Sentence& sentence : d.sentences)
          warned.see(sentence.end - sentence.begin, [&] { return texts.where(i); });
      }
      answer(chunk);
    });
    problems.say_total(met, name, console_);
    warn(name, warned, NotUtf8(s_.reading.strict));
  }

  void conll(const std::string& path) {
    text::ConllOptions options = s_.reading.conll;
    options.tags = false;
    const text::ConllFile file = text::read_conll_file(path, options);
    const text::Corpus& corpus = file.corpus;
    if (!file.layout.doubt.empty()) console_.warn(corpus.name + ": " + file.layout.doubt);
    ProblemsSaid problems;
    problems.say(file.problems.list, corpus.name, console_);
    problems.say_total(corpus.met, corpus.name, console_);
    if (file.layout.is_table()) console_.fact("from", corpus.name + ": " + file.layout.words);
    say_not_utf8(corpus, s_.reading.strict, becomes(), console_);
    std::size_t documents = 0;
    LongSentences warned(s_.training.token_budget, "words", model_.in_parts);
    constexpr std::size_t at_once = 1024;
    std::vector<Document> chunk;
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      Document& d = chunk.emplace_back();
      d.add_sentence(corpus, s, documents);
      warned.see(corpus.length(s), [&] { return corpus.where(corpus.sentence[s]); });
      if (chunk.size() < at_once && s + 1 < corpus.sentences()) continue;
      answer(chunk);
      chunk.clear();
    }
    warn(corpus.name, warned, NotUtf8(s_.reading.strict));
    if (const std::string lost = words_of_lost_borders(corpus, format_); format_ != "conll" && !lost.empty())
      console_.warn(lost);
  }

  /// How the output represents bytes that are not UTF-8.
  std::string_view becomes() const {
    return format_ == "conll" ? "such bytes are written as they are" : "such bytes are written as U+FFFD";
  }

  /// Warns of everything unusual in a file after it is answered.
  void warn(const std::string& name, const LongSentences& warned, NotUtf8 not_utf8) {
    warned.warn(console_);
    not_utf8.warn(becomes(), console_);
    if (unread_.cut > 0)
      console_.warn_of("files with words of too many pieces",
                       place_of_first(name, unread_.first_cut) +
                           ": some words have more pieces than the encoder reads at once: only the first are read");
    if (unread_.pieceless > 0)
      console_.warn_of("files with words of no piece",
                       words_of_pieceless(name, unread_.first_pieceless, unread_.pieceless));
    unread_ = {};
  }

  void answer(std::vector<Document>& chunk) {
    text::Corpus corpus;
    if (!chunk.empty()) corpus.name = chunk.front().file;
    for (const Document& d : chunk)
      for (const text::Sentence& sentence : d.sentences) {
        for (std::size_t i = sentence.begin; i < sentence.end; ++i)
          corpus.push(d.words[i].in(d.text), d.lines.empty() ? static_cast<std::uint32_t>(d.line) : d.lines[i]);
        corpus.end_sentence();
      }
    unread_ += model_.tag_all(model_.tagger, corpus, tags_);
    std::size_t at = 0;
    std::string text;
    for (Document& d : chunk) {
      for (const text::Sentence& sentence : d.sentences) {
        const std::size_t n = sentence.end - sentence.begin;
        d.add_mentions(sentence.begin, std::span<const text::Tag>(tags_).subspan(at, n), model_.scheme, model_.types);
        at += n;
      }
      if (format_ == "colour")
        colours_.append(text, d, at_);
      else if (format_ == "conll")
        joined_ += append_conll(text, d, scheme_);
      else
        append_jsonl(text, d);
    }
    out_.write(text);
  }

  static constexpr std::size_t longest_text = text::TextEnd::longest, longest_record = std::size_t{1} << 30;

  const PredictBackend& model_;
  const Settings& s_;
  Console& console_;
  Output out_;
  report::Terminal at_;
  std::string format_;
  text::SchemeId scheme_;
  Colours colours_;
  std::vector<text::Tag> tags_;
  text::Record record_;
  std::size_t joined_ = 0;  // entities that IO could not separate
  batch::Unread unread_;    // of this file
};

}  // namespace detail

ENTRAIN_INLINE int answer(const PredictBackend& model, const Settings& s) {
  Console console(s.quiet);
  std::vector<std::pair<std::string, std::string>> once;
  for (const std::string& path : s.inputs)
    if (text::can_be_read_once(path)) once.emplace_back("file " + std::to_string(&path - s.inputs.data() + 1), path);
  text::refuse_read_twice(once);
  for (const std::string& note : model.notes) console.warn(note);
  detail::Answers answers(model, s, console);
  for (const std::string& path : s.inputs.empty() ? std::vector<std::string>{"-"} : s.inputs) answers.file(path);
  answers.close();
  return 0;
}

}  // namespace entrain::app
