// tests > [text]
#include "entrain/text/tokenizer/byte_bpe.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/unicode/utf8.hpp"
#include "tests/scratch.hpp"
#include "tests/text/pieces_in_words.hpp"

namespace byte_bpe_test {
using namespace entrain::text;
using test::from_hex;
using test::has;
using test::in_words;
using test::read;
using test::sentence;

namespace {
std::string letter(int byte) {
  char bytes[4];
  return {bytes, encode(letter_of_byte(static_cast<unsigned char>(byte)), bytes)};
}

/// <unk>, the bytes from id 1, then these pieces.
std::vector<std::string> pieces_and(const std::vector<std::string>& more) {
  std::vector<std::string> all{"<unk>"};
  for (int b = 0; b < 256; ++b) all.push_back(letter(b));
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
const std::string space = letter(' ');

ByteBpe small(ByteBpeOptions options = {}) {
  return ByteBpe(pieces_and({"ab", "bc", "abc", space + "a", space + "abc", "aa"}),
                 {{"b", "c"}, {"a", "b"}, {"a", "bc"}, {space, "abc"}, {space, "a"}, {"a", "a"}}, std::move(options));
}

}  // namespace

namespace {
/// Reads a golden file's texts by its tokenizer; returns how many there are.
int check_golden(const std::string& name, ByteBpeOptions options) {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/" + name);
  REQUIRE(golden.is_open());
  std::vector<std::string> vocabulary;
  std::vector<ByteBpe::Pair> merges;
  std::vector<ByteBpe> made;
  int cases = 0;
  for (std::string line; std::getline(golden, line);) {
    std::istringstream fields(line.substr(std::min<std::size_t>(2, line.size())));
    if (line[0] == '#') continue;
    if (line.starts_with("v ")) {
      vocabulary.push_back(line.substr(2));
    } else if (line.starts_with("m ")) {
      auto& [left, right] = merges.emplace_back();
      fields >> left >> right;
    } else if (line.starts_with("a ")) {
      options.added.push_back(test::added_piece(fields));
    } else {
      if (made.empty()) made.emplace_back(vocabulary, merges, options);
      const std::size_t end = std::min(line.find(' '), line.size());
      const std::string hex = line.substr(0, end), expected = line.substr(std::min(end + 1, line.size()));
      CAPTURE(hex);
      CHECK(read(made[0], from_hex(hex)) == expected);
      ++cases;
    }
  }
  return cases;
}
}  // namespace

TEST_CASE("byte bpe: ids and offsets are those of tokenizers") {
  CHECK(check_golden("byte_bpe.txt", {}) == 1200);
  CHECK(check_golden("byte_bpe_nfc.txt", {.unk_token = "[UNK]", .added = {}, .nfc = true}) == 1000);
}

TEST_CASE("byte bpe: the lowest rank first, the leftmost of equals, until no pair has a merge") {
  const ByteBpe b = small();
  const auto id = [&](const std::string& piece) {
    for (std::size_t i = 0; i < b.vocabulary().size(); ++i)
      if (b.vocabulary()[i] == piece) return std::to_string(i);
    return std::string("none");
  };
  CHECK(read(b, "abc") == id(space + "abc") + ":0-3");  // not `ab` and `c`: `bc` has a lower rank
  CHECK(read(b, "ab") == id(space) + ":0-0 " + id("ab") + ":0-2");
  CHECK(read(b, "aaa") == id(space + "a") + ":0-1 " + id("aa") + ":1-3");
  CHECK(read(b, " abc") == id(space + "abc") + ":1-4");  // it begins with a space: no other is added
  CHECK(read(b, "") == "");
  CHECK(read(b, "\xC3\xA9") == id(space) + ":0-0 " + id(letter(0xC3)) + ":0-1 " + id(letter(0xA9)) + ":0-1");
  CHECK(read(b, "\xFF") == read(b, "\xEF\xBF\xBD"));  // a stray byte is U+FFFD
  for (int n = 1; n < 70; ++n) {                      // short words are merged in another way than long ones
    ByteBpe::Reader reader(b);
    Pieces p;
    reader.encode(std::string(static_cast<std::size_t>(n), 'a') + "bc", p);
    CAPTURE(n);
    REQUIRE(p.size() == static_cast<std::size_t>(n == 1 ? 1 : 2 + (n - 1) / 2));
    CHECK(p.id.back() == (n == 1 ? 261 : 259));                                      // abc
    CHECK(std::count(p.id.begin(), p.id.end(), 262) == (n == 1 ? 0 : (n - 2) / 2));  // aa
    if (n > 3) CHECK(p.id[1] == 262);                                                // the leftmost of equal ranks
    CHECK(p.end.back() == static_cast<std::uint32_t>(n + 2));
  }
  std::string longest;
  for (int i = 0; i < 3000; ++i) longest += "abc";
  const std::string pieces = read(b, longest);
  CHECK(pieces.starts_with(id(space + "abc") + ":0-3 " + id("abc") + ":3-6 "));
  CHECK(pieces.ends_with(id("abc") + ":8997-9000"));
}

TEST_CASE("byte bpe: the place in the text continues from call to call") {
  const ByteBpe b = small();
  ByteBpe::Reader reader(b);
  Pieces p;
  const auto next = reader.encode("abc", p, 7);
  CHECK(next == 10);
  CHECK(reader.encode("abc abc", p, next) == 17);
  CHECK(in_words(p) == "261:7-10 261:10-13 261:14-17");
}

TEST_CASE("byte bpe: words end where GPT-2's do") {
  const auto words = [](std::string_view text) {
    std::string all;
    for (std::size_t at = 0, end; at < text.size(); at = end) {
      end = end_of_byte_level_word(text, at);
      REQUIRE(end > at);
      all.append(all.empty() ? "" : "|").append(text.substr(at, end - at));
    }
    return all;
  };
  for (const std::string contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    CHECK(words(contraction) == contraction);
    CHECK(words("ab" + contraction + "x") == "ab|" + contraction + "|x");
    CHECK(words("ab" + contraction) == "ab|" + contraction);
  }
  CHECK(words("'r") == "'|r");
  CHECK(words("'") == "'");
  CHECK(words("a'S") == "a|'|S");
  CHECK(words("ab12 34!? x") == "ab|12| 34|!?| x");
  CHECK(words("a   b") == "a|  | b");
  CHECK(words("a  ") == "a|  ");
  CHECK(words(" \n\nb") == " \n|\n|b");
  CHECK(words("\u00a0b") == "\u00a0|b");
  CHECK(words("\u4e2d\u6587\u00bd") == "\u4e2d\u6587|\u00bd");
  for (const int byte : {0xC0, 0xC1, 0xF5, 0xFF}) CHECK_FALSE(occurs_in_utf8(static_cast<unsigned char>(byte)));
  for (const int byte : {0x00, 0xBF, 0xC2, 0xF4}) CHECK(occurs_in_utf8(static_cast<unsigned char>(byte)));
}

TEST_CASE("byte bpe: a piece of spaces alone covers no code point") {
  const ByteBpe b(pieces_and({space + space}), {{space, space}});
  CHECK(read(b, "a   b") == std::to_string(' ' + 1) + ":0-0 " + std::to_string('a' + 1) + ":0-1 257:3-3 " +
                                std::to_string(' ' + 1) + ":4-4 " + std::to_string('b' + 1) + ":4-5");
}

TEST_CASE("byte bpe: with NFC, pieces have the places of the text that was given") {
  const std::string e = letter(0xC3), acute = letter(0xA9);
  const auto id = [](int byte) { return std::to_string(byte + 1); };
  const ByteBpe b(pieces_and({e + acute}), {{e, acute}},
                  {.unk_token = "<unk>",
                   .added = {{"<e\u0301>", 258, false, false, false, true},
                             {"<\u00e9>!", 259},
                             {"  ", 260, false, false, false, true}},
                   .nfc = true});
  const std::string put = id(' ') + ":";
  CHECK(read(b, "\u00e9") == put + "0-0 257:0-1");
  CHECK(read(b, "e\u0301") == put + "0-0 257:0-1");
  CHECK(read(b, "ee\u0301e\u0301e") ==
        put + "0-0 " + id('e') + ":0-1 257:1-2 257:3-4 " + id('e') + ":5-6");  // without the marks
  CHECK(read(b, "x <e\u0301>x") ==
        put + "0-0 " + id('x') + ":0-1 " + put + "2-2 258:2-6 " + put + "6-6 " + id('x') + ":6-7");
  CHECK(read(b, "<\u00e9>e\u0301") == "258:0-3 " + put + "3-3 257:3-4");
  CHECK(read(b, "<\u00e9>!e\u0301") == "259:0-4 " + put + "4-4 257:4-5");        // in the text as it is
  CHECK(read(b, "<e\u0301>!") == "258:0-4 " + put + "4-4 " + id('!') + ":4-5");  // which has no 259
  CHECK(read(b, "e\u0301   e\u0301") ==
        put + "0-0 257:0-1 260:2-4 " + put + "5-5 257:5-6");  // the third space is its own
  CHECK(read(b,
             "\xFF"
             "e\u0301\xC3") == read(b,
                                    "\ufffd"
                                    "e\u0301\ufffd"));
  ByteBpe::Reader reader(b);
  Pieces p;
  CHECK(reader.encode("e\u0301e\u0301", p, 7) == 11);
  CHECK(in_words(p) == put + "7-7 257:7-8 257:9-10");
  const ByteBpe without(pieces_and({e + acute}), {{e, acute}},
                        {.unk_token = "<unk>", .added = {{"<e\u0301>", 258, false, false, false, true}}});
  CHECK(read(without, "e\u0301") != read(b, "e\u0301"));
  CHECK(read(without, "<e\u0301>") == "258:0-4");
  CHECK(read(without, "<\u00e9>") != "258:0-3");
}

TEST_CASE("byte bpe: merges are found by both pieces, whatever their ids") {
  MergeTable table(3);
  CHECK(table.add(1 << 17, 5, {0, 1}));
  CHECK(table.add(5, 1 << 17, {1, 2}));
  CHECK(table.add(1, 5, {2, 3}));
  CHECK_FALSE(table.add(1, 5, {3, 4}));
  REQUIRE(table.find(1 << 17, 5) != nullptr);
  CHECK(table.find(1 << 17, 5)->piece == 1);
  CHECK(table.find(5, 1 << 17)->piece == 2);
  CHECK(table.find(1, 5)->rank == 2);
  CHECK(table.find(0, 5) == nullptr);
  CHECK(table.find(5, 1) == nullptr);
  CHECK(MergeTable().find(0, 0) == nullptr);
}

TEST_CASE("byte bpe: what is no vocabulary, and no list of merges") {
  const auto refusal = [](const std::vector<std::string>& vocabulary, const std::vector<ByteBpe::Pair>& merges,
                          ByteBpeOptions options = {}) {
    return sentence([&] { ByteBpe(vocabulary, merges, std::move(options), "here"); });
  };
  CHECK(has(refusal(pieces_and({"ab", "ab"}), {}), "entrain.text.14: here: 'ab' has ids 257 and 258"));
  CHECK(has(refusal(pieces_and({}), {}, {.unk_token = "[UNK]", .added = {}}), "entrain.text.15: here: no piece [UNK]"));
  auto without = pieces_and({});
  without['x' + 1].clear();
  CHECK(has(refusal(without, {}), "entrain.text.17: here: no piece 'x' for the byte 120"));
  without = pieces_and({});
  without[0xFF + 1].clear();
  without[0xC0 + 1].clear();
  CHECK_NOTHROW(ByteBpe(without, {}));  // no text in UTF-8 has these bytes
  CHECK(has(refusal(pieces_and({"ab"}), {{"a", "b"}, {"ab", "c"}}),
            "entrain.text.16: here: merge 2, 'ab' and 'c': 'abc' is no piece"));
  CHECK(has(refusal(pieces_and({"ab"}), {{"zz", "b"}}), "'zz' is no piece"));
  CHECK(has(refusal(pieces_and({"ab"}), {{"a", "zz"}}), "'zz' is no piece"));
  CHECK(has(refusal(pieces_and({"ab"}), {{"a", "b"}, {"a", "b"}}), "merge 2, 'a' and 'b' occurs twice"));
}

TEST_CASE("byte bpe: all that decides a piece changes the fingerprint") {
  const auto pieces = pieces_and({"ab", "bc", "abc"});
  const std::vector<ByteBpe::Pair> merges{{"a", "b"}, {"b", "c"}};
  const std::string all = ByteBpe(pieces, merges).fingerprint();
  CHECK(ByteBpe(pieces, merges).fingerprint() == all);
  CHECK(ByteBpe(pieces, {{"b", "c"}, {"a", "b"}}).fingerprint() != all);
  CHECK(ByteBpe(pieces, {{"a", "b"}}).fingerprint() != all);
  const auto others = pieces_and({"ab", "ac", "cb"});
  CHECK(ByteBpe(others, {{"a", "b"}}).fingerprint() != ByteBpe(others, {{"a", "c"}}).fingerprint());
  CHECK(ByteBpe(others, {{"a", "b"}}).fingerprint() != ByteBpe(others, {{"c", "b"}}).fingerprint());
  CHECK(ByteBpe(pieces_and({"bc", "ab", "abc"}), merges).fingerprint() != all);
  std::vector<std::string> each{all};
  for (const AddedPiece& added :
       {AddedPiece{"<m>", 3}, AddedPiece{"<n>", 3}, AddedPiece{"<m>", 4}, AddedPiece{"<m>", 3, true},
        AddedPiece{"<m>", 3, false, true}, AddedPiece{"<m>", 3, false, false, true},
        AddedPiece{"<m>", 3, false, false, false, true}})
    each.push_back(ByteBpe(pieces, merges, {.unk_token = "<unk>", .added = {added}}).fingerprint());
  for (std::size_t i = 0; i < each.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(each[i] != each[k]);
  CHECK(ByteBpe(pieces, merges, {.unk_token = "ab", .added = {}}).fingerprint() != all);
  CHECK(ByteBpe(pieces, merges, {.unk_token = "<unk>", .added = {}, .nfc = true}).fingerprint() != all);
  CHECK(!has(all, "NFC"));  // a cache of such a tokenizer from before there was NFC is the same
}

}  // namespace byte_bpe_test
