// core > device, precision > tensor > [kernel] > layer
//
// A block for each sentence and 128 channels; a thread walks over the rows of its channel, so that a warp reads
// neighbouring numbers.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/pool/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int pool_threads = 128;

template <class By, class A, int C> __global__ void __launch_bounds__(pool_threads)
    pool_sentences(const A* x, const std::int32_t* cu_seqlens, A* y, std::int32_t* from) {
  const int s = static_cast<int>(blockIdx.x), c = static_cast<int>(blockIdx.y * pool_threads + threadIdx.x);
  if (c >= C) return;
  const int begin = cu_seqlens[s], end = cu_seqlens[s + 1];
  const std::int64_t to = std::int64_t{s} * C + c;
  const auto at = [&](int n) { return static_cast<float>(x[std::int64_t{n} * C + c]); };
  float value = 0;
  std::int32_t row = -1;
  if (begin < end) {
    row = begin;
    value = at(begin);
    if constexpr (std::is_same_v<By, pool::Mean>) {
      for (int n = begin + 1; n < end; ++n) value += at(n);
      value /= static_cast<float>(end - begin);
    } else if constexpr (std::is_same_v<By, pool::Max>) {
      for (int n = begin + 1; n < end; ++n)
        if (const float other = at(n); other > value || other != other) {
          value = other;
          row = n;
        }
    }
  }
  y[to] = static_cast<A>(value);
  if constexpr (By::remembers_rows) from[to] = row;
}

template <class By, class A, int C> __global__ void __launch_bounds__(pool_threads)
    pool_sentences_back(const A* dy, const std::int32_t* cu_seqlens, const std::int32_t* from, A* dx) {
  const int s = static_cast<int>(blockIdx.x), c = static_cast<int>(blockIdx.y * pool_threads + threadIdx.x);
  if (c >= C) return;
  const int begin = cu_seqlens[s], end = cu_seqlens[s + 1];
  const std::int64_t place = std::int64_t{s} * C + c;
  const float d = static_cast<float>(dy[place]);
  const std::int32_t row = By::remembers_rows ? from[place] : begin;
  for (int n = begin; n < end; ++n) {
    const float own = std::is_same_v<By, pool::Mean> ? d / static_cast<float>(end - begin) : n == row ? d : 0.0f;
    dx[std::int64_t{n} * C + c] = static_cast<A>(own);
  }
}

}  // namespace detail

template <class Target> struct Pool<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class By, class A, int C>
  static void forward(const Step<D>& at, Rows<const A, C> x, Rows<A, C> y, std::int32_t* from) {
    device::launch(at.dev.stream(), grid<C>(at.shape.sentences), detail::pool_sentences<By, A, C>, x.data,
                   at.geometry.cu_seqlens, y.data, from);
  }
  template <class By, class A, int C>
  static void backward(const Step<D>& at, Rows<const A, C> dy, const std::int32_t* from, Rows<A, C> dx) {
    device::launch(at.dev.stream(), grid<C>(at.shape.sentences), detail::pool_sentences_back<By, A, C>, dy.data,
                   at.geometry.cu_seqlens, from, dx.data);
  }

 private:
  template <int C> static device::Grid grid(int sentences) {
    constexpr auto columns = (C + detail::pool_threads - 1) / detail::pool_threads;
    return {dim3(static_cast<unsigned>(sentences), columns), dim3(detail::pool_threads)};
  }
};

}  // namespace entrain::kernel
