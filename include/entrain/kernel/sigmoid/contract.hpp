// core > device, precision > tensor > [kernel] > layer
//
// Binary cross-entropy for each of run-time labels: a row has any number of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "entrain/core/loss.hpp"
#include "entrain/core/math.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/label_set.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/targets.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/sigmoid/cpu.hpp.
template <class D> struct Sigmoid : InClassifier<D> {};

/// loss = sum_n 1 / K sum_k w[k] L(p[n,k] if k is in target[n], else 1 - p[n,k]) over rows that have a target, and its
/// gradient, in one pass: d[n,k] = w[k] / K (p[n,k] - t[n,k]) * slope of L,   p = 1 / (1 + e^-score)
///
/// L         loss::CrossEntropy: -log of its argument; others in core/loss.hpp. loss::Smoothed takes t = 1 - e / 2 for
///           a label of the row and e / 2 for others, e = label_smoothing_factor
/// w         Counters::loss.class_weights; 1 if there are none. Without them the loss, divided by N, is that of
///           torch.nn.BCEWithLogitsLoss
/// shapes    scores [N,K]; targets [N]; d [N,K], may be scores itself; loss [1], assigned. On a device that trains in
///           fp16, d is also multiplied by Counters::loss_scale
/// order     one loss a row, then a tree over the rows: same bits for any number of threads
template <class L = loss::CrossEntropy, class D, class T, class Set, class Sum>
void sigmoid_loss(const Step<D>& at, LabelMatrix<const T> scores, const Set* targets, LabelMatrix<T> d, Sum* loss) {
  const Scratch give_back{at.scratch};
  auto* const losses = at.scratch.template take<double>(static_cast<std::size_t>(at.shape.rows));
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(12. * scores.n * scores.c, sizeof(T) * 2. * scores.n * scores.c);
  } else {
    Sigmoid<D>::template loss<L>(at, scores, targets, d, losses, loss);
  }
}

/// p[n,k] = 1 / (1 + e^-score[n,k])
///
/// shapes    scores [N,K]; p [N,K], rows without space between them
template <class D, class T> void sigmoid_rows(const D& dev, LabelMatrix<const T> scores, float* p) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(6. * scores.n * scores.c, (sizeof(T) + sizeof(float)) * 1. * scores.n * scores.c);
  } else {
    Sigmoid<D>::probabilities(dev, scores, p);
  }
}

namespace detail {

/// The loss of one label of one row, and the slope of the loss by its score.
///
/// log p = -log(1 + e^-s) and log(1 - p) = log p - s, exact for every s: the exponential has a negative argument
template <class L, class T> ENTRAIN_HD loss::Term<T> sigmoid_term(T s, bool is, const LossKnobs& knobs) {
  const T small = math::exp(s < T(0) ? s : -s);  // in (0, 1]
  const T rest = std::log1p(small);
  const T log_p = (s < T(0) ? s : T(0)) - rest, log_q = log_p - s;
  const T p = (s < T(0) ? small : T(1)) / (T(1) + small);
  if constexpr (L::smooths) {
    const T t = is ? T(1) - static_cast<T>(knobs.label_smoothing_factor) / T(2)
                   : static_cast<T>(knobs.label_smoothing_factor) / T(2);
    return {-(t * log_p + (T(1) - t) * log_q), p - t};
  } else {
    const auto term = L::at(is ? log_p : log_q, knobs);
    return {term.value, (is ? p - T(1) : p) * term.slope};
  }
}

}  // namespace detail
}  // namespace entrain::kernel
