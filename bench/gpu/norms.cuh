// bench: passes over rows: layer norm, the end of a sublayer, dropout, sums of columns, a bias and GELU.
#pragma once
#include "bench/gpu/rooflines.cuh"
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/bias/cuda.cuh"
#include "entrain/kernel/dropout/cuda.cuh"
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "entrain/kernel/residual_norm/cuda.cuh"

namespace bench {

/// C channels. Bytes: 2 for each number of a row that is read or written, 8 for a row's statistics.
template <int C> void norms(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows, entrain::Weight, entrain::Write;
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(n) * C;
  const auto x = [&] { return Rows<const bf16, C>(o.random<bf16>(count), n); };
  const auto y = [&] { return Rows<bf16, C>(o.zeros<bf16>(count), n); };
  const auto w = [&] { return Weight<const bf16, 1, C>{o.random<bf16>(C)}; };
  const auto a = x(), b = x();
  const auto into = y(), also = y();
  const auto bias = w();
  const Weight<const float, 1, C> gain{o.random<float>(C)}, shift{o.random<float>(C)};
  const Rows<float, 2> stat(o.random<float>(static_cast<std::size_t>(n) * 2), n);
  const Rows<const float, 2> known = stat;
  const Weight<float, 1, C> ggain{o.zeros<float>(C)}, gshift{o.zeros<float>(C)};
  const auto at = o.step(n, 21, 0.1f);
  const double pass = 2.0 * n * C, statistics = 8.0 * n;
  const std::string shape = by(n, C);

  roof.row({"layer_norm", shape, 2 * pass + statistics, 0},
           [&] { kernel::layer_norm(roof.dev, a, gain, shift, 1e-12, stat, into); });
  roof.row({"layer_norm_back", shape, 3 * pass + statistics, 0},
           [&] { kernel::layer_norm_back(roof.dev, a, b, known, gain, into, Write::assign); });
  roof.row({"layer_norm_params", shape, 2 * pass + statistics, 0},
           [&] { kernel::layer_norm_params(roof.dev, a, b, known, ggain, gshift, Write::assign); });
  roof.row({"bias_dropout_add_norm", shape, 4 * pass + statistics, 0},
           [&] { kernel::bias_dropout_add_norm(at, a, bias, b, gain, shift, 1e-12, into, stat, also); });
  roof.row({"bias_dropout_add_norm_back", shape, 4 * pass + statistics, 0},
           [&] { kernel::bias_dropout_add_norm_back(at, a, b, known, gain, into, also); });
  const Weight<float, 1, C> gbias{o.zeros<float>(C)};
  roof.row({"bias_dropout_add_norm_gradients", shape, 4 * pass + statistics, 0}, [&] {
    kernel::bias_dropout_add_norm_gradients(entrain::BackwardStep(at), at, a, b, known, gain, into, also, gbias, ggain,
                                            gshift);
  });
  roof.row({"dropout", shape, 2 * pass, 0}, [&] { kernel::dropout(at, a, into, Write::assign); });
  roof.row({"sum_rows", shape, pass, 0}, [&] { kernel::sum_rows(roof.dev, a, gshift, Write::assign); });
}

/// I channels, the inner width of a feed-forward layer.
template <int I> void activations(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows;
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(n) * I;
  const Rows<bf16, I> x(o.random<bf16>(count), n), y(o.zeros<bf16>(count), n);
  const Rows<const bf16, I> d(o.random<bf16>(count), n), slope(o.random<bf16>(count), n);
  const entrain::Weight<const bf16, 1, I> b{o.random<bf16>(I)};
  const double pass = 2.0 * n * I;
  roof.row({"bias_act", by(n, I), 3 * pass, 0}, [&] { kernel::bias_act<entrain::act::Gelu>(roof.dev, b, x, y); });
  roof.row({"act_back", by(n, I), 3 * pass, 0}, [&] { kernel::act_back(roof.dev, d, slope, y); });
}

}  // namespace bench
