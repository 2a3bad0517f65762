// core > device, precision > tensor > [kernel] > layer
//
// Expected transitions: the sum of the pairs of neighbouring rows, minus the pairs of the targets. Rows are divided
// into ranges by their number alone; a block computes a square of tags over a range. If there are few tags, groups of
// its threads share the rows. So the bits do not depend on the card, pairs of logarithms need no second pass, and a
// range without pairs costs one load of each row's flag.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/crf/lattice.cuh"

namespace entrain::kernel::detail {

inline constexpr int pair_few = 4;           // a thread has a square of this many tags on a side
inline constexpr int pair_tags = 64;         // a block, at most
inline constexpr int pair_numbers = 2048;    // of either side of the pairs, in shared memory at once
inline constexpr int most_pair_groups = 32;  // of threads, which share the rows if there are few tags
inline constexpr int pair_threads = (pair_tags / pair_few) * (pair_tags / pair_few);
inline constexpr int pair_loads = pair_numbers / pair_threads;  // of a thread, for either side
static_assert(pair_threads == chain_threads && pair_numbers % pair_threads == 0);

inline constexpr int pair_range = 64, most_pair_ranges = 128;

/// For a batch of n rows: as many ranges as `room` bytes hold arrays of `sums` numbers of T, at least one.
template <class T> RowRanges pair_ranges(int n, std::size_t sums, std::size_t room) {
  const std::size_t fit = room / sizeof(T) / std::max<std::size_t>(sums, 1);
  return RowRanges::of(n, pair_range, static_cast<int>(std::clamp<std::size_t>(fit, 1, most_pair_ranges)));
}

/// How a block's threads share its tags and rows: group g of `groups` processes the rows g, g + groups, ... of those in
/// shared memory.
struct PairShares {
  int width;    // tags on a side, padded to whole squares
  int squares;  // threads of a group
  int groups;
  int rows;  // in shared memory at once

