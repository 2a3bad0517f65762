// core > [device], precision > tensor > kernel > layer
//
// Small products of a warp: 16 rows of one matrix in shared memory with rows or columns of another one. The sums lie in
// the lanes' registers as tensor cores hold them, also where plain arithmetic makes them. All lanes call together.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/few.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/device/ptx.cuh"

namespace entrain::device {

/// 16 x 8 N sums of a warp. Lane 4 g + t has of the rows g and g + 8 the columns 8 j + 2 t and 8 j + 2 t + 1:
/// of[j][2 i + c] stands in row(lane, i) and column(lane, j, c).
template <int N> struct WarpTile {
  float of[N][4];

  __device__ static int row(int lane, int i) { return lane / 4 + 8 * i; }
  __device__ static int column(int lane, int j, int c) { return 8 * j + lane % 4 * 2 + c; }

  /// f(j, e) for each of[j][e]
  template <class F> __device__ static void each(F&& f) {
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) {
      ENTRAIN_UNROLL
      for (int e = 0; e < 4; ++e) f(j, e);
    }
  }
  __device__ void zero() {
    each([&](int j, int e) { of[j][e] = 0; });
  }
};

/// A matrix in shared memory: rows `Stride` numbers apart, so that what lanes read at once lies in unlike banks.
template <class T, int Stride> struct SharedRows {
  static_assert(Stride * sizeof(T) % 16 == 0);
  const T* data;
  __device__ const T* row(int r) const { return data + r * Stride; }
};

/// Products in the arithmetic of fp32.
template <class Target, class T> struct WarpProduct {
  static_assert(std::is_same_v<T, float>);
  using Four = Few<float, 4>;
  using Two = Few<float, 2>;

  /// tile += a b',  a [16, Depth], b [8 N, Depth]; of b only the rows [8 from, 8 to) are asked for
  template <int Depth, int N, int A, int B> __device__ static void by_rows(WarpTile<N>& tile, SharedRows<T, A> a,
                                                                           SharedRows<T, B> b, int lane, int from,
                                                                           int to) {
    const float* const upper = a.row(WarpTile<N>::row(lane, 0));
    const float* const lower = a.row(WarpTile<N>::row(lane, 1));
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) {
      if (j < from || j >= to) continue;
      const float* const left = b.row(WarpTile<N>::column(lane, j, 0));
      ENTRAIN_UNROLL
      for (int k = 0; k < Depth; k += 4) {
        const Four u = Four::load(upper + k), l = Four::load(lower + k);
        ENTRAIN_UNROLL
        for (int c = 0; c < 2; ++c) {
          const Four x = Four::load(left + c * B + k);
          ENTRAIN_UNROLL
          for (int i = 0; i < 4; ++i) {
            tile.of[j][c] += u.of[i] * x.of[i];
            tile.of[j][2 + c] += l.of[i] * x.of[i];
          }
        }
      }
    }
  }

  /// tile += a b,  a [16, depth], b [depth, 8 N]; of the depth only [8 from, 8 to) is summed
  template <int N, int A, int B> __device__ static void by_columns(WarpTile<N>& tile, SharedRows<T, A> a,
                                                                   SharedRows<T, B> b, int lane, int from, int to) {
    const float* const upper = a.row(WarpTile<N>::row(lane, 0));
    const float* const lower = a.row(WarpTile<N>::row(lane, 1));
    for (int k = 8 * from; k < 8 * to; k += 4) {
      const Four u = Four::load(upper + k), l = Four::load(lower + k);
      ENTRAIN_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float* const row = b.row(k + i);
        ENTRAIN_UNROLL
        for (int j = 0; j < N; ++j) {
          const Two x = Two::load(row + WarpTile<N>::column(lane, j, 0));
          ENTRAIN_UNROLL
          for (int c = 0; c < 2; ++c) {
            tile.of[j][c] += u.of[i] * x.of[c];
            tile.of[j][2 + c] += l.of[i] * x.of[c];
          }
        }
      }
    }
  }
};

/// Products by tensor cores: 16-bit operands, sums in fp32. What is asked for is rounded up to pairs of eights.
template <class Target, class T>
requires(sizeof(T) == 2) struct WarpProduct<Target, T> {
  template <int Depth, int N, int A, int B> __device__ static void by_rows(WarpTile<N>& tile, SharedRows<T, A> a,
                                                                           SharedRows<T, B> b, int lane, int from,
                                                                           int to) {
    static_assert(Depth % 16 == 0 && N % 2 == 0);
    ENTRAIN_UNROLL
    for (int k = 0; k < Depth; k += 16) {
      std::uint32_t left[4];
      load_matrices<false>(left, a.row(lane % 16) + k + lane / 16 * 8);
      ENTRAIN_UNROLL
      for (int j = 0; j < N; j += 2) {
        if (j + 1 < from || j >= to) continue;
        std::uint32_t right[4];
        load_matrices<false>(right, b.row(8 * j + lane % 8 + lane / 16 * 8) + k + lane / 8 % 2 * 8);
        multiply_add<T, Target>(tile.of[j], left, right);
        multiply_add<T, Target>(tile.of[j + 1], left, right + 2);
      }
    }
  }
  template <int N, int A, int B> __device__ static void by_columns(WarpTile<N>& tile, SharedRows<T, A> a,
                                                                   SharedRows<T, B> b, int lane, int from, int to) {
    static_assert(N % 2 == 0);
    for (int k = from / 2 * 16; k < 8 * to; k += 16) {
      std::uint32_t left[4];
      load_matrices<false>(left, a.row(lane % 16) + k + lane / 16 * 8);
      ENTRAIN_UNROLL
      for (int j = 0; j < N; j += 2) {
        std::uint32_t right[4];
        load_matrices<true>(right, b.row(k + lane % 16) + 8 * j + lane / 16 * 8);
        multiply_add<T, Target>(tile.of[j], left, right);
        multiply_add<T, Target>(tile.of[j + 1], left, right + 2);
      }
    }
  }
};

}  // namespace entrain::device
