// core > [device], precision > tensor > kernel > layer
//
// The one thread pool. Work is cut into tiles by shape, never by thread count, and a tile's result does not depend on
// the thread that computes it. So any number of threads gives the same bits.
//
// Neighbouring tiles go to the same worker, and each worker gets the same part of every round: rows that it wrote are
// still in its second-level cache when the next op reads them.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::device {

/// run(tiles, f) calls f(tile, worker) once for each tile in [0, tiles) and returns when all are done. The caller works
/// too, as worker 0. Each worker has an equal share of neighbouring tiles, in order; a worker that has done its share
/// takes tiles of the others. Not for use from two threads at once. If f throws, run throws the first exception:
/// with several threads and tiles after the other tiles are computed, else at once.
class Pool {
 public:
  /// throws    entrain.device.8: the system does not start that many threads
  ENTRAIN_INLINE explicit Pool(int threads);
  ENTRAIN_INLINE ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(shares_.size()); }
  /// Whether run(tiles, f) begins a worker's share with this tile.
  bool begins_share(int tile, int tiles) const {
    const std::int64_t of = threads(), worker = (tile * of + tiles - 1) / tiles;
    return tiles * worker / of == tile;
  }

  template <class F> void run(int tiles, F& f) {
    if (workers_.empty() || tiles <= 1) {
      for (int t = 0; t < tiles; ++t) compute<F>(&f, t, 0);
      return;
    }
    open(tiles, &compute<F>, &f);
    int done = 0, share = 0;
    for (int tile = take(0, share); tile >= 0; tile = take(0, share), ++done) {
      try {
        compute<F>(&f, tile, 0);
      } catch (...) {
        failed();
      }
    }
    close(tiles - done);
  }

 private:
  static constexpr int patience = 4000;  // polls of a flag before the thread yields; some 10 microseconds

  /// Called from three places, so not inlined: else each op would be compiled three times.
  template <class F> [[gnu::noinline]] static void compute(void* f, int tile, int worker) {
    (*static_cast<F*>(f))(tile, worker);
  }

  ENTRAIN_INLINE void open(int tiles, void (*task)(void*, int, int), void* context);  // a round begins
  /// The next tile; -1: none is left. share: how many shares the worker has seen empty, counted from its own.
  ENTRAIN_INLINE int take(int worker, int& share);
  ENTRAIN_INLINE void close(int by_workers);  // waits for the tiles that workers took; rethrows what a tile threw
  ENTRAIN_INLINE void failed() noexcept;      // keeps the exception that is being handled
  ENTRAIN_INLINE void stop();                 // the workers
  ENTRAIN_INLINE void work(std::stop_token stop, int worker);

  void (*task_)(void*, int, int) = nullptr;
  void* context_ = nullptr;
  struct alignas(64) Share {             // a cache line for each
    std::atomic<std::uint64_t> open{0};  // the end of its tiles in the upper half, the next one in the lower
  };
  std::vector<Share> shares_;
  std::atomic<int> done_{0};  // by workers
  std::atomic<std::uint32_t> round_{0};
  std::mutex error_mutex_;
  std::exception_ptr error_;  // the first of a round
  std::vector<std::jthread> workers_;
};

}  // namespace entrain::device

#if !defined(ENTRAIN_COMPILED)
#include "entrain/device/pool.ipp"
#endif
