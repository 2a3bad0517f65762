// [core] > device, precision > tensor > kernel > layer
//
// How a softmax head's loss depends on the probability of the right label: policies of the head, and the numbers that
// they read.
#pragma once
#include <cmath>
#include <cstdint>
#include <string_view>

#include "entrain/core/config.hpp"

namespace entrain {

/// The numbers of a loss, which kernels read from device memory. Each is read by the policy named here.
struct LossKnobs {
  float label_smoothing_factor = 0;      // loss::Smoothed: the share of a target that is spread over all labels
  float focal_gamma = 0;                 // loss::Focal: how much less a row counts that is already right
  const float* class_weights = nullptr;  // [labels] how often a row of each label counts; nullptr: once
};

/// Which of these numbers a loss reads. The command line refuses options for the others.
struct LossReads {
  bool label_smoothing_factor = false, focal_gamma = false, class_weights = false;
};

/// Whether a target is one of `labels` labels. Any other number, by convention -100, means that there is no target.
ENTRAIN_HD inline bool has_target(std::int32_t target, int labels) { return target >= 0 && target < labels; }

}  // namespace entrain

namespace entrain::loss {

/// A row's loss as a function of log p of its target, and its slope.
template <class T> struct Term { T value, slope; };

/// -log p
struct CrossEntropy {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr bool smooths = false;
  static constexpr LossReads reads{.class_weights = true};
  template <class T> ENTRAIN_HD static Term<T> at(T log_p, const LossKnobs&) { return {-log_p, T(1)}; }
};

/// -(1 - e) log p - e / K sum_k log p_k,   e = label_smoothing_factor
/// source    Szegedy et al. 2016, arXiv:1512.00567, section 7; as torch.nn.CrossEntropyLoss writes it
struct Smoothed : CrossEntropy {
  static constexpr std::string_view name = "smoothed";
  static constexpr bool smooths = true;
  static constexpr LossReads reads{.label_smoothing_factor = true, .class_weights = true};
};

/// -(1 - p)^g log p,   g = focal_gamma;   slope (1 - p)^g (1 - g p log p / (1 - p))
/// source    Lin et al. 2017, arXiv:1708.02002, equation 4
struct Focal {
  static constexpr std::string_view name = "focal";
  static constexpr bool smooths = false;
  static constexpr LossReads reads{.focal_gamma = true, .class_weights = true};
  template <class T> ENTRAIN_HD static Term<T> at(T log_p, const LossKnobs& knobs) {
    const T gamma = static_cast<T>(knobs.focal_gamma);
    const T wrong = -std::expm1(log_p);  // 1 - p, exact where p is near 1
    const T easy = std::pow(wrong, gamma);
    const T ratio = wrong > T(0) ? -log_p / wrong : T(1);
    return {-easy * log_p, easy * (T(1) + gamma * std::exp(log_p) * ratio)};
  }
};

}  // namespace entrain::loss
