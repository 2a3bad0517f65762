// core > device, precision > tensor > [kernel] > layer
//
// A block has a group of positions: its rows are in shared memory, where all products read them. Every sum has one
// order, so that the same card and any other give the same bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/core/math.hpp"
#include "entrain/device/block.cuh"
#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/negative_sampling/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int group_threads = 256;

/// log(1 + e^x), and sigmoid(x).
template <class T> __device__ inline T softplus_of(T x, T& slope) {
  const T e = math::exp(x > 0 ? -x : x), small = T(1) / (T(1) + e);
  slope = x > 0 ? small : e * small;
  return (x > 0 ? x : T(0)) + math::log(T(1) + e);
}

/// The shared memory of a block. Rows are `stride` numbers apart, an odd number, so that threads that read the same
/// channel of neighbouring rows use different banks.
template <Context context, int C> struct GroupMemory {
  using Shared = PositionGroups;
  static constexpr int stride = C | 1, B = Shared::positions_each, K = Shared::negatives_each;

  float *x, *h, *y, *dh, *sample, *window, *pairs;

  ENTRAIN_HD static constexpr int scored(int inputs) { return context == Context::mean ? B : inputs; }
  static constexpr std::size_t numbers(int inputs) {
    const int rows = inputs + Shared::outputs + (context == Context::mean ? 2 * B : 0);
    return static_cast<std::size_t>(rows) * stride + static_cast<std::size_t>(scored(inputs)) * (K + 1) +
           static_cast<std::size_t>(B) * static_cast<std::size_t>(inputs);
  }
  static constexpr std::size_t bytes(int inputs) {
    return sizeof(device::BlockSum<group_threads>) + numbers(inputs) * sizeof(float);
  }
  __device__ static GroupMemory of_block(int inputs) {
    float* at = reinterpret_cast<float*>(&device::shared<device::BlockSum<group_threads>>() + 1);
    const auto take = [&](int count) {
      float* const part = at;
      at += count;
      return part;
    };
    GroupMemory m{};
    m.x = take(inputs * stride);
    m.y = take(Shared::outputs * stride);
    m.h = context == Context::mean ? take(B * stride) : m.x;
    m.dh = context == Context::mean ? take(B * stride) : nullptr;
    m.sample = take(scored(inputs) * K);  // slopes of the scores of samples
    m.pairs = take(scored(inputs));
    m.window = take(B * inputs);  // slopes of the scores of a position and its inputs; 0: no pair
    return m;
  }
};

/// f(i) for the numbers of [0, count) that a thread has.
template <class F> __device__ inline void each_of_block(int count, F&& f) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += group_threads) f(i);
}

