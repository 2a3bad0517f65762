// tests > [text]
//
// Everything that can be, for short sentences: all tag sequences, and all ways to place entities of two types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/text/tags/spans.hpp"

namespace test {
namespace text = entrain::text;

/// f(tags) for all count^n sequences of n tags.
template <class F> void all_sequences(std::uint32_t n, text::Tag count, F&& f) {
  std::vector<text::Tag> tags(n);
  for (;;) {
    f(tags);
    std::size_t i = 0;
    while (i < n && ++tags[i] == count) tags[i++] = 0;
    if (i == n) return;
  }
}

inline void place_entities(std::uint32_t from, std::uint32_t n, std::vector<text::Span>& placed,
                           std::vector<std::vector<text::Span>>& all) {
  all.push_back(placed);
  for (std::uint32_t begin = from; begin < n; ++begin)
    for (std::uint32_t end = begin + 1; end <= n; ++end)
      for (std::int32_t type = 0; type < 2; ++type) {
        placed.push_back({begin, end, type});
        place_entities(end, n, placed, all);
        placed.pop_back();
      }
}

/// All sets of entities of types 0 and 1 that do not overlap, each from left to right.
inline std::vector<std::vector<text::Span>> all_entities(std::uint32_t n) {
  std::vector<std::vector<text::Span>> all;
  std::vector<text::Span> placed;
  place_entities(0, n, placed, all);
  return all;
}

}  // namespace test
