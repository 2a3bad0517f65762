// text > [batch] > embed > encode > head > optim > checkpoint
//
// Which targets sentences come with: those of the head's task travel with the features, through all that encodes, packs
// and sends them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "entrain/tensor/targets.hpp"

namespace entrain::batch {

/// Of features that name no others: a tag for each word.
using TagTargets = PerRow<const std::int32_t>;

/// The same features in sentences whose targets are others: a task's (task/contract.hpp).
template <class Features, class T> struct WithTargets : Features {
  using Features::Features;
  using Targets = T;
  WithTargets() = default;
  WithTargets(Features features) : Features(std::move(features)) {}
};
/// Features for a task; those of tags are as they are.
template <class Features, class Targets> using FeaturesFor =
    std::conditional_t<std::is_same_v<Targets, TagTargets>, Features, WithTargets<Features, Targets>>;

namespace detail {
template <class Features> struct NamedTargets { using type = TagTargets; };
template <class Features>
requires requires { typename Features::Targets; }
struct NamedTargets<Features> {
  using type = typename Features::Targets;
};
}  // namespace detail
template <class Features> using TargetsOf = typename detail::NamedTargets<Features>::type;

/// How often a target counts in the loss: not at all, once, or as often as its class.
///
/// class_weights: empty, or one a label
template <class N> double weight_of(const N& target, [[maybe_unused]] std::span<const float> class_weights) {
  if (!is_target(target)) return 0;
  if constexpr (std::is_integral_v<N>)
    if (!class_weights.empty()) return static_cast<double>(class_weights[static_cast<std::size_t>(target)]);
  return 1;
}

}  // namespace entrain::batch
