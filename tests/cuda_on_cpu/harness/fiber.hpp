// tests > cuda_on_cpu > [harness]
//
// Fibers: small stacks on which threads of a CUDA block run, each left in the middle when its thread has to wait, and
// gone on with later.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "tests/sanitized.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace harness {

/// Where a stack was left. By itself on x86-64, for swapcontext() asks the system each time for the mask of signals.
#if defined(__x86_64__)
class Context {
 public:
  /// The next change to it begins body(), which must not return.
  /// source    System V ABI, AMD64, 3.2.1: what a function that is called keeps
  void begin(std::byte* bottom, std::size_t bytes, void (*body)()) {
    auto* top = reinterpret_cast<std::uintptr_t*>(bottom + bytes);
    *--top = 0;  // where body() would return to: a trace of the stack ends here
    *--top = reinterpret_cast<std::uintptr_t>(body);
    for (int i = 0; i < 6; ++i) *--top = 0;
    std::uint32_t control[2] = {};
    asm volatile("stmxcsr %0\n fnstcw %1" : "=m"(control[0]), "=m"(control[1]));
    *--top = control[0] | std::uintptr_t(control[1]) << 32;
    stack_ = top;
  }
  [[gnu::naked, gnu::noinline]] static void change(Context& /*from: rdi*/, Context& /*to: rsi*/) {
    asm(R"(
      pushq %rbp
      pushq %rbx
      pushq %r12
      pushq %r13
      pushq %r14
      pushq %r15
      subq $8, %rsp
      stmxcsr (%rsp)
      fnstcw 4(%rsp)
      movq %rsp, (%rdi)
      movq (%rsi), %rsp
      ldmxcsr (%rsp)
      fldcw 4(%rsp)
      addq $8, %rsp
      popq %r15
      popq %r14
      popq %r13
      popq %r12
      popq %rbx
      popq %rbp
      ret)");
  }

 private:
  void* stack_ = nullptr;  // alone
};
#else
class Context {
 public:
  void begin(std::byte* bottom, std::size_t bytes, void (*body)()) {
    getcontext(&place_);
    place_.uc_stack.ss_sp = bottom;
    place_.uc_stack.ss_size = bytes;
    place_.uc_link = nullptr;
    makecontext(&place_, body, 0);
  }
  static void change(Context& from, Context& to) { swapcontext(&from.place_, &to.place_); }

 private:
  ucontext_t place_{};
};
#endif

/// The fibers, and the program's own stack, which is called the outside. Fibers' stacks are next to each other, and the
/// address sanitizer takes them for one: it is told when the outside is left and come back to, not of changes between
/// fibers. What runs at each change is not sanitized itself.
class Fibers {
 public:
  static constexpr unsigned most = 1024;  // the threads of a block

  static Fibers& now() {
    static Fibers fibers;
    return fibers;
  }

  NOT_SANITIZED Context& outside() { return outside_; }
  const Context& running() const { return *running_; }
  /// An unused fiber. The first switch to it begins body(), which must not return.
  NOT_SANITIZED Context& spare(void (*body)()) {
    if (spares_ == 0) make(body);
    return *spare_[--spares_];
  }
  /// The running fiber is unused once it is left.
  NOT_SANITIZED void put_back() { spare_[spares_++] = running_; }
  /// Leaves the stack that runs to another; returns when somebody goes back to it.
  NOT_SANITIZED void go_to(Context& next) {
    Context& here = *running_;
    if (&here == &next) return;
    running_ = &next;
    crossed_ = &here == &outside_ || &next == &outside_;
    if (crossed_) before_crossing();
    Context::change(here, next);
    if (crossed_) after_crossing();
  }
  /// From outside: what fibers are in the middle of will never be gone on with.
  void forget() {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(stacks_, made_ * stride);
#endif
    fake_inside_ = nullptr;
    made_ = spares_ = 0;
  }

 private:
  // An odd number of pages, and each stack begins a little lower than the one before: the tops of all do not fall on
  // the same lines of the cache. All stacks are less than 64 MiB: where a fault ends, the sanitizer clears no more.
  static constexpr std::size_t page = 4096, stride = 15 * page;

  Fibers() : contexts_(most) {
    void* const memory =
        mmap(nullptr, most * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    stacks_ = static_cast<std::byte*>(memory);
  }
  void make(void (*body)()) {
    std::byte* const bottom = stacks_ + made_ * stride;
    mprotect(bottom, page, PROT_NONE);  // who walks off the stack ends here; not where pages are larger
    body_ = body;
    contexts_[made_].begin(bottom + page, stride - page - made_ % 64 * 64, &Fibers::enter);
    spare_[spares_++] = &contexts_[made_++];
  }
  static void enter() {
    if (now().crossed_) now().after_crossing();
    now().body_();
  }
#if defined(__SANITIZE_ADDRESS__)
  void before_crossing() {
    if (running_ == &outside_) {
      __sanitizer_start_switch_fiber(&fake_inside_, outside_bottom_, outside_bytes_);
    } else {
      __sanitizer_start_switch_fiber(&fake_outside_, stacks_, most * stride);
    }
  }
  void after_crossing() {
    if (running_ == &outside_) {
      __sanitizer_finish_switch_fiber(fake_outside_, nullptr, nullptr);
    } else {
      __sanitizer_finish_switch_fiber(fake_inside_, &outside_bottom_, &outside_bytes_);
    }
  }
#else
  void before_crossing() {}
  void after_crossing() {}
#endif

  std::vector<Context> contexts_;
  Context* spare_[most] = {};
  std::size_t made_ = 0, spares_ = 0;
  std::byte* stacks_ = nullptr;
  void (*body_)() = nullptr;
  Context outside_;
  Context* running_ = &outside_;
  bool crossed_ = false;
  void *fake_inside_ = nullptr, *fake_outside_ = nullptr;  // the sanitizer's
  const void* outside_bottom_ = nullptr;
  std::size_t outside_bytes_ = 0;
};

}  // namespace harness
