// text > batch > embed > encode > head > [optim] > checkpoint
//
// Optimizers. Each is a policy: the knobs outside, inside a rule for one number or a pack of numbers, its formula
// written once. A rule sees a value, its moments and its gradient; it never sees a layer.
#pragma once
#include <cmath>
#include <cstdint>
#include <string_view>

#include "entrain/core/config.hpp"

namespace entrain::optim {

/// What the user sets, by the names of Hugging Face and spaCy.
struct Knobs {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  // Adam, AdamW
  double momentum = 0.9;                              // Sgd
  double weight_decay = 0.01;                         // not on biases and gains
  double ema_decay = 0.995;                           // Averaged
  double layerwise_lr_decay = 1;                      // factor of a block's learning rate, per block above it
  double head_rate = 1;                               // of the head, for the learning rate
};

namespace detail {
/// The square root of a number; that of a pack is a friend of the pack (core/pack.hpp).
ENTRAIN_HD inline float sqrt(float x) { return std::sqrt(x); }
ENTRAIN_HD inline double sqrt(double x) { return std::sqrt(x); }
}  // namespace detail

/// m = momentum m + (g + weight_decay p);   p = p - lr m
///
/// source    Polyak 1964; Sutskever et al. 2013, as torch.optim.SGD writes it (no dampening)
struct Sgd {
  static constexpr std::string_view name = "sgd";
  static constexpr int moments = 1;
  template <class T> struct Rule {
    T rate, momentum, decay;
    Rule(const Knobs& k, double learning_rate, std::uint32_t, bool decays)
        : rate(static_cast<T>(learning_rate)),
          momentum(static_cast<T>(k.momentum)),
          decay(static_cast<T>(decays ? k.weight_decay : 0)) {}
    template <class S> ENTRAIN_HD void operator()(S& p, S (&m)[1], S g) const {
      m[0] = S(momentum) * m[0] + (g + S(decay) * p);
      p = p - S(rate) * m[0];
    }
  };
};

/// With g' = g + weight_decay p:
///
///   m = beta1 m + (1 - beta1) g';   v = beta2 v + (1 - beta2) g'^2
///   p = p - lr / (1 - beta1^t) * m / (sqrt(v / (1 - beta2^t)) + epsilon)
///
/// source    Kingma, Ba 2015, arXiv:1412.6980, algorithm 1
struct Adam {
  static constexpr std::string_view name = "adam";
  static constexpr int moments = 2;
  /// Aligned as devices load a few numbers at once: one rule is read by all threads, and by some for each step.
  template <class T> struct alignas(16) Rule {
    T beta1, beta2;
    T fresh1, fresh2;  // 1 - beta, rounded once: 1 - 0.999f is off by 5e-5 of itself
    T epsilon, rate, root, decay;
    /// step counts from 1
    Rule(const Knobs& k, double learning_rate, std::uint32_t step, bool decays)
        : beta1(static_cast<T>(k.beta1)),
          beta2(static_cast<T>(k.beta2)),
          fresh1(static_cast<T>(1 - k.beta1)),
          fresh2(static_cast<T>(1 - k.beta2)),
          epsilon(static_cast<T>(k.epsilon)),
          rate(static_cast<T>(learning_rate / (1 - std::pow(k.beta1, step)))),
          root(static_cast<T>(1 / std::sqrt(1 - std::pow(k.beta2, step)))),
          decay(static_cast<T>(decays ? k.weight_decay : 0)) {}
    template <class S> ENTRAIN_HD void operator()(S& p, S (&m)[2], S g) const {
      using detail::sqrt;
      g = g + S(decay) * p;
      m[0] = S(beta1) * m[0] + S(fresh1) * g;
      m[1] = S(beta2) * m[1] + S(fresh2) * g * g;
      p = p - S(rate) * (m[0] / (sqrt(m[1]) * S(root) + S(epsilon)));
    }
  };
};

/// Adam with decay apart from the gradient: p = p (1 - lr weight_decay) before the step.
///
/// source    Loshchilov, Hutter 2019, arXiv:1711.05101, algorithm 2, as torch.optim.AdamW writes it
struct AdamW {
  static constexpr std::string_view name = "adamw";
  static constexpr int moments = 2;
  template <class T> struct Rule {
    Adam::Rule<T> adam;
    T keep;
    Rule(const Knobs& k, double learning_rate, std::uint32_t step, bool decays)
        : adam(k, learning_rate, step, false), keep(static_cast<T>(decays ? 1 - learning_rate * k.weight_decay : 1)) {}
    template <class S> ENTRAIN_HD void operator()(S& p, S (&m)[2], S g) const {
      p = p * S(keep);
      adam(p, m, g);
    }
  };
};

/// The rule of Inner. Rows of a table that a step does not touch become stale; their missing steps are applied before
/// they are next read. The bits are those of Inner, with less memory traffic: a dense step reads and writes the value
/// and the moments of every row, although most rows only decay. See lazy_row_updates.hpp.
template <class Inner> struct LazyUpdate : Inner { static constexpr bool defers = true; };
template <class Inner> using Deferred [[deprecated("entrain: the name is LazyUpdate")]] = LazyUpdate<Inner>;
template <class O> inline constexpr bool defers = requires { O::defers; };

/// The rule of Inner, with the learning rate of each step from S instead of optim::Schedule.
///
/// requires  S meets IsSchedule of contract.hpp
template <class Inner, class S> struct Scheduled : Inner { using Schedule = S; };
template <class O> inline constexpr bool has_schedule = requires { typename O::Schedule; };

/// The rule of Inner, and the moving average of the values: e = d e + (1 - d) p,   d = ema_decay. Evaluation and the
/// saved model use it. It is the last moment, and its first values are those of the parameters.
///
/// requires  Inner is neither LazyUpdate nor Scheduled, which go around Averaged
/// source    Polyak, Juditsky 1992; exponential form as in Tarvainen, Valpola 2017, arXiv:1703.01780
template <class Inner> struct Averaged {
  static_assert(!defers<Inner>,
                "entrain: the average must include every step, so Averaged is the inner rule: write "
                "optim::LazyUpdate<optim::Averaged<...>>.");
  static_assert(!has_schedule<Inner>,
                "entrain: the schedule applies to every step, so Scheduled is outside Averaged: write "
                "optim::Scheduled<optim::Averaged<...>, Schedule>.");
  static constexpr std::string_view name = Inner::name;
  static constexpr int moments = Inner::moments + 1;
  static constexpr bool averages = true;
  template <class T> struct Rule {
    typename Inner::template Rule<T> inner;
    T keep, fresh;
    Rule(const Knobs& k, double learning_rate, std::uint32_t step, bool decays)
        : Rule(k, learning_rate, step, decays, std::fmin(k.ema_decay, (1.0 + step) / (10.0 + step))) {}
    Rule(const Knobs& k, double learning_rate, std::uint32_t step, bool decays, double ema_decay)
        : inner(k, learning_rate, step, decays),
          keep(static_cast<T>(ema_decay)),
          fresh(static_cast<T>(1 - ema_decay)) {}
    template <class S> ENTRAIN_HD void operator()(S& p, S (&m)[moments], S g) const {
      S first[Inner::moments];
      for (int i = 0; i < Inner::moments; ++i) first[i] = m[i];
      inner(p, first, g);
      for (int i = 0; i < Inner::moments; ++i) m[i] = first[i];
      m[moments - 1] = S(keep) * m[moments - 1] + S(fresh) * p;
    }
  };
};

template <class O> inline constexpr bool averages = requires { O::averages; };

/// An optimizer without the wrappers above.
template <class O> struct RuleOf { using type = O; };
template <class Inner> struct RuleOf<LazyUpdate<Inner>> : RuleOf<Inner> {};
template <class Inner, class S> struct RuleOf<Scheduled<Inner, S>> : RuleOf<Inner> {};
template <class Inner> struct RuleOf<Averaged<Inner>> : RuleOf<Inner> {};

}  // namespace entrain::optim
