// core > device, precision > tensor > [kernel] > layer
//
// Loads and stores of a head's rows in attention's kernels: the block's own rows, the rows that it walks over, the
// results of forward for them, and stores by row or as sums of columns. Read block.cuh first.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/copies.cuh"
#include "entrain/device/tile.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/attention/block.cuh"

namespace entrain::kernel::detail {

inline constexpr int row_lanes = 4;  // lanes that share a row of a tile: warp_sum<row_lanes>

/// The layout of a head's rows in pieces of up to 16 bytes, followed by zeros up to a multiple of 16 numbers.
template <class T, int Width> struct AttentionPieces {
  static constexpr int few = device::few_of<T, Width>, of_row = (Width + 15) / 16 * 16 / few;
  using Few = device::Few<T, few>;
  using Piece = device::Words<Few>;

  struct Spot {
    int row, c;
  };
  /// The position of piece `thread` + `before`, one of the pieces that `Threads` threads copy in several rounds. With
  /// the two parts known separately, the address is a base and a constant.
  template <int Threads> __device__ static Spot spot(int thread, int before) {
    if constexpr (Threads % of_row == 0) return {thread / of_row + before / of_row, thread % of_row * few};
    return {(thread + before) / of_row, (thread + before) % of_row * few};
  }
  __device__ static bool is_there(Spot at, int first, int end) {
    return first + at.row < end && (Width % 16 == 0 || at.c < Width);
  }
  /// Address in rows that begin with row `first`.
  __device__ static const Piece* in(const T* from, int stride, Spot at, int first) {
    return reinterpret_cast<const Piece*>(from + (static_cast<std::int64_t>(first + at.row) * stride + at.c));
  }
  template <int Stride> __device__ static Piece* in(T (*to)[Stride], Spot at) {
    return reinterpret_cast<Piece*>(to[at.row] + at.c);
  }
};

/// Loads of the warp's own rows, started before the block knows its sentences.
template <class Target, class T, int Width> class AttentionOwn {
  using Pieces = AttentionPieces<T, Width>;
  static constexpr int pieces = 16 * Pieces::of_row / device::warp;

 public:
  /// No other warp reads the warp's part of `to`.
  template <int Stride> __device__ AttentionOwn(T (&to)[attention_rows][Stride], const T* from, int stride,
                                                const AttentionThread& thread, int n) {
    each(to, thread, [&](int i, auto at, auto* piece) {
      copies_.begin(i, piece, Pieces::in(from, stride, at, thread.warp_row()),
                    Pieces::is_there(at, thread.warp_row(), n));
    });
  }
  template <int Stride> __device__ void put(T (&to)[attention_rows][Stride], const AttentionThread& thread) const {
    each(to, thread, [&](int i, auto, auto* piece) { copies_.put(i, piece); });
  }

 private:
  template <int Stride, class F>
  __device__ static void each(T (&to)[attention_rows][Stride], const AttentionThread& thread, F&& f) {
    ENTRAIN_UNROLL
    for (int i = 0; i < pieces; ++i) {
      const auto at = Pieces::template spot<device::warp>(thread.lane, i * device::warp);
      f(i, at, Pieces::in(to + 16 * thread.warp, at));
    }
  }
  device::Copies<Target, typename Pieces::Piece, pieces> copies_;
};

/// Copies rows [first, first + Rows) of a head into shared memory, with zeros after the rows that the block walks over.
template <class Target, int Width, class T, int Rows, int Stride>
__device__ void load_rows(T (&to)[Rows][Stride], const T* from, int stride, int first, const AttentionPlace& place) {
  using Pieces = AttentionPieces<T, Width>;
  using Copies = device::Copies<Target, typename Pieces::Piece, 4>;
  // mutant 58
  constexpr int all = Rows * Pieces::of_row, threads = attention_threads, rounds = (all + threads - 1) / threads;
  constexpr int under_way = Copies::template under_way<rounds>;
  const int thread = static_cast<int>(threadIdx.x);
  ENTRAIN_UNROLL
  for (int begin = 0; begin < rounds; begin += under_way) {  // mutant 59
    Copies copies;
    const auto each = [&](auto&& f) {
      ENTRAIN_UNROLL
      for (int i = 0; i < under_way; ++i) {  // mutant 60
        const int before = (begin + i) * threads;
        if (before + threads > all && before + thread >= all) continue;
        const auto at = Pieces::template spot<threads>(thread, before);
        f(i, at, Pieces::in(to, at));
      }
    };
    each([&](int i, auto at, auto* piece) {
      copies.begin(i, piece, Pieces::in(from, stride, at, first), Pieces::is_there(at, first, place.end));
    });
    each([&](int i, auto, auto* piece) { copies.put(i, piece); });
  }
}
template <class Target, class T, int Width> __device__ void wait_for_rows() {
  if constexpr (device::Copies<Target, typename AttentionPieces<T, Width>::Piece, 1>::async) device::wait_for_copies();
}

/// The results of forward for a row of a head, a lane's quarter of them: the output and its lse.
template <class T, int H, int Width> struct AttentionResult {
  static constexpr int few = device::few_of<T, Width>, groups = (Width + row_lanes * few - 1) / (row_lanes * few);
  using Few = device::Few<T, few>;
  Few out[groups];  // mutant 61
  float norm;       // lse in the base of AttentionPower

  /// Loads row `last` if there is no row `row`, whose result is not used then: so the loads need no condition.
  template <class S> __device__ void load(const T* all_out, const S* all_lse, int head, int row, int last, int lane) {
    const std::int64_t number = static_cast<std::int64_t>(row < last ? row : last) * H + head;  // mutant 62
    each(lane, [&](int g, int c) { out[g] = Few::load(all_out + number * Width + c); });
    norm = static_cast<float>(all_lse[number]) * AttentionPower<T>::log;
  }
  /// The dot product of dout and out, over the whole row.
  __device__ float delta(const T* dout, int lane) const {
    float sum = 0;
    each(lane, [&](int g, int c) {
      const Few slopes = Few::load(dout + c);
      ENTRAIN_UNROLL
      for (int k = 0; k < few; ++k) sum += slopes.template as<float>(k) * out[g].template as<float>(k);
    });
    return device::warp_sum<row_lanes>(sum);
  }

 private:
  template <class F> __device__ static void each(int lane, F&& f) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int c = (g * row_lanes + lane % row_lanes) * few;
      if (Width % (row_lanes * few) == 0 || c < Width) f(g, c);
    }
  }
};

