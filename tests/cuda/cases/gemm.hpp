// tests > cuda > [cases]
#pragma once
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::test {

/// The three products of a linear layer with I inputs and O outputs.
template <int I, int O, bool Add> struct GemmCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, I> x(stage.template random<A>(N * I), n);
    const Rows<const A, O> dy(stage.template random<A>(N * O), n);
    const Weight<const W, O, I> w{stage.template random<W>(std::size_t(O) * I)};
    const Write how = Add ? Write::add : Write::assign;
    const Rows<A, O> y(stage.template before<A>(how, N * O), n);
    const Rows<A, I> dx(stage.template before<A>(how, N * I), n);
    const Weight<Sum, O, I> g{stage.template before<Sum>(how, std::size_t(O) * I)};
    kernel::gemm(stage.dev, x, w, y, how);
    kernel::gemm_dx(stage.dev, dy, w, dx, how);
    kernel::gemm_dw(stage.dev, dy, x, g, how);
    stage.result("y", y.data, N * O);
    stage.result("dx", dx.data, N * I);
    stage.result("g", g.data, std::size_t(O) * I);
  }
};

}  // namespace entrain::test
