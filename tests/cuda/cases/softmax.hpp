// tests > cuda > [cases]
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "entrain/kernel/softmax/contract.hpp"

namespace entrain::test {

/// K labels, a loss, its slopes and the best label; every fifth row has no target, and Weighted gives classes weights.
/// Scale: of the loss, which a CPU does not know of.
template <class Loss, int K, bool Weighted, int Scale = 1> struct SoftmaxCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    const auto N = static_cast<std::size_t>(n);
    const int stride = LabelMatrix<A>::padded(K);
    auto targets = stage.whole_numbers(N, K);
    for (std::size_t i = 0; i < N; i += 5) targets[i] = i % 2 == 0 ? -100 : K;
    const LabelMatrix<A> numbers(stage.template random<A>(N * static_cast<std::size_t>(stride)), n, K);
    const LabelMatrix<const A> scores = numbers;
    LossKnobs knobs{0.1f, 2.0f, nullptr};
    if (Weighted) {
      std::vector<float> weights;
      for (int k = 0; k < K; ++k) weights.push_back(0.5f + 0.25f * static_cast<float>(k));
      knobs.class_weights = stage.put(weights);
    }
    if (Scale != 1) stage.loss_scale = stage.put(std::vector<float>{float(Scale)});
    const Sum by = Sum(0.5) * Sum(S::Device::in_host_memory ? Scale : 1);
    const auto at = stage.step(n, 0, knobs);
    Sum *const loss = stage.template poison<Sum>(1), *const again = stage.template poison<Sum>(1);
    const LabelMatrix<A> d(stage.template random<A>(N * static_cast<std::size_t>(stride)), n, K);
    std::int32_t* const best = stage.put(std::vector<std::int32_t>(N, -7));
    const std::int32_t* const goal = stage.put(targets);
    kernel::softmax_loss<Loss>(at, scores, goal, d, loss, by);
    kernel::argmax_rows(stage.dev, scores, best);
    kernel::softmax_loss<Loss>(at, scores, goal, numbers, again, by);
    stage.result("loss", loss, 1);
    stage.result("loss again", again, 1);
    stage.result_of_wide("slopes", d);
    stage.result_of_wide("slopes in place", numbers);
    stage.result("best", best, N);
  }
};

/// One score that is no number, or infinite, at the target of the last row or next to it.
struct NoNumberCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    constexpr int K = 5;
    const auto N = static_cast<std::size_t>(n), stride = static_cast<std::size_t>(LabelMatrix<A>::padded(K));
    const std::int32_t* const targets = stage.put(std::vector<std::int32_t>(N, 0));
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
      for (const std::size_t place : {0u, 3u}) {
        std::vector<A> numbers(N * stride, A(0.5f));
        if (n > 0) numbers[(N - 1) * stride + place] = A(bad);
        const LabelMatrix<A> scores(stage.put(numbers), n, K);
        Sum* const loss = stage.template poison<Sum>(1);
        kernel::softmax_loss<loss::CrossEntropy>(stage.step(n), LabelMatrix<const A>(scores), targets, scores, loss);
        stage.result("whether the loss is a number", loss, 1);
        double& found = stage.results.back().values.front();
        found = std::isfinite(found) ? 1 : 0;
      }
  }
};

/// Rows with ties, infinities and numbers that are none: the smallest of the best, 0 where there is no best.
struct ArgmaxCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    constexpr int K = 70;
    const int stride = LabelMatrix<A>::padded(K);
    const float none = std::numeric_limits<float>::quiet_NaN(), low = -std::numeric_limits<float>::infinity();
    std::vector<A> numbers(static_cast<std::size_t>(n) * static_cast<std::size_t>(stride));
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < stride; ++k) {
        const float of_row[] = {static_cast<float>((k * 5 + row) % 7),
                                low,
                                none,
                                k == 40 ? -3.0f : low,
                                k % 3 == 0 ? none : static_cast<float>(k % 11),
                                k < 69 ? low : none};
        numbers[static_cast<std::size_t>(row * stride + k)] = A(of_row[row % 6]);
      }
    std::int32_t* const best = stage.put(std::vector<std::int32_t>(static_cast<std::size_t>(n), -7));
    kernel::argmax_rows(stage.dev, LabelMatrix<const A>(stage.put(numbers), n, K), best);
    stage.result("best", best, static_cast<std::size_t>(n));
  }
};

}  // namespace entrain::test
