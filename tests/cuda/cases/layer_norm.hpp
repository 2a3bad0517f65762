// tests > cuda > [cases]
#pragma once
#include "entrain/kernel/layer_norm/contract.hpp"

namespace entrain::test {

/// The three ops on rows of C numbers, the gradients landing on what was there where Add says so. Mean: of the
/// numbers, which differ little from it; a variance of squares would lose them. Shifted: with a shift, or without.
template <int C, bool Add, int Mean = 0, bool Shifted = true> struct LayerNormCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using M = MasterOf<typename S::W>;
    using Sum = typename S::Sum;
    const auto count = static_cast<std::size_t>(n) * C;
    const Rows<const A, C> x(stage.template random<A>(count, Mean), n), dy(stage.template random<A>(count), n);
    const Weight<const M, 1, C> gain{stage.random_master(C, 1)}, shift{Shifted ? stage.random_master(C) : nullptr};
    const Write how = Add ? Write::add : Write::assign;
    const Rows<Sum, 2> stat(stage.template poison<Sum>(static_cast<std::size_t>(n) * 2), n);
    const Rows<A, C> y(stage.template poison<A>(count), n), dx(stage.template before<A>(how, count), n);
    const Weight<Sum, 1, C> ggain{stage.template before<Sum>(how, C)},
        gshift{Shifted ? stage.template before<Sum>(how, C) : nullptr};
    kernel::layer_norm(stage.dev, x, gain, shift, 1e-5, stat, y);
    kernel::layer_norm_back(stage.dev, dy, x, Rows<const Sum, 2>(stat), gain, dx, how);
    kernel::layer_norm_params(stage.dev, dy, x, Rows<const Sum, 2>(stat), ggain, gshift, how);
    stage.result("stat", stat.data, stat.size());
    stage.result("y", y.data, count);
    stage.result("dx", dx.data, count);
    stage.result("gain's gradient", ggain.data, C);
    if (Shifted) stage.result("shift's gradient", gshift.data, C);
  }
};

}  // namespace entrain::test
