// tests > [vectors]
//
// Files of word vectors: written and read with the same bits, and one message for each fault of a file.
#include "entrain/vectors/files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>

#include "entrain/core/random.hpp"
#include "tests/scratch.hpp"

using namespace entrain;

namespace {

vectors::WordVectors some(std::size_t words, std::size_t width) {
  vectors::WordVectors v;
  v.width = width;
  Random random(3);
  for (std::size_t w = 0; w < words; ++w) {
    v.words.add(w == 1 ? "na\xC3\xAFve" : "word" + std::to_string(w));
    for (std::size_t c = 0; c < width; ++c) v.rows.push_back((random.uniform() - 0.5f) * (c == 0 ? 1e-30f : 3));
  }
  v.rows[2] = -0.f, v.rows[3] = std::numeric_limits<float>::denorm_min();
  return v;
}
bool same_bits(const vectors::WordVectors& a, const vectors::WordVectors& b) {
  return a.words == b.words && a.width == b.width && a.rows.size() == b.rows.size() &&
         std::memcmp(a.rows.data(), b.rows.data(), a.rows.size() * sizeof(float)) == 0;
}
std::string floats(std::initializer_list<float> numbers) {
  std::string bytes;
  for (const float x : numbers) bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  return bytes;
}
std::string refused(std::string_view bytes, vectors::ReadOptions options = {}) {
  const test::File file(bytes, "v.txt");
  const std::string why = test::sentence([&] { vectors::read_vectors(file.path(), options); });
  const std::size_t folder = why.find(file.path());
  return folder == std::string::npos ? why : std::string(why).replace(folder, file.path().size() - 5, "");
}

}  // namespace

TEST_CASE("word vectors: both formats of word2vec are read with the bits that were written") {
  const test::Scratch folder;
  const vectors::WordVectors v = some(700, 37);
  for (const auto format : {vectors::Format::text, vectors::Format::binary}) {
    vectors::write_vectors(folder / "v", v, format);
    CHECK(same_bits(vectors::read_vectors(folder / "v"), v));
    CHECK(same_bits(vectors::read_vectors(folder / "v", {format}), v));
    const vectors::WordVectors few = vectors::read_vectors(folder / "v", {vectors::Format::detect, 5});
    CHECK(few.size() == 5);
    CHECK(few.rows.size() == 5 * 37);
  }
  CHECK(folder.names() == std::set<std::string>{"v"});
}

TEST_CASE("word vectors: text of word2vec.c, fastText, GloVe and gensim is read") {
  const auto two = [](const vectors::WordVectors& v) {
    return v.size() == 2 && v.width == 3 && v.words[0] == "a" && v.words[1] == "b" && v[0][0] == 1 && v[1][2] == -0.5f;
  };
  const auto read = [](std::string_view bytes) { return vectors::read_vectors(test::File(bytes).path()); };
  CHECK(two(read("2 3\na 1 2 3\nb 4 5 -0.5\n")));
  CHECK(two(read("2 3\na 1 2 3 \nb 4 5 -5e-1 \n")));         // word2vec.c and fastText
  CHECK(two(read("a 1.0 +2 3\nb 4 5 -.5\n")));               // GloVe
  CHECK(two(read("a 1 2 3\nb 4 5 -0.5")));                   // without a line end
  CHECK(two(read("2 3\r\na 1 2 3\r\nb 4 5 -0.5\r\n\r\n")));  // CR LF, and a blank line at the end
  CHECK(
      two(read("\xEF\xBB\xBF"
               "a\t1\t2\t3\nb\t4\t5\t-0.5\n")));  // a byte order mark, and tabs
  CHECK(two(read("2 3\na " + floats({1, 2, 3}) + "\nb " + floats({4, 5, -0.5f}) + "\n")));  // word2vec.c
  CHECK(two(read("2 3\na " + floats({1, 2, 3}) + "b " + floats({4, 5, -0.5f}))));           // gensim
  const vectors::WordVectors spaces = read(". . . 1 2\nat name 3 4\n7 5 6\n");              // as in glove.840B
  CHECK(spaces.words[0] == ". . .");
  CHECK(spaces.words[1] == "at name");
  CHECK(spaces.words[2] == "7");
  CHECK(read("a 1e-60 0\n").rows[0] == 0);
}

