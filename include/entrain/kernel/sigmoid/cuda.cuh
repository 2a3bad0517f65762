// core > device, precision > tensor > [kernel] > layer
//
// A warp processes a row of scores, 32 labels at a time. Loss and gradient are one kernel.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/sigmoid/contract.hpp"
#include "entrain/kernel/softmax/cuda.cuh"  // sum_losses

namespace entrain::kernel {
namespace detail {

template <class L, class A, class Set> __global__ void __launch_bounds__(device::threads_of_rows)
    sigmoid_loss_rows(LabelMatrix<const A> scores, const Set* targets, const Counters* counters, LabelMatrix<A> d,
                      double* losses) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
  A* const to = d.row_at(row);
  const bool counts = is_target(targets[row]);
  const LossKnobs& knobs = counters->loss;
  const float scale = counters->loss_scale != nullptr ? *counters->loss_scale : 1.0f;
  const float share = 1.0f / static_cast<float>(scores.c);
  float sum = 0;
  for (int k = lane; k < scores.c; k += device::warp) {
    if (!counts) {
      to[k] = A(0.0f);
      continue;
    }
    const auto term = sigmoid_term<L>(static_cast<float>(from[k]), targets[row].has(k), knobs);
    const float w = share * (knobs.class_weights != nullptr ? knobs.class_weights[k] : 1.0f);
    sum += w * term.value;
    to[k] = static_cast<A>(scale * w * term.slope);
  }
  sum = device::warp_sum(sum);
  if (lane == 0) losses[row] = static_cast<double>(sum);
}

template <class A> __global__ void __launch_bounds__(device::threads_of_rows)
    sigmoid_of_rows(LabelMatrix<const A> scores, float* p) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  for (int k = lane; k < scores.c; k += device::warp)
    p[std::int64_t{row} * scores.c + k] = 1.0f / (1.0f + math::exp(-static_cast<float>(scores(row, k))));
}

}  // namespace detail

template <class Target> struct Sigmoid<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class L, class A, class Set, class Sum> static void loss(const Step<D>& at, LabelMatrix<const A> scores,
                                                                     const Set* targets, LabelMatrix<A> d,
                                                                     double* losses, Sum* total) {
    device::launch(at.dev.stream(), device::grid_of_rows(scores.n), detail::sigmoid_loss_rows<L, A, Set>, scores,
                   targets, at.counters, d, losses);
    device::launch(at.dev.stream(), {dim3(1), dim3(detail::sum_threads), sizeof(device::BlockSum<detail::sum_threads>)},
                   detail::sum_losses<Sum>, losses, total, scores.n);
  }
  template <class A> static void probabilities(const D& dev, LabelMatrix<const A> scores, float* p) {
    device::launch(dev.stream(), device::grid_of_rows(scores.n), detail::sigmoid_of_rows<A>, scores, p);
  }
};

}  // namespace entrain::kernel
