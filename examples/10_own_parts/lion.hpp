// An optimizer of your own. docs/extending/optimizer.md explains it.
#pragma once
#include <cstdint>
#include <entrain/optim/rules.hpp>
#include <string_view>

namespace own {

/// p = p (1 - lr weight_decay) - lr sign(beta1 m + (1 - beta1) g);   m = beta2 m + (1 - beta2) g
///
/// source    Chen et al. 2023, arXiv:2302.06675, algorithm 2
struct Lion {
  static constexpr std::string_view name = "lion";  // in config.json, and for --resume
  static constexpr int moments = 1;                 // numbers that it keeps for each parameter
  template <class T> struct Rule {
    T rate, keep, beta1, fresh1, beta2, fresh2;
    /// What all parameters have in common, once for each step; step counts from 1.
    Rule(const entrain::optim::Knobs& k, double learning_rate, std::uint32_t, bool decays)
        : rate(static_cast<T>(learning_rate)),
          keep(static_cast<T>(decays ? 1 - learning_rate * k.weight_decay : 1)),
          beta1(static_cast<T>(k.beta1)),
          fresh1(static_cast<T>(1 - k.beta1)),
          beta2(static_cast<T>(k.beta2)),
          fresh2(static_cast<T>(1 - k.beta2)) {}
    /// For one parameter: its value, its moments, its gradient. S is a number or a pack of numbers.
    template <class S> ENTRAIN_HD void operator()(S& p, S (&m)[1], S g) const {
      const S u = S(beta1) * m[0] + S(fresh1) * g;
      p = p * S(keep) - S(rate) * sign(u);
      m[0] = S(beta2) * m[0] + S(fresh2) * g;
    }

   private:
    /// u / |u| for |u| far above 1e-12, in arithmetic that packs of numbers have.
    template <class S> ENTRAIN_HD static S sign(S u) {
      using entrain::optim::detail::sqrt;
      return u / sqrt(u * u + S(static_cast<T>(1e-24)));
    }
  };
};

}  // namespace own
