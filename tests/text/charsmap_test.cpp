// tests > [text]
#include "entrain/text/tokenizer/charsmap.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/unicode/utf8.hpp"
#include "tests/scratch.hpp"

namespace charsmap_test {
using namespace entrain::text;
using test::has;
using test::sentence;

namespace {
std::string number(std::uint32_t n) {
  std::string s;
  for (int i = 0; i < 4; ++i) s += static_cast<char>(n >> (8 * i) & 0xFF);
  return s;
}
std::string with(const std::vector<std::uint32_t>& units, const std::string& texts) {
  std::string s = number(static_cast<std::uint32_t>(4 * units.size()));
  for (const std::uint32_t unit : units) s += number(unit);
  return s + texts;
}
constexpr std::uint32_t ends_key = 1 << 8, value = 1u << 31;
/// The keys `a`, `cb` and U+00E9, whose replacements begin at the texts' bytes 0, 3 and 5.
std::vector<std::uint32_t> units() {
  std::vector<std::uint32_t> all(512);
  const auto child = [&](std::uint32_t from, unsigned byte) {
    const std::uint32_t at = (from ^ all[from] >> 10) ^ byte;
    all[at] |= byte;
    return at;
  };
  const auto base = [&](std::uint32_t at, std::uint32_t place) { all[at] |= (at ^ place) << 10; };
  base(0, 256);
  const std::uint32_t a = child(0, 'a');
  base(a, 16);
  all[a] |= ends_key, all[16] = value | 0;
  const std::uint32_t c = child(0, 'c');
  base(c, 300);
  const std::uint32_t b = child(c, 'b');
  base(b, 17);
  all[b] |= ends_key, all[17] = value | 3;
  const std::uint32_t lead = child(0, 0xC3);
  base(lead, 310);
  const std::uint32_t e = child(lead, 0xA9);
  base(e, 18);
  all[e] |= ends_key, all[18] = value | 5;
  return all;
}
const std::string texts("xy\0z\0\0", 6);
std::string mapped(const Charsmap& map, std::string_view text) {
  MappedText out;
  CHECK(map.apply(text, out) == count_code_points(text));
  REQUIRE(out.place.size() == out.text.size());
  std::string s = out.text + " ";
  for (const std::uint32_t place : out.place) s += std::to_string(place) + ",";
  return s;
}
std::string refusal(const std::string& bytes) {
  return sentence([&] { Charsmap(bytes, "here"); });
}
}  // namespace

TEST_CASE("map of characters: what replaces a cluster, and the places") {
  const Charsmap map(with(units(), texts));
  CHECK(mapped(map, "") == " ");
  CHECK(mapped(map, "bad") == "bxyd 0,1,1,2,");
  CHECK(mapped(map, "a\u0301d") == "xyd 0,1,2,");        // the cluster, not its first code point alone
  CHECK(mapped(map, "a\u0301\u0302d") == "xyd 0,1,3,");  // five bytes
  CHECK(mapped(map, "a\u0301\u0302\u0303d") == "xy\u0301\u0302\u0303d 0,0,1,1,2,2,3,3,4,");  // seven: by code points
  CHECK(mapped(map, "cb") == "cb 0,1,");  // two clusters, of which neither is the key
  CHECK(mapped(map, "c\u00e9d") == "cd 0,2,");
  CHECK(mapped(map, "\u00e9d") == "d 1,");  // counted: tokenizers says 0
  CHECK(mapped(map, "a\u00e9\u00e9d") ==
        "xyd 0,1,3,");  // the second code point of a replacement is from what is removed
  CHECK(mapped(map, "\u00e9\u00e9") == " ");
  CHECK(map.changes('a'));
  CHECK_FALSE(map.changes('b'));
  CHECK_FALSE(map.changes('c'));
  CHECK(map.bytes() == with(units(), texts));
  const Charsmap none;
  CHECK(mapped(none, "a\u0301") == "a\u0301 0,1,1,");
  CHECK_FALSE(none.changes('a'));
}

TEST_CASE("map of characters: appends to what is there") {
  MappedText out{"q", {7}};
  Charsmap(with(units(), texts)).apply("a", out);
  CHECK(out.text == "qxy");
  CHECK(out.place == std::vector<std::uint32_t>{7, 0, 0});
}

TEST_CASE("map of characters: what is none") {
  CHECK(has(refusal("abc"),
            "entrain.text.18: here: a map of characters of 3 bytes, expected SentencePiece's map of characters"));
  CHECK(has(refusal(number(8) + "abcd"), "of 8 bytes with an array of 8 bytes"));
  CHECK(has(refusal(number(3) + "abcd"), "with an array of 3 bytes"));
  CHECK(has(refusal(number(0)), "with no units"));
  CHECK(has(refusal(with(units(), "xy\xFF")), "with a replacement that is not UTF-8"));
  CHECK(has(refusal(with(units(), std::string("xy\0\xC3\xA9\0", 6))), "a replacement outside its texts") == false);
  CHECK(has(refusal(with(units(), std::string("x\0\xC3\xA9\xC3\xA9", 6))), "a replacement that is not UTF-8"));
  CHECK(has(refusal(with(units(), std::string("xy\0z\0", 5))), "a replacement outside its texts"));
  auto wrong = units();
  wrong[256 ^ 'b'] = 'b' | 1u << 20;  // a child far away
  CHECK(has(refusal(with(wrong, texts)), "a unit outside its array"));
  wrong = units();
  wrong.resize(300);
  CHECK(has(refusal(with(wrong, texts)), "a unit outside its array"));
  wrong = units();
  wrong[0] |= 'q';  // reached by this byte from itself
  wrong[0] = (wrong[0] & 0x3FF) | static_cast<std::uint32_t>('q') << 10;
  CHECK(has(refusal(with(wrong, texts)), "a root that is a child"));
  wrong = units();
  wrong[0] |= ends_key;  // no key is empty
  CHECK_NOTHROW(Charsmap(with(wrong, texts)));
}

}  // namespace charsmap_test
