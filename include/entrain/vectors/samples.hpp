// text > batch > kernel > [vectors] > embed > train > app
//
// Random choices of a training, each a function of the seed and of where it is used: which words sub-sampling leaves
// out, the width of a window, and negative samples.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/vectors/lexicon.hpp"

namespace entrain::vectors {

/// Words of one purpose in one epoch, by their index.
class Draws {
 public:
  enum class Purpose : std::uint32_t { keep = 41, window, negative };

  Draws() = default;
  Draws(std::uint64_t seed, std::uint32_t epoch, Purpose purpose)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        epoch_(epoch),
        purpose_(static_cast<std::uint32_t>(purpose)) {}

  std::uint32_t operator()(std::uint64_t index) {
    if (const std::uint64_t block = index / 4; block != block_) {
      words_ = philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), purpose_, epoch_}},
                      key_);
      block_ = block;
    }
    return words_[static_cast<int>(index % 4)];
  }
  /// Uniform in 0 ... bound-1, up to 2^-32 bound.
  std::uint32_t below(std::uint64_t index, std::uint32_t bound) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>((*this)(index)) * bound) >> 32);
  }

 private:
  RandomWords<2> key_{};
  std::uint32_t epoch_ = 0, purpose_ = 0;
  std::uint64_t block_ = ~std::uint64_t{0};
  RandomWords<4> words_{};
};

/// The word stays if a draw is at most keep[word]: with probability (sqrt(f / sample) + 1) sample / f, f its share of
/// all words.
///
/// source    word2vec.c, TrainModelThread
inline std::vector<std::uint32_t> keep_thresholds(const Lexicon& lexicon, double sample) {
  std::vector<std::uint32_t> keep(lexicon.size(), ~std::uint32_t{0});
  if (sample <= 0) return keep;
  for (std::size_t w = 0; w < keep.size(); ++w) {
    const double share = static_cast<double>(lexicon.count(w)) / static_cast<double>(lexicon.total());
    const double p = (std::sqrt(share / sample) + 1) * sample / share;
    if (p < 1) keep[w] = static_cast<std::uint32_t>(p * 4294967295.0);
  }
  return keep;
}

/// Draws words by count^exponent, with two random numbers and one access to the table.
///
/// source    Vose 1991, "A linear algorithm for generating random numbers with a given distribution", IEEE TSE 17(9)
class NegativeSampler {
 public:
  NegativeSampler() = default;
  NegativeSampler(const Lexicon& lexicon, double exponent) : cells_(lexicon.size()) {
    const std::size_t n = cells_.size();
    std::vector<double> share(n);
    double sum = 0;
    for (std::size_t w = 0; w < n; ++w) sum += share[w] = std::pow(static_cast<double>(lexicon.count(w)), exponent);
    std::vector<std::int32_t> small, large;
    for (std::size_t w = 0; w < n; ++w) {
      share[w] *= static_cast<double>(n) / sum;
      (share[w] < 1 ? small : large).push_back(static_cast<std::int32_t>(w));
    }
    for (std::size_t w = 0; w < n; ++w) cells_[w] = {~std::uint32_t{0}, static_cast<std::int32_t>(w)};
    while (!small.empty() && !large.empty()) {
      const std::int32_t s = small.back(), l = large.back();
      small.pop_back();
      double& rest = share[static_cast<std::size_t>(l)];
      const double p = share[static_cast<std::size_t>(s)];
      cells_[static_cast<std::size_t>(s)] = {static_cast<std::uint32_t>(p * 4294967295.0), l};
      rest -= 1 - p;
      if (rest < 1) {
        large.pop_back();
        small.push_back(l);
      }
    }
  }
  std::int32_t operator()(std::uint32_t cell_word, std::uint32_t coin) const {
    const auto cell = static_cast<std::size_t>((static_cast<std::uint64_t>(cell_word) * cells_.size()) >> 32);
    return coin <= cells_[cell].own ? static_cast<std::int32_t>(cell) : cells_[cell].other;
  }

 private:
  struct Cell {
    std::uint32_t own;   // up to this coin, the word of the cell
    std::int32_t other;  // otherwise this one
  };
  std::vector<Cell> cells_;
};

}  // namespace entrain::vectors
