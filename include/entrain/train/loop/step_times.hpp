// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The time of a training, divided by steps.
#pragma once
#include <algorithm>

#include "entrain/core/activity.hpp"
#include "entrain/core/timeline.hpp"
#include "entrain/device/reading.hpp"  // TimeSpent

namespace entrain::train::detail {

/// How each step's time was spent. A GPU reports its work later; the host only launches it.
class StepTimes {
 public:
  explicit StepTimes(Timeline* timeline) : timeline_(timeline), told_(all()) {}
  ActivitySeconds all() const { return timeline_ ? timeline_->spent() : ActivitySeconds(); }
  /// The times of the next step, in step order; until: all(), after it.
  ActivitySeconds next(const ActivitySeconds& until, const device::TimeSpent& gpu) {
    ActivitySeconds step = until - told_;
    for (double& seconds : step.seconds) seconds = std::max(seconds, 0.0);  // a thread's time was reported late
    told_ = until;
    if (!timeline_ || !gpu.known()) return step;
    step[Activity::compute] = gpu.busy - gpu_.busy;
    step[Activity::copy] = gpu.copying - gpu_.copying;
    gpu_ = gpu;
    return step;
  }

 private:
  Timeline* timeline_;
  ActivitySeconds told_;
  device::TimeSpent gpu_;
};

}  // namespace entrain::train::detail