/// Stores a warp's rows to the head's channels of `to`, times `upper` and `lower`, the factors of the warp's two
/// halves. All lanes call it together.
template <int Width, int N, class T> __device__ void store_rows(const device::WarpTile<N>& tile,
                                                                const AttentionPlace& place, int n, float upper,
                                                                float lower, T* to, int stride) {
  constexpr int few = Width % 2 == 0 ? 2 : 1;  // of the two neighbours that a lane has
  using Word = std::conditional_t<few * sizeof(T) == 4, std::uint32_t, device::Few<T, few>>;  // one store, not two
  const auto numbers = [&](int j, int e) {
    device::Few<T, few> all;
    ENTRAIN_UNROLL
    for (int k = 0; k < few; ++k) all.of[k] = static_cast<T>(tile.of[j][e + k] * (e < 2 ? upper : lower));
    return __builtin_bit_cast(Word, all);
  };
  const auto spot = [&](int e, int x) { return to + static_cast<std::int64_t>(place.row(e / 2)) * stride + x; };
  if constexpr (sizeof(T) == 2 && Width % 16 == 0) {
    // A lane keeps one of two tiles' numbers and receives the neighbours of those: four lanes fill 32 bytes of a row.
    // The choice uses bit operations: for a condition, compilers make two branches with a shuffle in each.
    const std::uint32_t odd = 0u - static_cast<std::uint32_t>(place.lane % 2);
    const auto either = [&](std::uint32_t even, std::uint32_t other) { return even ^ ((even ^ other) & odd); };
    const int x = place.lane % 2 * 8 + place.lane % row_lanes / 2 * 4;
    ENTRAIN_UNROLL
    for (int j = 0; j < N; j += 2) {
      ENTRAIN_UNROLL
      for (int e = 0; e < 4; e += 2) {
        const std::uint32_t left = device::whole(numbers(j, e)), right = device::whole(numbers(j + 1, e));
        const std::uint32_t next = __shfl_xor_sync(device::all_lanes, either(right, left), 1);
        const std::uint64_t both = either(left, next) | static_cast<std::uint64_t>(either(next, right)) << 32;
        if (place.row(e / 2) < n) *reinterpret_cast<std::uint64_t*>(spot(e, 8 * j + x)) = both;
      }
    }
  } else {
    tile.each([&](int j, int e) {
      const int x = tile.column(place.lane, j, e % 2);
      if (e % few != 0 || place.row(e / 2) >= n || x >= Width) return;
      *reinterpret_cast<Word*>(spot(e, x)) = numbers(j, e);
    });
  }
}

/// Sums over the block's existing rows (the others are 0): to[k][c] = factor[k] times the sum of channel c of tiles[k].
/// It overwrites the memory of the walked rows. All threads call it together.
template <int Width, class Memory, int K, int N, class S>
__device__ void store_column_sums(Memory& memory, const device::WarpTile<N>* const (&tiles)[K],
                                  const float (&factor)[K], S* const (&to)[K], const AttentionThread& thread) {
  static_assert(K <= 2);
  using Sums = typename Memory::ColumnSums;
  __syncthreads();  // all threads have read the last rows
  ENTRAIN_UNROLL
  for (int k = 0; k < K; ++k) {
    float* const of_row = memory.column_sums(k).of[thread.warp * Sums::rows + thread.lane / row_lanes % Sums::rows];
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) {
      device::Few<float, 2> sum;
      ENTRAIN_UNROLL
      for (int c = 0; c < 2; ++c) {
        sum.of[c] = tiles[k]->of[j][c] + tiles[k]->of[j][2 + c];
        for (int distance = row_lanes * Sums::rows; distance < device::warp; distance *= 2)
          sum.of[c] += __shfl_xor_sync(device::all_lanes, sum.of[c], distance);
      }
      if (thread.lane < row_lanes * Sums::rows) sum.store(of_row + tiles[k]->column(thread.lane, j, 0));  // mutant 63
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < K * Width; i += attention_threads) {
    const bool front = i < Width;
    const int c = front ? i : i - Width;
    const auto& rows = memory.column_sums(front ? 0 : K - 1).of;
    float sum = 0;
    ENTRAIN_UNROLL
    for (const auto& row : rows) sum += row[c];
    (front ? to[0] : to[K - 1])[c] = static_cast<S>(sum * (front ? factor[0] : factor[K - 1]));
  }
}

}  // namespace entrain::kernel::detail
