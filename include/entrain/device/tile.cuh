// core > [device], precision > tensor > kernel > layer
//
// Small products of a warp: 16 rows of one matrix in shared memory with rows or columns of another one. The sums lie in
// the lanes' registers as tensor cores hold them, also where plain arithmetic makes them.
#pragma once
#include "entrain/device/few.cuh"
#include "entrain/device/launch.cuh"

namespace entrain::device {

/// 16 x 8 N sums of a warp. Lane 4 g + t has of the rows g and g + 8 the columns 8 j + 2 t and 8 j + 2 t + 1:
/// of[j][2 i + c] stands in row(lane, i) and column(lane, j, c).
template <int N> struct WarpTile {
  static constexpr int rows = 16, columns = 8 * N;
  float of[N][4];

  __device__ static int row(int lane, int i) { return lane / 4 + 8 * i; }
  __device__ static int column(int lane, int j, int c) { return 8 * j + lane % 4 * 2 + c; }

  __device__ void zero() {
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) of[j][0] = of[j][1] = of[j][2] = of[j][3] = 0;
  }
};

/// A matrix in shared memory: rows `Stride` numbers apart, so that what lanes read at once lies in unlike banks.
template <class T, int Stride> struct SharedRows {
  static_assert(Stride * sizeof(T) % 16 == 0);
  const T* data;
  __device__ const T* row(int r) const { return data + r * Stride; }
};

/// tile += a b',  a [16, Depth], b [8 N, Depth]; of b only the rows [8 from, 8 to) are asked for
template <int Depth, int N, int A, int B> __device__ void add_by_rows(WarpTile<N>& tile, SharedRows<float, A> a,
                                                                      SharedRows<float, B> b, int lane, int from,
                                                                      int to) {
  using Four = Few<float, 4>;
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
template <int N, int A, int B> __device__ void add_by_columns(WarpTile<N>& tile, SharedRows<float, A> a,
                                                              SharedRows<float, B> b, int lane, int from, int to) {
  using Four = Few<float, 4>;
  using Two = Few<float, 2>;
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

}  // namespace entrain::device
