// core > [device], precision > tensor > kernel > layer
//
// How long a stream works and how long it has nothing to do, by events around every piece of work. No thread waits for
// the events: the clock reads those that are over when the next piece comes.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "entrain/device/check.cuh"

namespace entrain::device {

class Clock {
 public:
  /// Called before and after a piece of work. A piece is not counted if no pair of events is left for it.
  void begin(cudaStream_t stream) {
    collect();
    counts_ = queued_ - told_ < most - 1;
    if (!counts_) return follows_ = false, void();
    pair(queued_).follows = follows_;
    pair(queued_).begin.record(stream);
  }
  void end(cudaStream_t stream) {
    if (!counts_) return;
    pair(queued_++).end.record(stream);
    follows_ = true;
  }
  /// The time until the next piece is not counted as idle, because the host queued nothing.
  void pause() { follows_ = false; }

  /// Seconds, as far as they are known.
  double busy() { return collect(), busy_ / 1000; }
  double idle() { return collect(), idle_ / 1000; }

 private:
  static constexpr std::size_t most = 64;  // pairs of events

  class Mark {
   public:
    void record(cudaStream_t stream) { check(cudaEventRecord(event_.get(), stream), "cudaEventRecord"); }
    bool over() const { return is_over(event_.get()); }
    double milliseconds_to(const Mark& later) const {
      float ms = 0;
      check(cudaEventElapsedTime(&ms, event_.get(), later.event_.get()), "cudaEventElapsedTime");
      return static_cast<double>(ms);
    }

   private:
    OwnEvent event_ = make_event(cudaEventDefault);
  };
  struct Pair {
    Mark begin, end;
    bool follows = false;  // directly after another piece, without a pause
  };
  Pair& pair(std::size_t i) { return pairs_[i % most]; }

  void collect() {
    for (; told_ != queued_ && pair(told_).end.over(); ++told_) {
      busy_ += pair(told_).begin.milliseconds_to(pair(told_).end);
      if (pair(told_).follows) idle_ += pair(told_ - 1).end.milliseconds_to(pair(told_).begin);
    }
  }

  Pair pairs_[most];
  std::size_t queued_ = 0, told_ = 0;
  double busy_ = 0, idle_ = 0;
  bool counts_ = false, follows_ = false;
};

}  // namespace entrain::device
