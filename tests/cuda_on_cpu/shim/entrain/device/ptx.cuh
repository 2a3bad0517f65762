// tests > cuda_on_cpu > [shim]
//
// The host's version of device/ptx.cuh: a warp's lanes wait for each other, and the last one does for all what tensor
// cores do. Copies are done when their thread waits for them, no sooner.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

#include "tests/cuda_on_cpu/harness/grid.hpp"

namespace entrain::device {

inline void loads_stay_above() {}
inline std::uint32_t whole(std::uint32_t word) { return word; }
inline float fast_exp2(float x) {
  const float y = std::exp2(x);
  return y < 0x1p-126f ? 0 : y;
}
inline float fast_log2(float x) { return std::log2(x); }
inline float fast_inverse(float x) { return 1 / x; }
inline float fast_root(float x) { return std::sqrt(x); }
inline float inverse(float x) { return 1 / x; }
inline float inverse_root(float x) { return 1 / std::sqrt(x); }

template <int Bytes> void copy_async(void* to, const void* from, bool there) {
  auto& grid = harness::Grid::now();
  if (!grid.is_shared(static_cast<std::byte*>(to), Bytes)) grid.fail("cp.async: not into the block's shared memory");
  const auto even = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % Bytes == 0; };
  if (!even(to) || (there && !even(from))) grid.fail("cp.async: an address that is no multiple of ", Bytes);
  grid.copy_later({static_cast<std::byte*>(to), there ? static_cast<const std::byte*>(from) : nullptr, Bytes});
}
inline void wait_for_copies() { harness::Grid::now().do_copies(); }

template <bool Turned> void load_matrices(std::uint32_t (&to)[4], const void* row) {
  auto& grid = harness::Grid::now();
  const auto* const byte = static_cast<const std::byte*>(row);
  if (!grid.is_shared(byte, 16)) grid.fail("ldmatrix: a row that is not in the block's shared memory");
  if (reinterpret_cast<std::uintptr_t>(byte) % 16 != 0)
    grid.fail("ldmatrix: a row that begins at no multiple of 16 bytes");
  grid.meet(~0u, Turned ? "ldmatrix.trans" : "ldmatrix", row, to, [](const void* const* rows, void* const* out) {
    const auto number = [&](unsigned matrix, unsigned r, unsigned c) {
      return std::uint32_t(static_cast<const std::uint16_t*>(rows[8 * matrix + r])[c]);
    };
    for (unsigned lane = 0; lane < harness::lanes; ++lane)
      for (unsigned m = 0; m < 4; ++m) {
        const unsigned g = lane / 4, t = lane % 4 * 2;
        static_cast<std::uint32_t*>(out[lane])[m] =
            Turned ? number(m, t, g) | number(m, t + 1, g) << 16 : number(m, g, t) | number(m, g, t + 1) << 16;
      }
  });
}

template <class T, class Target> void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t* b) {
  struct Operands {
    const std::uint32_t *a, *b;
  };
  const Operands mine{a, b};
  harness::Grid::now().meet(~0u, "mma", &mine, &c, [](const void* const* in, void* const* out) {
    const auto half = [](std::uint32_t word, unsigned which) {
      return static_cast<float>(__builtin_bit_cast(T, static_cast<std::uint16_t>(word >> 16 * which)));
    };
    float left[16][16], right[16][8];
    for (unsigned lane = 0; lane < harness::lanes; ++lane) {
      const auto* const from = static_cast<const Operands*>(in[lane]);
      const unsigned g = lane / 4, t = lane % 4 * 2;
      for (unsigned i = 0; i < 2; ++i) {
        for (unsigned r = 0; r < 4; ++r) left[g + r % 2 * 8][t + r / 2 * 8 + i] = half(from->a[r], i);
        for (unsigned r = 0; r < 2; ++r) right[t + r * 8 + i][g] = half(from->b[r], i);
      }
    }
    for (unsigned lane = 0; lane < harness::lanes; ++lane)
      for (unsigned e = 0; e < 4; ++e) {
        float& sum = static_cast<float*>(out[lane])[e];
        for (unsigned k = 0; k < 16; ++k) sum += left[lane / 4 + e / 2 * 8][k] * right[k][lane % 4 * 2 + e % 2];
      }
  });
}

}  // namespace entrain::device
