// core > device, precision > tensor > [kernel] > layer
//
// Attention without a list of sentences (block.cuh). A short sentence takes one or two strides of a block's walk; a
// long one uses a softmax that rescales as it proceeds. Backward has two walks that run at the same time: blocks that
// own queries, and blocks that own keys, so that every sum has one owner and one order.
#pragma once
#include <cstdint>

#include "entrain/core/math.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/kernel/attention/block.cuh"
#include "entrain/kernel/attention/dropout.cuh"
#include "entrain/kernel/attention/rows.cuh"
#include "entrain/kernel/bias/cuda.cuh"

namespace entrain::kernel {
namespace detail {

/// A block owns queries; it walks over keys and values, up to 64 of them between two updates of the largest score.
///
/// source    Dao 2023, "FlashAttention-2", arXiv:2307.08691, section 3.1
template <class Target, int H, int C, int Window, class A, class S>
__global__ void __launch_bounds__(attention_threads, attention_blocks<Target, A, C / H>)  // mutant 48
    attention_forward(AttentionStep at, const A* qkv, S* lse, A* out) {
  constexpr int width = C / H, stride = 3 * C, tiles = 4, together = attention_columns;
  using Memory = AttentionMemoryOf<Target, A, width, 1>;
  using Product = device::WarpProduct<Target, A>;
  using Power = AttentionPower<A>;
  auto& memory = device::shared<Memory>();
  const AttentionThread thread;
  const A* const q = qkv + thread.head * width;
  const AttentionOwn<Target, A, width> queries(memory.own[0], q, stride, thread, at.n);
  AttentionDropout<false> dropout(at);
  const AttentionPlace place(thread, at, Band<Window>());
  dropout.begin();
  queries.put(memory.own[0], place);

  const float scale = at.scale * Power::log;
  device::WarpTile<Memory::width / 8> sum;
  sum.zero();
  float top[2] = {-math::infinity<float>, -math::infinity<float>}, total[2] = {0, 0};
  const auto load = [&](int column) {
    load_rows<Target, width>(memory.walked[0], q + C, stride, column, place);
    load_rows<Target, width>(memory.walked[1], q + 2 * C, stride, column, place);
    wait_for_rows<Target, A, width>();
  };
  place.walk<Memory>(load, [&](int first, int last, int column) {
    for (; first < last; first += tiles * together) {  // mutant 49
      const typename Product::template Left<Memory::width> own(memory.own_rows(0, place.warp), place.lane);
      device::WarpTile<2> p[tiles];  // mutant 50
      float largest[2] = {top[0], top[1]}, shift[2];
      ENTRAIN_UNROLL
      for (int k = 0; k < tiles; ++k) {
        const int begin = first + k * together;
        if (begin >= last) break;
        p[k].zero();
        Product::by_rows(p[k], own, memory.walked_rows(0, begin - column), place.lane);
        p[k].each([&](int j, int e) {  // mutant 51
          float& x = p[k].of[j][e];
          if (!place.asks(e / 2, begin + p[k].column(place.lane, j, e % 2))) x = -math::infinity<float>;  // mutant 52
          largest[e / 2] = fmaxf(largest[e / 2], x);
        });
      }
      const bool again = top[0] > -math::infinity<float> || top[1] > -math::infinity<float>;
      for (int i = 0; i < 2; ++i) {
        largest[i] = device::warp_max<row_lanes>(largest[i]);
        shift[i] = largest[i] > -math::infinity<float> ? largest[i] * scale : 0.0f;
      }
      if (again) {  // sums that were made with a smaller maximum are scaled down
        const float shrink[2] = {Power::of(top[0] * scale - shift[0]), Power::of(top[1] * scale - shift[1])};
        for (int i = 0; i < 2; ++i) total[i] *= shrink[i];
        sum.each([&](int j, int e) { sum.of[j][e] *= shrink[e / 2]; });
      }
      for (int i = 0; i < 2; ++i) top[i] = largest[i];
      ENTRAIN_UNROLL
      for (int k = 0; k < tiles; ++k) {
        const int begin = first + k * together;
        if (begin >= last) break;
        std::uint32_t random[2][4];
        dropout.draw(random, memory, place, begin);
        p[k].each([&](int j, int e) {  // mutant 53
          float& x = p[k].of[j][e];
          x = Power::of(x * scale - shift[e / 2]);
          total[e / 2] += x;
          if (!dropout.stays(random[j][e])) x = 0;
        });
        Product::by_columns(sum, p[k], memory.walked_rows(1, begin - column), memory.weights[place.warp], place.lane);
      }
    }
  });
  for (float& x : total) x = device::warp_sum<row_lanes>(x);
  const auto share = [&](float of) { return of > 0 ? Power::quotient(dropout.scale, of) : 0; };
  store_rows<width>(sum, place, at.n, share(total[0]), share(total[1]), out + place.head * width, C);
  const int i = place.lane % row_lanes, row = place.row(i);
  if (i < 2 && row < at.n)
    lse[static_cast<std::int64_t>(row) * H + place.head] =
        static_cast<S>((i == 0 ? top[0] : top[1]) * at.scale + Power::logarithm(i == 0 ? total[0] : total[1]));
}

/// The address of the block's sums over its rows, for the head's channels of q, in parts [blocks, 3C].
template <int C, int Width, class S> __device__ S* parts_of_block(S* parts, const AttentionThread& thread) {
  return parts + (static_cast<std::int64_t>(thread.first / attention_rows) * (3 * C) + thread.head * Width);
}

/// dq. A block owns queries and dout; it walks over keys and values.
template <class Target, int H, int C, int Window, bool Sums, class A, class S>
__device__ void attention_back_queries(const AttentionStep& at, const A* dout, const A* qkv, const S* lse, const A* out,
                                       A* dqkv, S* parts) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemoryOf<Target, A, width, 2>;
  using Product = device::WarpProduct<Target, A>;
  using Left = typename Product::template Left<Memory::width>;
  using Power = AttentionPower<A>;
  auto& memory = device::shared<Memory>();
  const AttentionThread thread;
  const A* const q = qkv + thread.head * width;
  const AttentionOwn<Target, A, width> queries(memory.own[0], q, stride, thread, at.n);
  const AttentionOwn<Target, A, width> slopes(memory.own[1], dout + thread.head * width, C, thread, at.n);
  AttentionResult<A, H, width> result[2];
  for (int i = 0; i < 2; ++i) result[i].load(out, lse, thread.head, thread.row(i), at.n - 1, thread.lane);
  AttentionDropout<false> dropout(at);
  const AttentionPlace place(thread, at, Band<Window>());
  dropout.begin();
  queries.put(memory.own[0], place);
  slopes.put(memory.own[1], place);
  wait_for_rows<Target, A, width>();
  __syncwarp();
  const Left own(memory.own_rows(0, place.warp), place.lane), slope(memory.own_rows(1, place.warp), place.lane);
  float delta[2];
  for (int i = 0; i < 2; ++i)
    delta[i] = result[i].delta(memory.own_rows(1, place.warp).row(device::WarpTile<1>::row(place.lane, i)), place.lane);

