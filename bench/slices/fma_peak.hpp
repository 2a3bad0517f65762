// bench: the multiplications and additions that a machine's registers can do, as a reference for products.
#pragma once
#include <algorithm>
#include <chrono>

#include "entrain/core/pack.hpp"

namespace slices {

/// Operations a second of all threads of a device together, counting a multiplication and an addition as two: twelve
/// chains of fp32 packs in each thread, so that no addition waits for another. The best of three runs of 10 ms or so.
template <class D> double fma_peak(const D& dev) {
  using P = entrain::Pack<float>;
  constexpr int chains = 12, turns = 1 << 20;
  volatile float factor = 0.999f;
  [[maybe_unused]] volatile float sink = 0;  // so that the compiler removes nothing
  double best = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    dev.parallel(dev.threads(), [&](int, int) {
      const P by(factor), plus(1 - factor);
      P sum[chains];
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) sum[i] = P(factor + static_cast<float>(i));
      for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i) sum[i] = sum[i] * by + plus;
      }
      P all(0.0f);
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) all += sum[i];
      sink = all.sum();
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, 2.0 * chains * turns * P::size * dev.threads() / seconds);
  }
  return best;
}

}  // namespace slices
