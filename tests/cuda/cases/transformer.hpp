// tests > cuda > [cases]
//
// What a transformer's block needs besides products and attention.
#pragma once
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/gated/contract.hpp"
#include "entrain/kernel/piece_embed/contract.hpp"
#include "entrain/kernel/residual_norm/contract.hpp"
#include "entrain/kernel/rotary/contract.hpp"

namespace entrain::test {

/// A bias and a function: values and slopes, values alone after a product, and the adjoint in the place of its input;
/// values and slopes without a bias.
template <class Act, int C> struct ActivationCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    constexpr int I = 8;
    const auto N = static_cast<std::size_t>(n);
    const Weight<const W, 1, C> b{stage.template random<W>(C)};
    const Rows<A, C> x(stage.template random<A>(N * C), n), y(stage.template poison<A>(N * C), n);
    const Rows<A, C> d(stage.template random<A>(N * C), n), apart(stage.template poison<A>(N * C), n);
    const Rows<const A, I> in(stage.template random<A>(N * I), n);
    const MatmulWeight<const W, C, I> w{stage.template random<W>(std::size_t(C) * I)};
    const Rows<A, C> value(stage.template poison<A>(N * C), n);
    kernel::bias_act<Act>(stage.dev, b, x, y);
    kernel::act_back(stage.dev, Rows<const A, C>(d), Rows<const A, C>(x), apart);
    kernel::act_back(stage.dev, Rows<const A, C>(d), Rows<const A, C>(x), d);
    kernel::gemm_bias_act<Act>(stage.dev, in, w, b, value);
    const Rows<A, C> without(stage.template random<A>(N * C), n), value_without(stage.template poison<A>(N * C), n);
    kernel::act<Act>(stage.dev, without, value_without);
    stage.result("y", y.data, y.size());
    stage.result("slope", x.data, x.size());
    stage.result("dx", apart.data, apart.size());
    stage.result("dx in place", d.data, d.size());
    stage.result("value", value.data, value.size());
    stage.result("y without a bias", value_without.data, value_without.size());
    stage.result("slope without a bias", without.data, without.size());
  }
};

/// A gated linear unit of C channels and its adjoint, which is also written to the memory of its input.
template <class Act, int C> struct GatedCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    const auto N = static_cast<std::size_t>(n);
    const Rows<A, 2 * C> u(stage.template random<A>(N * 2 * C), n), du(stage.template poison<A>(N * 2 * C), n);
    const Rows<const A, C> dy(stage.template random<A>(N * C), n);
    const Rows<A, C> y(stage.template poison<A>(N * C), n);
    kernel::gated_act<Act>(stage.dev, Rows<const A, 2 * C>(u), y);
    kernel::gated_act_back<Act>(stage.dev, dy, Rows<const A, 2 * C>(u), du);
    kernel::gated_act_back<Act>(stage.dev, dy, Rows<const A, 2 * C>(u), u);
    stage.result("y", y.data, y.size());
    stage.result("du", du.data, du.size());
    stage.result("du in place", u.data, u.size());
  }
};

/// Queries and keys of H heads of Width channels, rotated by their places in sentences of 1 to Longest rows; and back.
template <int H, int Width, int Theta = 10000, int Longest = 40> struct RotaryCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    constexpr int C3 = 3 * H * Width;
    const auto count = static_cast<std::size_t>(n) * C3;
    const auto at = stage.step(n, 0.0f, {}, Longest);
    const Rows<A, C3> qkv(stage.template random<A>(count), n), dqkv(stage.template random<A>(count), n);
    kernel::rotary<H>(at, Theta, qkv);
    kernel::rotary_back<H>(at, Theta, dqkv);
    stage.result("qkv", qkv.data, count);
    stage.result("dqkv", dqkv.data, count);
  }
};