TEST_CASE("word vectors: each fault of a file is one sentence") {
  CHECK(refused("") == "entrain.text.4: v.txt: empty, expected word vectors");
  CHECK(refused("2 3\na 1 2 3\n") ==
        "entrain.vectors.3: v.txt:1: 2 words, but the file has 1, expected as many rows as the first line says; the "
        "file may be cut off: copy it again");
  CHECK(refused("1 3\na 1 2 3\nb 4 5 6\n") ==
        "entrain.vectors.3: v.txt:3: one more row than the 1 of line 1, expected as many rows as the first line says; "
        "correct the first line");
  CHECK(test::has(refused("0 3\n"), "entrain.vectors.3: v.txt:1: 0 words of 3 numbers, expected at least one"));
  CHECK(test::has(refused("4294967295 3\n"), "entrain.vectors.3: v.txt:1: 4294967295 words of 3 numbers"));
  CHECK(test::has(refused("title\na 1 2\n"), "entrain.vectors.3: v.txt:1: 1 field, expected counts, or a word and"));
  CHECK(test::has(refused(" \n\n"), "entrain.vectors.3: v.txt:1: blank lines alone, expected counts, or a word and"));
  CHECK(refused("a 1 2 3\nb 4 5\n") ==
        "entrain.vectors.4: v.txt:2: 2 numbers, expected 3 numbers; each row has as many as the first one");
  CHECK(refused("2 3\na 1 2 3\nb 4 5 6 7\n") ==
        "entrain.vectors.4: v.txt:3: 4 numbers, expected 3 numbers; each row has as many as line 1 says");
  CHECK(test::has(refused("a 1 2\n\nb 1 2\n"), "entrain.vectors.4: v.txt:2: a blank line between rows"));
  CHECK(refused("a 1 2 3\nb 4 x5 6\n") == "entrain.vectors.5: v.txt:2: 'x5', number 2 of 'b', expected a number");
  CHECK(refused("a 1 2 3\nb 4 5,5 6\n") == "entrain.vectors.5: v.txt:2: '5,5', number 2 of 'b', expected a number");
  CHECK(refused("a 1 2 3\nb 4 nan 6\n") ==
        "entrain.vectors.6: v.txt:2: NaN, number 2 of 'b', expected a finite number");
  CHECK(test::has(refused("a 1 2 1e60\n"), "entrain.vectors.6: v.txt:1: infinity, or beyond the range of fp32"));
  CHECK(refused("2 1\na 1\na 2\n") ==
        "entrain.vectors.7: v.txt:3: 'a' again, as in line 2, expected each word once; remove one of the rows");
  CHECK(test::has(refused("b 1 1\na 1 2\na 1 2\n"), "entrain.vectors.7: v.txt:3: 'a' again, as in line 2"));
  CHECK(refused("2 3\na 1 2 3\nb 4 5") ==
        "entrain.vectors.8: v.txt:3: the file ends after 2 numbers of this row, expected 3 numbers; the file is cut "
        "off: copy it again");
  CHECK(test::has(refused("a 1\nb\xFF 1\n"),
                  "entrain.vectors.9: v.txt:2: byte 0xFF, number 2 of the line, is not UTF-8"));
}

TEST_CASE("word vectors: each fault of a binary file is one sentence") {
  const std::string a = "a " + floats({1, 2, 3}), b = "b " + floats({4, 5, 6});
  const vectors::ReadOptions binary{vectors::Format::binary};
  CHECK(refused("2 3\n" + a + b.substr(0, 9)) ==
        "entrain.vectors.8: v.txt, word 2: the file ends after 7 bytes of its numbers, expected 2 words of 3 numbers; "
        "the file is cut off: copy it again");
  CHECK(test::has(refused("2 3\n" + a), "entrain.vectors.8: v.txt, word 2: the file ends after 0 bytes of a word"));
  CHECK(test::has(refused("1 3\n" + a + b), "entrain.vectors.3: v.txt, word 2: more bytes after the last word"));
  CHECK(test::has(refused("2 3\n" + a + a), "entrain.vectors.7: v.txt, word 2: 'a' again, as in word 1"));
  CHECK(test::has(refused("1 1\n\xFF " + floats({1})), "entrain.vectors.9: v.txt, word 1: byte 0xFF"));
  CHECK(test::has(refused("1 1\na " + floats({NAN})), "entrain.vectors.6: v.txt, word 1: NaN, number 1 of 'a'"));
  CHECK(test::has(refused("1 1\n " + floats({1}), binary), "entrain.vectors.4: v.txt, word 1: no word"));
  CHECK(
      test::has(refused("1 1\n" + std::string(5000, 'x'), binary), "entrain.vectors.4: v.txt, word 1: a word of more"));
  CHECK(test::has(refused("a 1 2\n", binary), "entrain.vectors.3: v.txt:1: a first line without counts"));
}

TEST_CASE("word vectors: a word that the formats cannot hold is not written") {
  const test::Scratch folder;
  vectors::WordVectors v{{}, {1.f}, 1};
  v.words.add("two words");
  CHECK(test::has(test::sentence([&] { vectors::write_vectors(folder / "v", v); }), "entrain.vectors.10"));
  CHECK(folder.names().empty());
}
