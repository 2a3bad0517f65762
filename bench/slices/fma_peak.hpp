// bench: what the registers of a machine can multiply and add, as a measure for products.
#pragma once
#include <algorithm>
#include <chrono>

#include "entrain/core/pack.hpp"

namespace slices {

/// Operations a second, a multiplication and an addition counted as two, of all threads of a device together: twelve
/// chains of fp32 packs in each, so that no addition waits for another. The best of three times 10 ms or so.
template <class D> double fma_peak(const D& dev) {
  using P = entrain::Pack<float>;
  constexpr int chains = 12, turns = 1 << 20;
  volatile float factor = 0.999f;
  [[maybe_unused]] volatile float sink = 0;  // so that nothing is left out
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
