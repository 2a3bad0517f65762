// text > batch > embed > encode > head > [optim] > checkpoint
//
// One optimization step over all spans: the gradient's norm, clipping, the rule.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::optim {

/// The flat buffers of one model. An average is kept of every value, frozen or not, because a model is saved from it.
/// W: the type in which layers read values, if not T; then `weight` is the copy that they read.
template <class T, int Moments, bool Averages = false, class W = T> struct Buffers {
  T* value;
  const T* gradient;
  const std::uint32_t* stamps;  // of tables, by Span::stamp_offset
  T* moment[Moments];
  std::uint32_t* done = nullptr;  // of tables with stale rows, by Span::stamp_offset; see lazy_row_updates.hpp
  W* weight = nullptr;
  std::byte* copies = nullptr;  // that products read (kernel/gemm/weight_copy.hpp), by Span::factor_offset

  kernel::ParameterRange<T, Moments, W> of(const Span& s) const {
    kernel::ParameterRange<T, Moments, W> numbers{
        value + s.offset, gradient + s.gradient_offset, {}, s.size(), weight != nullptr ? weight + s.offset : nullptr};
    for (int m = 0; m < Moments; ++m)
      numbers.moment[m] = moment[m] + (Averages && m + 1 == Moments ? s.offset : s.gradient_offset);
    return numbers;
  }
};
template <class Optimizer, class T, class W = T> using BuffersOf =
    Buffers<T, Optimizer::moments, averages<Optimizer>, W>;

/// Whether rows of a span may be stale: only in a table of the embedding.
inline bool waits(const Span& s) { return s.sparse && !s.frozen && s.height == 0; }

/// The learning rate of a span, relative to a rate of 1 for the whole net.
inline double rate_of(const Span& s, const Layout& layout, const Knobs& knobs) {
  return s.height == layout.height ? knobs.head_rate : std::pow(knobs.layerwise_lr_decay, layout.height - s.height);
}

/// The host's order for a step.
struct Order {
  Knobs knobs;
  double learning_rate;
  std::uint32_t step;  // from 1
  double targets, max_grad_norm;

  std::uint32_t upto() const { return step; }
  template <class Rule> Rule rule(const Span& s, const Layout& layout) const {
    return Rule(knobs, learning_rate * rate_of(s, layout, knobs), step, s.decays());
  }
};

namespace detail {
template <class B> kernel::Touched touched(const Span& s, const B& b, std::uint32_t now) {
  if (!s.sparse) return {};
  return {b.stamps + s.stamp_offset, now, s.rows, static_cast<std::size_t>(s.cols),
          b.done != nullptr && waits(s) ? b.done + s.stamp_offset : nullptr};
}
}  // namespace detail

[[noreturn, gnu::cold]] inline void throw_not_finite(std::uint32_t step, const std::string& parameter,
                                                     const std::string& though = {}) {
  throw Error("entrain.optim.2", "step " + std::to_string(step),
              "the gradient of " + parameter + " is not finite" + though, {},
              "lower --learning-rate, raise --warmup-steps, or clip gradients to a smaller norm with --max-grad-norm, "
              "where 0 means no clipping");
}

/// p <- rule(p, g),  g = gradient / targets, times min(1, max_grad_norm / (norm + 1e-6)) (0: never)
///
/// order     its targets: the loss is a sum; it is divided here, once, by the real targets of the whole effective
///           batch; its step: the step touched the tables' rows that are stamped with it
/// returns   the norm of gradient / targets, before clipping
/// source    Pascanu, Mikolov, Bengio 2013, arXiv:1211.5063, algorithm 1, as torch.nn.utils.clip_grad_norm_ writes it
/// throws    entrain.optim.2: a number that is not finite, with the parameter's name; no value was changed
template <class Optimizer, class D, class T>
double step(const D& dev, const Layout& layout, const BuffersOf<Optimizer, T>& b, const Order& order) {
  const auto touched = [&](const Span& s) { return detail::touched(s, b, order.step); };
  const auto square_sum = [&](const Span& s) {
    return s.frozen ? 0.0 : kernel::square_sum(dev, b.gradient + s.gradient_offset, s.size(), touched(s));
  };
  double squares = 0;
  for (const Span& s : layout.spans) squares += square_sum(s);
  const double norm = std::sqrt(squares) / order.targets;
  if (!std::isfinite(norm)) {
    for (const Span& s : layout.spans)
      if (!std::isfinite(square_sum(s))) throw_not_finite(order.step, s.name);
  }
  const double most = order.max_grad_norm, clip = most > 0 ? std::min(1.0, most / (norm + 1e-6)) : 1;  // as in torch
  for (const Span& s : layout.spans) {
    if (s.frozen) continue;
    const auto rule = order.template rule<typename Optimizer::template Rule<T>>(s, layout);
    const T scale = static_cast<T>(clip / order.targets);
    if constexpr (kernel::copies_weights<D, T>) {
      if (s.factor && b.copies != nullptr) {
        kernel::update_weight(dev, rule, b.of(s), scale, s.rows, s.cols, b.copies + s.factor_offset * sizeof(T));
        continue;
      }
    }
    kernel::update(dev, rule, b.of(s), scale, touched(s));
  }
  return norm;
}

}  // namespace entrain::optim
