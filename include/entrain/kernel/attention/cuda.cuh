// core > device, precision > tensor > [kernel] > layer
//
// Attention without a list of sentences: a block has 64 neighbouring rows of the batch, whichever sentences they belong
// to, and walks the rows of those sentences, 16 rows of its own to a warp. Who is of another sentence is masked, and a
// warp skips eight columns that none of its rows asks for. Short sentences are one or two strides of this walk, a long
// one is a softmax that corrects itself. Backward walks twice: once with queries of its own, once with keys, so that
// every sum has one owner.
#pragma once
#include <cstdint>

#include "entrain/core/math.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/device/tile.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/attention/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int attention_warps = 4, attention_rows = 16 * attention_warps;  // of a block

/// A block's memory: `Own` matrices of its own rows, two of the rows that it walks along, and for each warp what
/// becomes of their products.
template <class T, int Width, int Own> struct AttentionMemory {
  static constexpr int width = (Width + 15) / 16 * 16, columns = sizeof(T) == 4 ? 32 : 64, tiles = columns / 8;
  static constexpr int pad = 16 / static_cast<int>(sizeof(T)), stride = width + pad, wide = columns + pad;
  alignas(16) T own[Own][attention_rows][stride];
  alignas(16) T walked[2][columns][stride];
  alignas(16) T weights[attention_warps][16][wide];  // before: 16 x columns random numbers of sixteen bits
  float norms[2][columns];                           // lse and delta of walked queries

  template <class U> using Matrix = device::SharedRows<U, stride>;
  __device__ Matrix<T> of_warp(int which, int warp) const { return {own[which][16 * warp]}; }
  __device__ Matrix<T> of_walk(int which) const { return {walked[which][0]}; }
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

/// Rows that look at each other: of a block, of a warp, and of the two rows that a lane has.
struct AttentionRange {
  int first;        // row of the batch that is the block's first
  int begin, end;   // that the block walks
  int lane_row[2];  // of the batch
  int low[2], high[2];
  int from, to;  // that some row of the warp asks for

  __device__ AttentionRange(const AttentionStep& at, int warp, int lane) {
    first = static_cast<int>(blockIdx.x) * attention_rows;
    const int last = first + attention_rows < at.n ? first + attention_rows - 1 : at.n - 1;
    begin = at.cu_seqlens[at.sentence[first]];
    end = at.cu_seqlens[at.sentence[last] + 1];
    for (int i = 0; i < 2; ++i) {
      const int row = first + 16 * warp + device::WarpTile<1>::row(lane, i);
      lane_row[i] = row;
      low[i] = row < at.n ? at.cu_seqlens[at.sentence[row]] : end;
      high[i] = row < at.n ? at.cu_seqlens[at.sentence[row] + 1] : end;
    }
    from = -device::warp_max(-low[0]);
    to = device::warp_max(high[1]);
  }
  /// Whether the lane's row i asks for a row of the batch.
  __device__ bool asks(int i, int row) const { return row >= low[i] && row < high[i]; }
};

/// Rows [first, first + Rows) of a head into shared memory; zeros where they are not of [begin, end).
template <int Rows, int Width, class T, class Memory>
__device__ void load_rows(T (&to)[Rows][Memory::stride], const T* from, int stride, int first, int begin, int end) {
  constexpr int few = device::few_of<T, Width>, groups = Memory::width / few;
  for (int i = static_cast<int>(threadIdx.x); i < Rows * groups; i += attention_warps * device::warp) {
    const int r = i / groups, c = i % groups * few, row = first + r;
    const bool there = row >= begin && row < end && c < Width;
    using Few = device::Few<T, few>;
    (there ? Few::load(from + static_cast<std::int64_t>(row) * stride + c) : Few::all(T(0.f))).store(to[r] + c);
  }
}

/// Which of a warp's numbers stay, bit 4 j + 2 i + c of of[j][2 i + c]. KeysOwn: rows are keys and columns queries,
/// else the other way round. column: the row of the batch that is the tile's first column, a multiple of 8.
template <bool KeysOwn, int N, class Memory> __device__ std::uint32_t stays(Memory& memory, const AttentionStep& at,
                                                                            int head, int warp, int lane, int row,
                                                                            int column) {
  constexpr int columns = 8 * N;
  static_assert(sizeof memory.weights[0] >= 16 * columns * 2);
  auto* const bits = reinterpret_cast<RandomWords<4>*>(memory.weights[warp]);
  for (int i = lane; i < 2 * columns; i += device::warp) {
    // Eight keys are one block of words.
    const int query = KeysOwn ? column + i / 2 : row + i / N, key = KeysOwn ? row + i % 2 * 8 : column + i % N * 8;
    bits[i] = dropout_words(*at.counters, at.site, query, attention_block(head, key));
  }
  __syncwarp();
  const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
  const auto* const number = reinterpret_cast<const std::uint16_t*>(bits);
  std::uint32_t stay = 0;
  ENTRAIN_UNROLL
  for (int j = 0; j < N; ++j) ENTRAIN_UNROLL
  for (int i = 0; i < 2; ++i) ENTRAIN_UNROLL
  for (int c = 0; c < 2; ++c) {
    const int y = device::WarpTile<N>::row(lane, i), x = device::WarpTile<N>::column(lane, j, c);
    stay |= static_cast<std::uint32_t>(number[KeysOwn ? x * 16 + y : y * columns + x] >= limit) << (4 * j + 2 * i + c);
  }
  __syncwarp();
  return stay;
}
/// What stays is multiplied by it.
__device__ inline float kept_scale(const AttentionStep& at) {
  if (at.counters == nullptr) return 1;
  const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
  return 1.0f / (1.0f - static_cast<float>(limit) / 65536.0f);
}

/// tile into the warp's memory, for the next product.
template <class T, int N, class Memory>
__device__ void put_weights(Memory& memory, int warp, int lane, const device::WarpTile<N>& tile) {
  using Two = device::Few<T, 2>;
  ENTRAIN_UNROLL
  for (int j = 0; j < N; ++j) ENTRAIN_UNROLL
  for (int i = 0; i < 2; ++i)
    Two{{static_cast<T>(tile.of[j][2 * i]), static_cast<T>(tile.of[j][2 * i + 1])}}.store(
        memory.weights[warp][device::WarpTile<N>::row(lane, i)] + device::WarpTile<N>::column(lane, j, 0));
  __syncwarp();
}
/// tile += weights times the walked rows
template <int N, class Memory> __device__ void add_walked(device::WarpTile<N>& tile, const Memory& memory, int which,
                                                          int warp, int lane, int from, int to) {
  using T = std::remove_cvref_t<decltype(memory.weights[0][0][0])>;
  device::add_by_columns(tile, device::SharedRows<T, Memory::wide>{memory.weights[warp][0]}, memory.of_walk(which),
                         lane, from, to);
  __syncwarp();  // the weights are free again
}
/// Rows of the tile times `by` to the head's channels of `to`.
template <int Width, int N, class T> __device__ void store_rows(const device::WarpTile<N>& tile,
                                                                const AttentionRange& range, int n, int lane,
                                                                const float (&by)[2], T* to, int stride) {
  ENTRAIN_UNROLL
  for (int i = 0; i < 2; ++i) {
    if (range.lane_row[i] >= n) continue;
    T* const row = to + static_cast<std::int64_t>(range.lane_row[i]) * stride;
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) ENTRAIN_UNROLL
    for (int c = 0; c < 2; ++c) {
      const int x = device::WarpTile<N>::column(lane, j, c);
      if (x < Width) row[x] = static_cast<T>(tile.of[j][2 * i + c] * by[i]);
    }
  }
}

