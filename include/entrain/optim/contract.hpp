// text > batch > embed > encode > head > [optim] > checkpoint
//
// The requirements on an optimizer (rules.hpp has examples) and on a schedule (schedule.hpp has one), and one sentence
// for each that a type does not meet.
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "entrain/core/contract.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/schedule.hpp"

namespace entrain::optim {
namespace detail {

// Variables, as in core/contract.hpp.

template <class O> inline constexpr bool has_moments = requires { requires(O::moments > 0); };
template <class O> inline constexpr bool has_rule = requires { typename O::template Rule<float>; };
template <class O> inline constexpr bool rule_is_made =
    std::constructible_from<typename O::template Rule<float>, const Knobs&, double, std::uint32_t, bool>;
template <class O>
concept RuleIsCalled = requires(const typename O::template Rule<float> rule, float p, float (&m)[O::moments]) {
  rule(p, m, p);
};
template <class O> inline constexpr bool rule_is_called = RuleIsCalled<O>;  // nvcc 13 cannot read it as a variable

template <class S> inline constexpr bool schedule_is_made = std::constructible_from<S, const Schedule&>;
template <class S> inline constexpr bool schedule_is_called = requires(const S schedule, std::uint32_t step) {
  { schedule(step) } -> std::convertible_to<double>;
};

}  // namespace detail

/// The learning rate of each step, known before step one.
///
///   static constexpr std::string_view name          what config.json and the resume state say
///   S(const optim::Schedule&)                        made of what the options say of the usual one
///   double operator()(std::uint32_t step) const      of a step, from 0
template <class S>
concept IsSchedule = refuse::has_name<S> && detail::schedule_is_made<S> && detail::schedule_is_called<S>;

template <class O> struct ScheduleOf { using type = Schedule; };
template <class O>
requires has_schedule<O>
struct ScheduleOf<O> {
  using type = typename O::Schedule;
};

template <class O>
concept IsOptimizer = IsSchedule<typename ScheduleOf<O>::type> && refuse::has_name<O> && detail::has_moments<O> &&
    detail::has_rule<O> && detail::rule_is_made<O> && detail::rule_is_called<O>;

/// `schedule_contract<S>()` does not compile for a type that is no schedule: one sentence for the first that it lacks.
template <class S> consteval bool schedule_contract() {
  static_assert(refuse::has_name<S>,
                "entrain: this schedule has no 'static constexpr std::string_view name'; see IsSchedule in "
                "optim/contract.hpp.");
  static_assert(!refuse::has_name<S> || detail::schedule_is_made<S>,
                "entrain: this schedule is not constructible from (const optim::Schedule&), the options for the "
                "learning rate; see IsSchedule in optim/contract.hpp.");
  static_assert(!refuse::has_name<S> || !detail::schedule_is_made<S> || detail::schedule_is_called<S>,
                "entrain: this schedule is not callable as double schedule(std::uint32_t step), const, the learning "
                "rate of a step; see IsSchedule in optim/contract.hpp.");
  return true;
}

/// `optimizer_contract<O>()` does not compile for a type that is no optimizer: one sentence for the first that it
/// lacks.
template <class O> consteval bool optimizer_contract() {
  static_assert(
      refuse::has_name<O>,
      "entrain: this optimizer has no 'static constexpr std::string_view name'; see docs/extending/optimizer.md.");
  if constexpr (refuse::has_name<O>) {
    static_assert(detail::has_moments<O>,
                  "entrain: this optimizer has no 'static constexpr int moments', the number of values it stores per "
                  "parameter, at least 1; see docs/extending/optimizer.md.");
    static_assert(!detail::has_moments<O> || detail::has_rule<O>,
                  "entrain: this optimizer has no 'template <class T> struct Rule', its formula; see "
                  "docs/extending/optimizer.md.");
    if constexpr (detail::has_moments<O> && detail::has_rule<O>) {
      static_assert(
          detail::rule_is_made<O>,
          "entrain: this optimizer's Rule is not constructible from (const Knobs&, double learning_rate, std::uint32_t "
          "step, bool decays); see docs/extending/optimizer.md.");
      static_assert(!detail::rule_is_made<O> || detail::rule_is_called<O>,
                    "entrain: this optimizer's Rule is not callable as rule(T& value, T (&moments)[n], T gradient), "
                    "const; see docs/extending/optimizer.md.");
    }
    static_assert(schedule_contract<typename ScheduleOf<O>::type>());
  }
  return true;
}

}  // namespace entrain::optim
