// core > device, precision > tensor > [kernel] > layer
//
// Common code of the chain's kernels: its numbers as the scheme allows them, the panel that the steps of a walk read,
// and a block of threads that walks over one sentence, with one label a thread, or several if there are more labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

#include "entrain/core/math.hpp"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/crf/contract.hpp"
#include "entrain/kernel/crf/range.hpp"

namespace entrain::kernel::detail {

inline constexpr int chain_warps = 8;  // of a block, at most
inline constexpr int chain_threads = chain_warps * device::warp;
// The minimum number of largest blocks on a multiprocessor: without it the compiler saves registers until it spills.
inline constexpr int chain_blocks = 2;
inline constexpr int own_tags = 48;  // at most: each block computes bounds and panel itself, without another kernel
template <class T> inline constexpr T no_path = -math::infinity<T>;  // the weight of forbidden paths

/// The largest number, and the smallest finite one. NaN is ignored.
template <class T> struct Extremes {
  T largest = no_path<T>, smallest = -no_path<T>;

  __device__ void take(T x) {
    largest = x > largest ? x : largest;
    smallest = x > no_path<T> && x < smallest ? x : smallest;  // mutant 78
  }
};

/// The numbers that the warps of a block exchange. Two exchanges without a barrier between them use separate arrays.
template <class T> struct WarpParts {
  T scale[2][chain_warps], settle[2][chain_warps], largest[chain_warps], total[chain_warps];
};

__device__ inline int warps_of_block() { return static_cast<int>(blockDim.x) / device::warp; }
template <class T> __device__ void tell(T x, T (&parts)[chain_warps]) {
  if (threadIdx.x % device::warp == 0) parts[threadIdx.x / device::warp] = x;
}
template <class T> __device__ T largest_told(const T (&parts)[chain_warps]) {
  T largest = parts[0];
  for (int w = 1; w < warps_of_block(); ++w) largest = parts[w] > largest ? parts[w] : largest;
  return largest;
}

/// Over all threads, returned in every thread. Each has a barrier; after it all threads have finished the preceding
/// code.
template <class T> __device__ Extremes<T> chain_extremes(Extremes<T> mine, T (&parts)[2][chain_warps]) {
  mine = {device::warp_max(mine.largest), -device::warp_max(-mine.smallest)};
  tell(mine.largest, parts[0]);
  tell(-mine.smallest, parts[1]);
  __syncthreads();
  if (warps_of_block() == 1) return mine;
  return {largest_told(parts[0]), -largest_told(parts[1])};
}
/// The same, and the largest of other numbers, with one barrier for both.
template <class T> __device__ Extremes<T> chain_extremes(Extremes<T> mine, T (&parts)[2][chain_warps], T& largest,
                                                         T (&others)[chain_warps]) {
  largest = device::warp_max(largest);
  tell(largest, others);
  const Extremes<T> all = chain_extremes(mine, parts);
  if (warps_of_block() > 1) largest = largest_told(others);
  return all;
}
template <class T> __device__ T chain_max(T mine, T (&parts)[chain_warps]) {
  mine = device::warp_max(mine);
  tell(mine, parts);
  __syncthreads();
  if (warps_of_block() == 1) return mine;
  return largest_told(parts);
}
template <class T> __device__ T chain_sum(T mine, T (&parts)[chain_warps]) {
  mine = device::warp_sum(mine);
  tell(mine, parts);
  __syncthreads();
  if (warps_of_block() == 1) return mine;
  T total = parts[0];
  for (int w = 1; w < warps_of_block(); ++w) total += parts[w];
  return total;
}

/// A chain in device memory. Transitions are used relative to `top`, the largest allowed one. Bounds and panel are null
/// if there are at most own_tags.
template <class Scheme, class T> struct ChainNumbers {
  using Rule = text::Allowed<Scheme>;
  const T* transitions;  // [K,K]
  const T* start;        // [K]
  const T* end;          // [K]
  T* largest;            // [K] of each row of transitions, over the allowed ones
  T* smallest;           // [K]
  T* panel;              // [K,K] from in to out, which are tag and next tag, or the other way round
  int labels;

  __device__ T first(int k) const { return Rule::starts(k) ? start[k] : no_path<T>; }
  __device__ T last(int k) const { return Rule::ends(k) ? end[k] : no_path<T>; }
  __device__ T transition(int a, int b) const { return transitions[static_cast<std::int64_t>(a) * labels + b]; }
  template <bool Against> __device__ T number(int in, int out, T top) const {
    const int a = Against ? out : in, b = Against ? in : out;
    return Rule::follows(a, b) ? transition(a, b) - top : no_path<T>;
  }
  /// An entry of a panel of probabilities, or for the best path of the numbers themselves.
  template <bool Probabilities, bool Against> __device__ T entry(int in, int out, T top) const {
    const T x = number<Against>(in, out, top);
    return Probabilities ? math::exp(x) : x;
  }
  /// Over all allowed transitions: the largest, and the smallest minus the largest.
  __device__ Extremes<T> scale(T (&parts)[2][chain_warps]) const {
    Extremes<T> mine;
    const int pairs = largest == nullptr ? labels * labels : 0;
    for (int i = static_cast<int>(threadIdx.x); i < pairs; i += static_cast<int>(blockDim.x))
      if (Rule::follows(i / labels, i % labels)) mine.take(transitions[i]);
    for (int a = static_cast<int>(threadIdx.x); a < labels && largest != nullptr; a += static_cast<int>(blockDim.x)) {
      mine.largest = largest[a] > mine.largest ? largest[a] : mine.largest;
      mine.smallest = smallest[a] < mine.smallest ? smallest[a] : mine.smallest;  // mutant 79
    }
    const Extremes<T> all = chain_extremes(mine, parts);
    return {all.largest, all.smallest - all.largest};
  }
};

inline constexpr int bound_rows = 4;  // of a block, a warp each

template <class Scheme, class T> __global__ void __launch_bounds__(bound_rows* device::warp)
    bound_transitions(ChainNumbers<Scheme, T> chain) {
  const int a = static_cast<int>(blockIdx.x) * bound_rows + static_cast<int>(threadIdx.x) / device::warp;
  const int lane = static_cast<int>(threadIdx.x) % device::warp;
  if (a >= chain.labels) return;
  Extremes<T> row;
  for (int b = lane; b < chain.labels; b += device::warp)
    if (text::Allowed<Scheme>::follows(a, b)) row.take(chain.transition(a, b));
  row = {device::warp_max(row.largest), -device::warp_max(-row.smallest)};
  if (lane != 0) return;
  chain.largest[a] = row.largest;
  chain.smallest[a] = row.smallest;  // mutant 80
}

/// The panel for more than own_tags.
template <bool Probabilities, bool Against, class Scheme, class T> __global__ void __launch_bounds__(chain_threads)
    fill_panel(ChainNumbers<Scheme, T> chain) {
  const T top = chain.scale(device::shared<WarpParts<T>>().scale).largest;
  const std::int64_t k = chain.labels, step = static_cast<std::int64_t>(gridDim.x) * chain_threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * chain_threads + threadIdx.x; i < k * k; i += step) {
    chain.panel[i] =
        chain.template entry<Probabilities, Against>(static_cast<int>(i / k), static_cast<int>(i % k), top);
  }
}

