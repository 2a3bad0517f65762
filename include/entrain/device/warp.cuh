// core > [device], precision > tensor > kernel > layer
//
// What the 32 lanes of a warp do together: sums and largest values, in one fixed order; and how they hold a row.
#pragma once
#include "entrain/device/few.cuh"
#include "entrain/device/launch.cuh"

namespace entrain::device {

/// The sum over every `Lanes` neighbours, in each of them: pairs at distance Lanes / 2, ... 4, 2, 1.
template <int Lanes = warp, class T> __device__ inline T warp_sum(T x) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) x += __shfl_xor_sync(all_lanes, x, distance);
  return x;
}
/// The largest of every `Lanes` neighbours, in each of them. NaN is passed over.
template <int Lanes = warp, class T> __device__ inline T warp_max(T x) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) {
    const T other = __shfl_xor_sync(all_lanes, x, distance);
    x = other > x ? other : x;
  }
  return x;
}

/// The largest of all lanes and its place, in every lane; of equal ones the smallest place.
template <class T> __device__ inline void warp_best(T& largest, int& place) {
  for (int distance = warp / 2; distance > 0; distance /= 2) {
    const T other = __shfl_xor_sync(all_lanes, largest, distance);
    const int there = __shfl_xor_sync(all_lanes, place, distance);
    if (other > largest || (other == largest && there < place)) {
      largest = other;
      place = there;
    }
  }
}

inline constexpr int rows_of_block = 4;  // a warp each
inline constexpr int threads_of_rows = rows_of_block * warp;

struct RowOfWarp {
  int row, lane;
};
/// Which row this warp has, and which lane of it a thread is. The last block may have rows that are not there.
__device__ inline RowOfWarp row_of_warp() {
  const int thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * rows_of_block + thread / warp, thread % warp};
}
/// A warp for each of n rows.
inline Grid grid_of_rows(int n) {
  return {dim3(static_cast<unsigned>((n + rows_of_block - 1) / rows_of_block)), dim3(threads_of_rows)};
}

/// A row of C numbers as a warp holds it: neighbours in groups of `few`, one group a lane, `groups` times. Memory is
/// read and written 16 bytes at a time where C allows it.
template <class T, int C> struct WarpRow {
  static constexpr int few = few_of<T, C>;
  static constexpr int groups = (C / few + warp - 1) / warp;
  static constexpr bool whole = C % (few * warp) == 0;
  static constexpr int size = groups * few;  // numbers of a lane, at most

  /// f(place in the lane, first channel) for every group of neighbours that this lane holds.
  template <class F> __device__ static void each_group(int lane, F&& f) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int first = (g * warp + lane) * few;
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

  /// Of numbers of another type too: a row of parameters. 0 stands where the lane holds nothing.
  template <class From, class S> __device__ static void load(const From* row, int lane, S (&to)[size]) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int first = (g * warp + lane) * few;
      if (whole || first < C) {
        const auto packed = Few<From, few>::load(row + first);
        ENTRAIN_UNROLL
        for (int i = 0; i < few; ++i) to[g * few + i] = static_cast<S>(packed.of[i]);
      } else {
        ENTRAIN_UNROLL
        for (int i = 0; i < few; ++i) to[g * few + i] = S(0);
      }
    }
  }
  template <class S> __device__ static void store(T* row, int lane, const S (&from)[size]) {
    each_group(lane, [&](int place, int first) {
      Few<T, few> packed;
      ENTRAIN_UNROLL
      for (int i = 0; i < few; ++i) packed.of[i] = static_cast<T>(from[place + i]);
      packed.store(row + first);
    });
  }
};

}  // namespace entrain::device
