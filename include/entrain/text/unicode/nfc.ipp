// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of nfc.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/unicode/nfc.hpp"
#include "entrain/text/unicode/nfc_tables.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

namespace detail {

/// NfcTable::ranges in two steps: the number of each block of 256 code points that has one, and the entries of these
/// blocks, 4 * order + check.
struct NfcEntries {
  static constexpr std::size_t blocks_before = 0x300;  // from U+30000 on, no code point is in a range
  static constexpr std::size_t blocks = [] {
    std::size_t count = 1, last = 0;  // block 0 has no range, and is that of all such
    for (const NfcRange& range : NfcTable::ranges)
      for (std::size_t block = range.first >> 8; block <= range.last >> 8; ++block)
        if (block != last) last = block, ++count;
    return count;
  }();
  std::array<std::uint8_t, blocks_before> block_of{};
  std::array<std::uint8_t, 256 * blocks> entry{};
};
static_assert(NfcEntries::blocks <= 256);

inline constexpr NfcEntries nfc_entries = [] {
  NfcEntries made;
  std::uint8_t blocks = 0;
  for (const NfcRange& range : NfcTable::ranges)
    for (char32_t cp = range.first; cp <= range.last; ++cp) {
      std::uint8_t& block = made.block_of[cp >> 8];
      if (block == 0) block = ++blocks;
      made.entry[block * std::size_t{256} + (cp & 0xFF)] =
          static_cast<std::uint8_t>(4 * range.order + static_cast<std::uint8_t>(range.check));
    }
  return made;
}();

/// order and check of a code point; 0: it is a starter, and NFC leaves it as it is whatever is before it.
inline std::uint8_t nfc_entry(char32_t cp) noexcept {
  const std::size_t block = cp >> 8;
  return block < NfcEntries::blocks_before
             ? nfc_entries.entry[nfc_entries.block_of[block] * std::size_t{256} + (cp & 0xFF)]
             : std::uint8_t{0};
}

/// Null if a code point is its own decomposition.
inline const NfcParts* nfc_parts(char32_t cp) noexcept {
  const auto* const it = std::lower_bound(std::begin(NfcTable::parts), std::end(NfcTable::parts), cp,
                                          [](const NfcParts& parts, char32_t sought) { return parts.whole < sought; });
  return it != std::end(NfcTable::parts) && it->whole == cp ? it : nullptr;
}

/// Hangul by arithmetic.
/// source    Unicode 9.0, section 3.12
struct Hangul {
  static constexpr char32_t syllable = 0xAC00, leading = 0x1100, vowel = 0x1161, before_trailing = 0x11A7;
  static constexpr char32_t leadings = 19, vowels = 21, trailings = 28, syllables = leadings * vowels * trailings;

  static bool is_syllable(char32_t cp) noexcept { return cp - syllable < syllables; }
  /// 0: they make no syllable.
  static char32_t compose(char32_t first, char32_t second) noexcept {
    if (first - leading < leadings && second - vowel < vowels)
      return syllable + ((first - leading) * vowels + (second - vowel)) * trailings;
    const bool is_open = is_syllable(first) && (first - syllable) % trailings == 0;
    return is_open && second - (before_trailing + 1) < trailings - 1 ? first + (second - before_trailing) : 0;
  }
};

/// What NFC makes of two adjacent code points; 0: they stay.
inline char32_t nfc_composed(char32_t first, char32_t second) noexcept {
  if (const char32_t syllable = Hangul::compose(first, second); syllable != 0) return syllable;
  const auto parts_at = [](std::uint16_t place) { return NfcTable::parts[place]; };
  const auto* const it = std::lower_bound(std::begin(NfcTable::composed), std::end(NfcTable::composed),
                                          std::pair(first, second), [&](std::uint16_t place, const auto& sought) {
                                            return std::pair(parts_at(place).first, parts_at(place).second) < sought;
                                          });
  if (it == std::end(NfcTable::composed)) return 0;
  const NfcParts found = parts_at(*it);
  return found.first == first && found.second == second ? found.whole : 0;
}

}  // namespace detail

