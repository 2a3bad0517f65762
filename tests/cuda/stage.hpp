// tests > [cuda]
//
// A case of an op runs on the CPU in double, where it is the oracle, and on a GPU or its host harness, in the precision
// of that. Inputs are drawn from one stream and rounded to what the GPU stores; outputs begin
// as poison, so that a number that no kernel wrote shows.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/sorted.hpp"
#include "entrain/core/random.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::test {

/// A result by its name, in numbers that any two devices can be compared by; and whether these were stored in 16 bits.
struct Result {
  std::string name;
  std::vector<double> values;
  bool narrow = false;
};
using Results = std::vector<Result>;

/// P     what the case computes in here              Stored     what the GPU stores: inputs are rounded to it
template <class D, class P, class Stored> class Stage {
 public:
  using Device = D;
  using Policy = P;
  using A = typename P::Activation;
  using W = typename P::Weight;
  using Sum = typename P::Sum;
  using Rounded = Stored;

  Stage(const D& device, std::uint64_t seed) : dev(device), stale(seed % 4 < 2 ? 0xFF : 0x7E), random_(seed) {}

  const D& dev;
  const std::uint8_t stale;  // what each byte of borrowed memory is: numbers that are none, or larger than any other
  Results results;
  const float* loss_scale = nullptr;  // of the steps that are made, where the device reads it

  /// Numbers around `middle`, of variance 1.
  template <class T> T* random(std::size_t count, double middle = 0) {
    std::vector<T> host(count);
    for (T& x : host) x = static_cast<T>(stored(drawn(middle)));
    return put(host);
  }
  /// The same as the optimizer keeps them, which may be finer than what products read.
  template <class M> std::vector<M> drawn_master(std::size_t count, double middle = 0) {
    std::vector<M> host(count);
    for (M& x : host) x = static_cast<M>(drawn(middle));
    return host;
  }
  MasterOf<W>* random_master(std::size_t count, double middle = 0) {
    return put(drawn_master<MasterOf<W>>(count, middle));
  }
  static float stored(float x) { return static_cast<float>(Stored(x)); }
  template <class T> T* put(const std::vector<T>& host) {
    memory_.emplace_back(host.size() * sizeof(T));
    T* const to = reinterpret_cast<T*>(memory_.back().data());
    dev.upload(to, host.data(), host.size());
    return to;
  }
  template <class T> T* poison(std::size_t count) {
    return put(std::vector<T>(count, T(std::numeric_limits<float>::quiet_NaN())));
  }
  /// What an op finds where a result may already be: poison, or numbers to be added to.
  template <class T> T* before(Write how, std::size_t count) {
    return how == Write::add ? random<T>(count) : poison<T>(count);
  }
  /// Positions by what they refer to, ids in [0, ids), as a packer delivers them.
  CsrIndex segments(const std::vector<std::int32_t>& id_of, std::int32_t ids) {
    batch::Sorted sorted;
    CsrIndex found = sorted.sort(id_of.size(), static_cast<std::size_t>(ids), [&](std::size_t i) { return id_of[i]; });
    CsrIndex filled = found;
    if constexpr (!D::in_host_memory) filled.fill(found.positions + 100, ids);
    std::vector<std::size_t> real;
    found.each_array([&](auto&, std::size_t count, Fill) { real.push_back(count); });
    auto count = real.begin();
    filled.each_array([&](auto& array, std::size_t size, Fill fill) {
      std::vector<std::int32_t> host(array, array + *count);
      host.resize(size);
      fill(host.data(), *count++, size);
      array = put(host);
    });
    return filled;
  }
  /// Whole numbers in [0, below), on the host.
  std::vector<std::int32_t> whole_numbers(std::size_t count, std::int32_t below) {
    std::vector<std::int32_t> host(count);
    for (std::int32_t& x : host) x = static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(below)));
    return host;
  }
  /// A step of training on rows in sentences of 1 to `longest`; of one batch after another, the random key's numbers
  /// differ.
  Step<D> step(int rows, float dropout = 0.3f, LossKnobs loss = {}, int longest = 40) {
    std::vector<std::int32_t> cu_seqlens{0};
    std::vector<std::uint8_t> neighbours;
    std::vector<std::int32_t> sentence;
    while (cu_seqlens.back() < rows) {
      const int n =
          std::min(rows - cu_seqlens.back(), 1 + static_cast<int>(random_.below(static_cast<std::uint32_t>(longest))));
      for (int i = 0; i < n; ++i) {
        unsigned bits = 0;
        for (int k = 1; k <= 3; ++k) bits |= (i >= k ? 1u << k : 0u) | (i + k < n ? 1u << (4 + k) : 0u);
        neighbours.push_back(static_cast<std::uint8_t>(bits));
        sentence.push_back(static_cast<std::int32_t>(cu_seqlens.size()) - 1);
      }
      cu_seqlens.push_back(cu_seqlens.back() + n);
    }
    Counters counters;
    counters.seed = random_.word();
    counters.step = 5;
    counters.dropout = dropout;
    counters.loss = loss;
    counters.loss_scale = loss_scale;
    const Geometry geometry{put(cu_seqlens), put(neighbours), put(sentence)};
    memory_.emplace_back(std::size_t(1) << 20);
    scratch_ = {memory_.back().data(), memory_.back().size()};
    const std::vector<std::byte> stale_bytes(memory_.back().size(), std::byte(stale));
    dev.upload(memory_.back().data(), stale_bytes.data(), stale_bytes.size());
    return {dev,
            {rows, static_cast<int>(cu_seqlens.size()) - 1, 0},
            geometry,
            true,
            Write::assign,
            scratch_,
            put(std::vector<Counters>{counters}),
            3};
  }
  template <class T> void result(std::string name, const T* from, std::size_t count) {
    std::vector<T> host(count);
    dev.download(host.data(), from, count);
    results.push_back({std::move(name), std::vector<double>(host.begin(), host.end()), sizeof(T) == 2});
  }
  /// Without the numbers between the labels of two rows.
  template <class T> void result_of_wide(std::string name, LabelMatrix<T> from) {
    std::vector<T> host(static_cast<std::size_t>(from.n) * static_cast<std::size_t>(from.stride));
    dev.download(host.data(), from.data, host.size());
    results.push_back({std::move(name), {}, sizeof(T) == 2});
    for (std::size_t i = 0; i < host.size(); ++i)
      if (i % static_cast<std::size_t>(from.stride) < static_cast<std::size_t>(from.c))
        results.back().values.push_back(static_cast<double>(host[i]));
  }

 private:
  float drawn(double middle) {
    double sum = -2;  // of four uniform numbers: variance 1 / 3
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(random_.uniform());
    return static_cast<float>(middle + 1.7320508 * sum);
  }

  std::vector<typename D::template Buffer<std::byte>> memory_;
  Random random_;
  Arena scratch_;
};

/// |a - b| / |b| over all numbers of a result, absolute where b is 0; NaN where a number was not written.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    whole += b[i] * b[i];
  }
  return std::sqrt(whole > 0 ? difference / whole : difference);
}

/// A case whose kernels are launched one by one, without graphs.
template <class Case> struct Eagerly : Case {};
/// A case whose weights' gradients are computed one after the other with those of inputs.
template <class Case> struct InOneQueue : Case {};
/// A case whose values change at a step's end, not under the next forward pass.
template <class Case> struct AtOnce : Case {};
/// A case whose blocks have the least shared memory of any GPU.
template <class Case> struct InLittleMemory : Case {};

/// A case on the GPU, computed in P; defined in on_gpu.cuh, and made for each case in the .cu file of its op.
template <class Case, class P> Results on_gpu(int rows, std::uint64_t seed);

}  // namespace entrain::test
