// tests > cuda > [cases]
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/core/loss.hpp"
#include "entrain/kernel/pool/contract.hpp"
#include "entrain/kernel/sigmoid/contract.hpp"
#include "entrain/kernel/softmax/contract.hpp"
#include "entrain/tensor/label_set.hpp"

namespace entrain::test {

/// Rows of sentences to a vector each, and back.
template <class By, int C> struct PoolCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    const auto at = stage.step(n);
    const int sentences = at.shape.sentences;
    const auto numbers = static_cast<std::size_t>(sentences) * C;
    const Rows<const A, C> x(stage.template random<A>(static_cast<std::size_t>(n) * C), n);
    const Rows<A, C> y(stage.template poison<A>(numbers), sentences);
    const Rows<A, C> dx(stage.template poison<A>(static_cast<std::size_t>(n) * C), n);
    std::int32_t* const from = stage.put(std::vector<std::int32_t>(numbers, -7));
    kernel::pool_rows<By>(at, x, y, from);
    const Rows<const A, C> dy(stage.template random<A>(numbers), sentences);
    kernel::pool_rows_back<By>(at, dy, from, dx);
    stage.result("y", y.data, numbers);
    stage.result("dx", dx.data, dx.size());
    stage.result("from", from, numbers);
  }
};

/// K labels, of which a row has any number; every fifth row has no target. Weighted gives classes weights.
template <class Loss, int K, bool Weighted> struct SigmoidCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    using Set = LabelSet<128>;
    const auto N = static_cast<std::size_t>(n);
    const int stride = LabelMatrix<A>::padded(K);
    const auto picks = stage.whole_numbers(3 * N, K);
    std::vector<Set> targets;
    for (std::size_t i = 0; i < N; ++i) {
      targets.push_back(i % 5 == 3 ? Set::no_target() : Set::none());
      for (std::size_t j = 0; i % 5 != 3 && j < i % 4; ++j) targets.back().add(picks[3 * i + j]);
    }
    const LabelMatrix<A> scores(stage.template random<A>(N * static_cast<std::size_t>(stride)), n, K);
    LossKnobs knobs{0.1f, 2.0f, nullptr};
    if (Weighted) {
      std::vector<float> weights;
      for (int k = 0; k < K; ++k) weights.push_back(0.5f + 0.25f * static_cast<float>(k % 9));
      knobs.class_weights = stage.put(weights);
    }
    const auto at = stage.step(n, 0, knobs);
    Sum* const loss = stage.template poison<Sum>(1);
    const LabelMatrix<A> d(stage.template random<A>(N * static_cast<std::size_t>(stride)), n, K);
    float* const p = stage.template poison<float>(N * K);
    const Set* const goal = stage.put(targets);
    kernel::sigmoid_loss<Loss>(at, LabelMatrix<const A>(scores), goal, d, loss);
    kernel::sigmoid_rows(stage.dev, LabelMatrix<const A>(scores), p);
    stage.result("loss", loss, 1);
    stage.result_of_wide("slopes", d);
    stage.result("probabilities", p, N * K);
  }
};

/// Probabilities of K labels in rows, some of them far apart.
template <int K> struct SoftmaxRowsCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    const auto N = static_cast<std::size_t>(n);
    const LabelMatrix<A> scores(stage.template random<A>(N * static_cast<std::size_t>(LabelMatrix<A>::padded(K))), n,
                                K);
    float* const p = stage.template poison<float>(N * K);
    kernel::softmax_rows(stage.dev, LabelMatrix<const A>(scores), p);
    stage.result("probabilities", p, N * K);
  }
};

}  // namespace entrain::test
