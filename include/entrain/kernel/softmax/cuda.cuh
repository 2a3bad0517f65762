// core > device, precision > tensor > [kernel] > layer
//
// A warp processes a row of scores, 32 labels at a time: it reads the row from memory once and then from the
// first-level cache. Loss and gradient are one kernel.
#pragma once
#include <cmath>
#include <cstdint>

#include "entrain/core/math.hpp"
#include "entrain/device/block.cuh"
#include "entrain/device/cuda.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/softmax/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int sum_threads = 1024;

/// The gradient may be in the memory of the scores: a lane overwrites only the scores that it alone reads, after the
/// reductions over the other lanes.
template <class L, class A, class Sum> __global__ void __launch_bounds__(device::threads_of_rows)
    softmax_loss_rows(LabelMatrix<const A> scores, const std::int32_t* targets, const Counters* counters,
                      LabelMatrix<A> d, double* losses, Sum scale) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
  A* const to = d.row_at(row);
  const std::int32_t target = targets[row];
  if (!has_target(target, scores.c)) {
    for (int k = lane; k < scores.c; k += device::warp) to[k] = A(0.0f);
    if (lane == 0) losses[row] = 0;
    return;
  }
  float largest = -math::infinity<float>, own = 0, all = 0;
  for (int k = lane; k < scores.c; k += device::warp) {
    const float score = static_cast<float>(from[k]);
    largest = score > largest ? score : largest;
    if (k == target) own = score;
    if constexpr (L::smooths) all += score;
  }
  largest = device::warp_max(largest);
  own = device::warp_sum(own);
  const float shift = largest > -math::infinity<float> ? largest : 0.0f;
  float sum = 0;
  for (int k = lane; k < scores.c; k += device::warp) sum += math::exp(static_cast<float>(from[k]) - shift);
  const float log_sum = shift + math::log(device::warp_sum(sum));

  const LossKnobs& knobs = counters->loss;
  float spread = 0, share = 0;
  if constexpr (L::smooths) {  // the target's score is mixed with the mean of all
    spread = knobs.label_smoothing_factor;
    share = spread / static_cast<float>(scores.c);
    own = (1 - spread) * own + share * device::warp_sum(all);
  }
  const auto at_target = L::at(own - log_sum, knobs);
  const float weight = knobs.class_weights != nullptr ? knobs.class_weights[target] : 1.0f;
  if (counters->loss_scale != nullptr) scale *= *counters->loss_scale;
  const float by = static_cast<float>(scale) * weight * at_target.slope;
  if (lane == 0) losses[row] = static_cast<double>(at_target.value * weight);
  for (int k = lane; k < scores.c; k += device::warp) {
    const float p = math::exp(static_cast<float>(from[k]) - log_sum) - share;
    to[k] = static_cast<A>(by * (k == target ? p - (1 - spread) : p));
  }
}

/// One block: a thread adds every 1024th number, then threads add by halves.
template <class Sum> __global__ void __launch_bounds__(sum_threads)
    sum_losses(const double* losses, Sum* total, int n) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += sum_threads) sum += losses[i];
  sum = device::block_sum<sum_threads>(sum);
  if (threadIdx.x == 0) *total = static_cast<Sum>(sum);
}

template <class A> __global__ void __launch_bounds__(device::threads_of_rows)
    argmax_of_rows(LabelMatrix<const A> scores, std::int32_t* best) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
  float largest = -math::infinity<float>;
  int at = 0;
  for (int k = lane; k < scores.c; k += device::warp)
    if (static_cast<float>(from[k]) > largest) {
      largest = static_cast<float>(from[k]);
      at = k;
    }
  device::warp_best(largest, at);
  if (lane == 0) best[row] = at;
}

template <class A> __global__ void __launch_bounds__(device::threads_of_rows)
    softmax_of_rows(LabelMatrix<const A> scores, float* p) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
  float* const to = p + std::int64_t{row} * scores.c;
  float largest = -math::infinity<float>;
  for (int k = lane; k < scores.c; k += device::warp) {
    const float score = static_cast<float>(from[k]);
    largest = score > largest ? score : largest;
  }
  largest = device::warp_max(largest);
  const float shift = largest > -math::infinity<float> ? largest : 0.0f;
  float sum = 0;
  for (int k = lane; k < scores.c; k += device::warp) sum += math::exp(static_cast<float>(from[k]) - shift);
  const float log_sum = shift + math::log(device::warp_sum(sum));
  for (int k = lane; k < scores.c; k += device::warp) to[k] = math::exp(static_cast<float>(from[k]) - log_sum);
}

}  // namespace detail

template <class Target> struct Softmax<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class L, class A, class Sum> static void loss(const Step<D>& at, LabelMatrix<const A> scores,
                                                          const std::int32_t* targets, LabelMatrix<A> d, double* losses,
                                                          Sum* total, Sum scale) {
    device::launch(at.dev.stream(), device::grid_of_rows(scores.n), detail::softmax_loss_rows<L, A, Sum>, scores,
                   targets, at.counters, d, losses, scale);
    device::launch(at.dev.stream(), {dim3(1), dim3(detail::sum_threads), sizeof(device::BlockSum<detail::sum_threads>)},
                   detail::sum_losses<Sum>, losses, total, scores.n);
  }
  template <class A> static void probabilities(const D& dev, LabelMatrix<const A> scores, float* p) {
    device::launch(dev.stream(), device::grid_of_rows(scores.n), detail::softmax_of_rows<A>, scores, p);
  }
  template <class A> static void argmax(const D& dev, LabelMatrix<const A> scores, std::int32_t* best) {
    device::launch(dev.stream(), device::grid_of_rows(scores.n), detail::argmax_of_rows<A>, scores, best);
  }
};

}  // namespace entrain::kernel
