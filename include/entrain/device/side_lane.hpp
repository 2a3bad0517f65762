// core > [device], precision > tensor > kernel > layer
//
// Work for which nobody waits yet: gradients of weights are asked for when all of them are there, those of a layer's
// input by the layer before it. A device with two queues does the ones beside the others.
#pragma once
#include "entrain/device/plan.hpp"

namespace entrain::device {

/// Whether works of a lane run beside others, so that what they read must stay until the lane is joined.
template <class D> inline constexpr bool has_side_lane = false;
template <class D>
requires requires { typename D::Side; }
inline constexpr bool has_side_lane<D> = D::works_beside;
template <class D> constexpr bool works_beside(const D&) { return has_side_lane<D>; }
inline bool works_beside(const Plan& plan) { return plan.works_beside; }

/// lane(work): work(device) may run beside what is queued from now on, behind what is queued already; one work of a
/// lane runs behind the other. join(): what is queued from now on runs behind all of it. Until then, what it reads
/// stays as it is, and so does the memory of what it reads. A device with one queue does the work at once.
template <class D> class SideLane {
 public:
  explicit SideLane(const D& dev, bool = false) : dev_(dev) {}
  void operator()(auto&& work) { work(dev_); }
  void join() {}

 private:
  const D& dev_;
};

template <class D>
requires requires { typename D::Side; }
class SideLane<D> {
 public:
  explicit SideLane(const D& dev, bool held = false) : side_(dev), held_(held) {}
  void operator()(auto&& work) { work(side_.fork()), forked_ = true; }
  void join() {
    if (forked_ && !held_) side_.join();
  }

 private:
  typename D::Side side_;
  bool held_, forked_ = false;
};

/// The most rows of a batch whose lanes are held beyond a block (Step::holds_lanes). Where there are more, kernels are
/// long, so that little is lost where one queue waits for the other, and memory is what there is too little of.
inline constexpr int most_rows_held = 1 << 14;

/// What is queued from now on runs after all work that held lanes (SideLane with held = true) were given.
template <class D> void join_lanes([[maybe_unused]] const D& dev) {
  if constexpr (has_side_lane<D>) typename D::Side(dev).join();
}

}  // namespace entrain::device
