// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstddef>

#include "entrain/device/cpu.hpp"
#include "entrain/kernel/sigmoid/contract.hpp"
#include "entrain/kernel/softmax/wide_pack.hpp"  // tree_sum

namespace entrain::kernel {

template <class G> struct Sigmoid<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 128;  // rows of a tile

  template <class L, class T, class Set, class Sum> static void loss(const Step<D>& at, LabelMatrix<const T> scores,
                                                                     const Set* targets, LabelMatrix<T> d,
                                                                     double* losses, Sum* total) {
    const LossKnobs& knobs = at.counters->loss;
    const T share = T(1) / static_cast<T>(scores.c);
    at.dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const bool counts = is_target(targets[n]);
        losses[n] = 0;
        for (int k = 0; k < scores.c; ++k) {
          if (!counts) {
            d(n, k) = T(0);
            continue;
          }
          const auto term = detail::sigmoid_term<L>(scores(n, k), targets[n].has(k), knobs);
          const T w = share * (knobs.class_weights != nullptr ? static_cast<T>(knobs.class_weights[k]) : T(1));
          losses[n] += static_cast<double>(w * term.value);
          d(n, k) = w * term.slope;
        }
      }
    });
    *total = static_cast<Sum>(detail::tree_sum(losses, scores.n));
  }

  template <class T> static void probabilities(const D& dev, LabelMatrix<const T> scores, float* p) {
    dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n)
        for (int k = 0; k < scores.c; ++k)
          p[std::ptrdiff_t(n) * scores.c + k] = static_cast<float>(T(1) / (T(1) + math::exp(-scores(n, k))));
    });
  }
};

}  // namespace entrain::kernel
