// tests > cuda_on_cpu > [harness]
//
// A function that can be left in its middle and gone on with later: a thread of a CUDA block, on its own small stack.
// The address sanitizer is told of every switch.
#pragma once
#include <ucontext.h>

#include <cstddef>
#include <memory>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace harness {

class Fiber {
 public:
  /// The next resume() begins body(), which must not return by itself before all that it holds may be forgotten.
  void start(void (*body)()) {
    if (stack_ == nullptr) stack_ = std::make_unique<char[]>(stack_bytes);
    fake_ = nullptr;
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_.get();
    own_.uc_stack.ss_size = stack_bytes;
    own_.uc_link = nullptr;
    entry_ = body;
    makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::enter), 0);
  }
  /// Runs it until it leaves.
  void resume() {
    running_ = this;
    void* fake = nullptr;
    before_switch(&fake, stack_.get(), stack_bytes);
    swapcontext(&caller_, &own_);
    after_switch(fake, nullptr, nullptr);
  }
  /// Called inside a fiber: back to who resumed it. last: it will never be resumed.
  static void leave(bool last = false) {
    Fiber& here = *running_;
    before_switch(last ? nullptr : &here.fake_, caller_stack_, caller_bytes_);
    swapcontext(&here.own_, &caller_);
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

  ucontext_t own_{};
  void (*entry_)() = nullptr;
  void* fake_ = nullptr;  // the sanitizer's
  std::unique_ptr<char[]> stack_;

  static inline Fiber* running_ = nullptr;
  static inline ucontext_t caller_{};
  static inline const void* caller_stack_ = nullptr;
  static inline std::size_t caller_bytes_ = 0;
};

}  // namespace harness
