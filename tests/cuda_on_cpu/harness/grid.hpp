// tests > cuda_on_cpu > [harness]
//
// A kernel's grid on the CPU. Blocks run one after the other in a random order, and so do the lanes of a block,
// each as far as it can go. In one half of the blocks a warp runs until none of its lanes can, in the other a lane of
// any warp is next: so whoever reads what another thread has not yet written reads poison, whoever overwrites what
// another one has still to read takes it away, and a barrier that is missing shows. What a GPU leaves undefined is an
// error here, with a sentence.
//
// ENTRAIN_HARNESS_SEED, a number, makes other orders.
//
// A thread that never waits is a call: it begins and returns on the fiber on which the one before it ended. One that
// has to wait keeps its fiber, and the next thread gets another.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
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

/// Warps, or lanes of a warp, of which any may be next.
struct Ready {
  NOT_SANITIZED void put(unsigned x) { of[size++] = x; }
  NOT_SANITIZED unsigned take(unsigned place) {
    const unsigned x = of[place];
    of[place] = of[--size];
    return x;
  }
  unsigned size = 0, of[lanes] = {};
};

/// What a thread has begun to copy into shared memory; zeros where it comes from nowhere.
struct Copy {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes;
};

/// A warp of the block that runs. Sets of its lanes are bits.
struct Warp {
  unsigned all = 0, begun = 0, ended = 0;
  unsigned meeting = 0, named = 0;  // lanes that wait for lanes of their mask, and all that they name
  Ready ready;
  // of each lane
  Context* fiber[lanes] = {};
  unsigned mask[lanes] = {};
  const char* what[lanes] = {};
  const void* in[lanes] = {};
  void* out[lanes] = {};
  std::vector<Copy> copies[lanes];
};

/// splitmix64, of Steele, Lea and Flood: a few instructions a number.
struct Random {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type(0); }
  NOT_SANITIZED result_type operator()() {
    result_type x = state += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  result_type state;
};

class Grid {
 public:
  static Grid& now() {
    static Grid grid;
    return grid;
  }

