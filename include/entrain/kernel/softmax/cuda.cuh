// core > device, precision > tensor > [kernel] > layer
//
// A warp has a row of scores, 32 labels at a time: it is read from memory once and then from the first cache.
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

inline constexpr int sum_threads = 256;
__device__ inline float class_weight(std::int32_t target, const LossKnobs& knobs) {
  return knobs.class_weights != nullptr ? knobs.class_weights[target] : 1.0f;
}

/// The score that stands for the target: its own, or mixed with the mean of all. In every lane.
template <class L, class A>
__device__ float score_of_target(const A* row, int labels, std::int32_t target, const LossKnobs& knobs, int lane) {
  if constexpr (L::smooths) {
    float sum = 0;
    for (int k = lane; k < labels; k += device::warp) sum += static_cast<float>(row[k]);
    const float spread = knobs.label_smoothing_factor;
    return (1 - spread) * static_cast<float>(row[target]) + spread * device::warp_sum(sum) / static_cast<float>(labels);
  } else {
    return static_cast<float>(row[target]);
  }
}

template <class L, class A, class Sum> __global__ void __launch_bounds__(device::threads_of_rows)
    softmax_loss_rows(Wide<const A> scores, const std::int32_t* targets, const Counters* counters, Sum* norm,
                      double* losses) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
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
  const std::int32_t target = targets[row];
  double loss = 0;
  if (has_target(target, scores.c)) {
    const LossKnobs& knobs = counters->loss;
    const float log_p = score_of_target<L>(from, scores.c, target, knobs, lane) - log_sum;
    loss = static_cast<double>(L::at(log_p, knobs).value * class_weight(target, knobs));
  }
  if (lane != 0) return;
  norm[row] = static_cast<Sum>(log_sum);
  losses[row] = loss;
}

/// One block: a thread adds every 256th number, then threads add by halves.
template <class Sum> __global__ void __launch_bounds__(sum_threads)
    sum_losses(const double* losses, Sum* total, int n) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += sum_threads) sum += losses[i];
  sum = device::block_sum<sum_threads>(sum);
  if (threadIdx.x == 0) *total = static_cast<Sum>(sum);
}

template <class L, class A, class Sum> __global__ void __launch_bounds__(device::threads_of_rows)
    softmax_slopes(Wide<const A> scores, const std::int32_t* targets, const Counters* counters, const Sum* norm,
                   Wide<A> d, float scale) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= scores.n) return;
  const A* const from = scores.row_at(row);
  A* const to = d.row_at(row);
  const std::int32_t target = targets[row];
  if (!has_target(target, scores.c)) {
    for (int k = lane; k < scores.c; k += device::warp) to[k] = A(0.0f);
    return;
  }
  const LossKnobs& knobs = counters->loss;
  const float log_sum = static_cast<float>(norm[row]), spread = L::smooths ? knobs.label_smoothing_factor : 0.0f;
  const float log_p = score_of_target<L>(from, scores.c, target, knobs, lane) - log_sum;
  if (counters->loss_scale != nullptr) scale *= *counters->loss_scale;
  const float by = scale * class_weight(target, knobs) * L::at(log_p, knobs).slope;
  const float share = spread / static_cast<float>(scores.c);
  for (int k = lane; k < scores.c; k += device::warp) {
    const float p = math::exp(static_cast<float>(from[k]) - log_sum) - share;
    to[k] = static_cast<A>(by * (k == target ? p - (1 - spread) : p));
  }
}

template <class A> __global__ void __launch_bounds__(device::threads_of_rows)
    argmax_of_rows(Wide<const A> scores, std::int32_t* best) {
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

}  // namespace detail

template <class Target> struct Softmax<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class L, class A, class Sum> static void loss(const Step<D>& at, Wide<const A> scores,
                                                          const std::int32_t* targets, Sum* norm, double* losses,
                                                          Sum* total) {
    device::launch(at.dev.stream(), device::grid_of_rows(scores.n), detail::softmax_loss_rows<L, A, Sum>, scores,
                   targets, at.counters, norm, losses);
    device::launch(at.dev.stream(), {dim3(1), dim3(detail::sum_threads), sizeof(device::BlockSum<detail::sum_threads>)},
                   detail::sum_losses<Sum>, losses, total, scores.n);
  }
  template <class L, class A, class Sum> static void back(const Step<D>& at, Wide<const A> scores,
                                                          const std::int32_t* targets, const Sum* norm, Wide<A> d,
                                                          Sum scale) {
    device::launch(at.dev.stream(), device::grid_of_rows(scores.n), detail::softmax_slopes<L, A, Sum>, scores, targets,
                   at.counters, norm, d, static_cast<float>(scale));
  }
  template <class A> static void argmax(const D& dev, Wide<const A> scores, std::int32_t* best) {
    device::launch(dev.stream(), device::grid_of_rows(scores.n), detail::argmax_of_rows<A>, scores, best);
  }
};

}  // namespace entrain::kernel
