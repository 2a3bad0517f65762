// entrain: this schedule has no 'static constexpr std::string_view name'; see IsSchedule in optim/contract.hpp.
// entrain: this schedule is not constructible from (const optim::Schedule&), the options for the learning rate;
// entrain: this schedule is not callable as double schedule(std::uint32_t step), const, the learning rate
// entrain: the schedule applies to every step, so Scheduled is outside Averaged: write
#include <cmath>

#include "entrain/optim/contract.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
struct InverseRoot {
#if WRONG != 1
  static constexpr std::string_view name = "inverse root";
#endif
  double learning_rate;
#if WRONG == 2
  explicit InverseRoot(double rate) : learning_rate(rate) {}
#else
  explicit InverseRoot(const optim::Schedule& usual) : learning_rate(usual.learning_rate) {}
#endif
#if WRONG == 3
  double operator()() const { return learning_rate; }
#else
  double operator()(std::uint32_t step) const { return learning_rate / std::sqrt(step + 1.0); }
#endif
};
#if WRONG == 4
using Optimizer = optim::Averaged<optim::Scheduled<optim::AdamW, InverseRoot>>;
#else
using Optimizer = optim::LazyUpdate<optim::Scheduled<optim::Averaged<optim::AdamW>, InverseRoot>>;
#endif
static_assert(optim::optimizer_contract<Optimizer>());