/// The sum, or the largest, of the four lanes that have a row.
__device__ inline float row_sum(float x) {
  for (int distance = 1; distance < 4; distance *= 2) x += __shfl_xor_sync(device::all_lanes, x, distance);
  return x;
}
__device__ inline float row_max(float x) {
  for (int distance = 1; distance < 4; distance *= 2) {
    const float other = __shfl_xor_sync(device::all_lanes, x, distance);
    x = other > x ? other : x;
  }
  return x;
}

/// source    Dao 2023, "FlashAttention-2", arXiv:2307.08691, section 3.1
template <int H, int C, class A, class S> __global__ void __launch_bounds__(attention_warps* device::warp, 2)
    attention_forward(AttentionStep at, const A* qkv, S* lse, A* out) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 1>;
  constexpr int tiles = Memory::tiles;
  auto& memory = device::shared<Memory>();
  const int warp = static_cast<int>(threadIdx.x) / device::warp, lane = static_cast<int>(threadIdx.x) % device::warp;
  const int head = static_cast<int>(blockIdx.y);
  const A* const q = qkv + head * width;
  const AttentionRange range(at, warp, lane);
  load_rows<attention_rows, width, A, Memory>(memory.own[0], q, stride, range.first, range.begin, range.end);
  const float kept = kept_scale(at);

  device::WarpTile<Memory::width / 8> sum;
  sum.zero();
  float top[2] = {-math::infinity<float>, -math::infinity<float>}, total[2] = {0, 0};
  for (int column = range.begin / 8 * 8; column < range.end; column += Memory::columns) {
    load_rows<Memory::columns, width, A, Memory>(memory.walked[0], q + C, stride, column, range.begin, range.end);
    load_rows<Memory::columns, width, A, Memory>(memory.walked[1], q + 2 * C, stride, column, range.begin, range.end);
    __syncthreads();
    const int from = range.from > column ? (range.from - column) / 8 : 0,
              end = range.to - column < Memory::columns ? (range.to - column + 7) / 8 : tiles;
    if (from < end) {
      device::WarpTile<tiles> p;
      p.zero();
      device::add_by_rows<Memory::width>(p, memory.of_warp(0, warp), memory.of_walk(0), lane, from, end);
      std::uint32_t stay = ~0u;
      if (at.counters != nullptr)
        stay = stays<false, tiles>(memory, at, head, warp, lane, range.first + 16 * warp, column);
      ENTRAIN_UNROLL
      for (int i = 0; i < 2; ++i) {
        float largest = top[i];
        ENTRAIN_UNROLL
        for (int j = 0; j < tiles; ++j) ENTRAIN_UNROLL
        for (int c = 0; c < 2; ++c) {
          float& x = p.of[j][2 * i + c];
          x = range.asks(i, column + p.column(lane, j, c)) ? x * at.scale : -math::infinity<float>;
          largest = x > largest ? x : largest;
        }
        largest = row_max(largest);
        const float shift = largest > -math::infinity<float> ? largest : 0.0f, shrink = math::exp(top[i] - shift);
        top[i] = largest;
        float part = 0;
        ENTRAIN_UNROLL
        for (int j = 0; j < tiles; ++j) ENTRAIN_UNROLL
        for (int c = 0; c < 2; ++c) {
          float& x = p.of[j][2 * i + c];
          x = math::exp(x - shift);
          part += x;
          x = (stay >> (4 * j + 2 * i + c) & 1) != 0 ? x * kept : 0.0f;
        }
        total[i] = total[i] * shrink + row_sum(part);
        ENTRAIN_UNROLL
        for (int j = 0; j < Memory::width / 8; ++j)
          for (int c = 0; c < 2; ++c) sum.of[j][2 * i + c] *= shrink;
      }
      put_weights<A>(memory, warp, lane, p);
      add_walked(sum, memory, 1, warp, lane, from, end);
    }
    __syncthreads();  // the walked rows are free again
  }
  const float by[2] = {total[0] > 0 ? 1 / total[0] : 0, total[1] > 0 ? 1 / total[1] : 0};
  store_rows<width>(sum, range, at.n, lane, by, out + head * width, C);
  ENTRAIN_UNROLL
  for (int i = 0; i < 2; ++i)
    if (lane % 4 == 0 && range.lane_row[i] < at.n)
      lse[static_cast<std::int64_t>(range.lane_row[i]) * H + head] = static_cast<S>(top[i] + math::log(total[i]));
}

