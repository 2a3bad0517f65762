// core > device, precision > tensor > [kernel] > layer
//
// Rotary position embeddings on a GPU. A block computes sines and cosines of a few rows, one pair of channels a thread,
// in shared memory. Then its threads rotate all heads of these rows with them.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/kernel/rotary/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int rotary_threads = 128;  // of a block

/// The sines and cosines of a block's rows.
template <int Width> struct RotaryBlock {
  static constexpr int pairs = RotaryFrequencies<Width>::pairs;
  static_assert(pairs <= rotary_threads, "entrain: rotary on a GPU needs heads of at most 256 channels.");
  static constexpr int rows = rotary_threads / pairs;
  alignas(32) float cos[rows * pairs], sin[rows * pairs];
};

/// cos and sin of place * frequency; their errors are below 3e-7 up to place 16,383. The product has twice the bits of
/// fp32, because its rounding to fp32 would change the angle by up to 2e-4 at place 8,191. Whole turns are subtracted
/// before the rest is added.
__device__ inline void rotary_point(float place, float frequency, float& cos, float& sin) {
  constexpr float inverse_pi = 0.318309873f, rest_of_inverse = 1.28412765e-8f;
  const float angle = place * frequency, rest = fmaf(place, frequency, -angle);
  const float turn = angle * inverse_pi;
  const float rest_of_turn = fmaf(angle, inverse_pi, -turn) + fmaf(angle, rest_of_inverse, rest * inverse_pi);
  sincospif(fmaf(-2.0f, rintf(0.5f * turn), turn) + rest_of_turn, &sin, &cos);
}

template <int H, int C, class A> __global__ void __launch_bounds__(rotary_threads)
    rotary_rows(const std::int32_t* cu_seqlens, const std::int32_t* sentence, RotaryFrequencies<C / H> frequencies,
                A* qkv, int n) {
  using Block = RotaryBlock<C / H>;
  constexpr int pairs = Block::pairs, few = device::few_of<A, pairs>, groups = pairs / few, of_row = 2 * H * groups;
  using Few = device::Few<A, few>;
  using Angles = device::Few<float, few>;
  auto& memory = device::shared<Block>();
  const int thread = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.x) * Block::rows;
  const int rows = n - first < Block::rows ? n - first : Block::rows;  // mutant 229
  if (thread < rows * pairs) {
    const int row = first + thread / pairs, pair = thread % pairs;
    float frequency = 0;  // selected by comparison: an index would move the frequencies into memory
    ENTRAIN_UNROLL
    for (int j = 0; j < pairs; ++j)  // mutant 230
      if (j == pair) frequency = frequencies.of[j];
    const auto place = static_cast<float>(row - cu_seqlens[sentence[row]]);
    rotary_point(place, frequency, memory.cos[thread], memory.sin[thread]);
  }
  __syncthreads();
  for (int i = thread; i < rows * of_row; i += rotary_threads) {
    const int row = i / of_row, head = i % of_row / groups, pair = i % groups * few;
    A* const x = qkv + (static_cast<std::int64_t>(first + row) * (3 * C) + head * (C / H) + pair);
    const Few a = Few::load(x), b = Few::load(x + pairs);
    const Angles cos = Angles::load(memory.cos + row * pairs + pair),
                 sin = Angles::load(memory.sin + row * pairs + pair);
    Few left, right;
    ENTRAIN_UNROLL
    for (int k = 0; k < few; ++k) {
      const float from = a.template as<float>(k), other = b.template as<float>(k);
      left.of[k] = static_cast<A>(from * cos.of[k] - other * sin.of[k]);
      right.of[k] = static_cast<A>(other * cos.of[k] + from * sin.of[k]);
    }
    left.store(x);
    right.store(x + pairs);
  }
}

}  // namespace detail

template <class Target> struct Rotary<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <int H, class A, int C3, int Width>
  static void forward(const Step<D>& at, const RotaryFrequencies<Width>& frequencies, Rows<A, C3> qkv) {
    using Block = detail::RotaryBlock<Width>;
    const int blocks = (qkv.n + Block::rows - 1) / Block::rows;  // mutant 231
    device::launch(at.dev.stream(), {dim3(static_cast<unsigned>(blocks)), dim3(detail::rotary_threads), sizeof(Block)},
                   detail::rotary_rows<H, C3 / 3, A>, at.geometry.cu_seqlens, at.geometry.sentence, frequencies,
                   qkv.data, qkv.n);
  }
};

}  // namespace entrain::kernel
