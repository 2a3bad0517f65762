// text > batch > embed > encode > head > [optim] > checkpoint
//
// The learning rate of each step, known before step one.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"

namespace entrain::optim {

enum class Decay { constant, linear, cosine };

/// The usual one; a schedule of your own is made of it (contract.hpp), and named in optim::Scheduled<AdamW, Own>.
///
/// lr(t) = learning_rate * warm(t) * decay(t),  t = 0 ... total_steps-1
///
///   warm(t)   (t + 1) / warmup_steps while t < warmup_steps, else 1
///   decay(t)  with u = (t - warmup_steps) / (total_steps - warmup_steps):
///             constant 1;  linear 1 - u;  cosine (1 + cos(pi u)) / 2
///
/// source    cosine: Loshchilov, Hutter 2017, arXiv:1608.03983, equation 5, without restarts
struct Schedule {
  static constexpr std::string_view name = "usual";
  double learning_rate = 1e-3;
  Decay decay = Decay::constant;
  std::uint32_t warmup_steps = 0;
  std::uint32_t total_steps = 0;

  double operator()(std::uint32_t step) const {
    if (step < warmup_steps) return learning_rate * (step + 1) / warmup_steps;
    const double span = total_steps > warmup_steps ? total_steps - warmup_steps : 1;
    const double u = std::fmin(1.0, (step - warmup_steps) / span);
    if (decay == Decay::linear) return learning_rate * (1 - u);
    if (decay == Decay::cosine) return learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * u));
    return learning_rate;
  }
};

inline std::string_view name_of(Decay decay) {
  return decay == Decay::linear ? "linear" : decay == Decay::cosine ? "cosine" : "constant";
}
/// throws    entrain.optim.1 for any other name
inline Decay decay_by_name(std::string_view name) {
  for (const Decay d : {Decay::constant, Decay::linear, Decay::cosine})
    if (name_of(d) == name) return d;
  throw Error("entrain.optim.1", "--lr-scheduler-type", "'" + std::string(name) + "'", "constant, linear or cosine");
}

}  // namespace entrain::optim