/// dq, and delta for the next kernel. Its own: queries and dout; it walks along keys and values.
template <int H, int C, class A, class S> __global__ void __launch_bounds__(attention_warps* device::warp, 2)
    attention_back_queries(AttentionStep at, const A* dout, const A* qkv, const S* lse, const A* out, A* dqkv,
                           S* deltas) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 2>;
  constexpr int tiles = Memory::tiles;
  auto& memory = device::shared<Memory>();
  const int warp = static_cast<int>(threadIdx.x) / device::warp, lane = static_cast<int>(threadIdx.x) % device::warp;
  const int head = static_cast<int>(blockIdx.y);
  const A* const q = qkv + head * width;
  const AttentionRange range(at, warp, lane);
  load_rows<attention_rows, width, A, Memory>(memory.own[0], q, stride, range.first, range.begin, range.end);
  load_rows<attention_rows, width, A, Memory>(memory.own[1], dout + head * width, C, range.first, range.begin,
                                              range.end);
  const float kept = kept_scale(at);
  float norm[2] = {0, 0}, delta[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    if (range.lane_row[i] < at.n) {
      const auto row = static_cast<std::int64_t>(range.lane_row[i]);
      norm[i] = static_cast<float>(lse[row * H + head]);
      for (int c = lane % 4; c < width; c += 4) {
        const std::int64_t place = row * C + head * width + c;
        delta[i] += static_cast<float>(dout[place]) * static_cast<float>(out[place]);
      }
    }
    delta[i] = row_sum(delta[i]);
    if (lane % 4 == 0 && range.lane_row[i] < at.n)
      deltas[static_cast<std::int64_t>(range.lane_row[i]) * H + head] = static_cast<S>(delta[i]);
  }

  device::WarpTile<Memory::width / 8> dq;
  dq.zero();
  for (int column = range.begin / 8 * 8; column < range.end; column += Memory::columns) {
    load_rows<Memory::columns, width, A, Memory>(memory.walked[0], q + C, stride, column, range.begin, range.end);
    load_rows<Memory::columns, width, A, Memory>(memory.walked[1], q + 2 * C, stride, column, range.begin, range.end);
    __syncthreads();
    const int from = range.from > column ? (range.from - column) / 8 : 0,
              end = range.to - column < Memory::columns ? (range.to - column + 7) / 8 : tiles;
    if (from < end) {
      device::WarpTile<tiles> s, dp;
      s.zero();
      dp.zero();
      device::add_by_rows<Memory::width>(s, memory.of_warp(0, warp), memory.of_walk(0), lane, from, end);
      device::add_by_rows<Memory::width>(dp, memory.of_warp(1, warp), memory.of_walk(1), lane, from, end);
      std::uint32_t stay = ~0u;
      if (at.counters != nullptr)
        stay = stays<false, tiles>(memory, at, head, warp, lane, range.first + 16 * warp, column);
      ENTRAIN_UNROLL
      for (int j = 0; j < tiles; ++j) ENTRAIN_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int i = e / 2;
        const float slope = (stay >> (4 * j + e) & 1) != 0 ? dp.of[j][e] * kept : 0.0f;
        s.of[j][e] = range.asks(i, column + s.column(lane, j, e % 2))
                         ? math::exp(s.of[j][e] * at.scale - norm[i]) * (slope - delta[i])
                         : 0.0f;
      }
      put_weights<A>(memory, warp, lane, s);
      add_walked(dq, memory, 0, warp, lane, from, end);
    }
    __syncthreads();
  }
  store_rows<width>(dq, range, at.n, lane, {at.scale, at.scale}, dqkv + head * width, stride);
}

