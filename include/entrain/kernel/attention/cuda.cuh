// core > device, precision > tensor > [kernel] > layer
//
// Attention without a list of sentences (block.cuh). Short sentences are one or two strides of a block's walk, a long
// one is a softmax that corrects itself. Backward walks twice: once with queries of its own, once with keys, so that
// every sum has one owner and one order.
#pragma once
#include <cstdint>

#include "entrain/core/math.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/device/few.cuh"
#include "entrain/kernel/attention/block.cuh"

namespace entrain::kernel {
namespace detail {

/// Its own: queries; it walks along keys and values.
///
/// source    Dao 2023, "FlashAttention-2", arXiv:2307.08691, section 3.1
template <class Target, int H, int C, int Window, class A, class S>
__global__ void __launch_bounds__(attention_threads, 2)
    attention_forward(AttentionStep at, const A* qkv, S* lse, A* out) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 1>;
  auto& memory = device::shared<Memory>();
  const AttentionPlace place(at, Band<Window>());
  const AttentionDropout dropout(at);
  const A* const q = qkv + place.head * width;
  load_rows<width>(memory.own[0], q, stride, place.first, place);

  device::WarpTile<Memory::width / 8> sum;
  sum.zero();
  float top[2] = {-math::infinity<float>, -math::infinity<float>}, total[2] = {0, 0};
  const auto load = [&](int column) {
    load_rows<width>(memory.walked[0], q + C, stride, column, place);
    load_rows<width>(memory.walked[1], q + 2 * C, stride, column, place);
  };
  place.walk<Memory>(load, [&](int column, int from, int to) {
    auto p = multiply_own<Target>(memory, 0, place, from, to);
    const std::uint32_t stay = dropout.stays<false>(memory, place, column);
    float largest[2] = {top[0], top[1]}, part[2] = {0, 0}, shift[2];
    p.each([&](int j, int e) {
      float& x = p.of[j][e];
      x = place.asks(e / 2, column + p.column(place.lane, j, e % 2)) ? x * at.scale : -math::infinity<float>;
      if (x > largest[e / 2]) largest[e / 2] = x;
    });
    for (int i = 0; i < 2; ++i) {
      largest[i] = device::warp_max<row_lanes>(largest[i]);
      shift[i] = largest[i] > -math::infinity<float> ? largest[i] : 0.0f;
    }
    p.each([&](int j, int e) {
      float& x = p.of[j][e];
      x = math::exp(x - shift[e / 2]);
      part[e / 2] += x;
      x *= dropout.factor(stay, j, e);
    });
    float shrink[2];  // what was summed under a smaller maximum
    for (int i = 0; i < 2; ++i) {
      shrink[i] = math::exp(top[i] - shift[i]);
      total[i] = total[i] * shrink[i] + device::warp_sum<row_lanes>(part[i]);
      top[i] = largest[i];
    }
    sum.each([&](int j, int e) { sum.of[j][e] *= shrink[e / 2]; });
    add_product<Target>(sum, p, memory, 1, place, from, to);
  });
  store_rows<width>(sum, place, at.n, total[0] > 0 ? 1 / total[0] : 0, total[1] > 0 ? 1 / total[1] : 0,
                    out + place.head * width, C);
  for (int i = 0; i < 2; ++i)
    if (place.lane % 4 == 0 && place.row[i] < at.n)
      lse[static_cast<std::int64_t>(place.row[i]) * H + place.head] = static_cast<S>(top[i] + math::log(total[i]));
}

/// dq, and delta for the next kernel. Its own: queries and dout; it walks along keys and values.
template <class Target, int H, int C, int Window, class A, class S>
__global__ void __launch_bounds__(attention_threads, 2)
    attention_back_queries(AttentionStep at, const A* dout, const A* qkv, const S* lse, const A* out, A* dqkv,
                           S* deltas) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 2>;
  auto& memory = device::shared<Memory>();
  const AttentionPlace place(at, Band<Window>());
  const AttentionDropout dropout(at);
  const A* const q = qkv + place.head * width;
  load_rows<width>(memory.own[0], q, stride, place.first, place);
  load_rows<width>(memory.own[1], dout + place.head * width, C, place.first, place);
  float norm[2] = {0, 0}, delta[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    const auto row = static_cast<std::int64_t>(place.row[i]);
    const bool there = row < at.n;
    constexpr int few = device::few_of<A, width>;
    using Few = device::Few<A, few>;
    for (int c = place.lane % row_lanes * few; there && c < width; c += row_lanes * few) {
      const std::int64_t number = row * C + place.head * width + c;
      const Few d = Few::load(dout + number), y = Few::load(out + number);
      ENTRAIN_UNROLL
      for (int k = 0; k < few; ++k) delta[i] += static_cast<float>(d.of[k]) * static_cast<float>(y.of[k]);
    }
    delta[i] = device::warp_sum<row_lanes>(delta[i]);
    if (there) norm[i] = static_cast<float>(lse[row * H + place.head]);
    if (there && place.lane % 4 == 0) deltas[row * H + place.head] = static_cast<S>(delta[i]);
  }

