// text > [batch] > embed > encode > head > optim > checkpoint
//
// The type of the targets of sentences. Features carry it, so that encoders, packers and uploads need no second type
// argument.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "entrain/tensor/targets.hpp"

namespace entrain::batch {

/// The targets of features that name no others: a label for each word.
using LabelPerRow = PerRow<const std::int32_t>;
using TagTargets [[deprecated("entrain: the name is LabelPerRow")]] = LabelPerRow;

/// The same features with the targets of another task (task/contract.hpp).
template <class Features, class T> struct WithTargets : Features {
  using Features::Features;
  using Targets = T;
  WithTargets() = default;
  WithTargets(Features features) : Features(std::move(features)) {}
};
/// The features of a model with these targets. They are the given features where these have such targets.
template <class Features, class Targets> using FeaturesFor =
    std::conditional_t<std::is_same_v<Targets, LabelPerRow>, Features, WithTargets<Features, Targets>>;

namespace detail {
template <class Features> struct NamedTargets { using type = LabelPerRow; };
template <class Features>
requires requires { typename Features::Targets; }
struct NamedTargets<Features> {
  using type = typename Features::Targets;
};
}  // namespace detail
template <class Features> using TargetsOf = typename detail::NamedTargets<Features>::type;

/// The weight of a target in the loss: 0 if it is none, 1, or the weight of its class.
///
/// class_weights: empty, or one for each label
template <class N> double weight_of(const N& target, [[maybe_unused]] std::span<const float> class_weights) {
  if (!is_target(target)) return 0;
  if constexpr (std::is_integral_v<N>)
    if (!class_weights.empty()) return static_cast<double>(class_weights[static_cast<std::size_t>(target)]);
  return 1;
}

}  // namespace entrain::batch
