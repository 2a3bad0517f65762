// tests > cuda > [cases]
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/kernel/attention/contract.hpp"

namespace entrain::test {

/// H heads of C / H channels, sentences of 1 to Longest rows, which look at all of it or within a window.
template <int H, int C, int Longest, bool Training, int Window = 0> struct AttentionCase {
  static void run(auto& stage, int n) { with(stage, n, 0.3f); }
  static void with(auto& stage, int n, float dropout) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    const auto count = static_cast<std::size_t>(n) * C;
    auto at = stage.step(n, dropout, {}, Longest);
    at.training = Training;
    const double scale = 0.4;
    const Rows<const A, 3 * C> qkv(stage.template random<A>(3 * count), n);
    const Rows<const A, C> dout(stage.template random<A>(count), n);
    const Rows<Sum, H> lse(stage.template poison<Sum>(static_cast<std::size_t>(n) * H), n);
    const Rows<A, C> out(stage.template poison<A>(count), n);
    const Rows<A, 3 * C> dqkv(stage.template poison<A>(3 * count), n);
    kernel::attention<Window>(at, qkv, scale, lse, out);
    kernel::attention_back<Window>(at, dout, qkv, scale, Rows<const Sum, H>(lse), Rows<const A, C>(out), dqkv);
    stage.result("lse", lse.data, lse.size());
    stage.result("out", out.data, count);
    stage.result("dqkv", dqkv.data, 3 * count);
  }
};

/// What attention's backward pass leaves for a bias, in two micro-batches of a step.
template <int H, int C, int Longest, bool Training, int Window = 0> struct AttentionGradientsCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using D = typename S::Device;
    using A = typename S::A;
    using Sum = typename S::Sum;
    const auto count = static_cast<std::size_t>(n) * C;
    const Weight<Sum, 1, 3 * C> g{stage.template poison<Sum>(3 * C)};
    auto at = stage.step(n, 0.3f, {}, Longest);
    at.training = Training;
    for (const auto how : {Write::assign, Write::add}) {
      at.grads = how;
      const Scratch give_back{at.scratch};
      const Rows<const A, 3 * C> qkv(stage.template random<A>(3 * count), n);
      const Rows<const A, C> dout(stage.template random<A>(count), n);
      const Rows<Sum, H> lse(stage.template poison<Sum>(static_cast<std::size_t>(n) * H), n);
      const Rows<A, C> out(stage.template poison<A>(count), n);
      const Rows<A, 3 * C> dqkv(stage.template poison<A>(3 * count), n);
      kernel::attention<Window>(at, qkv, 0.4, lse, out);
      kernel::attention_gradients<Window>(BackwardStep<D>(at), dout, qkv, 0.4, Rows<const Sum, H>(lse),
                                          Rows<const A, C>(out), dqkv, g);
      stage.result("dqkv", dqkv.data, 3 * count);
      const std::string of = how == Write::add ? "bias gradient, added to" : "bias gradient";
      stage.result(of, g.data, 3 * C);
      if (n < 31) continue;  // of one row a query's slopes are nothing
      stage.result("query's " + of, g.data, C);
      stage.result("value's " + of, g.data + 2 * C, C);
    }
  }
};

/// Every weight falls out: of the values nothing is left, and no slope.
struct AllFallsOutCase {
  static void run(auto& stage, int n) { AttentionCase<2, 32, 40, true>::with(stage, n, 1.0f); }
};

/// EpilogueOperands a sentence of n rows one of each length about 16 rows, a block's 64, 128 that it walks at once, and
/// several strides of those; each is a result, so that a wrong short one is not lost among the others. With dropout and
/// without.
template <int Width, int Window = 0> struct LengthsCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    std::vector<std::int32_t> begin{0}, sentence;
    for (const int length : {n, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300}) {
      sentence.insert(sentence.end(), static_cast<std::size_t>(length), static_cast<std::int32_t>(begin.size()) - 1);
      begin.push_back(begin.back() + length);
    }
    const auto count = sentence.size() * Width;
    n = static_cast<int>(sentence.size());
    auto at = stage.step(n, 0.3f);
    at.geometry.cu_seqlens = stage.put(begin);
    at.geometry.sentence = stage.put(sentence);
    at.shape.sentences = static_cast<int>(begin.size()) - 1;
    const Rows<const A, 3 * Width> qkv(stage.template random<A>(3 * count), n);
    const Rows<const A, Width> dout(stage.template random<A>(count), n);
    for (const bool training : {false, true}) {
      at.training = training;
      const Rows<Sum, 1> lse(stage.template poison<Sum>(sentence.size()), n);
      const Rows<A, Width> out(stage.template poison<A>(count), n);
      const Rows<A, 3 * Width> dqkv(stage.template poison<A>(3 * count), n);
      kernel::attention<Window>(at, qkv, 0.4, lse, out);
      kernel::attention_back<Window>(at, dout, qkv, 0.4, Rows<const Sum, 1>(lse), Rows<const A, Width>(out), dqkv);
      std::int32_t first = 0;
      for (const std::int32_t end : begin) {
        const auto rows = static_cast<std::size_t>(end - first);
        if (rows < 8) continue;  // slopes of few rows cancel: their rounding is measured with what follows
        const std::string of = " of " + std::to_string(rows) + (training ? ", dropout" : "");
        stage.result("lse" + of, lse.row_at(first), rows);
        stage.result("out" + of, out.row_at(first), rows * Width);
        stage.result("dqkv" + of, dqkv.row_at(first), rows * 3 * Width);
        first = end;
      }
    }
  }
};

/// One sentence whose first and last rows are no numbers. What looks at none of them knows of none: rows beyond the
/// window are not computed and masked away, they are left out.
template <int C, int Window> struct FarRowsCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    constexpr int bad = 8, from = 384, to = 640;  // whole blocks of any device that are a block and a window away
    const auto count = static_cast<std::size_t>(n) * C;
    auto at = stage.step(n);
    at.geometry.cu_seqlens = stage.put(std::vector<std::int32_t>{0, n});
    at.geometry.sentence = stage.put(std::vector<std::int32_t>(static_cast<std::size_t>(n), 0));
    at.shape.sentences = 1;
    A* const numbers = stage.template random<A>(3 * count);
    const std::vector<A> none(bad * 3 * C, A(NAN));
    stage.dev.upload(numbers, none.data(), none.size());
    stage.dev.upload(numbers + 3 * count - none.size(), none.data(), none.size());
    const Rows<const A, 3 * C> qkv(numbers, n);
    const Rows<const A, C> dout(stage.template random<A>(count), n);
    const Rows<Sum, 1> lse(stage.template poison<Sum>(static_cast<std::size_t>(n)), n);
    const Rows<A, C> out(stage.template poison<A>(count), n);
    const Rows<A, 3 * C> dqkv(stage.template poison<A>(3 * count), n);
    kernel::attention<Window>(at, qkv, 0.4, lse, out);
    kernel::attention_back<Window>(at, dout, qkv, 0.4, Rows<const Sum, 1>(lse), Rows<const A, C>(out), dqkv);
    stage.result("out", out.row_at(from), (to - from) * C);
    stage.result("dqkv", dqkv.row_at(from), (to - from) * 3 * C);
  }
};

}  // namespace entrain::test
