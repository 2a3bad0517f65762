// core > device, precision > tensor > [kernel] > layer
//
// The best path: a block walks over a sentence, and its first warp does the traceback, as in viterbi.hpp. Weights
// are added in the same order as there, and nothing is multiplied: the same bits, so the same tags.
#pragma once
#include <cstdint>

#include "entrain/kernel/crf/chain.cuh"

namespace entrain::kernel::detail {

/// max_i in[i] + column[i labels], as four maxima that do not depend on each other. A NaN candidate never wins.
template <class T> __device__ T chain_best(const T* in, const T* column, int labels) {
  constexpr int few = SentenceMemory<true, T>::few;
  T best[few];  // mutant 123
  for (T& one : best) one = no_path<T>;
  const auto join = [&](T weight, T& with) { with = weight > with ? weight : with; };
  int i = 0;
  for (; i + few <= labels; i += few) {  // mutant 124
    const auto numbers = device::Few<T, few>::load(in + i);
    ENTRAIN_UNROLL
    for (int u = 0; u < few; ++u) join(numbers.of[u] + column[static_cast<std::int64_t>(i + u) * labels], best[u]);
  }
  for (; i < labels; ++i) join(in[i] + column[static_cast<std::int64_t>(i) * labels], best[0]);
  for (int u = 1; u < few; ++u) join(best[u], best[0]);
  return best[0];
}

/// The tag with the largest weight, the smallest of equal ones; -1 if there is none. Returned in every lane.
template <class T, class Weight> __device__ int best_tag(int labels, int lane, Weight&& weight) {
  T largest = no_path<T>;
  int tag = -1;
  for (int k = lane; k < labels; k += device::warp)
    if (const T w = weight(k); w > largest) {
      largest = w;
      tag = k;
    }
  device::warp_best(largest, tag);
  return tag;
}

inline constexpr int decode_rows = 2;  // of SentenceMemory

/// best: [N,K] working memory
template <bool Here, class Scheme, class T> __global__ void __launch_bounds__(chain_threads, chain_blocks)
    chain_decode(ChainNumbers<Scheme, T> chain, LabelMatrix<const T> scores, const std::int32_t* cu_seqlens,
                 int sentences, LabelMatrix<T> best, std::int32_t* tags) {
  const int s = static_cast<int>(blockIdx.x), labels = chain.labels, thread = static_cast<int>(threadIdx.x);
  const int first = cu_seqlens[s], last = s < sentences ? cu_seqlens[s + 1] : scores.n;
  if (s == sentences) {  // rows after the last sentence
    for (int row = first + thread; row < last; row += static_cast<int>(blockDim.x)) tags[row] = 0;
    return;
  }
  const SentenceMemory<Here, T> memory(labels, decode_rows);
  const T* const panel = memory.template panel<false, false>(chain, chain.scale(memory.parts.scale).largest);
  T* const x = memory.row_at(0);
  T* const next = memory.row_at(1);           // a thread's own labels
  for (int row = first; row < last; ++row) {  // NaN is no path, as -infinity is: it never wins
    T largest = no_path<T>;
    each_label(labels, [&](int k) {
      const T score = scores(row, k);  // loaded while the step is computed
      next[k] = (row == first ? chain.first(k) : chain_best(x, panel + k, labels)) + score;
      largest = next[k] > largest ? next[k] : largest;
    });
    const T shift = chain_max(largest, memory.parts.largest);  // -infinity if no path is left: then NaN follows
    each_label(labels, [&](int k) { best(row, k) = x[k] = next[k] - shift; });
    __syncthreads();
  }
  if (thread >= device::warp) return;
  int tag = first < last ? best_tag<T>(labels, thread, [&](int k) { return best(last - 1, k) + chain.last(k); }) : -1;
  for (int row = last - 1; tag >= 0; --row) {
    if ((row - first) % device::warp == thread) tags[row] = tag;  // mutant 125
    if (row == first) return;
    const T* const column = panel + tag;
    tag = best_tag<T>(labels, thread,
                      [&](int k) { return best(row - 1, k) + column[static_cast<std::int64_t>(k) * labels]; });
  }
  for (int row = first + thread; row < last; row += device::warp) tags[row] = 0;  // no path is left
}

}  // namespace entrain::kernel::detail
