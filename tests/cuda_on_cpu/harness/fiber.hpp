// tests > cuda_on_cpu > [harness]
//
// A function that can be left in its middle and gone on with later: a thread of a CUDA block, on its own small stack.
// The address sanitizer is told of every switch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace harness {

/// Where a stack was left. swapcontext() asks the system for the mask of signals each time; what calls leave to the one
/// who is called are a few registers more, on the stack itself.
#if defined(__x86_64__)
class Context {
 public:
  /// The next change to it begins body(), which must not return.
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
  static void change(Context& from, Context& to) { change_stack(&from.stack_, to.stack_); }

 private:
  [[gnu::naked, gnu::noinline]] static void change_stack(void**, void*) {
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
      movq %rsi, %rsp
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
  void* stack_ = nullptr;
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

class Fiber {
 public:
  /// The next resume() begins body(), which must not return by itself before all that it holds may be forgotten.
  void start(void (*body)()) {
    if (stack_ == nullptr) stack_ = std::make_unique<std::byte[]>(stack_bytes);
    fake_ = nullptr;
    entry_ = body;
    own_.begin(stack_.get(), stack_bytes, &Fiber::enter);
  }
  /// Runs it until it leaves.
  void resume() {
    running_ = this;
    void* fake = nullptr;
    before_switch(&fake, stack_.get(), stack_bytes);
    Context::change(caller_, own_);
    after_switch(fake, nullptr, nullptr);
  }
  /// Called inside a fiber: back to who resumed it. last: it will never be resumed.
  static void leave(bool last = false) {
    Fiber& here = *running_;
    before_switch(last ? nullptr : &here.fake_, caller_stack_, caller_bytes_);
    Context::change(here.own_, caller_);
    after_switch(here.fake_, nullptr, nullptr);
  }

 private:
  static constexpr std::size_t stack_bytes = std::size_t(96) << 10;

  static void enter() {
    after_switch(nullptr, &caller_stack_, &caller_bytes_);
    running_->entry_();
    for (;;) leave(true);
  }
#if defined(__SANITIZE_ADDRESS__)
  static void before_switch(void** fake, const void* bottom, std::size_t bytes) {
    __sanitizer_start_switch_fiber(fake, bottom, bytes);
  }
  static void after_switch(void* fake, const void** bottom, std::size_t* bytes) {
    __sanitizer_finish_switch_fiber(fake, bottom, bytes);
  }
#else
  static void before_switch(void**, const void*, std::size_t) {}
  static void after_switch(void*, const void**, std::size_t*) {}
#endif

  Context own_;
  void (*entry_)() = nullptr;
  void* fake_ = nullptr;  // the sanitizer's
  std::unique_ptr<std::byte[]> stack_;

  static inline Fiber* running_ = nullptr;
  static inline Context caller_;
  static inline const void* caller_stack_ = nullptr;
  static inline std::size_t caller_bytes_ = 0;
};

}  // namespace harness
