// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of own_text.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include "entrain/text/records/own_text.hpp"
#include "entrain/text/unicode/unicode.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// The next code point that is not white space, in lower case; U+0000 at the end.
inline char32_t next_letter(std::string_view s, std::size_t& at) {
  while (at < s.size()) {
    const CodePoint p = decode(s, at);
    at += p.bytes;
    if (!is_space(p.cp)) return lower(p.cp);
  }
  return 0;
}

/// The words that a range of bytes consists of: from `first` to before `after`. False: the range does not consist of
/// whole words.
inline bool whole_words(std::span<const Token> words, std::size_t begin, std::size_t end, std::size_t& first,
                        std::size_t& after) {
  const auto at = [&](std::size_t byte) {
    return static_cast<std::size_t>(
        std::partition_point(words.begin(), words.end(), [&](const Token& w) { return w.end <= byte; }) -
        words.begin());
  };
  first = at(begin);
  after = at(end);
  return first < after && words[first].begin == begin && words[after - 1].end == end;
}

}  // namespace detail

[[gnu::cold]] ENTRAIN_INLINE bool same_text(std::string_view a, std::string_view b) {
  std::size_t i = 0, k = 0;
  for (;;) {
    const char32_t x = detail::next_letter(a, i), y = detail::next_letter(b, k);
    if (x != y) return false;
    if (x == 0) return i == a.size() && k == b.size();
  }
}

[[gnu::cold]] ENTRAIN_INLINE std::string place_of_text(std::string_view text, std::span<const Token> words,
                                                       std::string_view span, OffsetUnit unit) {
  std::size_t times = 0, of_words = 0, place = 0;
  std::size_t from = 0, to = 0, first = 0, after = 0;  // words
  for (std::size_t at = text.find(span); at != text.npos; at = text.find(span, at + 1)) {
    const bool whole = detail::whole_words(words, at, at + span.size(), first, after);
    if (times++ == 0 || (whole && of_words == 0)) place = at;
    if (whole && of_words++ == 0) from = first, to = after;
  }
  if (times == 0) return " not in the text";
  if (times > 1 && of_words != 1) return " in the text " + std::to_string(times) + " times";
  if (unit == OffsetUnit::words)
    return of_words == 0 ? " inside words" : " at [" + std::to_string(from) + ", " + std::to_string(to - 1) + "]";
  const auto in_unit = [&](std::size_t byte) {
    OffsetWalk walk(text.substr(0, byte));
    return std::to_string(walk.to_end(unit));
  };
  return " at [" + in_unit(place) + ", " + in_unit(place + span.size()) + ")";
}

[[gnu::cold]] ENTRAIN_INLINE std::string unit_that_fits(std::string_view text, std::span<const Token> words,
                                                        std::int64_t begin, std::int64_t end, std::string_view own,
                                                        OffsetUnit unit) {
  if (unit == OffsetUnit::words) return {};
  struct Named {
    OffsetUnit unit;
    std::string_view what, option;
  };
  constexpr std::array<Named, 3> units{{{OffsetUnit::code_points, "code points", "code-points"},
                                        {OffsetUnit::utf16, "UTF-16 units", "utf-16"},
                                        {OffsetUnit::bytes, "bytes", "bytes"}}};
  const auto places = [&](OffsetUnit of, std::size_t& from, std::size_t& to) {
    OffsetWalk walk(text);
    const bool begins = walk.to(begin, of);
    from = walk.byte();
    const bool ends = walk.to(end, of);
    to = walk.byte();
    return begins && ends && from < to;
  };
  std::size_t from = 0, to = 0, now_from = 0, now_to = 0, first = 0, after = 0;
  const bool now = places(unit, now_from, now_to);
  for (const Named& other : units) {
    if (other.unit == unit || !places(other.unit, from, to) || (now && from == now_from && to == now_to)) continue;
    if (own.empty() ? detail::whole_words(words, from, to, first, after) : same_text(text.substr(from, to - from), own))
      return "offsets seem to count " + std::string(other.what) + ": use --offsets " + std::string(other.option);
  }
  const std::string_view before = text.substr(0, now_from);
  const bool pairs =
      std::any_of(before.begin(), before.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xF0; });
  return unit == OffsetUnit::code_points && own.empty() && pairs ? "if offsets count UTF-16 units, use --offsets utf-16"
                                                                 : "";
}

}  // namespace entrain::text
