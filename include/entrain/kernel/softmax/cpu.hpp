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

  static bool real(std::int32_t target, int labels) { return target >= 0 && target < labels; }

  template <class T, class Sum> static void loss(const D& dev, Wide<const T> scores, const std::int32_t* targets,
                                                 T* norm, double* losses, Sum* total) {
    dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* row = scores.row_at(n);
        norm[n] = detail::log_sum_exp<T>(
            scores.c, [&](int j) { return detail::load_padded(row, j, scores.c, -detail::infinity<T>); });
        losses[n] = real(targets[n], scores.c) ? static_cast<double>(norm[n] - row[targets[n]]) : 0;
      }
    });
    *total = static_cast<Sum>(detail::tree_sum(losses, scores.n));
  }

  template <class T>
  static void back(const D& dev, Wide<const T> scores, const std::int32_t* targets, const T* norm, Wide<T> d, T scale) {
    dev.rows(scores.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const bool wanted = real(targets[n], scores.c);
        const Pack<T> shift(norm[n]), by(scale);
        const T* row = scores.row_at(n);
        T* out = d.row_at(n);
        for (int j = 0; j < scores.c; j += Pack<T>::size)
          (wanted ? math::exp(Pack<T>::load(row + j) - shift) * by : Pack<T>(T(0))).store(out + j);
        if (wanted) out[targets[n]] -= scale;
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
};

}  // namespace entrain::kernel
