// tests > [contract]
//
// Verbs for the rehearsal: plain loops on a device that exists only here, and counts on device::Plan. They are written
// for any storage type, so that bf16 walks the same path.
#pragma once
#include <cmath>
#include <type_traits>

#include "entrain/core/random.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::rehearsal {

struct Loops {
  static constexpr std::string_view name = "loops";
};

template <class D> inline constexpr bool planning = std::is_same_v<D, device::Plan>;
/// Sums in double for double, else in float.
template <class T> using Wider = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T> void land(T& to, Wider<T> value, Write how) {
  to = static_cast<T>(how == Write::add ? static_cast<Wider<T>>(to) + value : value);
}

/// y[n,o] = sum_i x[n,i] w[o,i]
template <class D, class S, int I, int O>
void gemm(const D& dev, Rows<const S, I> x, Weight<const S, O, I> w, Rows<S, O> y) {
  if constexpr (planning<D>) return dev.count(2. * x.n * I * O, sizeof(S) * (1. * x.n * (I + O) + 1. * I * O));
  if constexpr (!planning<D>)
    for (int n = 0; n < x.n; ++n)
      for (int o = 0; o < O; ++o) {
        Wider<S> sum = 0;
        for (int i = 0; i < I; ++i) sum += static_cast<Wider<S>>(x(n, i)) * static_cast<Wider<S>>(w.data[o * I + i]);
        land(y(n, o), sum, Write::assign);
      }
}
/// dx[n,i] (+)= sum_o dy[n,o] w[o,i]
template <class D, class S, int I, int O>
void gemm_dx(const D& dev, Rows<const S, O> dy, Weight<const S, O, I> w, Rows<S, I> dx, Write how) {
  if constexpr (planning<D>) return dev.count(2. * dy.n * I * O, sizeof(S) * (1. * dy.n * (I + O) + 1. * I * O));
  if constexpr (!planning<D>)
    for (int n = 0; n < dy.n; ++n)
      for (int i = 0; i < I; ++i) {
        Wider<S> sum = 0;
        for (int o = 0; o < O; ++o) sum += static_cast<Wider<S>>(dy(n, o)) * static_cast<Wider<S>>(w.data[o * I + i]);
        land(dx(n, i), sum, how);
      }
}
/// g[o,i] (+)= sum_n dy[n,o] x[n,i]
template <class D, class S, class Sum, int I, int O>
void gemm_dw(const D& dev, Rows<const S, O> dy, Rows<const S, I> x, Weight<Sum, O, I> g, Write how) {
  if constexpr (planning<D>) return dev.count(2. * x.n * I * O, sizeof(S) * (1. * x.n * (I + O) + 1. * I * O));
  if constexpr (!planning<D>)
    for (int o = 0; o < O; ++o)
      for (int i = 0; i < I; ++i) {
        Sum sum = 0;
        for (int n = 0; n < x.n; ++n) sum += static_cast<Sum>(dy(n, o)) * static_cast<Sum>(x(n, i));
        land(g.data[o * I + i], sum, how);
      }
}
/// g[c] (+)= sum_n dy[n,c]
template <class D, class S, class Sum, int C>
void sum_rows(const D& dev, Rows<const S, C> dy, Weight<Sum, 1, C> g, Write how) {
  if constexpr (planning<D>) return dev.count(1. * dy.n * C, sizeof(S) * 1. * dy.n * C);
  if constexpr (!planning<D>)
    for (int c = 0; c < C; ++c) {
      Sum sum = 0;
      for (int n = 0; n < dy.n; ++n) sum += static_cast<Sum>(dy(n, c));
      land(g.data[c], sum, how);
    }
}

inline double normal_cdf(double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.))); }
inline double gelu(double x) { return x * normal_cdf(x); }
inline double gelu_slope(double x) {
  return normal_cdf(x) + x * std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979323846);
}

/// pre = x w^T + b; y = gelu(pre)
template <class D, class S, int I, int O> void gemm_bias_act(const D& dev, Rows<const S, I> x, Weight<const S, O, I> w,
                                                             Weight<const S, 1, O> b, Rows<S, O> pre, Rows<S, O> y) {
  if constexpr (planning<D>) return dev.count(2. * x.n * I * O, sizeof(S) * (1. * x.n * (I + 2 * O) + 1. * I * O));
  if constexpr (!planning<D>) {
    gemm(dev, x, w, pre);
    for (int n = 0; n < x.n; ++n)
      for (int o = 0; o < O; ++o) {
        const auto p = static_cast<Wider<S>>(pre(n, o)) + static_cast<Wider<S>>(b.data[o]);
        pre(n, o) = static_cast<S>(p);
        y(n, o) = static_cast<S>(static_cast<Wider<S>>(gelu(static_cast<double>(p))));
      }
  }
}
/// dpre = (dy w) * gelu'(pre)
template <class D, class S, int I, int O>
void gemm_dact(const D& dev, Rows<const S, O> dy, Weight<const S, O, I> w, Rows<const S, I> pre, Rows<S, I> dpre) {
  if constexpr (planning<D>) return dev.count(2. * dy.n * I * O, sizeof(S) * (1. * dy.n * (2 * I + O) + 1. * I * O));
  if constexpr (!planning<D>) {
    gemm_dx(dev, dy, w, dpre, Write::assign);
    for (int n = 0; n < dy.n; ++n)
      for (int i = 0; i < I; ++i)
        dpre(n, i) = static_cast<S>(static_cast<Wider<S>>(dpre(n, i)) *
                                    static_cast<Wider<S>>(gelu_slope(static_cast<double>(pre(n, i)))));
  }
}

