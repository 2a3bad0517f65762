// A device of your own: the CPU, which measures how long its ops take. docs/extending/device.md explains it.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <entrain/cpu.hpp>
#include <string>
#include <string_view>

namespace own {

enum class Op { products, embedding, window, dropout, crf };

/// Trains as device::Cpu<> does, to the same bits, and prints a table of times at its end.
class Timed : public entrain::device::Cpu<> {
  using Now = std::chrono::steady_clock;

 public:
  using Cpu::Cpu;
  static constexpr std::string_view name = "timed-cpu";
  static Timed with(int threads) { return Timed(threads); }
  std::string describe() const { return "timed " + Cpu::describe(); }

  /// f(), and its time is that of an op. One thread calls ops.
  void time(Op op, auto&& f) const {
    const auto begin = Now::now();
    f();
    Total& total = totals_[static_cast<std::size_t>(op)];
    total.seconds += std::chrono::duration<double>(Now::now() - begin).count();
    ++total.calls;
  }
  ~Timed() {
    static constexpr std::array names{"products", "embedding", "window", "dropout", "crf"};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (totals_[i].calls > 0)
        std::fprintf(stderr, "%-10s %8d calls %9.3f s\n", names[i], totals_[i].calls, totals_[i].seconds);
  }

 private:
  struct Total {
    int calls = 0;
    double seconds = 0;
  };
  mutable std::array<Total, 5> totals_;
};

/// A step of Timed as the CPU's kernels take it.
inline entrain::Step<entrain::device::Cpu<>> on_cpu(const entrain::Step<Timed>& at) {
  return {at.dev, at.shape, at.geometry, at.training, at.grads, at.scratch, at.counters, at.rng_stream};
}

}  // namespace own

namespace entrain::kernel {

// Inherited: kernels that take the device.
template <> struct Bias<own::Timed> : Bias<device::Cpu<>> {};
template <> struct Gather<own::Timed> : Gather<device::Cpu<>> {};
template <> struct LayerNorm<own::Timed> : LayerNorm<device::Cpu<>> {};
template <> struct Maxout<own::Timed> : Maxout<device::Cpu<>> {};
template <> struct Update<own::Timed> : Update<device::Cpu<>> {};

// With loops of its own: y = x and y += x on one thread.
template <> struct Map<own::Timed> {
  template <class T, int C> static void copy(const own::Timed&, Rows<const T, C> x, Rows<T, C> y) {
    std::copy_n(x.data, x.size(), y.data);
  }
  template <class T, int C> static void add(const own::Timed&, Rows<const T, C> x, Rows<T, C> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y.data[i] += x.data[i];
  }
};

// Wrapped: the CPU's, with a clock. Kernels that take a Step get one of the CPU.
template <> struct Gemm<own::Timed> {
  template <bool TransposeA, bool TransposeB> static void run(const own::Timed& dev, auto... arguments) {
    dev.time(own::Op::products, [&] { Gemm<device::Cpu<>>::run<TransposeA, TransposeB>(dev, arguments...); });
  }
};
template <> struct HashEmbed<own::Timed> : HashEmbed<device::Cpu<>> {
  template <int H> static void backward(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::embedding, [&] { HashEmbed<device::Cpu<>>::backward<H>(own::on_cpu(at), arguments...); });
  }
};
template <> struct Window<own::Timed> {
  template <int R> static void forward(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::window, [&] { Window<device::Cpu<>>::forward<R>(own::on_cpu(at), arguments...); });
  }
  template <int R> static void backward(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::window, [&] { Window<device::Cpu<>>::backward<R>(own::on_cpu(at), arguments...); });
  }
};
template <> struct Dropout<own::Timed> {
  static void run(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::dropout, [&] { Dropout<device::Cpu<>>::run(own::on_cpu(at), arguments...); });
  }
};
template <> struct Crf<own::Timed> {
  template <class Scheme> static void forward(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::crf, [&] { Crf<device::Cpu<>>::forward<Scheme>(own::on_cpu(at), arguments...); });
  }
  template <class Scheme> static void backward(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::crf, [&] { Crf<device::Cpu<>>::backward<Scheme>(own::on_cpu(at), arguments...); });
  }
  template <class Scheme> static void decode(const Step<own::Timed>& at, auto... arguments) {
    at.dev.time(own::Op::crf, [&] { Crf<device::Cpu<>>::decode<Scheme>(own::on_cpu(at), arguments...); });
  }
};

}  // namespace entrain::kernel