/// dk and dv. Its own: keys and values; it walks along queries and dout.
template <int H, int C, class A, class S> __global__ void __launch_bounds__(attention_warps* device::warp, 2)
    attention_back_keys(AttentionStep at, const A* dout, const A* qkv, const S* lse, const S* deltas, A* dqkv) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 2>;
  constexpr int tiles = Memory::tiles;
  auto& memory = device::shared<Memory>();
  const int warp = static_cast<int>(threadIdx.x) / device::warp, lane = static_cast<int>(threadIdx.x) % device::warp;
  const int head = static_cast<int>(blockIdx.y);
  const A* const q = qkv + head * width;
  const AttentionRange range(at, warp, lane);
  load_rows<attention_rows, width, A, Memory>(memory.own[0], q + C, stride, range.first, range.begin, range.end);
  load_rows<attention_rows, width, A, Memory>(memory.own[1], q + 2 * C, stride, range.first, range.begin, range.end);
  const float kept = kept_scale(at);

  device::WarpTile<Memory::width / 8> dk, dv;
  dk.zero();
  dv.zero();
  for (int column = range.begin / 8 * 8; column < range.end; column += Memory::columns) {
    load_rows<Memory::columns, width, A, Memory>(memory.walked[0], q, stride, column, range.begin, range.end);
    load_rows<Memory::columns, width, A, Memory>(memory.walked[1], dout + head * width, C, column, range.begin,
                                                 range.end);
    for (int i = static_cast<int>(threadIdx.x); i < 2 * Memory::columns; i += attention_warps * device::warp) {
      const int which = i / Memory::columns, x = i % Memory::columns, row = column + x;
      const bool there = row >= range.begin && row < range.end;
      memory.norms[which][x] =
          there ? static_cast<float>((which == 0 ? lse : deltas)[static_cast<std::int64_t>(row) * H + head]) : 0.0f;
    }
    __syncthreads();
    const int from = range.from > column ? (range.from - column) / 8 : 0,
              end = range.to - column < Memory::columns ? (range.to - column + 7) / 8 : tiles;
    if (from < end) {
      device::WarpTile<tiles> p, ds;
      p.zero();
      ds.zero();
      device::add_by_rows<Memory::width>(p, memory.of_warp(0, warp), memory.of_walk(0), lane, from, end);
      device::add_by_rows<Memory::width>(ds, memory.of_warp(1, warp), memory.of_walk(1), lane, from, end);
      std::uint32_t stay = ~0u;
      if (at.counters != nullptr)
        stay = stays<true, tiles>(memory, at, head, warp, lane, range.first + 16 * warp, column);
      ENTRAIN_UNROLL
      for (int j = 0; j < tiles; ++j) ENTRAIN_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int x = p.column(lane, j, e % 2);
        const float m = (stay >> (4 * j + e) & 1) != 0 ? kept : 0.0f;
        const float probability =
            range.asks(e / 2, column + x) ? math::exp(p.of[j][e] * at.scale - memory.norms[0][x]) : 0.0f;
        ds.of[j][e] = probability * (m * ds.of[j][e] - memory.norms[1][x]);
        p.of[j][e] = probability * m;
      }
      put_weights<A>(memory, warp, lane, p);
      add_walked(dv, memory, 1, warp, lane, from, end);
      put_weights<A>(memory, warp, lane, ds);
      add_walked(dk, memory, 0, warp, lane, from, end);
    }
    __syncthreads();
  }
  store_rows<width>(dk, range, at.n, lane, {at.scale, at.scale}, dqkv + C + head * width, stride);
  store_rows<width>(dv, range, at.n, lane, {1, 1}, dqkv + 2 * C + head * width, stride);
}

}  // namespace detail

