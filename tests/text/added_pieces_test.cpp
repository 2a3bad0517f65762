// tests > [text]
#include "entrain/text/tokenizer/added_pieces.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace added_pieces_test {
using namespace entrain::text;

namespace {
/// The parts of a text: what is plain, and `id:from-to` for an added piece.
std::string parts(const std::vector<AddedPiece>& added, std::string_view text) {
  const AddedPieces pieces(added);
  std::string all;
  const auto end = pieces.split(
      text, 10,
      [&](std::string_view part, std::uint32_t from) {
        all.append("[").append(part).append("]");
        return from + static_cast<std::uint32_t>(count_code_points(part));
      },
      [&](std::int32_t id, std::uint32_t from, std::uint32_t to) {
        all += std::to_string(id) + ":" + std::to_string(from) + "-" + std::to_string(to);
      });
  CHECK(end == 10 + count_code_points(text));
  return all;
}
}  // namespace

TEST_CASE("added pieces: the longest at a place, from left to right") {
  const std::vector<AddedPiece> added{{"<a>", 1}, {"<a>b", 2}, {"b", 3}, {"", 4}};
  CHECK(parts(added, "") == "[]");
  CHECK(parts(added, "x") == "[x]");
  CHECK(parts(added, "<a>bb") == "[]2:10-14[]3:14-15[]");
  CHECK(parts(added, "x<a><a") == "[x]1:11-14[<a]");
  CHECK(parts({}, "<a>") == "[<a>]");
  CHECK(parts({{"<a>", 1}, {"<a>", 2, true}}, "x <a>") == "[x]2:11-15[]");  // the later of two counts
}

TEST_CASE("added pieces: a word alone, or none that begins inside it") {
  const std::vector<AddedPiece> added{{"ab", 1}, {"abc", 2, false, false, true}, {"bc", 3}};
  CHECK(parts(added, "abc") == "[]2:10-13[]");
  CHECK(parts(added, "abcd") == "[abcd]");  // tokenizers takes the failed match as read
  CHECK(parts(added, "xabc ab") == "[xabc ]1:15-17[]");
  CHECK(parts(added, "!abc!") == "[!]2:11-14[!]");
  for (const std::string word : {"_", "\u00e9", "\u0301", "\u0663", "\u2160", "\u2182", "\u3007", "\u24b6", "\u24e9",
                                 "\u203f", "\u2040", "\u200d", "\U0001f130", "\U0001f170", "\U00010400"}) {
    CAPTURE(word);
    CHECK(parts(added, word + "abc") == "[" + word + "abc]");
    CHECK(parts(added, "abc" + word) == "[abc" + word + "]");
  }
  for (const std::string other :
       {"\u00bd", "\u2041", "\u215f", "\u24ea", "\u3008", "\u200b", "\U0001f18a", "\U0001f600"})
    CHECK(parts(added, other + "abc" + other) == "[" + other + "]2:11-14[" + other + "]");
}

TEST_CASE("added pieces: spaces that one takes, and one that begins in them") {
  CHECK(parts({{"<m>", 1, true}}, "x \u3000<m> y") == "[x]1:11-16[ y]");
  CHECK(parts({{"<m>", 1, false, true}}, "x <m> \n y") == "[x ]1:12-18[y]");
  CHECK(parts({{"<m>", 1, true, true}}, "<m>  <m>") == "[]1:10-15[]1:15-18[]");
  // tokenizers finds a piece that begins in spaces which the one before it took.
  CHECK(parts({{"<m>", 1, false, true}, {" x", 2}}, "<m> x") == "[]1:10-14[]2:14-15[]");
  // A byte that is no text is no space.
  CHECK(parts({{"<m>", 1, true}}, "\xE3\x80\x80\x80<m>") == "[\xE3\x80\x80\x80]1:12-15[]");
  CHECK(parts({{"<m>", 1, true}}, "\xC2\xA0\x80<m>") == "[\xC2\xA0\x80]1:12-15[]");
}

TEST_CASE("added pieces: ten thousand cost no more than ten") {
  std::vector<AddedPiece> added;
  for (int i = 0; i < 10'000; ++i) added.push_back({"abcdefghij" + std::to_string(i), i});
  const AddedPieces pieces(added);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "abcdefghij went home ";
  int found = 0;
  pieces.split(
      text, 0, [](std::string_view, std::uint32_t from) { return from; },
      [&](std::int32_t, std::uint32_t, std::uint32_t) { ++found; });
  CHECK(found == 0);  // by trying each, this takes minutes
}

}  // namespace added_pieces_test
