// core > [device], precision > tensor > kernel > layer
//
// What only PTX instructions can do: asynchronous copies, loading the operands of tensor cores and multiplying them,
// and functions that are one instruction. The host's counterpart is tests/cuda_on_cpu/shim.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"

namespace entrain::device {

/// Copies bytes of the GPU's memory into shared memory. Where `there` is false, nothing is read and zeros are written.
/// The thread continues. The bytes are available to it after wait_for_copies, and to other threads after a barrier that
/// follows.
///
/// source    PTX ISA, cp.async, from sm_80 on
template <int Bytes> __device__ inline void copy_async(void* to, const void* from, bool there) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  const auto global = __cvta_generic_to_global(from);
  const int bytes = there ? Bytes : 0;
  if constexpr (Bytes == 16) {  // not through the first-level cache: later reads use shared memory
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(global), "n"(Bytes), "r"(bytes)
                 : "memory");
  }
}
/// Waits for all copies that the thread has begun.
__device__ inline void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Four 8 x 8 matrices of 16-bit numbers from shared memory, two numbers to a register. Lane 8 m + r gives the address
/// of row r of matrix m, a multiple of 16 bytes. Lane 4 g + t gets from each matrix the numbers 2 t and 2 t + 1 of row
/// g, or, if Turned, of column g.
///
/// source    PTX ISA, ldmatrix
template <bool Turned> __device__ inline void load_matrices(std::uint32_t (&to)[4], const void* row) {
  const auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Turned) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
  }
}

/// Loads before this call stay before it. Compilers move loads down to where fewer registers hold their results, and a
/// warp then waits for each one separately. All lanes must call together; nothing is waited for.
__device__ inline void loads_stay_above() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

/// Returns the word itself, but hides from the compiler how it was made. Otherwise, where bits of a word are selected
/// into which two numbers of 16 bits were rounded, compilers round the two one after the other, an eighth as fast as
/// both at once.
__device__ inline std::uint32_t whole(std::uint32_t word) {
  asm("" : "+r"(word));
  return word;
}

/// 2^x to 2 units in the last place, for results that are rounded to 16 bits; 0 for subnormal results.
///
/// source    PTX ISA, ex2
__device__ inline float fast_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// log x to the base of 2, likewise: error 2^-22, relative where x is not between 0.5 and 2.
///
/// source    PTX ISA, lg2
__device__ inline float fast_log2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// 1 / x to 1 unit in the last place, likewise.
///
/// source    PTX ISA, rcp
__device__ inline float fast_inverse(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// sqrt(x) to 1 unit in the last place, likewise.
///
/// source    PTX ISA, sqrt
__device__ inline float fast_root(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// 1 / x and 1 / sqrt(x) for normal x, by one Newton step from the result of one instruction: to 1 unit in the last
/// place, without the branches that / and sqrt have for all other numbers.
///
/// source    PTX ISA, rcp and rsqrt
__device__ inline float inverse(float x) {
  const float y = fast_inverse(x);
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
__device__ inline float inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(0.5f * y, fmaf(-x * y, y, 1.0f), y);
}

/// c += a b, a [16, 16] and b [16, 8] of T, c [16, 8] in fp32. Lane 4 g + t holds of a, in this order, the numbers 2 t
/// and 2 t + 1 of row g, of row g + 8, and the same eight columns further; of b the rows 2 t and 2 t + 1 of column g,
/// and the same eight rows further; of c columns 2 t and 2 t + 1 of row g, then of row g + 8.
///
/// source    PTX ISA, mma.m16n8k16 and, where the target has no such product in fp16, mma.m16n8k8 twice
template <class T, class Target>
__device__ inline void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t* b) {
  if constexpr (std::is_same_v<T, fp16> && Target::mma_depth == 8) {
    ENTRAIN_UNROLL
    for (int half = 0; half < 2; ++half)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
  } else if constexpr (std::is_same_v<T, fp16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    static_assert(std::is_same_v<T, bf16> && Target::bf16,
                  "entrain: bf16 products need sm_80 or newer: compile for Sm80 or Sm90, or train in "
                  "precision::Fp16Mixed.");
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
}

}  // namespace entrain::device
