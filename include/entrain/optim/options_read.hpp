// text > batch > embed > encode > head > [optim] > checkpoint
//
// Which options a rule or a schedule reads, found by trying it with two values of each. With it a program refuses
// an option that has no effect, also for an optimizer of the user's own.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "entrain/optim/contract.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/schedule.hpp"

namespace entrain::optim {

struct OptionsRead {
  bool beta1 = true, beta2 = true, epsilon = true, momentum = true, weight_decay = true, ema_decay = true;
  bool decay = true, warmup = true;  // of the schedule
};

namespace detail {

/// The value and moments of one parameter after each of 64 steps, with weight decay and without. Gradients have both
/// signs and magnitudes from 1e-4 to 1, so that also a rule that reads only the sign of a sum shows what it depends on.
template <class O> std::vector<float> tried(const Knobs& knobs) {
  std::vector<float> seen;
  for (const bool decays : {true, false}) {
    float value = 1, moments[O::moments] = {};
    for (std::uint32_t step = 1; step <= 64; ++step) {
      const double angle = 2.4 * step;
      const typename O::template Rule<float> rule(knobs, 0.01, step, decays);
      rule(value, moments, static_cast<float>(std::sin(angle) * std::pow(10, -4 * std::fabs(std::cos(3 * angle)))));
      seen.push_back(value);
      seen.insert(seen.end(), moments, moments + O::moments);
    }
  }
  return seen;
}
template <class O> bool reads(double Knobs::*knob, double one, double other) {
  Knobs a, b;
  a.*knob = one;
  b.*knob = other;
  return tried<O>(a) != tried<O>(b);
}
template <class S> std::array<double, 20> tried_schedule(Decay decay, std::uint32_t warmup) {
  const S schedule(Schedule{.learning_rate = 1, .decay = decay, .warmup_steps = warmup, .total_steps = 20});
  std::array<double, 20> rates;
  for (std::uint32_t step = 0; step < 20; ++step) rates[step] = schedule(step);
  return rates;
}

}  // namespace detail

template <class O> [[gnu::cold]] OptionsRead options_read() {
  using S = typename ScheduleOf<O>::type;
  const auto plain = detail::tried_schedule<S>(Decay::constant, 0);
  return {.beta1 = detail::reads<O>(&Knobs::beta1, 0.1, 0.9),
          .beta2 = detail::reads<O>(&Knobs::beta2, 0.1, 0.9),
          .epsilon = detail::reads<O>(&Knobs::epsilon, 1e-8, 1.0),
          .momentum = detail::reads<O>(&Knobs::momentum, 0.1, 0.9),
          .weight_decay = detail::reads<O>(&Knobs::weight_decay, 0.0, 0.5),
          .ema_decay = detail::reads<O>(&Knobs::ema_decay, 0.01, 0.1),
          .decay = plain != detail::tried_schedule<S>(Decay::linear, 0),
          .warmup = plain != detail::tried_schedule<S>(Decay::constant, 7)};
}

}  // namespace entrain::optim
