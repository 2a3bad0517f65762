// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/piece_embed/contract.hpp"

namespace entrain::kernel {

template <class G> struct PieceEmbed<device::Cpu<G>> {
  template <bool Typed, class T, int C>
  static void forward(const device::Cpu<G>& dev, const T* word, const std::int32_t* ids, const T* position,
                      const std::int32_t* at, [[maybe_unused]] const T* type, Rows<T, C> y) {
    using P = Pack<T>;
    dev.rows(y.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* const w = word + static_cast<std::ptrdiff_t>(ids[n]) * C;
        const T* const p = position + static_cast<std::ptrdiff_t>(at[n]) * C;
        for (int c = 0; c < C; c += P::size) {
          const int lanes = P::template lanes<C>(c);
          P sum = P::load(w + c, lanes) + P::load(p + c, lanes);
          if constexpr (Typed) sum = sum + P::load(type + c, lanes);
          sum.store(y.row_at(n) + c, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