template <class Target> struct Attention<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class A, class S, int H, int C3, int C>
  static void forward(const Step<D>& at, Rows<const A, C3> qkv, double scale, Rows<S, H> lse, Rows<A, C> out) {
    using Memory = detail::AttentionMemory<A, C / H, 1>;
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_forward<H, C, A, S>,
                   step(at, qkv.n, scale), qkv.data, lse.data, out.data);
  }
  template <class A, class S, int H, int C3, int C>
  static void backward(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale,
                       Rows<const S, H> lse, Rows<const A, C> out, Rows<S, H> delta, Rows<A, C3> dqkv) {
    using Memory = detail::AttentionMemory<A, C / H, 2>;
    const detail::AttentionStep with = step(at, qkv.n, scale);
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_back_queries<H, C, A, S>, with, dout.data,
                   qkv.data, lse.data, out.data, dqkv.data, delta.data);
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_back_keys<H, C, A, S>, with, dout.data,
                   qkv.data, lse.data, delta.data, dqkv.data);
  }

 private:
  static detail::AttentionStep step(const Step<D>& at, int n, double scale) {
    return {at.geometry.cu_seqlens,   at.geometry.sentence, at.training ? at.counters : nullptr, at.site, n,
            static_cast<float>(scale)};
  }
  template <int H, class Memory> static device::Grid grid(int n) {
    static_assert(sizeof(Memory) <= Target::shared_bytes,
                  "entrain: an attention head of this width does not fit a block's memory on this GPU.");
    return {dim3(static_cast<unsigned>((n + detail::attention_rows - 1) / detail::attention_rows), H),
            dim3(detail::attention_warps * device::warp), sizeof(Memory)};
  }
};

}  // namespace entrain::kernel