  device::WarpTile<Memory::width / 8> dq;
  dq.zero();
  const auto load = [&](int column) {
    load_rows<width>(memory.walked[0], q + C, stride, column, place);
    load_rows<width>(memory.walked[1], q + 2 * C, stride, column, place);
  };
  place.walk<Memory>(load, [&](int column, int from, int to) {
    auto s = multiply_own<Target>(memory, 0, place, from, to);
    const auto dp = multiply_own<Target>(memory, 1, place, from, to);
    const std::uint32_t stay = dropout.stays<false>(memory, place, column);
    s.each([&](int j, int e) {
      const bool asked = place.asks(e / 2, column + s.column(place.lane, j, e % 2));
      const float p = asked ? math::exp(s.of[j][e] * at.scale - norm[e / 2]) : 0.0f;
      s.of[j][e] = p * (dp.of[j][e] * dropout.factor(stay, j, e) - delta[e / 2]);
    });
    add_product<Target>(dq, s, memory, 0, place, from, to);
  });
  store_rows<width>(dq, place, at.n, at.scale, at.scale, dqkv + place.head * width, stride);
}

/// dk and dv. Its own: keys and values; it walks along queries and dout.
template <class Target, int H, int C, int Window, class A, class S>
__global__ void __launch_bounds__(attention_threads, 2)
    attention_back_keys(AttentionStep at, const A* dout, const A* qkv, const S* lse, const S* deltas, A* dqkv) {
  constexpr int width = C / H, stride = 3 * C;
  using Memory = AttentionMemory<A, width, 2>;
  auto& memory = device::shared<Memory>();
  const AttentionPlace place(at, Band<Window>());
  const AttentionDropout dropout(at);
  const A* const q = qkv + place.head * width;
  load_rows<width>(memory.own[0], q + C, stride, place.first, place);
  load_rows<width>(memory.own[1], q + 2 * C, stride, place.first, place);

  device::WarpTile<Memory::width / 8> dk, dv;
  dk.zero();
  dv.zero();
  const auto load = [&](int column) {
    load_rows<width>(memory.walked[0], q, stride, column, place);
    load_rows<width>(memory.walked[1], dout + place.head * width, C, column, place);
    for (int i = static_cast<int>(threadIdx.x); i < 2 * Memory::columns; i += attention_threads) {
      const int which = i / Memory::columns, x = i % Memory::columns, row = column + x;
      const S* const from = which == 0 ? lse : deltas;
      const bool there = row >= place.begin && row < place.end;
      memory.norms[which][x] = there ? static_cast<float>(from[static_cast<std::int64_t>(row) * H + place.head]) : 0.0f;
    }
  };
  place.walk<Memory>(load, [&](int column, int from, int to) {
    auto p = multiply_own<Target>(memory, 0, place, from, to);
    auto ds = multiply_own<Target>(memory, 1, place, from, to);
    const std::uint32_t stay = dropout.stays<true>(memory, place, column);
    p.each([&](int j, int e) {
      const int x = p.column(place.lane, j, e % 2);
      const bool asked = place.asks(e / 2, column + x);
      const float m = dropout.factor(stay, j, e);
      const float probability = asked ? math::exp(p.of[j][e] * at.scale - memory.norms[0][x]) : 0.0f;
      ds.of[j][e] = probability * (m * ds.of[j][e] - memory.norms[1][x]);
      p.of[j][e] = probability * m;
    });
    add_product<Target>(dv, p, memory, 1, place, from, to);
    add_product<Target>(dk, ds, memory, 0, place, from, to);
  });
  A* const to = dqkv + place.head * width;
  store_rows<width>(dk, place, at.n, at.scale, at.scale, to + C, stride);
  store_rows<width>(dv, place, at.n, 1, 1, to + 2 * C, stride);
}

}  // namespace detail

template <class Target> struct Attention<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <int Window, class A, class S, int H, int C3, int C>
  static void forward(const Step<D>& at, Rows<const A, C3> qkv, double scale, Rows<S, H> lse, Rows<A, C> out) {
    using Memory = detail::AttentionMemory<A, C / H, 1>;
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_forward<Target, H, C, Window, A, S>,
                   step(at, qkv.n, scale), qkv.data, lse.data, out.data);
  }
  template <int Window, class A, class S, int H, int C3, int C>
  static void backward(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale,
                       Rows<const S, H> lse, Rows<const A, C> out, Rows<S, H> delta, Rows<A, C3> dqkv) {
    using Memory = detail::AttentionMemory<A, C / H, 2>;
    const detail::AttentionStep with = step(at, qkv.n, scale);
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_back_queries<Target, H, C, Window, A, S>,
                   with, dout.data, qkv.data, lse.data, out.data, dqkv.data, delta.data);
    device::launch(at.dev.stream(), grid<H, Memory>(qkv.n), detail::attention_back_keys<Target, H, C, Window, A, S>,
                   with, dout.data, qkv.data, lse.data, delta.data, dqkv.data);
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
            dim3(detail::attention_threads), sizeof(Memory)};
  }
};

}  // namespace entrain::kernel
