// tests > fuzz > [text]
//
// Any bytes as a text: tokens are in order, none is empty, only white space is between them, code points are
// counted as everywhere else, sentences take up all tokens.
#include <cstdint>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "entrain/text/corpus/features.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"

using namespace entrain::text;
using entrain::test::demand;

namespace {
template <class Words, class Sentences> void split(std::string_view text) {
  std::vector<Token> tokens;
  Words::split(text, tokens);
  std::size_t at = 0, cp = 0;
  for (const Token& t : tokens) {
    for (; at < t.begin; ++cp) {
      const CodePoint p = decode(text, at);
      demand(is_space(p.cp));
      at += p.bytes;
    }
    demand(at == t.begin && cp == t.begin_cp && t.end > t.begin);
    for (; at < t.end; ++cp) at += decode(text, at).bytes;
    demand(at == t.end && cp == t.end_cp);
    const std::string_view word = t.in(text);
    (void)features(word);
    (void)affixes(word);
  }
  std::vector<Sentence> sentences;
  Sentences::split(text, tokens, sentences);
  std::size_t next = 0;
  for (const Sentence& s : sentences) {
    demand(s.begin == next && s.end > s.begin);
    next = s.end;
  }
  demand(next == tokens.size());
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  split<UnicodeWords, UnicodeSentences>(text);
  split<Whitespace, Lines>(text);
  return 0;
}