/// The end of a sublayer: training, with dropout and with one of 0; evaluating.
template <int C> struct ResidualNormCase {
  static void run(auto& stage, int n) {
    once(stage, stage.step(n), "training");
    once(stage, stage.step(n, 0.0f), "without dropout");
    once(stage, stage.step(n).evaluating(), "evaluating");
  }

 private:
  template <class D> static void once(auto& stage, const Step<D>& at, const std::string& how) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    const int n = at.shape.rows;
    const auto count = static_cast<std::size_t>(n) * C;
    const Rows<const A, C> f(stage.template random<A>(count), n), x(stage.template random<A>(count, 2), n),
        dy(stage.template random<A>(count), n);
    const Weight<const W, 1, C> b{stage.template random<W>(C)};
    const Weight<const MasterOf<W>, 1, C> gain{stage.random_master(C, 1)}, shift{stage.random_master(C)};
    const Rows<A, C> sum(stage.template poison<A>(count), n), y(stage.template poison<A>(count), n);
    const Rows<A, C> dsum(stage.template poison<A>(count), n), df(stage.template poison<A>(count), n);
    const Rows<Sum, 2> stat(stage.template poison<Sum>(static_cast<std::size_t>(n) * 2), n);
    kernel::bias_dropout_add_norm(at, f, b, x, gain, shift, 1e-2, sum, stat, y);
    kernel::bias_dropout_add_norm_back(at, dy, Rows<const A, C>(sum), Rows<const Sum, 2>(stat), gain, dsum, df);
    stage.result("sum, " + how, sum.data, count);
    stage.result("stat, " + how, stat.data, stat.size());
    stage.result("y, " + how, y.data, count);
    stage.result("dsum, " + how, dsum.data, count);
    stage.result("df, " + how, df.data, count);
    gradients(stage, at, dy, Rows<const A, C>(sum), Rows<const Sum, 2>(stat), gain, how + ", assigned");
    gradients(stage, at.adding(), dy, Rows<const A, C>(sum), Rows<const Sum, 2>(stat), gain, how + ", added");
  }
  /// The same with the gradients of the parameters.
  template <class D, class A, class M, class Sum>
  static void gradients(auto& stage, const Step<D>& at, Rows<const A, C> dy, Rows<const A, C> sum,
                        Rows<const Sum, 2> stat, Weight<const M, 1, C> gain, const std::string& how) {
    const auto count = static_cast<std::size_t>(dy.n) * C;
    const Rows<A, C> dsum(stage.template poison<A>(count), dy.n), df(stage.template poison<A>(count), dy.n);
    const Weight<Sum, 1, C> gbias{stage.template before<Sum>(at.grads, C)},
        ggain{stage.template before<Sum>(at.grads, C)}, gshift{stage.template before<Sum>(at.grads, C)};
    kernel::bias_dropout_add_norm_gradients(BackwardStep(at), at, dy, sum, stat, gain, dsum, df, gbias, ggain, gshift);
    stage.result("dsum, " + how, dsum.data, count);
    stage.result("df, " + how, df.data, count);
    stage.result("bias's gradient, " + how, gbias.data, C);
    stage.result("gain's gradient, " + how, ggain.data, C);
    stage.result("shift's gradient, " + how, gshift.data, C);
  }
};

/// Tables of 30 pieces, 17 positions and, if there are any, Types segments.
template <int C, int Types> struct PieceEmbedCase {
  static void run(auto& stage, int n) {
    once(stage, stage.step(n), "training");
    once(stage, stage.step(n, 0.0f), "without dropout");
    once(stage, stage.step(n).evaluating(), "evaluating");
  }

 private:
  template <class D> static void once(auto& stage, const Step<D>& step, const std::string& how) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    const int n = step.shape.rows;
    const auto N = static_cast<std::size_t>(n);
    const Table<const W, 30, C> word{stage.template random<W>(std::size_t(30) * C)};
    const Table<const W, 17, C> position{stage.template random<W>(std::size_t(17) * C)};
    const Table<const W, Types, C> type{stage.template random<W>(std::size_t(Types) * C)};
    const Weight<const MasterOf<W>, 1, C> gain{stage.random_master(C, 1)}, shift{stage.random_master(C)};
    const Rows<A, C> sum(stage.template poison<A>(N * C), n), y(stage.template poison<A>(N * C), n);
    const Rows<Sum, 2> stat(stage.template poison<Sum>(N * 2), n);
    const std::int32_t *const ids = stage.put(stage.whole_numbers(N, 30)), *const at =
                                                                               stage.put(stage.whole_numbers(N, 17));
    kernel::piece_embed_norm(step, word, ids, position, at, type, gain, shift, 1e-2, sum, stat, y);
    stage.result("sum, " + how, sum.data, sum.size());
    stage.result("stat, " + how, stat.data, stat.size());
    stage.result("y, " + how, y.data, y.size());
  }
};

}  // namespace entrain::test
