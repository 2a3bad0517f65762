// core > device, precision > tensor > [kernel] > layer
//
// Cross-entropy on the CPU: blocks of rows, a row in packs.
#pragma once
#include <cstddef>

#include "entrain/device/cpu.hpp"
#include "entrain/kernel/softmax/contract.hpp"
#include "entrain/kernel/softmax/wide_pack.hpp"

namespace entrain::kernel {

template <class G> struct Softmax<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 128;  // rows of a tile

  template <class L, class T, class Sum> static void loss(const Step<D>& at, LabelMatrix<const T> scores,
                                                          const std::int32_t* targets, LabelMatrix<T> d, double* losses,
                                                          Sum* total, Sum scale) {
    const LossKnobs& knobs = at.counters->loss;
    const T spread = L::smooths ? static_cast<T>(knobs.label_smoothing_factor) : T(0);
    at.dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* row = scores.row_at(n);
        T* const out = d.row_at(n);
        losses[n] = 0;
        if (!has_target(targets[n], scores.c)) {
          for (int j = 0; j < scores.c; j += Pack<T>::size) Pack<T>(T(0)).store(out + j);
          continue;
        }
        const T log_sum = detail::log_sum_exp<T>(
            scores.c, [&](int j) { return detail::load_padded(row, j, scores.c, -detail::infinity<T>); });
        const auto at_target = L::at(score<L>(row, scores.c, targets[n], knobs) - log_sum, knobs);
        const T w = knobs.class_weights != nullptr ? static_cast<T>(knobs.class_weights[targets[n]]) : T(1);
        losses[n] = static_cast<double>(at_target.value * w);
        const T by = static_cast<T>(scale) * w * at_target.slope;
        const Pack<T> shift(log_sum), share(spread / static_cast<T>(scores.c));
        for (int j = 0; j < scores.c; j += Pack<T>::size) {
          Pack<T> p = math::exp(Pack<T>::load(row + j) - shift);
          if constexpr (L::smooths) p = p - share;
          (p * Pack<T>(by)).store(out + j);
        }
        out[targets[n]] -= by * (T(1) - spread);
      }
    });
    *total = static_cast<Sum>(detail::tree_sum(losses, scores.n));
  }

  template <class T> static void argmax(const D& dev, LabelMatrix<const T> scores, std::int32_t* best) {
    dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* row = scores.row_at(n);
        T largest = -detail::infinity<T>;
        best[n] = 0;
        for (int k = 0; k < scores.c; ++k)
          if (row[k] > largest) {
            largest = row[k];
            best[n] = k;
          }
      }
    });
  }

  template <class T> static void probabilities(const D& dev, LabelMatrix<const T> scores, float* p) {
    dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* const row = scores.row_at(n);
        float* const to = p + std::ptrdiff_t(n) * scores.c;
        const T log_sum = detail::log_sum_exp<T>(
            scores.c, [&](int j) { return detail::load_padded(row, j, scores.c, -detail::infinity<T>); });
        for (int k = 0; k < scores.c; ++k) to[k] = static_cast<float>(math::exp(row[k] - log_sum));
      }
    });
  }

 private:
  /// The score in the loss: the target's own, or mixed with the mean of all scores.
  template <class L, class T> static T score(const T* row, int labels, std::int32_t target, const LossKnobs& knobs) {
    if constexpr (L::smooths) {
      const T spread = static_cast<T>(knobs.label_smoothing_factor);
      T sum(0);
      for (int k = 0; k < labels; ++k) sum += row[k];
      return (T(1) - spread) * row[target] + spread * sum / static_cast<T>(labels);
    } else {
      return row[target];
    }
  }
};

}  // namespace entrain::kernel
