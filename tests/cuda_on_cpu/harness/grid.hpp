// tests > cuda_on_cpu > [harness]
//
// A kernel's grid on the processor. Blocks run one after the other in a random order; of a block, a random warp runs as
// far as it can go, lane by lane, before another one may: so whoever reads what another thread has not yet written
// reads poison, and a barrier that is missing shows. What a GPU leaves undefined is an error here, with a sentence.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/cuda_on_cpu/harness/fiber.hpp"

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3() = default;
  dim3(unsigned x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace harness {

inline constexpr unsigned lanes = 32;

/// What went wrong in a kernel.
struct Fault : std::runtime_error {
  using runtime_error::runtime_error;
};

/// What all lanes of a mask do together: they arrive with something, the last one works it out for all.
struct Meeting {
  unsigned mask = 0, arrived = 0;
  const char* what = nullptr;
  const void* in[lanes] = {};
  void* out[lanes] = {};
};

enum class State { ready, at_barrier, at_meeting, done };

class Grid {
 public:
  static Grid& now() {
    static Grid grid;
    return grid;
  }

  /// body() for every thread of blocks x threads, with `shared` bytes for each block.
  template <class Body> void run(dim3 blocks, dim3 threads, std::size_t shared, Body body) {
    check_sizes(blocks, threads, shared);
    grid_size = blocks;
    block_size = threads;
    const unsigned all = blocks.x * blocks.y * blocks.z;
    count_ = threads.x * threads.y * threads.z;
    if (fibers_.size() < count_) fibers_.resize(count_);
    state_.resize(count_);
    std::vector<unsigned> order(all);
    for (unsigned i = 0; i < all; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    body_ = &body;
    call_ = [](void* f) { (*static_cast<Body*>(f))(); };
    for (const unsigned b : order) {
      block_index = dim3(b % blocks.x, b / blocks.x % blocks.y, b / blocks.x / blocks.y);
      // Its own piece of memory, of just this size, so that the sanitizer sees who walks out of it.
      const std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(::operator new(shared, alignment)));
      std::memset(memory.get(), 0xFF, shared);
      shared_ = memory.get();
      shared_bytes_ = shared;
      run_block();
    }
    shared_ = nullptr;
  }

  // what a thread asks for

  std::byte* shared() const { return shared_; }
  bool is_shared(const std::byte* p, std::size_t bytes) const {
    return p >= shared_ && p + bytes <= shared_ + shared_bytes_;
  }
  unsigned thread() const { return current_; }
  unsigned lane() const { return current_ % lanes; }

  void barrier() {
    state_[current_] = State::at_barrier;
    Fiber::leave();
  }
  /// All lanes of `mask` meet; the last one calls work(in, out), pointers of each lane of the mask.
  template <class Work> void meet(unsigned mask, const char* what, const void* in, void* out, Work work) {
    const unsigned here = lane(), first = current_ - here;
    if ((mask >> here & 1) == 0) fail(std::string(what) + ": a lane is not in the mask that it names");
    for (unsigned l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0 && (first + l >= count_ || state_[first + l] == State::done))
        fail(std::string(what) + ": the mask names a lane that has ended");
    std::vector<Meeting>& warp = meetings_[current_ / lanes];
    auto at = std::find_if(warp.begin(), warp.end(), [&](const Meeting& m) { return (m.mask & mask) != 0; });
    if (at == warp.end()) at = warp.insert(warp.end(), Meeting{mask, 0, what, {}, {}});
    if (at->mask != mask) fail(std::string(what) + ": two lanes of a warp name different masks");
    if (std::strcmp(at->what, what) != 0)
      fail(std::string("lanes of one warp are at ") + at->what + " and at " + what + " at once");
    at->in[here] = in;
    at->out[here] = out;
    at->arrived |= 1u << here;
    if (at->arrived != mask) {
      state_[current_] = State::at_meeting;
      Fiber::leave();
      return;
    }
    const Meeting all = *at;
    warp.erase(at);
    work(all.in, all.out);
    for (unsigned l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0) state_[first + l] = State::ready;
  }
  [[noreturn]] void fail(std::string sentence) {
    fault_ = std::move(sentence);
    for (;;) Fiber::leave(true);
  }

  dim3 thread_index, block_index, block_size, grid_size;

 private:
  static constexpr std::align_val_t alignment{128};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, alignment); }
  };

  static void check_sizes(dim3 blocks, dim3 threads, std::size_t shared) {
    const auto product = std::uint64_t(threads.x) * threads.y * threads.z;
    if (product == 0 || product > 1024 || threads.z > 64)
      throw Fault("a block of " + std::to_string(product) + " threads: 1 to 1,024 there may be");
    if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || blocks.x > 0x7FFFFFFF || blocks.y > 65535 ||
        blocks.z > 65535)
      throw Fault("a grid of " + std::to_string(blocks.x) + " x " + std::to_string(blocks.y) + " x " +
                  std::to_string(blocks.z) + " blocks: at least 1 each, at most 2^31 - 1 x 65,535 x 65,535");
    if (shared > (227u << 10)) throw Fault(std::to_string(shared) + " bytes of shared memory: 227 KiB is the most");
  }

  static void enter() {
    Grid& grid = now();
    grid.call_(grid.body_);
    grid.state_[grid.current_] = State::done;
  }

  void run_block() {
    const unsigned warps = (count_ + lanes - 1) / lanes;
    meetings_.assign(warps, {});
    for (unsigned t = 0; t < count_; ++t) {
      fibers_[t].start(&Grid::enter);
      state_[t] = State::ready;
    }
    std::vector<unsigned> order(warps), ready;
    for (unsigned w = 0; w < warps; ++w) order[w] = w;
    for (;;) {
      std::shuffle(order.begin(), order.end(), random_);
      bool moved = false;
      for (const unsigned w : order) moved = run_warp(w, ready) || moved;
      if (moved) continue;
      unsigned waiting = 0, done = 0;
      for (unsigned t = 0; t < count_; ++t) {
        waiting += state_[t] == State::at_barrier;
        done += state_[t] == State::done;
      }
      if (done == count_) return;
      if (waiting + done != count_) stop("deadlock: lanes wait for lanes of their warp that wait elsewhere");
      if (done != 0) stop("a barrier that not all threads of the block reach: " + std::to_string(done) + " have ended");
      for (unsigned t = 0; t < count_; ++t) state_[t] = State::ready;
    }
  }
  /// One warp, as far as it can go. Whether any lane could.
  bool run_warp(unsigned warp, std::vector<unsigned>& ready) {
    bool moved = false;
    for (;;) {
      ready.clear();
      for (unsigned t = warp * lanes; t < std::min(count_, (warp + 1) * lanes); ++t)
        if (state_[t] == State::ready) ready.push_back(t);
      if (ready.empty()) return moved;
      std::shuffle(ready.begin(), ready.end(), random_);
      for (const unsigned t : ready) {
        current_ = t;
        thread_index = dim3(t % block_size.x, t / block_size.x % block_size.y, t / block_size.x / block_size.y);
        fibers_[t].resume();
        if (!fault_.empty()) stop(std::exchange(fault_, {}));
        if (state_[t] == State::ready) stop("the harness: a thread left without a reason");
      }
      moved = true;
    }
  }
  [[noreturn]] void stop(const std::string& sentence) {
    throw Fault(sentence + " (block " + std::to_string(block_index.x) + ", thread " + std::to_string(current_) + ")");
  }

  std::vector<Fiber> fibers_;
  std::vector<State> state_;
  std::vector<std::vector<Meeting>> meetings_;  // of each warp
  std::mt19937 random_{7};
  unsigned count_ = 0, current_ = 0;
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::string fault_;
  void* body_ = nullptr;
  void (*call_)(void*) = nullptr;
};

}  // namespace harness