ENTRAIN_INLINE bool Nfc::change(std::string_view text) {
  using detail::nfc_entry;
  bool changed = false;
  std::size_t copied = 0;   // the text before it is in text_, if anything changed
  std::uint32_t count = 0;  // code points before `copied`
  const auto copy = [&](std::size_t end) {
    for (std::size_t at = copied; at < end; at += decode(text, at).bytes) places_.push_back(count++);
    text_.append(text, copied, end - copied);
  };
  std::size_t begin = 0;  // the last place from which on NFC can be applied by itself
  const auto pass = [&](std::size_t at) {
    const std::size_t next = unchanged(text, at);
    if (next == at) return at;
    begin = next - 1;
    while (begin > at && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    return next;
  };
  std::uint8_t order = 0;  // of the code point before
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    if (at = pass(at); at > here) {
      order = 0;
      continue;
    }
    const CodePoint p = decode(text, at);
    const std::uint8_t entry = nfc_entry(p.cp), own = entry >> 2;
    if (entry == 0) begin = at;
    if ((entry & 3) == static_cast<std::uint8_t>(detail::NfcCheck::yes) && (own == 0 || own >= order)) {
      order = own;
      at += p.bytes;
      continue;
    }
    do {
      at += decode(text, at).bytes;
    } while (at < text.size() && nfc_entry(decode(text, at).cp) != 0);
    order = 0;
    const std::string_view part = text.substr(begin, at - begin);
    normalize(part);
    if (segment_ == part) continue;
    if (!std::exchange(changed, true)) text_.clear(), places_.clear();
    copy(begin);
    text_ += segment_;
    for (const std::uint32_t place : segment_places_) places_.push_back(count + place);
    count += read_;
    copied = at;
  }
  if (!changed) return false;
  copy(text.size());
  places_.push_back(count);
  return true;
}

ENTRAIN_INLINE void Nfc::normalize(std::string_view part) {
  letters_.clear();
  for (std::size_t at = 0; at < part.size();) {
    const CodePoint p = decode(part, at);
    decompose(p.cp);
    at += p.bytes;
  }
  order_marks();
  compose();
}

ENTRAIN_INLINE void Nfc::decompose(char32_t cp) {
  using detail::Hangul;
  const auto add = [&](char32_t part, std::uint32_t replaced) {
    letters_.push_back({part, static_cast<std::uint8_t>(detail::nfc_entry(part) >> 2), replaced,
                        static_cast<std::uint32_t>(letters_.size())});
  };
  if (Hangul::is_syllable(cp)) {
    const char32_t number = cp - Hangul::syllable, trailing = number % Hangul::trailings;
    add(Hangul::leading + number / (Hangul::vowels * Hangul::trailings), 1);
    add(Hangul::vowel + number / Hangul::trailings % Hangul::vowels, 0);
    if (trailing != 0) add(Hangul::before_trailing + trailing, 0);
  } else if (const detail::NfcParts* const parts = detail::nfc_parts(cp); parts != nullptr) {
    decompose(parts->first);
    if (parts->second != 0) add(parts->second, 0);  // which is its own decomposition
  } else {
    add(cp, 1);
  }
}

ENTRAIN_INLINE void Nfc::order_marks() {
  for (auto begin = letters_.begin(); begin != letters_.end();) {
    const auto end = std::find_if(begin, letters_.end(), [](const Letter& l) { return l.order == 0; });
    std::sort(begin, end,
              [](const Letter& a, const Letter& b) { return a.order != b.order ? a.order < b.order : a.at < b.at; });
    begin = std::find_if(end, letters_.end(), [](const Letter& l) { return l.order != 0; });
  }
}

ENTRAIN_INLINE void Nfc::compose() {
  segment_.clear();
  segment_places_.clear();
  read_ = 0;
  const auto put = [&](const Letter& letter) {
    char bytes[4];
    segment_.append(bytes, encode(letter.cp, bytes));
    segment_places_.push_back(letter.replaced == 0 ? read_ - 1 : read_);  // the first letter is no rest
    read_ += letter.replaced;
  };
  marks_.clear();
  for (std::size_t at = 0; at < letters_.size();) {
    Letter starter = letters_[at++];  // or a mark without a letter before it: nothing is composed with that
    for (; at < letters_.size(); ++at) {
      const Letter& next = letters_[at];
      const bool blocked = !marks_.empty() && marks_.back().order >= next.order;
      const char32_t whole = blocked ? 0 : detail::nfc_composed(starter.cp, next.cp);
      if (whole != 0)
        starter.cp = whole, starter.replaced += next.replaced;
      else if (next.order == 0)
        break;
      else
        marks_.push_back(next);
    }
    put(starter);
    for (const Letter& mark : marks_) put(mark);
    marks_.clear();
  }
}

}  // namespace entrain::text
