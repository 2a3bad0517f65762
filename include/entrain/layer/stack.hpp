// core > device, precision > tensor > kernel > [layer]
//
// N blocks of one type, one after the other. They are an array, not N nested types, so that compile time does not grow
// with depth.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "entrain/core/contract.hpp"
#include "entrain/device/backward_blocks.hpp"
#include "entrain/device/backward_parts.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {
namespace detail {

/// Tells the weights of a block its place in the stack, if the block depends on it: a stack calls this where it names
/// them, which is before anything reads them.
template <class Weights> constexpr void tell_block(Weights& w, std::size_t i) {
  if constexpr (requires { w.at_block(static_cast<int>(i)); }) w.at_block(static_cast<int>(i));
}

}  // namespace detail

/// y = block_N(... block_1(x))
///
/// shapes    x, y [rows,C]
/// requires  N >= 1, Block::in == Block::out
/// saves     what each block saves, and the vectors between blocks. With Needs{false, false} no backward follows, so
///           all blocks share what one block saves
/// adjoint   from the last block to the first. All blocks are one type, so each computes the gradient of its input; if
///           the caller does not need that of the first block, it is written to scratch
template <int N, class Block> struct Stack {
  static_assert(N >= 1, "entrain: Stack<N, Block> needs N >= 1 blocks.");
  static_assert(WidthsMeet<Block::out, Block::in>::value);
  static constexpr int in = Block::in, out = Block::out, reach = reach_of<Block> < 0 ? -1 : N * reach_of<Block>;
  static constexpr std::size_t count = N;
  static constexpr bool trainable = entrain::trainable<Block>;
  static constexpr bool picks_rows = entrain::picks_rows<Block>,
                        supports_deferred_join = entrain::supports_deferred_join<Block>;
  static void extents(auto& config) {
    for (int i = 0; i < N; ++i) Block::extents(config);
  }

  template <class T> struct Weights {
    std::array<typename Block::template Weights<T>, N> block;
    static void each(auto&& f, auto& w) {
      for (std::size_t i = 0; i < N; ++i) {
        detail::tell_block(w.block[i], i);
        f.block(std::to_string(i), w.block[i]);
      }
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(contract<Block, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    static constexpr bool forgets = !G.params && !G.input;
    static constexpr std::size_t blocks = forgets ? 1 : N, between = forgets && N > 2 ? 2 : N - 1;
    using Inner = entrain::Impl<Block, P, D, Needs{G.params, !forgets}>;
    struct Saved {
      std::array<typename Inner::Saved, blocks> block;
      std::array<Rows<A, out>, between> y;
      Rows<A, out> some;  // for forward_rows
    };

    static Saved allocate_saved(Arena& arena, Shape shape) {
      Saved saved;
      for (std::size_t i = 0; i < std::max(blocks, between); ++i) {  // mutant 209
        if (i < blocks) saved.block[i] = Inner::allocate_saved(arena, shape);
        if constexpr (between > 0)
          if (i < between) saved.y[i] = take_rows<A, out>(arena, shape.rows);
      }
      if constexpr (picks_rows) saved.some = take_rows<A, out>(arena, shape.rows);
      return saved;
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      through(
          at, [](const Step<D>& of_block, auto&& block) { device::forward_block(of_block, block); },
          [&](std::size_t i) { return w.block[i]; }, x, y, saved);
    }
    /// y = some rows of the result, where Block picks rows: above the last attention no layer reads the others.
    ///
    /// rows      [y.n] which rows
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      for (auto& yi : saved.y) yi.n = at.shape.rows;  // allocated for the largest batch, used for this one
      saved.some.n = y.n;
      if constexpr (between > 0)
        for (std::size_t i = 0; i + 1 < N; ++i) {
          device::forward_block(at.at(static_cast<int>(i)), [&](const Step<D>& of_block) {
            Inner::forward(of_block, w.block[i], x, saved.y[i % between], saved.block[i % blocks]);
          });
          x = saved.y[i % between];
        }
      device::forward_block(at.at(N - 1), [&](const Step<D>& of_block) {
        Inner::forward_rows(of_block, w.block[N - 1], x, rows, saved.some, y, saved.block[(N - 1) % blocks]);
      });
    }
    /// Forward with the weights of block i from weights(i); call(step, block) calls block(step).
    static void through(const Step<D>& at, auto&& call, auto&& weights, Rows<const A, in> x, Rows<A, out> y,
                        Saved& saved) {
      for (auto& yi : saved.y) yi.n = at.shape.rows;  // allocated for the largest batch, used for this one
      for (std::size_t i = 0; i < N; ++i) {
        Rows<A, out> yi = y;
        if constexpr (between > 0)
          if (i + 1 < N) yi = saved.y[i % between];
        call(at.at(static_cast<int>(i)),
             [&](const Step<D>& of_block) { Inner::forward(of_block, weights(i), x, yi, saved.block[i % blocks]); });
        x = yi;
      }
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      Blocks all(at);
      backward_below(at, w, saved, N, dy, dx, how, g, all);
    }
    /// The adjoint of forward_rows. dy holds those rows; row_of [N] gives each row's index in dy, or -1.
    static void backward_rows(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, out> dy, const std::int32_t* row_of, Rows<Grad, in> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      Blocks all(at);
      const Rows<Grad, in> last = lands(N - 1) ? dx : all.dx(N - 1);  // mutant 210
      all.backward.apart(at.at(N - 1), [&](const Step<D>& of_block) {
        Inner::backward_rows(of_block, w.block[N - 1], saved.block[(N - 1) % blocks], dy, row_of, last,
                             lands(N - 1) ? how : Write::assign, g.block[N - 1]);
      });
      backward_below(at, w, saved, N - 1, last, dx, how, g, all);
    }

   private:
    static constexpr bool defers = G.params && supports_deferred_join;
    /// The gradients of the blocks' inputs, and the scheduler of the blocks' backward passes.
    struct Blocks {
      explicit Blocks(const Step<D>& at) : Blocks(at, device::BackwardBlocks<D>::results(at, defers)) {}
      Rows<Grad, in> dx(std::size_t i) const { return kept[i % results]; }

      std::size_t results;
      std::array<Rows<Grad, in>, 3> kept;
      device::BackwardBlocks<D> backward;

     private:
      Blocks(const Step<D>& at, std::size_t n)
          : results(n),
            kept{take_rows<Grad, in>(at.scratch, at.shape.rows), take_rows<Grad, in>(at.scratch, at.shape.rows),
                 take_rows<Grad, in>(at.scratch, n > 2 ? at.shape.rows : 0)},
            backward(at, defers) {}
    };
    /// Whether the gradient of block i's input is written to the caller's dx.
    static constexpr bool lands(std::size_t i) { return i == 0 && G.input; }
    /// Backward of blocks n - 1 to 0.
    static void backward_below(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                               std::size_t n, Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how,
                               const Weights<typename P::Sum>& g, Blocks& all) {
      for (std::size_t i = n; i-- > 0;) {
        const Rows<Grad, in> dxi = lands(i) ? dx : all.dx(i);
        const Write of_dx = lands(i) ? how : Write::assign;
        const auto block = [&](const Step<D>& of_block) {
          Inner::backward(of_block, w.block[i], saved.block[i % blocks], dy, dxi, of_dx, g.block[i]);
        };
        const Step<D> inner = at.at(static_cast<int>(i));
        if (of_dx == Write::assign) {
          all.backward(inner, block);
        } else {
          all.backward.apart(inner, block);  // it may need more scratch
        }
        dy = dxi;
      }
      all.backward.finish(at);
    }
  };
};

}  // namespace entrain::layer
