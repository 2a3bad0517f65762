// bench: the products of a transformer's block, forward and both gradients, and the passes after them.
#pragma once
#include "bench/gpu/rooflines.cuh"
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/bias/cuda.cuh"

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

/// The passes after the products of a feed-forward layer from C to I channels and back: as their epilogue, and as a
/// kernel.
template <int C, int I> void epilogues_of(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows, entrain::MatmulWeight, entrain::Weight, entrain::Write, entrain::act::Gelu,
      entrain::act::GeluTanh;
  Operands o(roof.dev);
  const auto rows = static_cast<std::size_t>(n);
  const Rows<const bf16, C> x(o.random<bf16>(rows * C), n), dy(o.random<bf16>(rows * C), n);
  const MatmulWeight<const bf16, I, C> inner{o.random<bf16>(std::size_t(C) * I, 0.05f)};
  const MatmulWeight<const bf16, C, I> outer{o.random<bf16>(std::size_t(C) * I, 0.05f)};
  const Weight<const bf16, 1, I> b{o.random<bf16>(I)};
  const Rows<bf16, I> aux(o.random<bf16>(rows * I), n), y(o.zeros<bf16>(rows * I), n), dx(o.zeros<bf16>(rows * I), n);
  const Rows<const bf16, I> kept = aux;
  const double narrow = 2.0 * n * C + 2.0 * C * I, wide = 2.0 * n * I, flops = 2.0 * n * C * I;
  const std::string shape = std::to_string(n) + ", " + std::to_string(C) + " to " + std::to_string(I);
  roof.row({"gemm_bias", shape, narrow + wide, flops}, [&] { kernel::gemm_bias(roof.dev, x, inner, b, y); });
  roof.row({"gemm, add_bias", shape, narrow + 3 * wide, flops}, [&] {
    kernel::gemm(roof.dev, x, inner, y);
    kernel::add_bias(roof.dev, b, y);
  });
  roof.row({"gemm_bias_act", shape, narrow + 2 * wide, flops},
           [&] { kernel::gemm_bias_act<GeluTanh>(roof.dev, x, inner, b, aux, y); });
  roof.row({"gemm, bias_act", shape, narrow + 4 * wide, flops}, [&] {
    kernel::gemm(roof.dev, x, inner, aux);
    kernel::bias_act<GeluTanh>(roof.dev, b, aux, y);
  });
  roof.row({"gemm_bias_act, by erf", shape, narrow + 3 * wide, flops},
           [&] { kernel::gemm_bias_act<Gelu>(roof.dev, x, inner, b, aux, y); });
  roof.row({"gemm_dact", shape, narrow + 2 * wide, flops},
           [&] { kernel::gemm_dact<GeluTanh>(roof.dev, dy, outer, kept, dx); });
  const Rows<float, I> parts(o.zeros<float>(kernel::detail::max_fused_ranges * std::size_t(I)),
                             kernel::detail::fused_ranges(n).count);
  roof.row({"gemm_dact, by erf, summing", shape, narrow + 4 * wide, flops},
           [&] { kernel::gemm_dact<Gelu>(roof.dev, dy, outer, kept, dx, parts); });
  roof.row({"gemm_dx, act_back", shape, narrow + 4 * wide, flops}, [&] {
    kernel::gemm_dx(roof.dev, dy, outer, dx, Write::assign);
    kernel::act_back(roof.dev, Rows<const bf16, I>(dx), kept, dx);
  });
}

template <int C> void products(Rooflines& roof, int n) {
  products_of<C, 3 * C>(roof, n);
  products_of<C, C>(roof, n);
  products_of<C, 4 * C>(roof, n);
  products_of<4 * C, C>(roof, n);
  epilogues_of<C, 4 * C>(roof, n);
}

}  // namespace bench