/// 0 with probability p, else 1 / (1 - p); a function of the place alone.
template <class D> double dropout_factor(const Step<D>& at, int row, int channel, double p) {
  if (!at.training) return 1;
  const auto words =
      philox({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(channel), at.rng_stream, at.counters->step},
             {static_cast<std::uint32_t>(at.counters->seed), at.counters->micro_batch});
  return static_cast<double>(uniform(words[0])) < p ? 0 : 1 / (1 - p);
}

/// sum = x + dropout(f + bias); y = gain * (sum - mean) * rstd + shift; stat = {mean, rstd}
template <class D, class S, int C> void bias_dropout_add_norm(const Step<D>& at, Rows<const S, C> f,
                                                              Weight<const S, 1, C> bias, double p, Rows<const S, C> x,
                                                              Weight<const S, 1, C> gain, Weight<const S, 1, C> shift,
                                                              Rows<S, C> sum, Rows<Wider<S>, 2> stat, Rows<S, C> y) {
  if constexpr (planning<D>) return at.dev.count(10. * x.n * C, sizeof(S) * 4. * x.n * C);
  if constexpr (!planning<D>)
    for (int n = 0; n < x.n; ++n) {
      Wider<S> mean = 0, variance = 0;
      for (int c = 0; c < C; ++c) {
        const double kept =
            (static_cast<double>(f(n, c)) + static_cast<double>(bias.data[c])) * dropout_factor(at, n, c, p);
        sum(n, c) = static_cast<S>(static_cast<Wider<S>>(static_cast<double>(x(n, c)) + kept));
        mean += static_cast<Wider<S>>(sum(n, c)) / C;
      }
      for (int c = 0; c < C; ++c) {
        const auto d = static_cast<Wider<S>>(sum(n, c)) - mean;
        variance += d * d / C;
      }
      const auto rstd = 1 / std::sqrt(variance + static_cast<Wider<S>>(1e-12));
      stat(n, 0) = mean;
      stat(n, 1) = rstd;
      for (int c = 0; c < C; ++c)
        y(n, c) =
            static_cast<S>((static_cast<Wider<S>>(sum(n, c)) - mean) * rstd * static_cast<Wider<S>>(gain.data[c]) +
                           static_cast<Wider<S>>(shift.data[c]));
    }
}
/// Writes dsum (the residual's gradient) and df (the sublayer's).
template <class D, class S, int C> void bias_dropout_add_norm_back(const Step<D>& at, Rows<const S, C> dy,
                                                                   Rows<const S, C> sum, Rows<const Wider<S>, 2> stat,
                                                                   Weight<const S, 1, C> gain, double p,
                                                                   Rows<S, C> dsum, Rows<S, C> df) {
  if constexpr (planning<D>) return at.dev.count(14. * dy.n * C, sizeof(S) * 4. * dy.n * C);
  if constexpr (!planning<D>)
    for (int n = 0; n < dy.n; ++n) {
      Wider<S> a = 0, b = 0;
      const auto hat = [&](int c) { return (static_cast<Wider<S>>(sum(n, c)) - stat(n, 0)) * stat(n, 1); };
      const auto d = [&](int c) { return static_cast<Wider<S>>(dy(n, c)) * static_cast<Wider<S>>(gain.data[c]); };
      for (int c = 0; c < C; ++c) {
        a += d(c) / C;
        b += d(c) * hat(c) / C;
      }
      for (int c = 0; c < C; ++c) {
        const auto ds = stat(n, 1) * (d(c) - a - hat(c) * b);
        dsum(n, c) = static_cast<S>(ds);
        df(n, c) = static_cast<S>(ds * static_cast<Wider<S>>(dropout_factor(at, n, c, p)));
      }
    }
}
/// ggain[c] (+)= sum_n dy * hat
template <class D, class S, class Sum, int C> void norm_gain_back(const D& dev, Rows<const S, C> dy,
                                                                  Rows<const S, C> sum, Rows<const Wider<S>, 2> stat,
                                                                  Weight<Sum, 1, C> g, Write how) {
  if constexpr (planning<D>) return dev.count(4. * dy.n * C, sizeof(S) * 2. * dy.n * C);
  if constexpr (!planning<D>)
    for (int c = 0; c < C; ++c) {
      Sum total = 0;
      for (int n = 0; n < dy.n; ++n)
        total +=
            static_cast<Sum>(dy(n, c)) * static_cast<Sum>((static_cast<Wider<S>>(sum(n, c)) - stat(n, 0)) * stat(n, 1));
      land(g.data[c], total, how);
    }
}
/// y += x
template <class D, class S, int C> void add(const D& dev, Rows<const S, C> x, Rows<S, C> y) {
  if constexpr (planning<D>) return dev.count(1. * y.n * C, sizeof(S) * 3. * y.n * C);
  if constexpr (!planning<D>)
    for (std::size_t i = 0; i < y.size(); ++i) land(y.data[i], static_cast<Wider<S>>(x.data[i]), Write::add);
}

}  // namespace entrain::rehearsal
