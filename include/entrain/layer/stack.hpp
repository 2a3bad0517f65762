// core > device, precision > tensor > kernel > [layer]
//
// N blocks of one type, one after the other: an array, not N nested types, so that compile time does not grow with
// depth.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {

/// y = block_N(... block_1(x)).
///
/// saves     what each block saves, and the vectors between blocks; with Needs{false, false} what one block saves, for
///           all of them in turn, as no backward will come
/// adjoint   from the last block to the first; every block makes its input's gradient, as all are one type (when nobody
///           wants that of the first, it lands in scratch)
template <int N, class Block> struct Stack {
  static_assert(N >= 1, "entrain: Stack<N, Block> needs N >= 1 blocks.");
  static_assert(WidthsMeet<Block::out, Block::in>::value);
  static constexpr int in = Block::in, out = Block::out;
  static constexpr std::size_t count = N;
  static constexpr bool trainable = entrain::trainable<Block>;
  static constexpr bool picks_rows = entrain::picks_rows<Block>;
  static void extents(auto& config) {
    for (int i = 0; i < N; ++i) Block::extents(config);
  }

  template <class T> struct Weights {
    std::array<typename Block::template Weights<T>, N> block;
    static void each(auto&& f, auto& w) {
      for (std::size_t i = 0; i < N; ++i) f.block(std::to_string(i), w.block[i]);
    }
  };

  template <Precision P, class D, Needs G> struct On {
    static_assert(layer_contract<Block, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    static constexpr bool forgets = !G.params && !G.input;
    static constexpr std::size_t blocks = forgets ? 1 : N, between = forgets && N > 2 ? 2 : N - 1;
    using Inner = entrain::On<Block, P, D, Needs{G.params, !forgets}>;
    struct Saved {
      std::array<typename Inner::Saved, blocks> block;
      std::array<Rows<A, out>, between> y;
    };

    static Saved keep(Arena& arena, Shape shape) {
      Saved saved;
      for (std::size_t i = 0; i < std::max(blocks, between); ++i) {
        if (i < blocks) saved.block[i] = Inner::keep(arena, shape);
        if constexpr (between > 0)
          if (i < between) saved.y[i] = take_rows<A, out>(arena, shape.rows);
      }
      return saved;
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      through(
          at, [&](std::size_t i) { return w.block[i]; }, x, y, saved);
    }
    /// y = some rows of the result: where Block picks rows and no backward will come.
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      for (auto& yi : saved.y) yi.n = at.shape.rows;  // kept for the most rows, used for this batch's
      if constexpr (between > 0)
        for (std::size_t i = 0; i + 1 < N; ++i) {
          Inner::forward(at.at(static_cast<int>(i)), w.block[i], x, saved.y[i % between], saved.block[i % blocks]);
          x = saved.y[i % between];
        }
      Inner::forward_rows(at.at(N - 1), w.block[N - 1], x, rows, y, saved.block[(N - 1) % blocks]);
    }
    /// Forward with the weights of block i from weights(i).
    static void through(const Step<D>& at, auto&& weights, Rows<const A, in> x, Rows<A, out> y, Saved& saved) {
      for (auto& yi : saved.y) yi.n = at.shape.rows;  // kept for the most rows, used for this batch's
      for (std::size_t i = 0; i < N; ++i) {
        Rows<A, out> yi = y;
        if constexpr (between > 0)
          if (i + 1 < N) yi = saved.y[i % between];
        Inner::forward(at.at(static_cast<int>(i)), weights(i), x, yi, saved.block[i % blocks]);
        x = yi;
      }
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const std::array<Rows<Grad, in>, 2> turn{take_rows<Grad, in>(at.scratch, at.shape.rows),
                                               take_rows<Grad, in>(at.scratch, at.shape.rows)};
      for (std::size_t i = N; i-- > 0;) {
        const Rows<Grad, in> dxi = i > 0 || !G.input ? turn[i % 2] : dx;
        Inner::backward(at.at(static_cast<int>(i)), w.block[i], saved.block[i], dy, dxi,
                        i > 0 || !G.input ? Write::assign : how, g.block[i]);
        dy = dxi;
      }
    }
  };
};

}  // namespace entrain::layer
