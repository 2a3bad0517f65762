// tests > [text]
//
// Tokens by way of the buffer: the corpus that pushing them one by one makes.
#include "entrain/text/corpus/token_buffer.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace token_buffer_test {
using namespace entrain::text;

TEST_CASE("token buffer: the corpus is what Corpus::push makes, whatever the tokens' sizes and places") {
  std::mt19937 draw(5);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (std::size_t k = draw() % 3000; k > 0; --k) text += static_cast<char>('a' + draw() % 26);
    Corpus expected, corpus;
    TokenBuffer tokens(corpus, text);
    const std::size_t longest = round % 3 == 0 ? 60 : 8;
    std::uint32_t line = 0;
    for (std::size_t at = 0; at < text.size() || line == 0;) {  // an empty text has one token, of no byte
      const std::size_t size = std::min<std::size_t>(draw() % longest, text.size() - at);
      const std::string tag = draw() % 4 == 0 ? "B-X" : "O";
      const std::string_view token = std::string_view(text).substr(at, size);
      ++line;
      if (draw() % 5 == 0) {
        expected.push(token, line);
        tokens.push(token, -1, line);
      } else {
        expected.push(token, tag, line);
        tokens.push(token, corpus.intern(tag), line);
      }
      at += size + (size == 0);
      if (draw() % 90 != 0) continue;  // so that some sentences have more tokens than the buffer
      expected.end_sentence();
      tokens.flush();
      corpus.end_sentence();
    }
    tokens.flush();
    tokens.flush();
    CHECK(corpus.bytes == expected.bytes);
    CHECK(corpus.begin == expected.begin);
    CHECK(corpus.line == expected.line);
    CHECK(corpus.tag == expected.tag);
    CHECK(corpus.tags == expected.tags);
    CHECK(corpus.sentence == expected.sentence);
  }
}

}  // namespace token_buffer_test
