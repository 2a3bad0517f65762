// core > [device], precision > tensor > kernel > layer
//
// Definitions of pool.hpp.
#pragma once
#include <system_error>
#include <utility>

#include "entrain/core/no_thread.hpp"
#include "entrain/device/pool.hpp"

namespace entrain::device {

ENTRAIN_INLINE Pool::Pool(int threads) : shares_(static_cast<std::size_t>(threads > 1 ? threads : 1)) {
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i](std::stop_token stop) { work(stop, i); });
  } catch (const std::system_error& e) {
    const int started = static_cast<int>(workers_.size()) + 1;  // including the caller
    stop();
    throw no_thread("entrain.device.8", started, threads, "--threads", e);
  } catch (...) {
    stop();
    throw;
  }
}

ENTRAIN_INLINE Pool::~Pool() { stop(); }

/// The threads are joined when `workers_` is destroyed. Each is woken first, as no later round would wake it.
ENTRAIN_INLINE void Pool::stop() {
  for (auto& w : workers_) w.request_stop();
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

ENTRAIN_INLINE void Pool::open(int tiles, void (*task)(void*, int, int), void* context) {
  task_ = task;
  context_ = context;
  done_.store(0, std::memory_order_relaxed);
  const auto all = static_cast<std::uint64_t>(tiles), of = static_cast<std::uint64_t>(shares_.size());
  for (std::uint64_t i = 0; i < of; ++i)
    shares_[i].open.store((all * (i + 1) / of) << 32 | all * i / of, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

/// A round ends when its tiles are done, not when every worker has looked for a tile: a worker that the system has
/// suspended delays no other thread. So only threads that hold a tile of a round read what belongs to that round.
ENTRAIN_INLINE int Pool::take(int worker, int& share) {
  const int all = threads();
  for (; share < all; ++share) {
    std::atomic<std::uint64_t>& of = shares_[static_cast<std::size_t>((worker + share) % all)].open;
    std::uint64_t open = of.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(open) < open >> 32)
      if (of.compare_exchange_weak(open, open + 1, std::memory_order_acq_rel, std::memory_order_acquire))
        return static_cast<int>(static_cast<std::uint32_t>(open));
  }
  return -1;
}

ENTRAIN_INLINE void Pool::close(int by_workers) {
  for (int spins = 0; done_.load(std::memory_order_acquire) != by_workers; ++spins)
    if (spins > patience) std::this_thread::yield();
  if (error_) [[unlikely]]
    std::rethrow_exception(std::exchange(error_, nullptr));
}

ENTRAIN_INLINE void Pool::failed() noexcept {
  const std::lock_guard lock(error_mutex_);
  if (!error_) error_ = std::current_exception();
}

ENTRAIN_INLINE void Pool::work(std::stop_token stop, int worker) {
  for (;;) {
    const std::uint32_t seen = round_.load(std::memory_order_acquire);  // first: stopping starts a round too
    if (stop.stop_requested()) return;
    int done = 0, share = 0;
    for (int tile = take(worker, share); tile >= 0; tile = take(worker, share), ++done) {
      try {
        task_(context_, tile, worker);
      } catch (...) {
        failed();
      }
    }
    if (done > 0) done_.fetch_add(done, std::memory_order_release);
    for (int spins = 0; round_.load(std::memory_order_acquire) == seen; ++spins)
      if (spins > patience) round_.wait(seen, std::memory_order_acquire);
  }
}

}  // namespace entrain::device
