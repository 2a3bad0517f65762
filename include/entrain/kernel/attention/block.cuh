// core > device, precision > tensor > [kernel] > layer
//
// What attention's kernels do alike: a block has 64 neighbouring rows of the batch, whichever sentences they belong to,
// and walks along the rows of those sentences that one of them looks at, 16 rows of its own to a warp. Who is of
// another sentence or outside of the window is masked, and a warp skips eight columns that none of its rows asks for.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/few.cuh"
#include "entrain/device/tile.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/attention/band.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

inline constexpr int attention_warps = 4, attention_rows = 16 * attention_warps;  // of a block
inline constexpr int attention_threads = attention_warps * device::warp;

/// A block's memory: `Own` matrices of its own rows, two of the rows that it walks along, and for each warp what
/// becomes of their products.
template <class T, int Width, int Own> struct AttentionMemory {
  using Number = T;
  static constexpr int width = (Width + 15) / 16 * 16, columns = sizeof(T) == 4 ? 32 : 64, tiles = columns / 8;
  static constexpr int pad = 16 / static_cast<int>(sizeof(T)), stride = width + pad, wide = columns + pad;
  alignas(16) T own[Own][attention_rows][stride];
  alignas(16) T walked[2][columns][stride];
  alignas(16) T weights[attention_warps][16][wide];  // before: columns random numbers of sixteen bits for each row
  float norms[2][columns];                           // lse and delta of walked queries
  static_assert(sizeof weights[0][0] >= columns * 2 && sizeof weights[0][0] % 16 == 0);

  __device__ device::SharedRows<T, stride> of_warp(int which, int warp) const { return {own[which][16 * warp]}; }
  __device__ device::SharedRows<T, stride> of_walk(int which) const { return {walked[which][0]}; }
  __device__ device::SharedRows<T, wide> weights_of(int warp) const { return {weights[warp][0]}; }
};

/// What a kernel needs of the step.
struct AttentionStep {
  const std::int32_t* cu_seqlens;
  const std::int32_t* sentence;
  const Counters* counters;  // nullptr: nothing falls out
  Site site;
  int n;
  float scale;
};

/// Where a thread is, and which rows look at each other: of its block, of its warp, and of the two rows that it has a
/// quarter of.
struct AttentionPlace {
  int warp, lane, head;
  int first;       // row of the batch that is the block's first
  int begin, end;  // that the block walks
  int row[2];      // of the batch
  int low[2], high[2];
  int from, to;  // that some row of the warp asks for

  template <int Window> __device__ AttentionPlace(const AttentionStep& at, Band<Window> band)
      : warp(static_cast<int>(threadIdx.x) / device::warp),
        lane(static_cast<int>(threadIdx.x) % device::warp),
        head(static_cast<int>(blockIdx.y)),
        first(static_cast<int>(blockIdx.x) * attention_rows) {
    const int last = first + attention_rows < at.n ? first + attention_rows - 1 : at.n - 1;
    begin = band.first(first, at.cu_seqlens[at.sentence[first]]);
    end = band.last(last, at.cu_seqlens[at.sentence[last] + 1]);
    for (int i = 0; i < 2; ++i) {
      row[i] = warp_row() + device::WarpTile<1>::row(lane, i);
      low[i] = row[i] < at.n ? band.first(row[i], at.cu_seqlens[at.sentence[row[i]]]) : end;
      high[i] = row[i] < at.n ? band.last(row[i], at.cu_seqlens[at.sentence[row[i]] + 1]) : end;
    }
    from = -device::warp_max(-low[0]);
    to = device::warp_max(high[1]);
  }
  __device__ int warp_row() const { return first + 16 * warp; }
  /// Whether the thread's row i asks for a row of the batch.
  __device__ bool asks(int i, int other) const { return other >= low[i] && other < high[i]; }

  /// f(first column, first and last tile that the warp asks for) for each stride of the walk. load(column) puts the
  /// walked rows into shared memory.
  template <class Memory, class Load, class F> __device__ void walk(Load&& load, F&& f) const {
    for (int column = begin / 8 * 8; column < end; column += Memory::columns) {
      load(column);
      __syncthreads();
      const int first_tile = from > column ? (from - column) / 8 : 0;
      const int last_tile = to - column < Memory::columns ? (to - column + 7) / 8 : Memory::tiles;
      if (first_tile < last_tile) f(column, first_tile, last_tile);
      __syncthreads();  // the walked rows are free again
    }
  }
};

inline constexpr int row_lanes = 4;  // lanes that have a row of a tile: warp_sum<row_lanes>

/// Rows [first, first + Rows) of a head into shared memory; zeros where the block does not walk.
template <int Width, class T, int Rows, int Stride>
__device__ void load_rows(T (&to)[Rows][Stride], const T* from, int stride, int first, const AttentionPlace& place) {
  constexpr int few = device::few_of<T, Width>, groups = (Width + 15) / 16 * 16 / few;
  using Few = device::Few<T, few>;
  for (int i = static_cast<int>(threadIdx.x); i < Rows * groups; i += attention_threads) {
    const int r = i / groups, c = i % groups * few, row = first + r;
    const bool there = row >= place.begin && row < place.end && c < Width;
    (there ? Few::load(from + static_cast<std::int64_t>(row) * stride + c) : Few::all(T(0.f))).store(to[r] + c);
  }
}

