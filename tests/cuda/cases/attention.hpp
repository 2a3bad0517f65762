// tests > cuda > [cases]
#pragma once
#include "entrain/kernel/attention/contract.hpp"

namespace entrain::test {

/// H heads of C / H channels, sentences of 1 to Longest rows.
template <int H, int C, int Longest, bool Training> struct AttentionCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    const auto count = static_cast<std::size_t>(n) * C;
    auto at = stage.step(n, 0.3f, {}, Longest);
    at.training = Training;
    const double scale = 0.4;
    const Rows<const A, 3 * C> qkv(stage.template random<A>(3 * count), n);
    const Rows<const A, C> dout(stage.template random<A>(count), n);
    const Rows<Sum, H> lse(stage.template poison<Sum>(static_cast<std::size_t>(n) * H), n);
    const Rows<A, C> out(stage.template poison<A>(count), n);
    const Rows<A, 3 * C> dqkv(stage.template poison<A>(3 * count), n);
    kernel::attention(at, qkv, scale, lse, out);
    kernel::attention_back(at, dout, qkv, scale, Rows<const Sum, H>(lse), Rows<const A, C>(out), dqkv);
    stage.result("lse", lse.data, lse.size());
    stage.result("out", out.data, count);
    stage.result("dqkv", dqkv.data, 3 * count);
  }
};

}  // namespace entrain::test
