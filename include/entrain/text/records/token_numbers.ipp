// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of token_numbers.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/offsets.hpp"
#include "entrain/text/records/token_numbers.hpp"

namespace entrain::text {
namespace detail {

/// The begin and end of each token of a record, in its unit; empty if they are unknown.
inline std::vector<std::pair<std::int64_t, std::int64_t>> places_of_tokens(const Record& record, std::string_view text,
                                                                           std::span<const Token> words,
                                                                           OffsetUnit unit) {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  if (record.words_are == Record::WordsAre::places) {  // blank ones may be missing in `words`
    for (std::size_t i = 0; i + 1 < record.places.size(); i += 2)
      places.push_back({record.places[i], record.places[i + 1]});
  } else if (record.words_are == Record::WordsAre::text && !record.counts_words() &&
             record.words.size() == words.size()) {
    const auto in_unit = [&](std::size_t byte) { return OffsetWalk(text.substr(0, byte)).to_end(unit); };
    for (const Token& word : words) places.push_back({in_unit(word.begin), in_unit(word.end)});
  }
  return places;
}

/// [4, 7) 'met'
inline std::string in_text(std::string_view text, std::int64_t begin, std::int64_t end, OffsetUnit unit) {
  OffsetWalk walk(text);
  std::string s = "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
  if (!walk.to(begin, unit)) return s;
  const std::size_t from = walk.byte();
  if (begin > end || !walk.to(end, unit)) return s;
  return s + " '" + excerpt(text.substr(from, walk.byte() - from)) + "'";
}

}  // namespace detail

[[gnu::cold]] ENTRAIN_INLINE std::vector<std::string> other_tokens(const Record& record, std::string_view text,
                                                                   std::span<const Token> words, OffsetUnit unit) {
  std::vector<std::string> reasons;
  const auto places = detail::places_of_tokens(record, text, words, unit);
  const auto size = static_cast<std::int64_t>(places.size());
  if (size == 0) return reasons;
  const auto begin = [&](std::int64_t token) { return places[static_cast<std::size_t>(token)].first; };
  const auto end = [&](std::int64_t token) { return places[static_cast<std::size_t>(token)].second; };
  for (const auto& [number, first, last] : record.token_numbers) {
    const Annotation& a = record.annotations[number];
    const std::int64_t from = first < 0 ? last : first, to = last < 0 ? first : last;  // one may be missing
    const bool there = from >= 0 && from < size && to >= 0 && to < size;
    if (there && (first < 0 || begin(from) == a.begin) && (last < 0 || end(to) == a.end)) continue;
    std::string s = "entity " + detail::in_text(text, a.begin, a.end, unit) + " " + excerpt(a.type) +
                    ", but its tokens " + std::to_string(from) + " to " + std::to_string(to);
    if (there && from <= to)
      s += " are " + detail::in_text(text, begin(from), end(to), unit);
    else
      s += there ? " are in reverse order" : " are not among the " + std::to_string(size) + " tokens";
    if (first >= 0 && last > first && last <= size && end(last - 1) == a.end && begin(first) == a.begin)
      s += "; token_end is the index of its last token";
    reasons.push_back(std::move(s));
  }
  return reasons;
}

}  // namespace entrain::text
