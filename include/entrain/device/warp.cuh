// core > [device], precision > tensor > kernel > layer
//
// What the 32 lanes of a warp compute together: sums and maxima, in one fixed order; and how they hold rows.
#pragma once
#include "entrain/device/launch.cuh"
#include "entrain/device/vector_load.cuh"

namespace entrain::device {

/// The sum over every `Lanes` neighbours, in each of them. It adds pairs at distance Lanes / 2, ... 4, 2, 1.
template <int Lanes = warp, class T> __device__ inline T warp_sum(T x) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) x += __shfl_xor_sync(all_lanes, x, distance);
  return x;
}
/// The maximum of every `Lanes` neighbours, in each of them. NaN is skipped.
template <int Lanes = warp, class T> __device__ inline T warp_max(T x) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) {
    const T other = __shfl_xor_sync(all_lanes, x, distance);
    x = other > x ? other : x;
  }
  return x;
}

/// The maximum of all lanes and its place, in every lane; of equal ones the smallest place.
template <class T> __device__ inline void warp_best(T& largest, int& place) {
  for (int distance = warp / 2; distance > 0; distance /= 2) {
    const T other = __shfl_xor_sync(all_lanes, largest, distance);
    const int there = __shfl_xor_sync(all_lanes, place, distance);
    if (other > largest || (other == largest && there < place)) {  // mutant 11
      largest = other;
      place = there;
    }
  }
}

inline constexpr int threads_of_rows = 128;  // of a block
/// Rows that a block processes at once, where `Lanes` lanes share one.
template <int Lanes = warp> inline constexpr int rows_of_block = threads_of_rows / Lanes;

struct RowOfWarp {
  int row, lane;
};
/// The row that a thread works on, and its lane in the row. In the last block the row may be past the end.
template <int Lanes = warp> __device__ inline RowOfWarp row_of_warp() {
  const int thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * rows_of_block<Lanes> + thread / Lanes, thread % Lanes};
}
/// A grid with `Lanes` lanes of a warp for each of n rows.
template <int Lanes = warp> inline Grid grid_of_rows(int n) {
  // mutant 12
  return {dim3(static_cast<unsigned>((n + rows_of_block<Lanes> - 1) / rows_of_block<Lanes>)), dim3(threads_of_rows)};
}

struct RowOrLast {
  int row, lane;
  bool there;
};
/// For n rows and kernels whose rows share a warp: all lanes must take part in its shuffles, so none may leave early. A
/// lane without a row takes the last row, and must store nothing.
template <int Lanes> __device__ inline RowOrLast row_or_last(int n) {
  const auto [row, lane] = row_of_warp<Lanes>();
  return {row < n ? row : n - 1, lane, row < n};
}

/// The number of lanes for a row, such that they divide its groups: 384 channels of 16 bits are 48 groups, three for
/// each of 16 lanes, so that a warp has two rows and no lane is idle.
template <class T, int C> inline constexpr int lanes_of_warp = [] {
  constexpr int few = few_of<T, C>;
  for (int n = warp; n >= 8; n /= 2)
    if (C / few % n == 0) return n;  // mutant 13
  return warp;
}();

/// A row of C numbers as lanes hold it: neighbours in groups of `few`, one group a lane, `groups` times. Memory is read
/// and written 16 bytes at a time where C allows it.
///
/// Lanes     of a warp; more where a kernel adds up what several warps hold of a row
template <class T, int C, int Lanes = lanes_of_warp<T, C>> struct WarpRow {
  static constexpr int few = few_of<T, C>;
  static constexpr int lanes = Lanes;
  static constexpr int groups = (C / few + lanes - 1) / lanes;
  static constexpr bool whole = C % (few * lanes) == 0;
  static constexpr int size = groups * few;             // numbers of a lane, at most
  template <class From> using Packed = Few<From, few>;  // a group as it is in memory

  /// f(place in the lane, first channel) for every group of neighbours that this lane holds.
  template <class F> __device__ static void each_group(int lane, F&& f) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int first = (g * lanes + lane) * few;
      if (whole || first < C) f(g * few, first);
    }
  }
  /// f(place in the lane) for every number that this lane holds.
  template <class F> __device__ static void each(int lane, F&& f) {
    each_group(lane, [&](int place, int) {
      ENTRAIN_UNROLL
      for (int i = 0; i < few; ++i) f(place + i);
    });
  }

  /// The row may have numbers of another type too: a row of parameters. Where the lane holds nothing, the result is 0.
  template <class From>
  __device__ static void load_packed(const From* row, int lane, Words<Packed<From>> (&to)[groups]) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int first = (g * lanes + lane) * few;
      to[g] = {};
      if (whole || first < C) to[g] = __builtin_bit_cast(Words<Packed<From>>, Packed<From>::load(row + first));
    }
  }
  template <class From, class S>
  __device__ static void widen(const Words<Packed<From>> (&from)[groups], S (&to)[size]) {
    ENTRAIN_UNROLL
    for (int i = 0; i < size; ++i) to[i] = __builtin_bit_cast(Packed<From>, from[i / few]).template as<S>(i % few);
  }
  template <class From, class S> __device__ static void load(const From* row, int lane, S (&to)[size]) {
    Words<Packed<From>> words[groups];
    load_packed(row, lane, words);
    widen<From>(words, to);
  }
  template <class S> __device__ static void store(T* row, int lane, const S (&from)[size]) {
    Packed<T> packed[groups];
    narrow(from, packed);
    store_packed(row, lane, packed);
  }

 private:
  template <class S> __device__ static void narrow(const S (&from)[size], Packed<T> (&to)[groups]) {
    ENTRAIN_UNROLL
    for (int i = 0; i < size; ++i) to[i / few].of[i % few] = static_cast<T>(from[i]);
  }
  __device__ static void store_packed(T* row, int lane, const Packed<T> (&from)[groups]) {
    each_group(lane, [&](int place, int first) { from[place / few].store(row + first); });
  }
};

}  // namespace entrain::device
