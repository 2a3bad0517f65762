// core > [device], precision > tensor > kernel > layer
//
// Small products of a warp: 16 rows of one matrix in shared memory with rows or columns of another one. The sums are in
// the lanes' registers in the layout of tensor cores, also where plain arithmetic computes them. All lanes call
// together.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/launch.cuh"
#include "entrain/device/ptx.cuh"
#include "entrain/device/vector_load.cuh"

namespace entrain::device {

/// 16 x 8 N sums of a warp. Lane 4 g + t has, of the rows g and g + 8, the columns 8 j + 2 t and 8 j + 2 t + 1:
/// of[j][2 i + c] is at row(lane, i) and column(lane, j, c).
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

/// A matrix in shared memory: rows are `Stride` numbers apart, so that lanes that read at once read different banks.
template <class T, int Stride> struct SharedRows {
  static_assert(Stride * sizeof(T) % 16 == 0);
  const T* data;
  __device__ const T* row(int r) const { return data + r * Stride; }
};

/// Products in fp32 arithmetic.
template <class Target, class T> struct WarpProduct {
  static_assert(std::is_same_v<T, float>);
  using Four = Few<float, 4>;
  using Two = Few<float, 2>;

  /// A warp's 16 rows of `Depth` numbers, the left operand of many products: here pointers to the lane's two rows.
  template <int Depth> struct Left {
    const float *upper, *lower;

    template <int A> __device__ Left(SharedRows<T, A> a, int lane)
        : upper(a.row(WarpTile<1>::row(lane, 0))), lower(a.row(WarpTile<1>::row(lane, 1))) {}
  };

  /// tile += a b',  a [16, Depth], b [8 N, Depth]
  template <int Depth, int N, int B>
  __device__ static void by_rows(WarpTile<N>& tile, const Left<Depth>& a, SharedRows<T, B> b, int lane) {
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) {
      const float* const left = b.row(WarpTile<N>::column(lane, j, 0));
      ENTRAIN_ROLLED
      for (int k = 0; k < Depth; k += 4) {
        const Four u = Four::load(a.upper + k), l = Four::load(a.lower + k);
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

  /// tile += a b,  a [16, 8 M] as a product left it, b [8 M, 8 N]; a is passed through the warp's memory.
  template <int N, int M, int B, int Way> __device__ static void by_columns(WarpTile<N>& tile, const WarpTile<M>& a,
                                                                            SharedRows<T, B> b, T (&way)[16][Way],
                                                                            int lane) {
    static_assert(Way >= 8 * M && Way % 4 == 0);
    ENTRAIN_UNROLL
    for (int j = 0; j < M; ++j) {
      for (int i = 0; i < 2; ++i)
        Two{{a.of[j][2 * i], a.of[j][2 * i + 1]}}.store(way[a.row(lane, i)] + a.column(lane, j, 0));
    }
    __syncwarp();
    const float *const upper = way[tile.row(lane, 0)], *const lower = way[tile.row(lane, 1)];
    ENTRAIN_UNROLL
    for (int k = 0; k < 8 * M; k += 4) {
      const Four u = Four::load(upper + k), l = Four::load(lower + k);
      ENTRAIN_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float* const row = b.row(k + i);
        ENTRAIN_UNROLL
        for (int j = 0; j < N; ++j) {
          const Two x = Two::load(row + tile.column(lane, j, 0));
          ENTRAIN_UNROLL
          for (int c = 0; c < 2; ++c) {
            tile.of[j][c] += u.of[i] * x.of[c];
            tile.of[j][2 + c] += l.of[i] * x.of[c];
          }
        }
      }
    }
    __syncwarp();  // the memory may be written again
  }
};

/// Products by tensor cores: 16-bit operands, sums in fp32.
template <class Target, class T>
requires(sizeof(T) == 2) struct WarpProduct<Target, T> {
  /// The rows themselves, in the registers of all lanes.
  template <int Depth> struct Left {
    static_assert(Depth % 16 == 0);
    std::uint32_t of[Depth / 16][4];  // mutant 10

    template <int A> __device__ Left(SharedRows<T, A> a, int lane) {
      ENTRAIN_UNROLL
      for (int k = 0; k < Depth / 16; ++k) load_matrices<false>(of[k], a.row(lane % 16) + 16 * k + lane / 16 * 8);
    }
  };

  template <int Depth, int N, int B>
  __device__ static void by_rows(WarpTile<N>& tile, const Left<Depth>& a, SharedRows<T, B> b, int lane) {
    static_assert(N % 2 == 0);
    ENTRAIN_UNROLL
    for (int k = 0; k < Depth / 16; ++k) {
      ENTRAIN_UNROLL
      for (int j = 0; j < N; j += 2) {
        std::uint32_t right[4];
        load_matrices<false>(right, b.row(8 * j + lane % 8 + lane / 16 * 8) + 16 * k + lane / 8 % 2 * 8);
        multiply_add<T, Target>(tile.of[j], a.of[k], right);
        multiply_add<T, Target>(tile.of[j + 1], a.of[k], right + 2);
      }
    }
  }

  /// A lane's sums are the numbers that it holds of a left operand: nothing is passed through memory.
  template <int N, int M, int B, int Way> __device__ static void by_columns(WarpTile<N>& tile, const WarpTile<M>& a,
                                                                            SharedRows<T, B> b, T (&)[16][Way],
                                                                            int lane) {
    static_assert(N % 2 == 0 && M % 2 == 0);
    const auto two = [&](int j, int e) {
      return __builtin_bit_cast(std::uint32_t, Few<T, 2>{{static_cast<T>(a.of[j][e]), static_cast<T>(a.of[j][e + 1])}});
    };
    ENTRAIN_UNROLL
    for (int k = 0; k < M; k += 2) {
      const std::uint32_t left[4] = {two(k, 0), two(k, 2), two(k + 1, 0), two(k + 1, 2)};
      ENTRAIN_UNROLL
      for (int j = 0; j < N; j += 2) {
        std::uint32_t right[4];
        load_matrices<true>(right, b.row(8 * k + lane % 16) + 8 * j + lane / 16 * 8);
        multiply_add<T, Target>(tile.of[j], left, right);
        multiply_add<T, Target>(tile.of[j + 1], left, right + 2);
      }
    }
  }
};

}  // namespace entrain::device
