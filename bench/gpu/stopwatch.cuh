// bench: times work by the GPU's own clock. The host's part does not count: the host queues the timed work while the
// GPU is still busy with copies that were queued before.
#pragma once
#include <memory>
#include <type_traits>

#include "bench/gpu/device.cuh"

namespace bench {

class Stopwatch {
 public:
  static constexpr std::size_t copied = tiny ? 1 << 12 : std::size_t(1) << 30;  // bytes of one copy

  explicit Stopwatch(const Gpu& dev) : dev_(dev), from_(copied), to_(copied) {
    for (Event* event : {&begin_, &end_}) {
      cudaEvent_t made = nullptr;
      entrain::device::check(cudaEventCreateWithFlags(&made, 0), "cudaEventCreateWithFlags");
      event->reset(made);
    }
  }

  /// Milliseconds of one call of f, of `times` calls in a row, after `ahead` copies.
  template <class F> double ms(int times, F&& f, int ahead = 8) {
    for (int i = 0; i < ahead; ++i) copy();
    record(begin_);
    for (int i = 0; i < times; ++i) f();
    record(end_);
    dev_.finish();
    float ms = 0;
    entrain::device::check(cudaEventElapsedTime(&ms, begin_.get(), end_.get()), "cudaEventElapsedTime");
    return static_cast<double>(ms) / times;
  }
  /// A copy within the GPU's memory by the runtime: `copied` bytes read, and written.
  void copy() { dev_.copy(to_.data(), from_.data(), copied); }
  std::byte* from() { return from_.data(); }
  std::byte* to() { return to_.data(); }

 private:
  struct Ends {
    void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Ends>;
  void record(const Event& event) {
    entrain::device::check(cudaEventRecord(event.get(), dev_.stream()), "cudaEventRecord");
  }

  const Gpu& dev_;
  Gpu::Buffer<std::byte> from_, to_;
  Event begin_, end_;
};

}  // namespace bench
