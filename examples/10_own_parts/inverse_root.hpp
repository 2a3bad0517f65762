// A schedule of your own. docs/extending/optimizer.md explains it.
#pragma once
#include <cmath>
#include <cstdint>
#include <entrain/optim/schedule.hpp>
#include <string_view>

namespace own {

/// With w = max(1, warmup_steps): lr(t) = learning_rate sqrt(w / (t + 1)) for t >= warmup_steps; before, the usual
/// warm-up.
///
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 5.3
struct InverseRoot {
  static constexpr std::string_view name = "inverse_root";  // in config.json, and for --resume
  entrain::optim::Schedule usual;
  /// What the options set: learning rate, warm-up, number of steps.
  explicit InverseRoot(const entrain::optim::Schedule& from_options) : usual(from_options) {}
  /// The learning rate of a step; the first is 0.
  double operator()(std::uint32_t step) const {
    if (step < usual.warmup_steps) return usual(step);
    return usual.learning_rate * std::sqrt(std::fmax(1, usual.warmup_steps) / (step + 1.0));
  }
};

}  // namespace own
