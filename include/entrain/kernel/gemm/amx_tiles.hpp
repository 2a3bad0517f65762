// core > device, precision > tensor > [kernel] > layer
//
// The registers for matrices of Intel AMX, and the five instructions that amx.hpp needs. On a CPU without them a twin
// of each computes the same numbers, so that tests of what is built on them run anywhere.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "entrain/core/config.hpp"
#include "entrain/core/intrinsics.hpp"
#include "entrain/kernel/gemm/tiles.hpp"

#if ENTRAIN_MATRIX_TILES
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "entrain/core/error.hpp"
#endif

namespace entrain::kernel::detail {

/// The registers in ordinary memory, on any CPU.
class TilesTwin {
 public:
  template <int R> void zero() { std::memset(of_[R], 0, sizeof of_[R]); }
  template <int R, class T> void load(const T* from, std::ptrdiff_t stride) {
    static_assert(sizeof(T) == 4);
    for (int row = 0; row < tile_rows; ++row) std::memcpy(of_[R] + row * tile_rows, from + row * stride, 64);
  }
  template <int R> void store(float* to, std::ptrdiff_t stride) const {
    for (int row = 0; row < tile_rows; ++row) std::memcpy(to + row * stride, of_[R] + row * tile_rows, 64);
  }
  /// As the manual defines TDPBF16PS: even and odd neighbours are summed apart, then both sums are added to C.
  ///
  /// source    Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, TDPBF16PS
  template <int C, int A, int B> void multiply() {
    for (int m = 0; m < tile_rows; ++m) {
      float even[tile_rows] = {}, odd[tile_rows] = {};
      for (int k = 0; k < tile_rows; ++k) {
        const std::uint32_t left = of_[A][m * tile_rows + k];
        for (int n = 0; n < tile_rows; ++n) {
          const std::uint32_t right = of_[B][k * tile_rows + n];
          even[n] = std::fma(low(left), low(right), even[n]);
          odd[n] = std::fma(high(left), high(right), odd[n]);
        }
      }
      for (int n = 0; n < tile_rows; ++n) {
        std::uint32_t& sum = of_[C][m * tile_rows + n];
        sum = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, sum) + (even[n] + odd[n]));
      }
    }
  }

 private:
  static float low(std::uint32_t pair) { return __builtin_bit_cast(float, pair << 16); }
  static float high(std::uint32_t pair) { return __builtin_bit_cast(float, pair & 0xffff0000u); }
  std::uint32_t of_[8][tile_size];
};

#if ENTRAIN_MATRIX_TILES

/// Asks the system to let this process use the registers. A repeated call has no effect.
///
/// throws    entrain.device.9: the CPU has no such registers, or the system does not allow them
/// source    Linux: Documentation/arch/x86/xstate.rst, ARCH_REQ_XCOMP_PERM
[[gnu::cold]] inline void allow_tiles() {
  constexpr long ask = 0x1023, tile_data = 18;
  if (syscall(SYS_arch_prctl, ask, tile_data) == 0) return;
  const int why = errno;
  throw Error(
      "entrain.device.9", "products in bf16", std::string("the system does not allow AMX (") + std::strerror(why) + ")",
      "a CPU with AMX, and Linux 5.16 or newer", "compile for this machine, or with -mno-amx-tile, or train in fp32");
}

/// The eight registers of this thread, for the lifetime of the object. The kernel saves and restores them when it
/// suspends a thread; released registers cost it nothing.
class AmxTiles {
  struct alignas(64) Shapes {  // palette 1 of the manual
    std::uint8_t palette = 1, first_row = 0, reserved[14] = {};
    std::uint16_t bytes_of_row[8], none[8] = {};
    std::uint8_t rows[8], no[8] = {};
  };

 public:
  AmxTiles() {
    Shapes shapes;
    for (int i = 0; i < 8; ++i) {
      shapes.bytes_of_row[i] = 64;
      shapes.rows[i] = tile_rows;
    }
    asm volatile("ldtilecfg %0" ::"m"(shapes));
  }
  ~AmxTiles() { asm volatile("tilerelease"); }
  AmxTiles(const AmxTiles&) = delete;
  AmxTiles& operator=(const AmxTiles&) = delete;

  template <int R> void zero() { asm volatile("tilezero %%tmm%c0" ::"i"(R)); }
  /// The register's rows are `stride` numbers apart in memory.
  template <int R, class T> void load(const T* from, std::ptrdiff_t stride) {
    asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(R), "r"(from), "r"(stride * 4) : "memory");
  }
  template <int R> void store(float* to, std::ptrdiff_t stride) {
    asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(R), "r"(to), "r"(stride * 4) : "memory");
  }
  /// C[m,n] += sum_k A[m,k] B[k,n], where A has a pair of neighbours k in each element, and so has B.
  template <int C, int A, int B> void multiply() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
  }
};

using Tiles = AmxTiles;

#else

inline void allow_tiles() {}
using Tiles = TilesTwin;

#endif

}  // namespace entrain::kernel::detail
