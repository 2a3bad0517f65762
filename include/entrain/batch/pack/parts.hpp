// text > [batch] > embed > encode > head > optim > checkpoint
//
// A sentence longer than a batch, in parts that the encoder reads one after another. Each part has all the context that
// its rows depend on. So the encoder needs memory for one part, and its result is the same. Read
// batch/encode/windows.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/windows.hpp"

namespace entrain::batch {

/// Whether sentences can be read in parts: of words, if a word depends on `reach` words to each side (reach_of in
/// core/contract.hpp); of pieces, if the features have windows that do not depend on each other.
template <class Features> constexpr bool has_parts(int reach) {
  if constexpr (Features::by_words) {
    return reach >= 0;
  } else {
    return requires { Features::longest_part; };
  }
}

/// The least number of encoder rows with which any sentence can be read in parts.
template <class Features> constexpr int least_part(int reach) {
  if constexpr (Features::by_words) {
    return 2 * reach + 64;  // 64 words of each part are new
  } else if constexpr (requires { Features::longest_part; }) {
    return Features::longest_part;
  } else {
    return 0;
  }
}

/// Calls each(Window) for the parts of sentence s, from left to right. The kept ranges cover each word once.
///
/// room      rows of the encoder that a part may take: at least least_part
template <class Features, class Each>
void each_part(const Encoded<Features>& e, std::size_t s, int room, int reach, Each&& each) {
  const int words = e.length(s);
  if constexpr (Features::by_words) {
    const int step = std::max(room - 2 * reach, 1);
    for (int keep = 0; keep < words; keep += step) {
      const int end = std::min(words, keep + step);
      each(Window{std::max(0, keep - reach), std::min(words, end + reach), keep, end});
    }
  } else {
    e.features.each_part(std::span(e.word).subspan(e.sentence[s], static_cast<std::size_t>(words)), e.vocabulary, each);
  }
}

}  // namespace entrain::batch
