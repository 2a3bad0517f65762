// bench: the products of a transformer's block, forward and both gradients.
#pragma once
#include "bench/gpu/rooflines.cuh"

namespace bench {

/// A layer from I to O channels. Gradients of parameters are fp32.
template <int I, int O> void products_of(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows, entrain::Weight, entrain::Write;
  Operands o(roof.dev);
  const auto rows = static_cast<std::size_t>(n);
  const Rows<const bf16, I> x(o.random<bf16>(rows * I), n);
  const Rows<const bf16, O> dy(o.random<bf16>(rows * O), n);
  const Weight<const bf16, O, I> w{o.random<bf16>(std::size_t(O) * I, 0.05f)};
  const Weight<float, O, I> g{o.zeros<float>(std::size_t(O) * I)};
  const Rows<bf16, O> y(o.zeros<bf16>(rows * O), n);
  const Rows<bf16, I> dx(o.zeros<bf16>(rows * I), n);
  const double in = 2.0 * n * I, out = 2.0 * n * O, weights = 2.0 * I * O, flops = 2.0 * n * I * O;
  const std::string shape = std::to_string(n) + ", " + std::to_string(I) + " to " + std::to_string(O);
  roof.row({"gemm", shape, in + out + weights, flops}, [&] { kernel::gemm(roof.dev, x, w, y); });
  roof.row({"gemm_dx", shape, in + out + weights, flops}, [&] { kernel::gemm_dx(roof.dev, dy, w, dx, Write::assign); });
  roof.row({"gemm_dw", shape, in + out + 2 * weights, flops},
           [&] { kernel::gemm_dw(roof.dev, dy, x, g, Write::assign); });
}

template <int C> void products(Rooflines& roof, int n) {
  products_of<C, 3 * C>(roof, n);
  products_of<C, C>(roof, n);
  products_of<C, 4 * C>(roof, n);
  products_of<4 * C, C>(roof, n);
}

}  // namespace bench