  const float scale = at.scale * Power::log;
  device::WarpTile<Memory::width / 8> dq;  // mutant 54
  dq.zero();
  const auto load = [&](int column) {
    load_rows<Target, width>(memory.walked[0], q + C, stride, column, place);
    load_rows<Target, width>(memory.walked[1], q + 2 * C, stride, column, place);
    wait_for_rows<Target, A, width>();
  };
  place.walk<Memory>(load, [&](int first, int last, int column) {
    for (; first < last; first += attention_columns) {
      device::WarpTile<2> s, dp;
      s.zero();
      dp.zero();
      Product::by_rows(s, own, memory.walked_rows(0, first - column), place.lane);
      Product::by_rows(dp, slope, memory.walked_rows(1, first - column), place.lane);
      std::uint32_t random[2][4];
      dropout.draw(random, memory, place, first);
      s.each([&](int j, int e) {
        const bool asked = place.asks(e / 2, first + s.column(place.lane, j, e % 2));
        const float p = Power::of(asked ? s.of[j][e] * scale - result[e / 2].norm : -math::infinity<float>);
        s.of[j][e] = p * (dp.of[j][e] * dropout.factor(random[j][e]) - delta[e / 2]);
      });
      Product::by_columns(dq, s, memory.walked_rows(0, first - column), memory.weights[place.warp], place.lane);
    }
  });
  store_rows<width>(dq, place, at.n, at.scale, at.scale, dqkv + place.head * width, stride);
  if constexpr (Sums)
    store_column_sums<width>(memory, {&dq}, {at.scale}, {parts_of_block<C, width>(parts, place)}, place);
}

/// dk and dv. A block owns keys and values; it walks over queries and dout, and computes delta again. To wait for the
/// delta of the blocks that own queries, this would have to be a separate kernel, and a batch of few rows leaves most
/// of a GPU idle.
template <class Target, int H, int C, int Window, bool Sums, class A, class S>
__device__ void attention_back_keys(const AttentionStep& at, const A* dout, const A* qkv, const S* lse, const A* out,
                                    A* dqkv, S* parts) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemoryOf<Target, A, width, 2>;
  using Product = device::WarpProduct<Target, A>;
  using Left = typename Product::template Left<Memory::width>;
  using Power = AttentionPower<A>;
  auto& memory = device::shared<Memory>();
  const AttentionThread thread;
  const A* const q = qkv + thread.head * width;
  const AttentionOwn<Target, A, width> keys(memory.own[0], q + C, stride, thread, at.n);
  const AttentionOwn<Target, A, width> values(memory.own[1], q + 2 * C, stride, thread, at.n);
  AttentionDropout<true> dropout(at);
  const AttentionPlace place(thread, at, Band<Window>());
  dropout.begin();
  keys.put(memory.own[0], place);
  values.put(memory.own[1], place);