/// The warp's rows of its own matrix `which` times the walked rows of the same; no column but [8 from, 8 to).
template <class Target, class Memory>
__device__ device::WarpTile<Memory::tiles> multiply_own(const Memory& memory, int which, const AttentionPlace& place,
                                                        int from, int to) {
  device::WarpTile<Memory::tiles> tile;
  tile.zero();
  device::WarpProduct<Target, typename Memory::Number>::template by_rows<Memory::width>(
      tile, memory.of_warp(which, place.warp), memory.of_walk(which), place.lane, from, to);
  return tile;
}

/// Dropout's limit and factor, and which of a warp's numbers stay.
struct AttentionDropout {
  const Counters* counters;
  Site site;
  std::uint32_t limit = 0;
  float scale = 1;  // of what stays

  __device__ explicit AttentionDropout(const AttentionStep& at) : counters(at.counters), site(at.site) {
    if (counters == nullptr) return;
    const DropoutFactors all(*counters);
    limit = all.limit;
    scale = all.scale;
  }
  /// Bit 4 j + e for of[j][e]. KeysOwn: rows are keys and columns queries, else the other way round. column: the tile's
  /// first, a multiple of 8.
  template <bool KeysOwn, class Memory>
  __device__ std::uint32_t stays(Memory& memory, const AttentionPlace& place, int column) const {
    if (counters == nullptr) return ~0u;
    constexpr int N = Memory::tiles, columns = Memory::columns;
    static_assert(N <= 8);
    const auto words = [&](int y) { return reinterpret_cast<RandomWords<4>*>(memory.weights[place.warp][y]); };
    const int row = place.warp_row();
    for (int i = place.lane; i < 2 * columns; i += device::warp) {
      // Eight keys are one block of words.
      const int query = KeysOwn ? column + i / 2 : row + i / N, key = KeysOwn ? row + i % 2 * 8 : column + i % N * 8;
      // A row's own words lie where its weights will lie, so that what lanes read at once lies in unlike banks.
      RandomWords<4>& to = KeysOwn ? words(0)[i] : words(i / N)[i % N];
      to = dropout_words(*counters, site, query, attention_block(place.head, key));
    }
    __syncwarp();
    std::uint32_t stay = 0;
    device::WarpTile<N>::each([&](int j, int e) {
      const int y = device::WarpTile<N>::row(place.lane, e / 2), x = device::WarpTile<N>::column(place.lane, j, e % 2);
      const auto* const bits = reinterpret_cast<const std::uint16_t*>(words(KeysOwn ? 0 : y));
      stay |= static_cast<std::uint32_t>(bits[KeysOwn ? x * 16 + y : x] >= limit) << (4 * j + e);
    });
    __syncwarp();
    return stay;
  }
  __device__ float factor(std::uint32_t stay, int j, int e) const {
    return (stay >> (4 * j + e) & 1) != 0 ? scale : 0.0f;
  }
};

/// sum += tile times the walked rows; tile goes by way of the warp's memory.
template <class Target, int M, int N, class Memory>
__device__ void add_product(device::WarpTile<M>& sum, const device::WarpTile<N>& tile, Memory& memory, int which,
                            const AttentionPlace& place, int from, int to) {
  using T = typename Memory::Number;
  using Two = device::Few<T, 2>;
  using Tile = device::WarpTile<N>;
  ENTRAIN_UNROLL
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 2; ++i)
      Two{{static_cast<T>(tile.of[j][2 * i]), static_cast<T>(tile.of[j][2 * i + 1])}}.store(
          memory.weights[place.warp][Tile::row(place.lane, i)] + Tile::column(place.lane, j, 0));
  }
  __syncwarp();
  device::WarpProduct<Target, T>::by_columns(sum, memory.weights_of(place.warp), memory.of_walk(which), place.lane,
                                             from, to);
  __syncwarp();  // the weights are free again
}

/// A warp's rows times `by` to the head's channels of `to`.
template <int Width, int N, class T> __device__ void store_rows(const device::WarpTile<N>& tile,
                                                                const AttentionPlace& place, int n, float upper,
                                                                float lower, T* to, int stride) {
  constexpr int few = Width % 2 == 0 ? 2 : 1;  // of the two neighbours that a lane has
  tile.each([&](int j, int e) {
    const int row = place.row[e / 2], x = tile.column(place.lane, j, e % 2);
    if (e % few != 0 || row >= n || x >= Width) return;
    device::Few<T, few> numbers;
    ENTRAIN_UNROLL
    for (int k = 0; k < few; ++k) numbers.of[k] = static_cast<T>(tile.of[j][e + k] * (e < 2 ? upper : lower));
    numbers.store(to + static_cast<std::int64_t>(row) * stride + x);
  });
}

}  // namespace entrain::kernel::detail
