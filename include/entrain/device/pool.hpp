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
      for (int t = 0; t < tiles; ++t) compute<F>(&f, t, 0);
      return;
    }
    task_ = &compute<F>;
    context_ = &f;
    done_.store(0, std::memory_order_relaxed);
    open_.store(static_cast<std::uint64_t>(tiles) << 32, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    const int done = take_part([&f](int tile) { compute<F>(&f, tile, 0); });
    for (int spins = 0; done + done_.load(std::memory_order_acquire) != tiles; ++spins)
      if (spins > patience) std::this_thread::yield();
  }

 private:
  static constexpr int patience = 4000;  // looks at a flag before the processor is given away; some 10 microseconds

  /// Called from three places, so kept apart from them: else each verb would be compiled three times.
  template <class F> [[gnu::noinline]] static void compute(void* f, int tile, int worker) {
    (*static_cast<F*>(f))(tile, worker);
  }

  void work(std::stop_token stop, int worker) {
    for (;;) {
      const std::uint32_t seen = round_.load(std::memory_order_acquire);  // first: stopping makes a round too
      if (stop.stop_requested()) return;
      const auto task = [this, worker](int tile) { task_(context_, tile, worker); };
      if (const int done = take_part(task)) done_.fetch_add(done, std::memory_order_release);
      for (int spins = 0; round_.load(std::memory_order_acquire) == seen; ++spins)
        if (spins > patience) round_.wait(seen, std::memory_order_acquire);
    }
  }

  /// Computes tiles as long as there are any; how many it was. A round ends when its tiles are done, not when every
  /// worker has looked: one that the system has put aside delays nobody. So what belongs to a round is read by those
  /// only who hold a tile of it.
  template <class Take> int take_part(Take take) {
    for (int done = 0;; ++done) {
      std::uint64_t open = open_.load(std::memory_order_acquire);
      do
        if (static_cast<std::uint32_t>(open) >= open >> 32) return done;
      while (!open_.compare_exchange_weak(open, open + 1, std::memory_order_acq_rel, std::memory_order_acquire));
      take(static_cast<int>(static_cast<std::uint32_t>(open)));
    }
  }

  void (*task_)(void*, int, int) = nullptr;
  void* context_ = nullptr;
  std::atomic<std::uint64_t> open_{0};  // tiles of this round in the upper half, the next one in the lower
  std::atomic<int> done_{0};            // by workers
  std::atomic<std::uint32_t> round_{0};
  std::vector<std::jthread> workers_;
};

}  // namespace entrain::device
