// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/piece_embed/contract.hpp"

namespace entrain::kernel {

template <class G> struct PieceEmbed<device::Cpu<G>> {
  template <bool Typed, class T, int C>
  static void forward(const Step<device::Cpu<G>>& at, const T* word, const std::int32_t* ids, const T* position,
                      const std::int32_t* places, [[maybe_unused]] const T* type, const T* gain, const T* shift,
                      double eps, Rows<T, C> all, Rows<T, 2> stat, Rows<T, C> y) {
    using P = Pack<T>;
    at.dev.rows(y.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* const w = word + static_cast<std::ptrdiff_t>(ids[n]) * C;
        const T* const p = position + static_cast<std::ptrdiff_t>(places[n]) * C;
        for (int c = 0; c < C; c += P::size) {  // mutant 180
          const int lanes = P::template lanes<C>(c);
          P sum = P::load(w + c, lanes) + P::load(p + c, lanes);
          if constexpr (Typed) sum = sum + P::load(type + c, lanes);
          sum.store(all.row_at(n) + c, lanes);
        }
      }
    });
    LayerNorm<device::Cpu<G>>::forward(at.dev, Rows<const T, C>(all), gain, shift, eps, stat, y);
    if (at.training) dropout(at, Rows<const T, C>(y), y, Write::assign);
  }
};

}  // namespace entrain::kernel