template <Context context, class T, int C> __global__ void __launch_bounds__(group_threads)
    negative_sampling_groups(PositionGroups all, Rows<const T, C> in, Rows<const T, C> out, Rows<T, C> dx,
                             Rows<T, C> dy, double* loss) {
  using Memory = GroupMemory<context, C>;
  constexpr int B = Memory::B, K = Memory::K, stride = Memory::stride;
  constexpr bool mean = context == Context::mean;
  const int group = static_cast<int>(blockIdx.x), first = group * B, slots = all.inputs();
  const int count = all.positions - first < B ? all.positions - first : B;
  const int inputs = count + 2 * all.window, scored = mean ? count : inputs;
  const Memory m = Memory::of_block(slots);
  const std::int32_t* const tokens = all.tokens + first;
  const std::int32_t* const samples = all.negatives + static_cast<std::int64_t>(group) * K;
  const auto in_window = [&](int p, int i) {
    return first + i >= all.begin[first + p] && first + i < all.end[first + p] && i != p + all.window;
  };
  const auto words_of = [&](int p) {
    const int words = all.end[first + p] - all.begin[first + p];
    return words > 0 ? words - 1 : 0;
  };
  const auto bag_scale = [&](std::int32_t word) {
    return 1.0f / sqrtf(static_cast<float>(all.bags[word + 1] - all.bags[word]));
  };

  each_of_block(inputs * C, [&](int at) {
    const int i = at / C, c = at % C;
    const std::int32_t word = tokens[i];
    float value = 0;
    if (word >= 0 && all.bags == nullptr) value = static_cast<float>(in(word, c));
    if (word >= 0 && all.bags != nullptr) {
      for (int r = all.bags[word]; r < all.bags[word + 1]; ++r) value += static_cast<float>(in(all.bag_rows[r], c));
      value *= bag_scale(word);
    }
    m.x[i * stride + c] = value;
  });
  each_of_block(PositionGroups::outputs * C, [&](int at) {
    const int o = at / C, c = at % C;
    const bool there = o >= B || o < count;
    m.y[o * stride + c] = there ? static_cast<float>(out(o < B ? tokens[o + all.window] : samples[o - B], c)) : 0.0f;
  });
  each_of_block(scored, [&](int i) {
    float pairs = 0;
    if constexpr (mean) {
      pairs = words_of(i) > 0 ? 1.0f : 0.0f;
    } else {
      for (int p = 0; p < count; ++p) pairs += in_window(p, i) ? 1.0f : 0.0f;
    }
    m.pairs[i] = pairs;
  });
  __syncthreads();
  if constexpr (mean) {
    each_of_block(count * C, [&](int at) {
      const int p = at / C, c = at % C, words = words_of(p);
      float sum = 0;
      for (int i = 0; i < inputs; ++i)
        if (in_window(p, i)) sum += m.x[i * stride + c];
      m.h[p * stride + c] = words > 0 ? sum / static_cast<float>(words) : 0.0f;
    });
    __syncthreads();
  }

  double mine = 0;
  const auto dot = [&](const float* a, const float* b) {
    float sum = 0;
    for (int c = 0; c < C; ++c) sum += a[c] * b[c];
    return sum;
  };
  each_of_block(scored * K, [&](int at) {
    const int i = at / K, k = at % K;
    float pairs = m.pairs[i];
    for (int p = 0; p < count; ++p)  // a sample that is the word of a position does not count for its pairs
      if (samples[k] == tokens[p + all.window] && (mean ? p == i : in_window(p, i))) pairs -= mean ? pairs : 1.0f;
    float slope;
    const float value = softplus_of(dot(m.h + i * stride, m.y + (B + k) * stride), slope);
    m.sample[at] = all.weight() * pairs * slope;
    mine += static_cast<double>(all.weight() * pairs) * static_cast<double>(value);
  });
  each_of_block(B * slots, [&](int at) {
    const int p = at / slots, i = at % slots;
    const bool pair = p < count && (mean ? i == p && words_of(p) > 0 : i < inputs && in_window(p, i));
    float slope = 0;
    if (pair) mine += static_cast<double>(softplus_of(-dot(m.h + i * stride, m.y + p * stride), slope));
    m.window[at] = -slope;
  });
  const double sum = device::block_sum<group_threads>(mine);  // its first step waits for all threads
  if (threadIdx.x == 0) loss[group] = sum;
  __syncthreads();

  const std::int64_t first_x = static_cast<std::int64_t>(group) * slots;
  each_of_block(scored * C, [&](int at) {
    const int i = at / C, c = at % C;
    float d = 0;
    for (int k = 0; k < K; ++k) d += m.sample[i * K + k] * m.y[(B + k) * stride + c];
    for (int p = 0; p < count; ++p) d += m.window[p * slots + i] * m.y[p * stride + c];
    if constexpr (mean) {
      m.dh[i * stride + c] = d;
    } else {
      if (all.bags != nullptr && tokens[i] >= 0) d *= bag_scale(tokens[i]);
      dx.data[(first_x + i) * C + c] = static_cast<T>(d);
    }
  });
  each_of_block(PositionGroups::outputs * C, [&](int at) {
    const int o = at / C, c = at % C;
    if (o < B && (o >= count || words_of(o) == 0)) return;
    float d = 0;
    for (int i = 0; i < scored; ++i)
      d += (o < B ? m.window[o * slots + i] : m.sample[i * K + o - B]) * m.h[i * stride + c];
    dy.data[(static_cast<std::int64_t>(group) * PositionGroups::outputs + o) * C + c] = static_cast<T>(d);
  });
  if constexpr (mean) {
    __syncthreads();
    each_of_block(inputs * C, [&](int at) {
      const int i = at / C, c = at % C;
      float d = 0;
      for (int p = 0; p < count; ++p)
        if (in_window(p, i)) d += m.dh[p * stride + c];
      if (all.bags != nullptr && tokens[i] >= 0) d *= bag_scale(tokens[i]);
      dx.data[(first_x + i) * C + c] = static_cast<T>(d);
    });
  }
}

template <int n, class T, int C> struct AddToRows {
  CsrIndex segments;
  const float* factor;
  const T* d;
  T* table;
  __device__ void operator()(int segment, int channel) const {
    using Few = device::Few<T, n>;
    float sum[n] = {};
    for (int i = segments.starts[segment]; i < segments.starts[segment + 1]; ++i) {
      const Few part = Few::load(d + static_cast<std::int64_t>(segments.items[i]) * C + channel);
      ENTRAIN_UNROLL
      for (int j = 0; j < n; ++j) sum[j] += static_cast<float>(part.of[j]);
    }
    T* const row = table + static_cast<std::int64_t>(segments.ids[segment]) * C + channel;
    Few now = Few::load(row);
    ENTRAIN_UNROLL
    for (int j = 0; j < n; ++j) now.of[j] = static_cast<T>(static_cast<float>(now.of[j]) + factor[segment] * sum[j]);
    now.store(row);
  }
};

}  // namespace detail

template <class Target> struct NegativeSampling<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  /// throws    entrain.kernel.1: a group has too many rows for the shared memory of a block
  template <Context context, class T, int C> static void gradients(const D& dev, const PositionGroups& groups,
                                                                   Rows<const T, C> in, Rows<const T, C> out,
                                                                   Rows<T, C> dx, Rows<T, C> dy, double* loss) {
    const std::size_t bytes = detail::GroupMemory<context, C>::bytes(groups.inputs());
    if (bytes > Target::shared_bytes)
      throw Error("entrain.kernel.1", "the GPU",
                  "a window of " + std::to_string(groups.window) + " words of " + std::to_string(C) + " numbers",
                  "what fits into " + std::to_string(Target::shared_bytes) + " bytes", "lower the window or the width");
    device::launch(
        dev.stream(),
        {dim3(static_cast<unsigned>(groups.groups())), dim3(detail::group_threads), bytes, Target::shared_bytes},
        detail::negative_sampling_groups<context, T, C>, groups, in, out, dx, dy, loss);
  }

  template <class T, int C>
  static void add_to_rows(const D& dev, CsrIndex segments, const float* factor, Rows<const T, C> d, Rows<T, C> table) {
    constexpr int n = device::few_of<T, C>;
    device::each<n, C>(dev.stream(), segments.count, detail::AddToRows<n, T, C>{segments, factor, d.data, table.data});
  }
};

}  // namespace entrain::kernel
