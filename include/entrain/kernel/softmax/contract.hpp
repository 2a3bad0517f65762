// core > device, precision > tensor > [kernel] > layer
//
// Cross-entropy over run-time labels: one distribution a row; rows are independent.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/loss.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/softmax/cpu.hpp.
template <class D> struct Softmax : InTagger<D> {};

/// loss = sum_n w[target[n]] L(score[n,:], target[n]) over rows that have a target, and its gradient, in one pass:
/// d[n,k] = (p[n,k] - (1 - e) [k == target[n]] - e / K) * slope of L * w * scale, and 0 in rows without target, with
/// p[n,k] = e^(score[n,k] - log sum_j e^score[n,j]); e is not 0 for loss::Smoothed alone
///
/// L         loss::CrossEntropy: -log p[n, target[n]]; others in core/loss.hpp
/// w         Counters::loss.class_weights; 1 if there are none
/// scale     applies to d alone; on a device that trains in fp16, d is also multiplied by Counters::loss_scale
/// shapes    scores [N,K]; targets [N], each in [0, K), any other value (-100 by custom) means that the row has no
///           target; d [N,K], may be scores itself; loss [1], assigned
/// order     one loss a row, then a tree over the rows: same bits for any number of threads
template <class L = loss::CrossEntropy, class D, class T, class Sum>
void softmax_loss(const Step<D>& at, LabelMatrix<const T> scores, const std::int32_t* targets, LabelMatrix<T> d,
                  Sum* loss, Sum scale = 1) {
  const Scratch give_back{at.scratch};
  auto* const losses = at.scratch.template take<double>(static_cast<std::size_t>(at.shape.rows));
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(8. * scores.n * scores.c, sizeof(T) * 2. * scores.n * scores.c);
  } else {
    Softmax<D>::template loss<L>(at, scores, targets, d, losses, loss, scale);
  }
}

/// best[n] = the smallest k with the largest score[n,k]; 0 if no score is a number
///
/// shapes    scores [N,K]; best [N]
template <class D, class T> void argmax_rows(const D& dev, LabelMatrix<const T> scores, std::int32_t* best) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * scores.n * scores.c, sizeof(T) * 1. * scores.n * scores.c);
  } else {
    Softmax<D>::argmax(dev, scores, best);
  }
}

/// p[n,k] = e^(score[n,k] - log sum_j e^score[n,j])
///
/// shapes    scores [N,K]; p [N,K], rows without space between them
template <class D, class T> void softmax_rows(const D& dev, LabelMatrix<const T> scores, float* p) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(8. * scores.n * scores.c, (sizeof(T) + sizeof(float)) * 1. * scores.n * scores.c);
  } else {
    Softmax<D>::probabilities(dev, scores, p);
  }
}

}  // namespace entrain::kernel