  const float scale = at.scale * Power::log;
  device::WarpTile<Memory::width / 8> dk, dv;
  dk.zero();
  dv.zero();
  // Four lanes compute delta of a walked row, so that their reads are contiguous. With 16-bit numbers the parts of all
  // rows are loaded at once; for wider numbers there are not enough registers.
  constexpr int rows_at_once = attention_threads / row_lanes, rounds = Memory::walks / rows_at_once;
  constexpr int ahead = sizeof(A) == 2 ? rounds : 1;
  AttentionResult<A, H, width> results[ahead];  // mutant 55
  const auto each = [&](int round, auto&& f) {
    ENTRAIN_UNROLL
    for (int i = 0; i < ahead; ++i) f(i, (round + i) * rows_at_once + static_cast<int>(threadIdx.x) / row_lanes);
  };
  const auto ask = [&](int column, int round) {
    each(round,
         [&](int i, int index) { results[i].load(out, lse, place.head, column + index, place.end - 1, place.lane); });
  };
  const auto load = [&](int column) {
    load_rows<Target, width>(memory.walked[0], q, stride, column, place);
    load_rows<Target, width>(memory.walked[1], dout + place.head * width, C, column, place);
    wait_for_rows<Target, A, width>();
    __syncthreads();
    ENTRAIN_ROLLED
    for (int round = 0; round < rounds; round += ahead) {
      if (round != 0) ask(column, round);
      each(round, [&](int i, int index) {
        const float delta = results[i].delta(memory.walked[1][index], place.lane);
        // One of the four lanes, a different one each time: compilers split a loop whose lanes always do the same into
        // two.
        if (place.lane % row_lanes == (round + i) % row_lanes)  // mutant 56
          device::Few<float, 2>{{results[i].norm, delta}}.store(memory.norms[index]);
      });
    }
  };
  place.walk<Memory>(
      [&](int column) { ask(column, 0); }, load,
      [&](int first, int last, int column) {
        const Left key(memory.own_rows(0, place.warp), place.lane), value(memory.own_rows(1, place.warp), place.lane);
        for (; first < last; first += attention_columns) {
          device::WarpTile<2> p, ds;
          p.zero();
          ds.zero();
          Product::by_rows(p, key, memory.walked_rows(0, first - column), place.lane);
          Product::by_rows(ds, value, memory.walked_rows(1, first - column), place.lane);
          std::uint32_t random[2][4];
          dropout.draw(random, memory, place, first);
          ENTRAIN_UNROLL
          for (int j = 0; j < 2; ++j) {
            const int x = first + p.column(place.lane, j, 0);
            const auto norms = device::Few<float, 4>::load(memory.norms[x - column]);  // of two neighbours
            ENTRAIN_UNROLL
            for (int e = 0; e < 4; ++e) {
              const bool asked = place.asks(e / 2, x + e % 2);
              const float m = dropout.factor(random[j][e]), norm = norms.of[e % 2 * 2], delta = norms.of[e % 2 * 2 + 1];
              const float probability = Power::of(asked ? p.of[j][e] * scale - norm : -math::infinity<float>);
              ds.of[j][e] = probability * (m * ds.of[j][e] - delta);
              p.of[j][e] = probability * m;
            }
          }
          Product::by_columns(dv, p, memory.walked_rows(1, first - column), memory.weights[place.warp], place.lane);
          Product::by_columns(dk, ds, memory.walked_rows(0, first - column), memory.weights[place.warp], place.lane);
        }
      });
  A* const to = dqkv + place.head * width;
  store_rows<width>(dk, place, at.n, at.scale, at.scale, to + C, stride);
  store_rows<width>(dv, place, at.n, 1, 1, to + 2 * C, stride);
  if constexpr (Sums) {
    S* const of_block = parts_of_block<C, width>(parts, place);
    store_column_sums<width>(memory, {&dk, &dv}, {at.scale, 1}, {of_block + C, of_block + 2 * C}, place);
  }
}