  /// body() for every thread of blocks x threads, with `shared` bytes for each block.
  template <class Body> void run(dim3 blocks, dim3 threads, std::size_t shared, Body body) {
    check_sizes(blocks, threads);
    grid_size = blocks;
    block_size = threads;
    count_ = 0;
    for (unsigned z = 0; z < threads.z; ++z)
      for (unsigned y = 0; y < threads.y; ++y)
        for (unsigned x = 0; x < threads.x; ++x) index_[count_++] = dim3(x, y, z);
    body_ = &body;
    call_ = [](void* f) { (*static_cast<Body*>(f))(); };
    // Of just this size, so that the sanitizer sees who walks out of it.
    const std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(::operator new(shared, alignment)));
    shared_ = memory.get();
    shared_bytes_ = shared;
    std::vector<unsigned> order(std::size_t(blocks.x) * blocks.y * blocks.z);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random_);
    for (const unsigned b : order) {
      block_index = dim3(b % blocks.x, b / blocks.x % blocks.y, b / blocks.x / blocks.y);
      std::memset(shared_, 0xFF, shared);
      run_block();
    }
  }

  // what a thread asks for

  /// The block's memory, of which a kernel requests n bytes.
  std::byte* shared(std::size_t bytes) {
    if (bytes > shared_bytes_)
      fail(bytes, " bytes of shared memory are asked for, the kernel was launched with ", shared_bytes_);
    return shared_;
  }
  bool is_shared(const std::byte* p, std::size_t bytes) const {
    return p >= shared_ && p + bytes <= shared_ + shared_bytes_;
  }
  /// where: all threads of the block must be at one and the same barrier, not each at one of its own.
  void barrier(std::source_location where) {
    if (waiting_ == 0) where_ = where;
    if (where.line() != where_.line() || !same(where.file_name(), where_.file_name()))
      fail("threads of one block are at barriers of different lines: ", where_.file_name(), ":", where_.line(), " and ",
           where.file_name(), ":", where.line());
    ++waiting_;
    go_on();
  }
  /// All lanes of `mask` meet; the last one calls work(in, out), pointers of each lane of the mask.
  template <class Work> void meet(unsigned mask, const char* what, const void* in, void* out, Work work) {
    Warp& warp = warps_[warp_];
    const unsigned me = 1u << lane_, here = warp.meeting & mask;
    if ((mask & me) == 0) fail(what, ": a lane is not in the mask that it names");
    if ((mask & (warp.ended | ~warp.all)) != 0) fail_of_ended(what);
    if ((mask & warp.named) != 0) {
      const auto other = static_cast<unsigned>(std::countr_zero(here));
      if (here == 0 || warp.mask[other] != mask) fail(what, ": two lanes of a warp name different masks");
      if (!same(warp.what[other], what))
        fail("lanes of one warp are at ", warp.what[other], " and at ", what, " at once");
    }
    warp.in[lane_] = in;
    warp.out[lane_] = out;
    if ((here | me) != mask) {
      warp.mask[lane_] = mask;
      warp.what[lane_] = what;
      warp.meeting |= me;
      warp.named |= mask;
      go_on();
      return;
    }
    work(warp.in, warp.out);
    warp.meeting &= ~mask;
    warp.named &= ~mask;
    set_ready(warp_, mask & ~me);
  }
  void copy_later(const Copy& copy) { copies().push_back(copy); }
  /// Of the thread that runs, in the order in which it began them.
  void do_copies() {
    for (const Copy& copy : copies())
      if (copy.from != nullptr) {
        std::memcpy(copy.to, copy.from, copy.bytes);
      } else {
        std::memset(copy.to, 0, copy.bytes);
      }
    copies().clear();
  }
  /// Words and numbers of a sentence. The thread never continues, and whatever it holds is never freed.
  template <class... Parts> [[noreturn]] void fail(Parts... parts) {
    const auto add = [&](auto part) {
      if constexpr (std::is_integral_v<decltype(part)>) {
        fault_ += std::to_string(part);
      } else {
        fault_ += part;
      }
    };
    (add(parts), ...);
    for (;;) fibers_.go_to(fibers_.outside());
  }

  dim3 thread_index, block_index, block_size, grid_size;

  /// Other orders.
  void seed(std::uint64_t number) { random_.state = number; }

 private:
  Grid() {
    if (const char* const number = std::getenv("ENTRAIN_HARNESS_SEED")) seed(std::strtoull(number, nullptr, 10));
#if defined(__SANITIZE_ADDRESS__)
    // EpilogueOperands the sanitizer's report: whose fault it was.
    __sanitizer_set_death_callback([] {
      if (&now().fibers_.running() != &now().fibers_.outside())
        std::fprintf(stderr, "harness: %s\n", now().thread_that_runs().c_str());
    });
#endif
  }

  static constexpr std::align_val_t alignment{128};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, alignment); }
  };

  static void check_sizes(dim3 blocks, dim3 threads) {
    const auto product = std::uint64_t(threads.x) * threads.y * threads.z;
    if (product == 0 || product > 1024 || threads.z > 64)
      throw Fault("a block of " + std::to_string(product) + " threads: 1 to 1,024 there may be");
    if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || blocks.x > 0x7FFFFFFF || blocks.y > 65535 ||
        blocks.z > 65535)
      throw Fault("a grid of " + std::to_string(blocks.x) + " x " + std::to_string(blocks.y) + " x " +
                  std::to_string(blocks.z) + " blocks: at least 1 each, at most 2^31 - 1 x 65,535 x 65,535");
  }

  /// What a fiber does: one thread after the other, until one has to wait.
  NOT_SANITIZED static void work() {
    Grid& grid = now();
    for (;;) {
      grid.call_(grid.body_);
      grid.end_thread();
      grid.fibers_.put_back();
      grid.go_on();
    }
  }

  std::vector<Copy>& copies() { return warps_[warp_].copies[lane_]; }
  NOT_SANITIZED void end_thread() {
    Warp& warp = warps_[warp_];
    if (!warp.copies[lane_].empty()) fail("a thread ends before it has waited for its copies");
    const unsigned me = 1u << lane_;
    warp.ended |= me;
    ++ended_;
    for (unsigned l = 0; (warp.named & me) != 0; ++l)
      if ((warp.meeting >> l & 1) != 0 && (warp.mask[l] & me) != 0) fail_of_ended(warp.what[l]);
  }
  [[noreturn]] void fail_of_ended(const char* what) { fail(what, ": the mask names a lane that has ended"); }

  void run_block() {
    ready_.size = waiting_ = ended_ = 0;
    for (unsigned w = 0; w * lanes < count_; ++w) {
      Warp& warp = warps_[w];
      warp.all = count_ - w * lanes < lanes ? (1u << count_ % lanes) - 1 : ~0u;
      warp.begun = warp.ended = warp.meeting = warp.named = warp.ready.size = 0;
      set_ready(w, warp.all);
    }
    place_ = nobody;
    restless_ = random_() % 2 == 0;
    go_on();
    if (fault_.empty()) return;
    fibers_.forget();
    for (Warp& warp : warps_)
      for (auto& copies : warp.copies) copies.clear();
    throw Fault(std::exchange(fault_, {}) + " (" + thread_that_runs() + ")");
  }
  std::string thread_that_runs() const {
    return "block " + std::to_string(block_index.x) + ", thread " + std::to_string(warp_ * lanes + lane_);
  }
  NOT_SANITIZED void set_ready(unsigned w, unsigned set) {
    Warp& warp = warps_[w];
    if (set == 0) return;
    if (warp.ready.size == 0) {
      place_ = ready_.size;
      ready_.put(w);
    }
    for (; set != 0; set &= set - 1) warp.ready.put(static_cast<unsigned>(__builtin_ctz(set)));
  }
  /// Leaves the thread that runs: to the one that runs next, or outside if there is none.
  NOT_SANITIZED void go_on() {
    if (!choose()) return fibers_.go_to(fibers_.outside());
    Warp& warp = warps_[warp_];
    thread_index = index_[warp_ * lanes + lane_];
    if ((warp.begun >> lane_ & 1) == 0) {
      warp.begun |= 1u << lane_;
      warp.fiber[lane_] = &fibers_.spare(&Grid::work);
    }
    fibers_.go_to(*warp.fiber[lane_]);
  }
  /// The thread that runs next. Whether there is one.
  NOT_SANITIZED bool choose() {
    if (ready_.size == 0 && !pass_barrier()) return false;
    const std::uint64_t drawn = random_();
    if (place_ == nobody || restless_) place_ = static_cast<unsigned>((drawn & 0xFFFFFFFF) * ready_.size >> 32);
    warp_ = ready_.of[place_];
    Warp& warp = warps_[warp_];
    lane_ = warp.ready.take(static_cast<unsigned>((drawn >> 32) * warp.ready.size >> 32));
    if (warp.ready.size > 0) return true;
    ready_.take(place_);
    place_ = nobody;
    return true;
  }
  /// No thread can run: those at the barrier may go on if all are. Whether any can.
  bool pass_barrier() {
    if (ended_ == count_) return false;
    if (waiting_ + ended_ != count_) {
      fault_ = "deadlock: lanes wait for lanes of their warp that wait elsewhere";
    } else if (ended_ != 0) {
      fault_ = "a barrier that not all threads of the block reach: " + std::to_string(ended_) + " have ended";
    } else {
      for (unsigned w = 0; w * lanes < count_; ++w) set_ready(w, warps_[w].all);
      place_ = nobody;
      waiting_ = 0;
    }
    return fault_.empty();
  }
  static bool same(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

  static constexpr unsigned nobody = ~0u;

  Fibers& fibers_ = Fibers::now();
  Random random_{7};
  // of the kernel
  void* body_ = nullptr;
  void (*call_)(void*) = nullptr;
  unsigned count_ = 0;        // threads of a block
  dim3 index_[Fibers::most];  // of each
  // of the block
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  Warp warps_[Fibers::most / lanes];
  Ready ready_;              // warps
  bool restless_ = false;    // whether any warp may be next, whenever a lane has to wait
  unsigned place_ = nobody;  // in ready_, of the warp that runs
  unsigned warp_ = 0, lane_ = 0;
  unsigned waiting_ = 0, ended_ = 0;  // threads: at the barrier, and at their end
  std::source_location where_;        // that barrier
  std::string fault_;
};

}  // namespace harness
