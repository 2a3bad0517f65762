// tests > [text]
//
// What a source of records makes of a file that is one block in memory, in a few letters.
#pragma once
#include <string>
#include <string_view>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/records/records.hpp"

namespace test {
namespace text = entrain::text;

template <class Source> text::Corpus corpus_of(std::string_view bytes, const text::RecordOptions& options = {}) {
  typename Source::Raw raw{{std::string(bytes), 1, 0}, "f"};
  text::Corpus corpus;
  Source({}, options).work()(raw, corpus);
  return corpus;
}

/// "Ada/B-PER wrote/O|it/O": sentences with a bar between, and two where a document begins.
inline std::string shown(const text::Corpus& c) {
  std::string s;
  std::size_t document = 0;
  for (std::size_t k = 0; k < c.sentences(); ++k) {
    const bool begins = document < c.document.size() && c.document[document] == k;
    document += begins;
    if (k > 0) s += begins ? "||" : "|";
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i)
      s.append(i > c.sentence[k] ? " " : "").append(c.token(i)).append("/").append(c.tag_name(i));
  }
  return s;
}

/// 3: reason
inline std::string problems(const text::Corpus& c) {
  std::string s;
  for (const text::Problem& p : c.problems) s += std::to_string(p.line) + ": " + p.reason + "\n";
  return s;
}

}  // namespace test
