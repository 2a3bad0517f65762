// bench: the operands of a kernel: random numbers in the GPU's memory, and a batch's geometry.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench/gpu/device.cuh"
#include "entrain/device/each.cuh"
#include "entrain/device/step.hpp"

namespace bench {

/// x[i] = a number in [-reach, reach) that depends only on i. Zeros would not do: a card multiplies them faster.
template <class T> struct FillRandom {
  T* x;
  float reach;
  std::uint32_t turn;
  std::int64_t count;
  __device__ void operator()(int row, int) const {
    for (std::int64_t i = row; i < count; i += stride) {
      std::uint32_t bits = static_cast<std::uint32_t>(i) * 0x9E3779B9u ^ turn;
      bits = (bits ^ bits >> 16) * 0x85EBCA6Bu;
      bits = (bits ^ bits >> 13) * 0xC2B2AE35u;
      x[i] = T(reach * (static_cast<float>((bits ^ bits >> 16) >> 8) * 0x1p-23f - 1.0f));
    }
  }
  static constexpr int stride = tiny ? 256 : 1 << 18;  // threads
};

class Operands {
 public:
  explicit Operands(const Gpu& dev) : dev_(dev) {}
  ~Operands() { cudaStreamSynchronize(dev_.stream()); }  // queued work reads it; an error shows at the next call
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  template <class T> T* zeros(std::size_t count) {
    memory_.emplace_back(count * sizeof(T));
    return reinterpret_cast<T*>(memory_.back().data());
  }
  template <class T> T* random(std::size_t count, float reach = 1) {
    T* const x = zeros<T>(count);
    const FillRandom<T> fill{x, reach, ++turn_ * 0x85EBCA6Bu, static_cast<std::int64_t>(count)};
    entrain::device::each<1, 1>(dev_.stream(), FillRandom<T>::stride, fill);
    return x;
  }
  template <class T> T* put(const std::vector<T>& host) {
    T* const x = zeros<T>(host.size());
    dev_.upload(x, host.data(), host.size());
    return x;
  }
  /// A training step on `rows` rows, in sentences of `length`.
  entrain::Step<Gpu> step(int rows, int length, float dropout, int labels = 0) {
    std::vector<std::int32_t> cu_seqlens{0}, sentence;
    while (cu_seqlens.back() < rows) {
      const int end = std::min(rows, cu_seqlens.back() + length);
      sentence.resize(static_cast<std::size_t>(end), static_cast<std::int32_t>(cu_seqlens.size()) - 1);
      cu_seqlens.push_back(end);
    }
    entrain::Counters counters;
    counters.seed = 7;
    counters.dropout = dropout;
    constexpr std::size_t bytes = tiny ? std::size_t(1) << 20 : std::size_t(1) << 28;
    scratch_ = {zeros<std::byte>(bytes), bytes};
    return {dev_,
            {rows, static_cast<int>(cu_seqlens.size()) - 1, labels},
            {put(cu_seqlens), nullptr, put(sentence)},
            true,
            entrain::Write::assign,
            scratch_,
            put(std::vector<entrain::Counters>{counters}),
            1};
  }

 private:
  const Gpu& dev_;
  std::deque<Gpu::Buffer<std::byte>> memory_;
  std::uint32_t turn_ = 0;
  entrain::Arena scratch_;
};

}  // namespace bench
