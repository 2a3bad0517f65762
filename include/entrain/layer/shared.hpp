// core > device, precision > tensor > kernel > [layer]
//
// One set of weights, used N times in a row, as in ALBERT. Read layer/stack.hpp first.
#pragma once
#include "entrain/layer/stack.hpp"

namespace entrain::layer {

/// y = block(... block(x)), N times with the same weights; their gradient is the sum over the N uses.
///
/// shapes    x, y [N,C]
/// requires  N >= 1, Block::in == Block::out
/// saves     what Stack<N, Block> saves
/// source    Lan et al. 2020, "ALBERT", arXiv:1909.11942, section 3.1, cross-layer parameter sharing
template <int N, class Block> struct Shared {
  static constexpr int in = Block::in, out = Block::out, reach = reach_of<Block> < 0 ? -1 : N * reach_of<Block>;
  template <class T> using Weights = typename Block::template Weights<T>;

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(contract<Block, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Apart = entrain::Impl<Stack<N, Block>, P, D, G>;
    using Inner = typename Apart::Inner;
    using Saved = typename Apart::Saved;

    static Saved allocate_saved(Arena& arena, Shape shape) { return Apart::allocate_saved(arena, shape); }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      Apart::through(
          at, [](const Step<D>& of_use, auto&& use) { use(of_use); }, [&](std::size_t) { return w; }, x, y, saved);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const std::array<Rows<Grad, in>, 2> turn{take_rows<Grad, in>(at.scratch, at.shape.rows),
                                               take_rows<Grad, in>(at.scratch, at.shape.rows)};
      for (std::size_t i = N; i-- > 0;) {
        const Rows<Grad, in> dxi = i > 0 || !G.input ? turn[i % 2] : dx;
        const Step<D> use = at.at(static_cast<int>(i));
        // Backward begins with the last use: it assigns if this is the first micro-batch; every other use adds.
        Inner::backward(i + 1 < N ? use.adding() : use, w, saved.block[i], dy, dxi,
                        i > 0 || !G.input ? Write::assign : how, g);
        dy = dxi;
      }
    }
  };
};

}  // namespace entrain::layer
