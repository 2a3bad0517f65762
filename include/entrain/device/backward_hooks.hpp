// core > [device], precision > tensor > kernel > layer
//
// Work on the gradients of a block as soon as they are written, from the top of a net to its bottom, while the backward
// pass computes the blocks below. The counterpart of forward_updates.hpp.
#pragma once
#include <utility>

#include "entrain/device/forward_updates.hpp"

namespace entrain::device {

template <class D> class BackwardHooks {
 public:
  BackwardHooks(const D&, int) {}
};

/// start(work), block_gradients_ready() when the gradients of each block are written, from the highest on, and
/// arrive().
template <class D>
requires(updates_late<D>) class BackwardHooks<D> {
 public:
  /// heights: of the highest block; that of an embedding is 0
  BackwardHooks(const D& dev, int heights) : side_(dev), heights_(heights), left_(heights) {}

  /// work(device, height), which stays where it is until arrive(), for every block_gradients_ready() from now on, at
  /// the same time as what is queued then. A pass that was begun and not completed is begun again.
  template <class Work> void start(Work& work) {
    left_ = heights_;
    work_ = &work;
    call_ = [](void* at, const D& side, int height) { (*static_cast<Work*>(at))(side, height); };
  }
  void block_gradients_ready() {
    if (left_ > 0) call_(work_, side_.fork(), left_--);
  }
  /// What is queued from now on runs after all of it.
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
  void (*call_)(void* work, const D& side, int height) = nullptr;  // a step knows no optimizer
};

}  // namespace entrain::device