/// Sums: whether parts [blocks, 3C] get the sums of dqkv over each block's rows, before it is rounded.
template <class Target, int H, int C, int Window, bool Sums, class A, class S>
__global__ void __launch_bounds__(attention_threads, attention_blocks<Target, A, C / H>)  // mutant 57
    attention_back(AttentionStep at, const A* dout, const A* qkv, const S* lse, const A* out, A* dqkv, S* parts) {
  if (blockIdx.y == 0) {
    attention_back_queries<Target, H, C, Window, Sums>(at, dout, qkv, lse, out, dqkv, parts);
  } else {
    attention_back_keys<Target, H, C, Window, Sums>(at, dout, qkv, lse, out, dqkv, parts);
  }
}

}  // namespace detail

template <class Target> struct Attention<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <int Window, class A, class S, int H, int C3, int C>
  static void forward(const Step<D>& at, Rows<const A, C3> qkv, double scale, Rows<S, H> lse, Rows<A, C> out) {
    using Memory = detail::AttentionMemoryOf<Target, A, C / H, 1>;
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_forward<Target, H, C, Window, A, S>,
                   step(at, qkv.n, scale), qkv.data, lse.data, out.data);
  }
  template <int Window, class A, class S, int H, int C3, int C>
  static void backward(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale,
                       Rows<const S, H> lse, Rows<const A, C> out, Rows<S, H>, Rows<A, C3> dqkv) {
    back<Window, false>(at, dout, qkv, scale, lse, out, dqkv, static_cast<S*>(nullptr));
  }
  /// The same, and the sums of each block's share of dqkv.
  static constexpr bool sums_with_attention = true;
  template <int Window, class A, class S, int H, int C3, int C>
  static void gradients(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale,
                        Rows<const S, H> lse, Rows<const A, C> out, Rows<A, C3> dqkv, Rows<S, C3> parts) {
    back<Window, true>(at, dout, qkv, scale, lse, out, dqkv, parts.data);
  }

 private:
  template <int Window, bool Sums, class A, class S, int H, int C3, int C>
  static void back(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale, Rows<const S, H> lse,
                   Rows<const A, C> out, Rows<A, C3> dqkv, S* parts) {
    using Memory = detail::AttentionMemoryOf<Target, A, C / H, 2>;
    device::launch(at.dev.stream(), grid<H, Memory, 2>(qkv.n), detail::attention_back<Target, H, C, Window, Sums, A, S>,
                   step(at, qkv.n, scale), dout.data, qkv.data, lse.data, out.data, dqkv.data, parts);
  }
  static detail::AttentionStep step(const Step<D>& at, int n, double scale) {
    return {at.geometry.cu_seqlens,   at.geometry.sentence, at.training ? at.counters : nullptr, at.rng_stream, n,
            static_cast<float>(scale)};
  }
  template <int H, class Memory, int Walks = 1> static device::Grid grid(int n) {
    static_assert(sizeof(Memory) <= Target::shared_bytes,
                  "entrain: an attention head of this width does not fit a block's memory on this GPU.");
    const int blocks = (n + detail::attention_rows - 1) / detail::attention_rows;
    return {dim3(H, Walks, static_cast<unsigned>(blocks)), dim3(detail::attention_threads), sizeof(Memory)};
  }
};

}  // namespace entrain::kernel
