// bench: attention over sentences of one length.
#pragma once
#include <cmath>

#include "bench/gpu/rooflines.cuh"
#include "entrain/kernel/attention/cuda.cuh"

namespace bench {

/// H heads of C / H channels. Operations: two products of length by C for a row forward, five backward, one of which
/// computes the probabilities again. Bytes: queries, keys, values and the result forward; these, two gradients' worth
/// of reads and three of writes backward.
template <int H, int C> void attentions(Rooflines& roof, int n, int length, float dropout) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows;
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(n) * C;
  const Rows<const bf16, 3 * C> qkv(o.random<bf16>(3 * count), n);
  const Rows<const bf16, C> dout(o.random<bf16>(count), n);
  const Rows<float, H> lse(o.zeros<float>(static_cast<std::size_t>(n) * H), n);
  const Rows<bf16, C> out(o.zeros<bf16>(count), n);
  const Rows<bf16, 3 * C> dqkv(o.zeros<bf16>(3 * count), n);
  const auto at = o.step(n, length, dropout);
  const double scale = 1 / std::sqrt(double(C) / H), pass = 2.0 * n * C, norms = 4.0 * n * H,
               product = 2.0 * n * C * length;
  const std::string shape = by(n, C) + ", heads of " + std::to_string(C / H) + ", sentences of " +
                            std::to_string(length) + ", dropout " + (dropout > 0 ? "0.1" : "0");
  roof.row({"attention", shape, 4 * pass + norms, 2 * product}, [&] { kernel::attention(at, qkv, scale, lse, out); });
  roof.row({"attention_back", shape, 8 * pass + norms, 5 * product}, [&] {
    kernel::attention_back(at, dout, qkv, scale, Rows<const float, H>(lse), Rows<const bf16, C>(out), dqkv);
  });
}

}  // namespace bench