/// Shared memory of a block that walks over a sentence: WarpParts, rows of labels, and the panel if it is stored there.
template <bool Here, class T> struct SentenceMemory {
  static constexpr int few = 4;  // rows are aligned to this many numbers, which one load reads

  ENTRAIN_HD static constexpr int row(int labels) { return (labels + few - 1) / few * few; }  // mutant 81
  static constexpr std::size_t bytes(int labels, int rows) {
    const auto k = static_cast<std::size_t>(labels);
    return sizeof(WarpParts<T>) +
           sizeof(T) * (static_cast<std::size_t>(rows) * static_cast<std::size_t>(row(labels)) + (Here ? k * k : 0));
  }

  WarpParts<T>& parts;
  T* numbers;
  int labels, rows;

  __device__ explicit SentenceMemory(int labels_, int rows_)
      : parts(device::shared<WarpParts<T>>()),
        numbers(reinterpret_cast<T*>(&parts + 1)),
        labels(labels_),
        rows(rows_) {}
  __device__ T* row_at(int i) const { return numbers + i * row(labels); }
  /// The address of the panel, of probabilities or of numbers. All writes here are before the caller's next barrier.
  template <bool Probabilities, bool Against, class Numbers>
  __device__ const T* panel(const Numbers& chain, T top) const {
    if constexpr (Here) {
      T* const to = row_at(rows);
      for (int i = static_cast<int>(threadIdx.x); i < labels * labels; i += static_cast<int>(blockDim.x))
        to[i] = chain.panel != nullptr ? chain.panel[i]
                                       : chain.template entry<Probabilities, Against>(i / labels, i % labels, top);
      return to;
    } else {
      return chain.panel;
    }
  }
};

/// The factor of the loss's gradients.
template <class T> __device__ T loss_scale(const Counters* counters) {
  return counters->loss_scale != nullptr ? static_cast<T>(*counters->loss_scale) : T(1);
}

/// Calls f for every label of this thread.
template <class F> __device__ void each_label(int labels, F&& f) {
  for (int k = static_cast<int>(threadIdx.x); k < labels; k += static_cast<int>(blockDim.x)) f(k);
}

}  // namespace entrain::kernel::detail
