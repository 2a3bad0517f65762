// core > device, precision > tensor > [kernel] > layer
//
// Expected transitions: what the pairs of neighbouring rows add up to, less the pairs that the targets name. Rows are
// cut into stretches by their number alone, and a block has a square of tags over a stretch. So the bits do not depend
// on the card, pairs of logarithms need no second pass, and a stretch without pairs costs a look at its rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/crf/lattice.cuh"

namespace entrain::kernel::detail {

inline constexpr int pair_few = 4;    // a thread has a square of so many tags
inline constexpr int pair_tags = 64;  // a block
inline constexpr int pair_rows = 16;  // are in shared memory at once
inline constexpr int pair_threads = (pair_tags / pair_few) * (pair_tags / pair_few);
static_assert(pair_threads == chain_threads);

inline constexpr int pair_stretch = 64, most_pair_stretches = 128;

/// Of a batch of n rows: as many stretches as have room for so many sums of T each, one at least.
template <class T> Stretches pair_stretches(int n, std::size_t sums, std::size_t room) {
  const std::size_t fit = room / sizeof(T) / std::max<std::size_t>(sums, 1);
  return Stretches::of(n, pair_stretch, static_cast<int>(std::clamp<std::size_t>(fit, 1, most_pair_stretches)));
}

template <class T> struct PairMemory {
  WarpParts<T> parts;
  T left[pair_rows][pair_tags], right[pair_rows][pair_tags];
};

/// to[stretch, a, b] (+)= sign loss_scale (sum over the stretch's pairs of P(a before, b here), less one for each pair
/// of targets)
///
/// order     a stretch's pairs of products, then, row by row, those of logarithms and those of targets
template <class Scheme, class T> __global__ void __launch_bounds__(pair_threads)
    sum_pairs(ChainNumbers<Scheme, T> chain, Wide<const T> left, Wide<const T> right, const std::int32_t* pairs,
              const std::int32_t* targets, const Counters* counters, T sign, T* to, int rows, Write how) {
  using Few = device::Few<T, pair_few>;
  auto& memory = device::shared<PairMemory<T>>();
  const int thread = static_cast<int>(threadIdx.x), labels = chain.labels;
  const int first = static_cast<int>(blockIdx.z) * rows, last = first + rows < left.n ? first + rows : left.n;
  const int a_of_block = static_cast<int>(blockIdx.y) * pair_tags,
            b_of_block = static_cast<int>(blockIdx.x) * pair_tags;
  const int x = thread % (pair_tags / pair_few) * pair_few, y = thread / (pair_tags / pair_few) * pair_few;
  const bool any_tag = a_of_block + y < labels && b_of_block + x < labels;
  const T top = chain.scale(memory.parts.scale).largest;
  T sum[pair_few][pair_few] = {};
  const auto each = [&](auto&& f) {
    ENTRAIN_UNROLL
    for (int u = 0; u < pair_few; ++u) {
      ENTRAIN_UNROLL
      for (int v = 0; v < pair_few; ++v)
        if (const int a = a_of_block + y + u, b = b_of_block + x + v; a < labels && b < labels) f(a, b, sum[u][v]);
    }
  };
  std::int32_t seen = 0;
  for (int base = first; base < last; base += pair_rows) {
    std::int32_t here = 0;
    for (int row = base; row < base + pair_rows && row < last; ++row) here |= pairs[row];
    seen |= here;
    if ((here & pair_of_products) == 0) continue;
    for (int i = thread; i < pair_rows * pair_tags; i += pair_threads) {
      const int r = i / pair_tags, k = i % pair_tags, row = base + r;
      const bool is = row < last && (pairs[row] & pair_of_products) != 0;
      memory.left[r][k] = is && a_of_block + k < labels ? left(row - 1, a_of_block + k) : T(0);
      memory.right[r][k] = is && b_of_block + k < labels ? right(row, b_of_block + k) : T(0);
    }
    __syncthreads();
    for (int r = 0; r < pair_rows && any_tag; ++r) {
      const Few a = Few::load(&memory.left[r][y]), b = Few::load(&memory.right[r][x]);
      ENTRAIN_UNROLL
      for (int u = 0; u < pair_few; ++u) {
        ENTRAIN_UNROLL
        for (int v = 0; v < pair_few; ++v) sum[u][v] += a.of[u] * b.of[v];
      }
    }
    __syncthreads();
  }
  if (seen == 0 && how == Write::add) return;
  each([&](int a, int b, T& value) {
    value = text::Allowed<Scheme>::follows(a, b) ? value * math::exp(chain.transition(a, b) - top) : T(0);
  });
  if ((seen & ~pair_of_products) != 0)
    for (int row = first; row < last; ++row) {
      if ((pairs[row] & pair_of_logarithms) != 0)
        each([&](int a, int b, T& value) {
          value += math::exp(left(row - 1, a) + chain.template number<false>(a, b, top) + right(row, b));
        });
      if ((pairs[row] & pair_of_targets) != 0)
        each([&](int a, int b, T& value) { value -= a == targets[row - 1] && b == targets[row] ? T(1) : T(0); });
    }
  to += static_cast<std::int64_t>(blockIdx.z) * labels * labels;
  const T by = sign * loss_scale<T>(counters);
  each([&](int a, int b, T& value) {
    T& place = to[static_cast<std::int64_t>(a) * labels + b];
    place = how == Write::add ? place + by * value : by * value;
  });
}

/// The terms of the gradients of start and end: slopes in the first and the last row of each sentence.
template <class T> struct EdgeTerms {
  Wide<const T> d;
  const std::int32_t* cu_seqlens;

  static constexpr int few = 1;
  __device__ void operator()(int s, int k, T (&sum)[2][1]) const {
    const int first = cu_seqlens[s], last = cu_seqlens[s + 1];
    if (first == last) return;
    sum[0][0] += d(first, k);
    sum[1][0] += d(last - 1, k);
  }
};

}  // namespace entrain::kernel::detail
