// core > [device], precision > tensor > kernel > layer
//
// The one thread pool. Work comes cut into tiles by shape, never by thread count, and a tile's result does not depend
// on who computes it: so any number of threads gives the same bits.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace entrain::device {

/// run(tiles, f) calls f(tile, worker) once for each tile in [0, tiles) and returns when all are done. The caller works
/// too, as worker 0. f must not throw. Not for use from two threads at once.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i](std::stop_token stop) { work(stop, i); });
  }
  ~Pool() {
    for (auto& w : workers_) w.request_stop();
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  template <class F> void run(int tiles, F& f) {
    if (workers_.empty() || tiles <= 1) {
      for (int t = 0; t < tiles; ++t) f(t, 0);
      return;
    }
    task_ = [](void* context, int tile, int worker) { (*static_cast<F*>(context))(tile, worker); };
    context_ = &f;
    tiles_ = tiles;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (int t; (t = next_.fetch_add(1, std::memory_order_relaxed)) < tiles;) f(t, 0);
    for (int spins = 0; busy_.load(std::memory_order_acquire) != 0; ++spins)
      if (spins > patience) std::this_thread::yield();
  }

 private:
  static constexpr int patience = 4000;  // looks at a flag before the processor is given away; some 10 microseconds

  void work(std::stop_token stop, int worker) {
    for (std::uint32_t seen = 0;;) {
      std::uint32_t now = round_.load(std::memory_order_acquire);
      for (int spins = 0; now == seen; now = round_.load(std::memory_order_acquire))
        if (++spins > patience) round_.wait(seen, std::memory_order_acquire);
      seen = now;
      if (stop.stop_requested()) return;
      for (int t; (t = next_.fetch_add(1, std::memory_order_relaxed)) < tiles_;) task_(context_, t, worker);
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  void (*task_)(void*, int, int) = nullptr;
  void* context_ = nullptr;
  int tiles_ = 0;
  std::atomic<int> next_{0};
  std::atomic<int> busy_{0};
  std::atomic<std::uint32_t> round_{0};
  std::vector<std::jthread> workers_;
};

}  // namespace entrain::device
