// [core] > device, precision > tensor > kernel > layer
//
// Randomness without state: a number is a function of where it is used. So dropout masks are never stored, and the same
// seed gives the same bits for any number of threads, with recomputation, and across stop and resume.
#pragma once
#include <cstdint>

#include "entrain/core/config.hpp"

namespace entrain {

/// N random words, or the counter or key that they are computed from. (std::array's operators may not run on a GPU.)
template <int N> struct RandomWords {
  std::uint32_t of[N];
  ENTRAIN_HD constexpr std::uint32_t operator[](int i) const { return of[i]; }
  friend constexpr bool operator==(const RandomWords&, const RandomWords&) = default;
};

/// Philox 4x32 with 10 rounds: four random words from a 128-bit counter and a 64-bit key.
/// source: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 3.3.
ENTRAIN_HD constexpr RandomWords<4> philox(RandomWords<4> counter, RandomWords<2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ull * counter[0], b = 0xCD9E8D57ull * counter[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)}};
    key = {{key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u}};
  }
  return counter;
}

/// Uniform in [0, 1): the upper 24 bits, each value exactly representable in fp32.
ENTRAIN_HD constexpr float uniform(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

/// A stream of words for host code that draws in sequence: initial weights, shuffles, tests.
class Random {
 public:
  /// seed: the run's seed. purpose: separates the streams of different uses; part: separates streams of the same use.
  constexpr explicit Random(std::uint64_t seed, std::uint32_t purpose = 0, std::uint32_t part = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        purpose_(purpose),
        part_(part) {}

  constexpr std::uint32_t word() {
    if (index_ % 4 == 0) {
      const std::uint64_t n = index_ / 4;
      block_ = philox({{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32), purpose_, part_}}, key_);
    }
    return block_[static_cast<int>(index_++ % 4)];
  }
  constexpr float uniform() { return entrain::uniform(word()); }

  /// Uniform in [0, bound), without bias (Lemire 2019, "Fast random integer generation in an interval", section 4).
  constexpr std::uint32_t below(std::uint32_t bound) {
    for (;;) {
      const std::uint64_t m = static_cast<std::uint64_t>(word()) * bound;
      if (static_cast<std::uint32_t>(m) >= (-bound) % bound) return static_cast<std::uint32_t>(m >> 32);
    }
  }

 private:
  RandomWords<2> key_;
  std::uint32_t purpose_, part_;
  std::uint64_t index_ = 0;
  RandomWords<4> block_{};
};

}  // namespace entrain
