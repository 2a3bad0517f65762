// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `convert`: the same sentences in another scheme or format. Files that hold something else: rewrites.hpp.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/document.hpp"
#include "entrain/app/figures.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/format.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/render.hpp"
#include "entrain/app/rewrites.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/text/annotated_text.hpp"
#include "entrain/text/check_words.hpp"  // describe(Met)
#include "entrain/text/file_list.hpp"
#include "entrain/text/jsonl_stream.hpp"
#include "entrain/text/reading.hpp"
#include "entrain/train/targets.hpp"

namespace entrain::app {
namespace detail {

/// One document of a corpus's sentences [begin, end).
inline Document sentences_of(const train::Tagged& gold, std::size_t begin, std::size_t end, const std::string& repair) {
  Document d;
  for (std::size_t s = begin; s < end; ++s) {
    const auto first = static_cast<std::uint32_t>(d.words.size());
    for (std::size_t i = gold.corpus.sentence[s]; i < gold.corpus.sentence[s + 1]; ++i)
      d.add_word(gold.corpus.token(i));
    d.end_sentence();
    train::entities(gold, s, repair, [&](const text::Span& span) {
      d.mentions.push_back({first + span.begin, first + span.end, gold.types.name(span.type)});
    });
  }
  return d;
}

/// The document of one record: its text, if it has one, with the words and sentences that were made of it.
inline Document document_of_record(const text::Record& record, std::span<const text::Token> words,
                                   const text::Corpus& corpus, const text::ReadBy& entities) {
  Document d;
  if (record.has_text) {
    d.text = record.text;
    d.words.assign(words.begin(), words.end());
  } else {
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

/// write(document) for each record of files with one a line.
template <class Source, class Write>
text::Met each_document(const std::vector<std::string>& files, const Reading& reading, Talk& talk, Write&& write) {
  const text::ReadBy entities{reading.scheme.empty() ? text::SchemeId::bioes : text::scheme_by_name(reading.scheme),
                              reading.repair};
  Source source(files, reading.records);
  source.start(0, {});
  auto read = source.work();
  typename Source::Raw block, line;
  text::Corpus corpus;
  text::Met met;
  while (source.read(block)) {
    line.name = block.name;
    line.block.line = block.block.line;
    for (std::string_view rest = block.block.bytes; !rest.empty(); ++line.block.line) {
      line.block.bytes = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
      rest.remove_prefix(line.block.bytes.size());
      read(line, corpus);
      met += corpus.met;
      for (const text::Problem& p : corpus.problems)
        talk.warn(block.name + ":" + std::to_string(p.line) + ": " + p.reason);
      if (corpus.size() > 0) write(document_of_record(read.record(), read.words(), corpus, entities));
    }
  }
  return met;
}

}  // namespace detail

ENTRAIN_PART int convert(const Settings& s) {
  Talk talk(s.quiet);
  const std::string path = s.inputs.empty() ? "-" : s.inputs[0];
  if (s.inputs.size() > 1)
    throw Error("entrain.app.13", "convert", std::to_string(s.inputs.size()) + " files", "one, or a pattern in quotes");
  const std::vector<std::string> files = text::file_list({path});
  const Format format = format_of(files, s.reading);
  const Written to = written_as(files, format, s);
  if (const std::string how = how_format_was_found(files[0], format, s.reading); !how.empty()) talk.fact("format", how);
  switch (matter_of(format)) {
    case Matter::texts:
      return rewrite_texts(files, format, to, s, talk), 0;
    case Matter::raw:
      return rewrite_raw(files, to, s, talk), 0;
    case Matter::numbers:
      return rewrite_numbers(files, to, s, talk), 0;
    case Matter::sentences:
      break;
  }
  const bool to_jsonl = to == Written::jsonl;
  auto scheme = s.to_scheme.empty() ? text::SchemeId::bio : text::scheme_by_name(s.to_scheme, "--to");
  Output out(s.destination);
  std::string text;
  std::size_t documents = 0, mentions = 0;
  const auto write = [&](const Document& d) {
    to_jsonl ? append_jsonl(text, d) : append_conll(text, d, scheme);
    ++documents;
    mentions += d.mentions.size();
    if (text.size() < std::size_t{1} << 20) return;
    out.write(text);
    text.clear();
  };
  if (format == Format::conll) {
    const train::Tagged gold = read_split("from", path, s.reading, talk);
    if (s.to_scheme.empty()) scheme = gold.scheme;
    for (std::size_t k = 0; k < gold.corpus.sentences(); ++k)
      write(detail::sentences_of(gold, k, k + 1, s.reading.repair));
  } else {
    const text::Met met = format == Format::jsonl
                              ? detail::each_document<text::Jsonl<>>(files, s.reading, talk, write)
                              : detail::each_document<text::AnnotatedText<>>(files, s.reading, talk, write);
    talk.fact("from", text::name_of(files[0]) + ": " + format_name(format));
    if (const std::string words = text::describe(met); !words.empty()) talk.fact("", "met " + words);
  }
  out.write(text);
  out.close();
  talk.fact("to", (s.destination == "-" ? "standard output" : s.destination) + ": " +
                      (to_jsonl ? counted(documents, "line", "lines")
                                : counted(documents, "sentence in ", "sentences in ") +
                                      std::string(text::scheme_name(scheme))) +
                      ", " + counted(mentions, "entity", "entities"));
  return 0;
}

}  // namespace entrain::app
