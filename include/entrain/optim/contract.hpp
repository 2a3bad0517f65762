// text > batch > embed > encode > head > [optim] > checkpoint
//
// What an optimizer is, as rules.hpp has them, and the sentences for a type that is none.
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "entrain/optim/rules.hpp"

namespace entrain::optim {
namespace detail {

template <class O>
concept HasName = requires {
  { O::name } -> std::convertible_to<std::string_view>;
};
template <class O>
concept HasMoments = requires {
  requires O::moments >
  0;
};
template <class O>
concept HasRule = requires {
  typename O::template Rule<float>;
};
template <class O>
concept RuleIsMade = std::constructible_from < typename O::template Rule<float>,
const Knobs&, double, std::uint32_t, bool > ;
template <class O>
concept RuleIsCalled = requires(const typename O::template Rule<float> rule, float p, float (&m)[O::moments]) {
  rule(p, m, p);
};

/// For static_assert, as device::is_device.
template <class O> inline constexpr bool has_name = HasName<O>;
template <class O> inline constexpr bool has_moments = HasMoments<O>;
template <class O> inline constexpr bool has_rule = HasRule<O>;
template <class O> inline constexpr bool rule_is_made = RuleIsMade<O>;
template <class O> inline constexpr bool rule_is_called = RuleIsCalled<O>;

}  // namespace detail

template <class O>
concept IsOptimizer = detail::HasName<O> && detail::HasMoments<O> && detail::HasRule<O> && detail::RuleIsMade<O> &&
    detail::RuleIsCalled<O>;

/// `optimizer_contract<O>()` does not compile for a type that is no optimizer: one sentence for the first that it
/// lacks.
template <class O> consteval bool optimizer_contract() {
  static_assert(detail::has_name<O>,
                "entrain: this optimizer has no 'static constexpr std::string_view name'; see optim/rules.hpp.");
  if constexpr (detail::HasName<O>) {
    static_assert(detail::has_moments<O>,
                  "entrain: this optimizer has no 'static constexpr int moments', how many numbers it keeps of each "
                  "parameter, at least 1; see optim/rules.hpp.");
    static_assert(!detail::has_moments<O> || detail::has_rule<O>,
                  "entrain: this optimizer has no 'template <class T> struct Rule', its formula; see optim/rules.hpp.");
    if constexpr (detail::HasMoments<O> && detail::HasRule<O>) {
      static_assert(detail::rule_is_made<O>,
                    "entrain: this optimizer's Rule is not made of (const Knobs&, double learning_rate, std::uint32_t "
                    "step, bool decays); see optim/rules.hpp.");
      static_assert(!detail::rule_is_made<O> || detail::rule_is_called<O>,
                    "entrain: this optimizer's Rule is not called as rule(T& value, T (&moments)[n], T gradient), "
                    "const; see optim/rules.hpp.");
    }
  }
  return true;
}

}  // namespace entrain::optim
