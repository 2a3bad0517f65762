// tests > fuzz > [text]
//
// Any bytes as a text: what NFC makes of it is what decomposing, ordering and composing one code point after another
// gives, NFC leaves that as it is, and the places are in order. Every second input is taken as numbers of code points
// that NFC changes.
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demand.hpp"
#include "entrain/text/unicode/nfc.hpp"
#include "entrain/text/unicode/nfc.ipp"  // the tables

using namespace entrain;
using test::demand;

namespace {

using Letters = std::vector<char32_t>;

int order_of(char32_t cp) { return text::detail::nfc_entry(cp) >> 2; }

void decompose(char32_t cp, Letters& out) {
  using text::detail::Hangul;
  if (Hangul::is_syllable(cp)) {
    const char32_t n = cp - Hangul::syllable;
    out.push_back(0x1100 + n / 588), out.push_back(0x1161 + n % 588 / 28);
    if (n % 28 > 0) out.push_back(0x11A7 + n % 28);
    return;
  }
  for (const text::detail::NfcParts& parts : text::detail::NfcTable::parts)
    if (parts.whole == cp) {
      decompose(parts.first, out);
      if (parts.second != 0) decompose(parts.second, out);
      return;
    }
  out.push_back(cp);
}

/// As the standard says it, without places.
Letters normalized(std::string_view text) {
  Letters all;
  for (std::size_t at = 0; at < text.size(); at += text::decode(text, at).bytes)
    decompose(text::decode(text, at).cp, all);
  for (bool moved = true; std::exchange(moved, false);)
    for (std::size_t i = 1; i < all.size(); ++i)
      if (order_of(all[i]) != 0 && order_of(all[i - 1]) > order_of(all[i])) std::swap(all[i - 1], all[i]), moved = true;
  Letters made;
  std::size_t starter = all.size();  // the place in `made` of the last one
  for (const char32_t cp : all) {
    if (starter < made.size()) {
      bool blocked = false;
      for (std::size_t i = starter + 1; i < made.size(); ++i)
        blocked = blocked || order_of(made[i]) == 0 || order_of(made[i]) >= order_of(cp);
      const char32_t whole = blocked ? 0 : text::detail::nfc_composed(made[starter], cp);
      if (whole != 0) {
        made[starter] = whole;
        continue;
      }
    }
    if (order_of(cp) == 0) starter = made.size();
    made.push_back(cp);
  }
  return made;
}

std::string letters_of(std::string_view input) {
  using text::detail::NfcTable;
  std::string text;
  char bytes[4];
  for (std::size_t i = 0; i + 1 < input.size(); i += 2) {
    const std::uint32_t number = static_cast<unsigned char>(input[i]) << 8 | static_cast<unsigned char>(input[i + 1]);
    const std::uint32_t kind = number % 8, of = number / 8;
    const auto& parts = NfcTable::parts[of % std::size(NfcTable::parts)];
    const auto& range = NfcTable::ranges[of % std::size(NfcTable::ranges)];
    const char32_t cp = kind == 0   ? 'a' + of % 26
                        : kind == 1 ? range.first + of % (range.last - range.first + 1)
                        : kind == 2 ? parts.whole
                        : kind == 3 ? parts.first
                        : kind == 4 ? (parts.second != 0 ? parts.second : 0x301)
                        : kind == 5 ? 0xAC00 + of % 11172
                        : kind == 6 ? 0x1100 + of % 256
                                    : 0x300 + of % 0x70;
    text.append(bytes, text::encode(cp, bytes));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, std::min<std::size_t>(size - 1, 300));
  if (data[0] % 2 == 1) text = letters_of(text);
  text::Nfc nfc;
  const bool changed = nfc.apply(text);
  const std::string result = changed ? nfc.text() : text;
  const std::vector<std::uint32_t> places = nfc.places();
  const Letters expected = normalized(text);
  std::size_t count = 0;
  for (std::size_t at = 0; at < result.size(); at += text::decode(result, at).bytes)
    demand(count < expected.size() && text::decode(result, at).cp == expected[count++]);
  demand(count == expected.size());
  demand(!nfc.apply(result));
  if (!changed) return 0;
  demand(places.size() == count + 1 && places.back() == text::count_code_points(text));
  for (std::size_t i = 0; i < count; ++i) demand(places[i] <= places[i + 1] && places[i] < places.back());
  demand(places[0] == 0);
  // A sign after it, and one before it, change nothing.
  demand(nfc.apply("#" + text + "#") && nfc.text() == "#" + result + "#");
  return 0;
}
