// core > [device], precision > tensor > kernel > layer
//
// A few neighbours of a row, moved by one instruction.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "entrain/core/bf16.hpp"
#include "entrain/core/config.hpp"

namespace entrain::device {

/// N neighbours. Their source and destination must be aligned as they are.
template <class T, int N> struct alignas(N * sizeof(T)) Few {
  T of[N];

  __device__ static Few load(const T* from) { return *reinterpret_cast<const Few*>(from); }
  __device__ void store(T* to) const { *reinterpret_cast<Few*>(to) = *this; }
  /// Number i in a wider type. Of two bf16 in a word the upper one is widened by a mask: compilers would extract it
  /// first.
  template <class S> __device__ S as(int i) const {
    if constexpr (std::is_same_v<T, bf16> && N % 2 == 0) {
      const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(of)[i / 2];
      return static_cast<S>(__builtin_bit_cast(float, i % 2 != 0 ? word & 0xffff0000u : word << 16));
    } else {
      return static_cast<S>(of[i]);
    }
  }
  __device__ static Few all(T value) {
    Few few;
    ENTRAIN_UNROLL
    for (int i = 0; i < N; ++i) few.of[i] = value;
    return few;
  }
};

/// The same bytes as words, for numbers that are being loaded from memory. Compilers split numbers of 16 bits as soon
/// as they are loaded, and so wait for them at that point.
template <class F> using Words = std::conditional_t<sizeof(F) % 4 == 0, Few<std::uint32_t, (sizeof(F) + 3) / 4>, F>;

/// How many neighbours of a row of C numbers are moved at once: 16 bytes where C allows it.
template <class T, int C> inline constexpr int few_of = [] {
  int n = 16 / static_cast<int>(sizeof(T));
  while (C % n != 0) n /= 2;
  return n;
}();

}  // namespace entrain::device