  __device__ explicit PairShares(int labels) {
    const int side = ((labels < pair_tags ? labels : pair_tags) + pair_few - 1) / pair_few;  // mutant 108
    width = side * pair_few;
    squares = side * side;
    groups = pair_threads / squares < most_pair_groups ? pair_threads / squares : most_pair_groups;  // mutant 109
    rows = pair_numbers / width < pair_threads ? pair_numbers / width : pair_threads;                // mutant 110
  }
};

template <class T> struct PairMemory {
  WarpParts<T> parts;
  alignas(device::Few<T, pair_few>) T numbers[2][pair_numbers];  // [row, tag]: left, right; then the groups' sums
  std::int32_t seen[chain_warps], flags[pair_threads], before[pair_threads], here[pair_threads];  // mutant 111
};
static_assert(pair_threads * pair_few * pair_few <= 2 * pair_numbers);

/// The flags that any thread of the block has set, returned in every thread. It has a barrier, like chain_sum.
__device__ inline std::int32_t pair_flags(std::int32_t mine, std::int32_t (&parts)[chain_warps]) {
  for (int distance = device::warp / 2; distance > 0; distance /= 2)
    mine |= __shfl_xor_sync(device::all_lanes, mine, distance);
  tell(mine, parts);
  __syncthreads();
  std::int32_t any = 0;
  for (const std::int32_t of_warp : parts) any |= of_warp;
  return any;
}

/// to[range, a, b] (+)= sign loss_scale (sum over the range's pairs of P(a before, b here), minus one for each pair of
/// targets)
///
/// order     a group of threads (PairShares) adds its rows' pairs of products, in order of the rows; separately, row by
///           row, the pairs of logarithms and of targets; then the block adds the groups' sums in order
template <class Scheme, class T> __global__ void __launch_bounds__(pair_threads)
    sum_pairs(ChainNumbers<Scheme, T> chain, LabelMatrix<const T> left, LabelMatrix<const T> right,
              const std::int32_t* pairs, const std::int32_t* targets, const Counters* counters, T sign, T* to, int rows,
              Write how) {
  using Few = device::Few<T, pair_few>;
  auto& memory = device::shared<PairMemory<T>>();
  const int thread = static_cast<int>(threadIdx.x), labels = chain.labels;
  const PairShares share(labels);
  // mutant 112
  const int first = static_cast<int>(blockIdx.z) * rows, last = first + rows < left.n ? first + rows : left.n;
  const int a_of_block = static_cast<int>(blockIdx.y) * pair_tags,
            b_of_block = static_cast<int>(blockIdx.x) * pair_tags;
  const int group = thread / share.squares, square = thread % share.squares, side = share.width / pair_few;
  const int x = square % side * pair_few, y = square / side * pair_few;
  const int a_of_thread = a_of_block + y, b_of_thread = b_of_block + x;
  const bool works = group < share.groups && a_of_thread < labels && b_of_thread < labels;  // mutant 113
  const T by = sign * loss_scale<T>(counters);
  T top = 0, sum[pair_few][pair_few] = {}, rest[pair_few][pair_few] = {};  // mutant 114
  const auto each = [&](auto&& f) {                                        // tags, and the indices of their sum
    ENTRAIN_UNROLL
    for (int u = 0; u < pair_few; ++u) {
      ENTRAIN_UNROLL
      for (int v = 0; v < pair_few; ++v)
        if (const int a = a_of_thread + u, b = b_of_thread + v; works && a < labels && b < labels) f(a, b, u, v);
    }
  };
  std::int32_t seen = 0;
  for (int base = first; base < last; base += share.rows) {  // mutant 115
    const int count = base + share.rows < last ? share.rows : last - base;
    std::int32_t flags = 0;
    if (const int row = base + thread; thread < count) {
      memory.flags[thread] = flags = pairs[row];
      memory.before[thread] = targets[row > 0 ? row - 1 : 0];
      memory.here[thread] = targets[row];
    }
    const std::int32_t any = pair_flags(flags, memory.seen);
    if (seen == 0 && any != 0) top = chain.scale(memory.parts.scale).largest;
    seen |= any;
    if ((any & pair_of_products) != 0) {
      T of_left[pair_loads], of_right[pair_loads];  // mutant 116
      int r = thread / share.width, k = thread % share.width;
      ENTRAIN_UNROLL
      for (int i = 0; i < pair_loads; ++i) {  // all loads are started before the first store
        const bool is = r < count && (memory.flags[r] & pair_of_products) != 0;
        of_left[i] = is && a_of_block + k < labels ? left(base + r - 1, a_of_block + k) : T(0);  // mutant 117
        of_right[i] = is && b_of_block + k < labels ? right(base + r, b_of_block + k) : T(0);    // mutant 118
        r += pair_threads / share.width;
        k += pair_threads % share.width;
        if (k >= share.width) k -= share.width, ++r;
      }
      ENTRAIN_UNROLL
      for (int i = 0; i < pair_loads; ++i) {
        memory.numbers[0][thread + i * pair_threads] = of_left[i];
        memory.numbers[1][thread + i * pair_threads] = of_right[i];
      }
      __syncthreads();
      for (int row = group; row < count && works; row += share.groups) {
        const Few a = Few::load(memory.numbers[0] + row * share.width + y);
        const Few b = Few::load(memory.numbers[1] + row * share.width + x);
        ENTRAIN_UNROLL
        for (int u = 0; u < pair_few; ++u) {
          ENTRAIN_UNROLL
          for (int v = 0; v < pair_few; ++v) sum[u][v] += a.of[u] * b.of[v];
        }
      }
    }
    if ((any & ~pair_of_products) != 0)
      for (int r = group; r < count && works; r += share.groups) {
        if ((memory.flags[r] & pair_of_logarithms) != 0)
          each([&](int a, int b, int u, int v) {
            rest[u][v] +=
                math::exp(left(base + r - 1, a) + chain.template number<false>(a, b, top) + right(base + r, b));
          });
        const int a = memory.before[r] - a_of_thread, b = memory.here[r] - b_of_thread;
        if ((memory.flags[r] & pair_of_targets) != 0 && a >= 0 && a < pair_few && b >= 0 && b < pair_few)
          each([&](int, int, int u, int v) { rest[u][v] -= u == a && v == b ? T(1) : T(0); });
      }
    __syncthreads();  // the next rows overwrite these
  }
  if (seen == 0 && how == Write::add) return;
  if (seen != 0)
    each([&](int a, int b, int u, int v) {
      if (text::Allowed<Scheme>::follows(a, b)) rest[u][v] += sum[u][v] * math::exp(chain.transition(a, b) - top);
    });
  to += static_cast<std::int64_t>(blockIdx.z) * labels * labels;
  const auto write = [&](std::int64_t at, T value) { to[at] = how == Write::add ? to[at] + by * value : by * value; };
  if (share.groups == 1) {
    each([&](int a, int b, int u, int v) { write(static_cast<std::int64_t>(a) * labels + b, rest[u][v]); });
    return;
  }
  // If there is more than one group, a block has all tags. Sum (u, v) of all threads, then the next.
  T* const sums = memory.numbers[0];
  ENTRAIN_UNROLL
  for (int i = 0; i < pair_few * pair_few; ++i) sums[i * pair_threads + thread] = rest[i / pair_few][i % pair_few];
  __syncthreads();
  for (int i = thread; i < labels * labels; i += pair_threads) {
    const int a = i / labels, b = i % labels;
    const T* const of =
        sums + (a % pair_few * pair_few + b % pair_few) * pair_threads + a / pair_few * side + b / pair_few;
    T total = 0;
    for (int g = 0; g < share.groups; ++g) total += of[g * share.squares];
    write(i, total);
  }
}

/// The terms of the gradients of start and end: slopes in the first and the last row of each sentence.
template <class T> struct EdgeTerms {
  LabelMatrix<const T> d;
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
