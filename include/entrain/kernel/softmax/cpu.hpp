// core > device, precision > tensor > [kernel] > layer
//
// Cross-entropy on the processor: blocks of rows, a row in packs.
#pragma once
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/softmax/contract.hpp"
#include "entrain/kernel/softmax/wide_pack.hpp"

namespace entrain::kernel {

template <class G> struct Softmax<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 128;  // rows of a tile

  template <class L, class T, class Sum> static void loss(const Step<D>& at, Wide<const T> scores,
                                                          const std::int32_t* targets, T* norm, double* losses,
                                                          Sum* total) {
    const LossKnobs& knobs = at.counters->loss;
    at.dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* row = scores.row_at(n);
        norm[n] = detail::log_sum_exp<T>(
            scores.c, [&](int j) { return detail::load_padded(row, j, scores.c, -detail::infinity<T>); });
        losses[n] = has_target(targets[n], scores.c)
                        ? static_cast<double>(L::at(score<L>(row, scores.c, targets[n], knobs) - norm[n], knobs).value *
                                              weight<T>(targets[n], knobs))
                        : 0;
      }
    });
    *total = static_cast<Sum>(detail::tree_sum(losses, scores.n));
  }

  template <class L, class T> static void back(const Step<D>& at, Wide<const T> scores, const std::int32_t* targets,
                                               const T* norm, Wide<T> d, T scale) {
    const LossKnobs& knobs = at.counters->loss;
    const T spread = L::smooths ? static_cast<T>(knobs.label_smoothing_factor) : T(0);
    at.dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const bool wanted = has_target(targets[n], scores.c);
        const T* row = scores.row_at(n);
        T* out = d.row_at(n);
        const T by = wanted ? scale * weight<T>(targets[n], knobs) *
                                  L::at(score<L>(row, scores.c, targets[n], knobs) - norm[n], knobs).slope
                            : T(0);
        const Pack<T> shift(norm[n]), share(spread / static_cast<T>(scores.c));
        for (int j = 0; j < scores.c; j += Pack<T>::size) {
          Pack<T> p = math::exp(Pack<T>::load(row + j) - shift);
          if constexpr (L::smooths) p = p - share;
          (wanted ? p * Pack<T>(by) : Pack<T>(T(0))).store(out + j);
        }
        if (wanted) out[targets[n]] -= by * (T(1) - spread);
      }
    });
  }

  template <class T> static void argmax(const D& dev, Wide<const T> scores, std::int32_t* best) {
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

 private:
  template <class T> static T weight(std::int32_t target, const LossKnobs& knobs) {
    return knobs.class_weights != nullptr ? static_cast<T>(knobs.class_weights[target]) : T(1);
  }
  /// The score that stands for the target: its own, or mixed with the mean of all.
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
