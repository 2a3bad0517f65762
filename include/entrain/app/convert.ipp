// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `convert`: the same sentences in another scheme or format.
#pragma once
#include <string>
#include <utility>

#include "entrain/app/document.hpp"
#include "entrain/app/figures.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/jsonl.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/render.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/train/targets.hpp"

namespace entrain::app {
namespace detail {

/// conll or jsonl: what was asked for, else by the ending of the file's name.
inline bool is_jsonl(const std::string& format, const std::string& path) {
  if (format != "auto") return format == "jsonl";
  return path.ends_with(".jsonl") || path.ends_with(".json");
}

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

}  // namespace detail

ENTRAIN_PART int convert(const Settings& s) {
  Talk talk(s.quiet);
  const std::string path = s.inputs.empty() ? "-" : s.inputs[0];
  if (s.inputs.size() > 1) throw Error("entrain.app.13", "convert", std::to_string(s.inputs.size()) + " files", "one");
  const bool to_jsonl = detail::is_jsonl(s.format, s.destination);
  auto scheme = s.to_scheme.empty() ? text::SchemeId::bio : text::scheme_by_name(s.to_scheme, "--to");
  std::string text;
  std::size_t documents = 0, mentions = 0;
  const auto write = [&](const Document& d) {
    to_jsonl ? append_jsonl(text, d) : append_conll(text, d, scheme);
    ++documents;
    mentions += d.mentions.size();
  };
  if (detail::is_jsonl(s.input_format, path)) {
    const JsonlFile file = read_jsonl(path);
    for (const std::string& problem : file.problems) talk.warn(problem);
    for (const Document& d : file.documents) write(d);
  } else {
    const train::Tagged gold = read_split("from", path, s.reading, talk);
    if (s.to_scheme.empty()) scheme = gold.scheme;
    for (std::size_t k = 0; k < gold.corpus.sentences(); ++k)
      write(detail::sentences_of(gold, k, k + 1, s.reading.repair));
  }
  Output out(s.destination);
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
