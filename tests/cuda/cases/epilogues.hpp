// tests > cuda > [cases]
//
// Products that end with more than a sum.
#pragma once
#include <memory>
#include <type_traits>
#include <vector>

#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/bias/gathering_step.hpp"

namespace entrain::test {

/// A bias after a product: of a layer from I to O channels, and of scores of K labels, whose rows are further apart.
template <int I, int O, int K> struct BiasCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, I> x(stage.template random<A>(N * I), n);
    const Weight<const W, O, I> w{stage.template random<W>(std::size_t(O) * I)};
    const Weight<const W, 1, O> b{stage.template random<W>(O, 3)};
    const Rows<A, O> y(stage.template poison<A>(N * O), n);
    kernel::gemm_bias(stage.dev, x, w, b, y);
    stage.result("y", y.data, N * O);

    const Weight<const W, dynamic_labels, I> of_label{stage.template random<W>(std::size_t(K) * I), K};
    const Weight<const W, 1, dynamic_labels> bias{stage.template random<W>(K, 3), K};
    const auto count = N * static_cast<std::size_t>(LabelMatrix<A>::padded(K));
    const LabelMatrix<A> scores(stage.template random<A>(count), n, K);
    kernel::gemm_bias(stage.dev, x, of_label, bias, scores);
    stage.result("scores, and what stands between them", scores.data, count);
  }
};

/// A function between two products, as a feed-forward layer from I to O channels has it; and what it keeps, where that
/// is the function's input.
template <class Act, int I, int O> struct ActCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, I> x(stage.template random<A>(N * I), n), dy(stage.template random<A>(N * I), n);
    const MatmulWeight<const W, O, I> inner{stage.template random<W>(std::size_t(O) * I)};
    const MatmulWeight<const W, I, O> outer{stage.template random<W>(std::size_t(O) * I)};
    const Weight<const W, 1, O> b{stage.template random<W>(O, 1)};
    const Rows<A, O> aux(stage.template poison<A>(N * O), n), y(stage.template poison<A>(N * O), n),
        alone(stage.template poison<A>(N * O), n), dx(stage.template poison<A>(N * O), n),
        input(stage.template poison<A>(N * O), n);
    kernel::gemm_bias_act<Act>(stage.dev, x, inner, b, aux, y);
    kernel::gemm_bias_act<Act>(stage.dev, x, inner, b, alone);
    kernel::gemm_dact<Act>(stage.dev, dy, outer, Rows<const A, O>(aux), dx);
    kernel::gemm_bias(stage.dev, x, inner, b, input);
    stage.result("y", y.data, N * O);
    stage.result("y alone", alone.data, N * O);
    stage.result("dx", dx.data, N * O);
    stage.result("input", kernel::keeps_input<Act, typename S::Device, A> ? aux.data : input.data, N * O);
  }
};

/// The gradient before a function, of O channels, and of the bias before it, in two micro-batches of a step.
template <class Act, int O> struct ActBackCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using D = typename S::Device;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    constexpr int I = 8;
    const auto count = static_cast<std::size_t>(n) * O;
    const MatmulWeight<const W, I, O> outer{stage.template random<W>(std::size_t(O) * I)};
    const Rows<const A, O> aux(stage.template random<A>(count), n);
    const Weight<Sum, 1, O> g{stage.template poison<Sum>(O)};
    auto at = stage.step(n);
    for (const auto how : {Write::assign, Write::add}) {
      at.grads = how;
      const Scratch give_back{at.scratch};
      const Rows<const A, I> dy(stage.template random<A>(static_cast<std::size_t>(n) * I), n);
      const Rows<A, O> dx(stage.template poison<A>(count), n);
      // The CPU keeps slopes: there aux is given as such.
      if constexpr (kernel::fuses_sums<Act, D, A>) {
        const auto parts = kernel::take_parts<Sum, O>(at.scratch, n);
        kernel::gemm_dact<Act>(stage.dev, dy, outer, aux, dx, parts);
        kernel::sum_parts(BackwardStep<D>(at), Rows<const Sum, O>(parts), g);
      } else {
        const Rows<A, O> slope(stage.template poison<A>(count), n);
        std::vector<A> slopes(count);
        stage.dev.download(slopes.data(), aux.data, count);
        for (A& x : slopes) x = static_cast<A>(Act::at(static_cast<Sum>(x)).slope);
        stage.dev.upload(slope.data, slopes.data(), count);
        kernel::gemm_dact<Act>(stage.dev, dy, outer, Rows<const A, O>(slope), dx);
        kernel::sum_rows(stage.dev, Rows<const A, O>(dx), g, how);
      }
      stage.result("dx", dx.data, count);
      stage.result(how == Write::add ? "bias gradient, added to" : "bias gradient", g.data, O);
    }
  }
};

/// Sums of n parts each, gathered and added up at once, in two micro-batches: one more than there is room for, of two
/// widths in turn.
struct GatheredCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using D = typename S::Device;
    using Sum = typename S::Sum;
    constexpr int count = device::PartSums::most + 1, widths[2] = {16, 200};
    Sum* g[count];
    for (int i = 0; i < count; ++i) g[i] = stage.template poison<Sum>(static_cast<std::size_t>(widths[i % 2]));
    auto at = stage.step(1);
    for (const auto how : {Write::assign, Write::add}) {
      at.grads = how;
      auto block = std::make_unique<const kernel::GatheringStep<D, true>>(at);
      const auto sum = [&](auto width, int i) {
        constexpr int C = width;
        const Rows<const Sum, C> parts(stage.template random<Sum>(static_cast<std::size_t>(n) * C), n);
        const Weight<Sum, 1, C> to{g[i]};
        if constexpr (device::has_side_stream<D>) {
          kernel::sum_parts(BackwardStep<D>(block->at(0)), parts, to);
        } else {
          kernel::sum_rows(stage.dev, parts, to, how);
        }
      };
      for (int i = 0; i < count; ++i) {
        if (i % 2 == 0) {
          sum(std::integral_constant<int, widths[0]>{}, i);
        } else {
          sum(std::integral_constant<int, widths[1]>{}, i);
        }
      }
      block.reset();
      for (int i = 0; i < count; ++i) stage.result("sum", g[i], static_cast<std::size_t>(widths[i % 2]));
    }
  }
};

}  // namespace entrain::test
