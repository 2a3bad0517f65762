// core > [device], precision > tensor > kernel > layer
//
// Work that is done with a block's gradients when they are there, from the top of a net to its bottom, while backward
// goes on below: the other half of ascent.hpp.
#pragma once
#include <utility>

#include "entrain/device/ascent.hpp"

namespace entrain::device {

template <class D> class Descent {
 public:
  Descent(const D&, int) {}
  void descend() {}
};

/// start(work), descend() when the gradients of each block are written, from the highest on, and arrive().
template <class D>
requires(updates_late<D>) class Descent<D> {
 public:
  /// heights: of the highest block; that of an embedding is 0
  Descent(const D& dev, int heights) : side_(dev), heights_(heights), left_(heights) {}

  /// work(device, height), which stays where it is until arrive(), for every descend() from now on, beside what is
  /// queued then. One that was begun and came to nothing is begun anew.
  template <class Work> void start(Work& work) {
    left_ = heights_;
    work_ = &work;
    call_ = [](void* at, const D& beside, int height) { (*static_cast<Work*>(at))(beside, height); };
  }
  void descend() {
    if (left_ > 0) call_(work_, side_.fork(), left_--);
  }
  /// What is queued from now on is behind all of it.
  ///
  /// returns   the height from which on downwards nothing was done
  int arrive() {
    if (left_ != heights_) side_.join();
    return std::exchange(left_, heights_);
  }

 private:
  typename D::Side side_;
  int heights_, left_;
  void* work_ = nullptr;
  void (*call_)(void* work, const D& beside, int height) = nullptr;  // a step knows no optimizer
};

}  // namespace entrain::device
