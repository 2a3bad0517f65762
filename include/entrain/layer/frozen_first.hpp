// core > device, precision > tensor > kernel > [layer]
//
// A stack whose first blocks training does not change. Read layer/stack.hpp and layer/frozen.hpp first.
#pragma once
#include <string>

#include "entrain/layer/frozen.hpp"
#include "entrain/layer/stack.hpp"

namespace entrain::layer {

/// y = block_N(... block_1(x)), as Stack<N, Block>, and the same model folder. Blocks 0 to K-1 have no gradients and no
/// moments, and store nothing for backward unless a part below them is trained.
///
/// shapes    those of the stack
/// requires  0 < K < N
template <int K, class Stack> struct FrozenFirst;

template <int K, int N, class Block> struct FrozenFirst<K, Stack<N, Block>> {
  static_assert(0 < K && K < N,
                "entrain: FrozenFirst<K, Stack<N, Block>> needs 0 < K < N; "
                "to freeze all N blocks, write Frozen<Stack>.");
  using Lower = Frozen<Stack<K, Block>>;
  using Upper = Stack<N - K, Block>;
  static constexpr int in = Block::in, out = Block::out, reach = reach_of<Stack<N, Block>>;
  static constexpr bool reads_input_later = false, picks_rows = entrain::picks_rows<Block>;
  using Described = Stack<N, Block>;
  static void extents(auto& config) { Described::extents(config); }

  template <class T> struct Weights {
    typename Lower::template Weights<T> lower;
    typename Upper::template Weights<T> upper;
    static void each(auto&& f, auto& w) {
      Lower::template Weights<T>::each(f, w.lower);
      for (std::size_t i = K; i < N; ++i) {
        detail::tell_block(w.upper.block[i - K], i);
        f.block(std::to_string(i), w.upper.block[i - K]);
      }
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Below = entrain::Impl<Lower, P, D, Needs{false, G.input}>;
    using Above = entrain::Impl<Upper, P, D, G>;
    struct Saved {
      typename Below::Saved lower;
      Rows<A, out> between;
      typename Above::Saved upper;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Below::allocate_saved(arena, shape), take_rows<A, out>(arena, shape.rows),
              Above::allocate_saved(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      saved.between.n = x.n;  // allocated for the largest batch, used for this one
      Below::forward(at.at(0), w.lower, x, saved.between, saved.lower);
      Above::forward(at.at(1), w.upper, Rows<const A, out>(saved.between), y, saved.upper);
    }
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      saved.between.n = x.n;
      Below::forward(at.at(0), w.lower, x, saved.between, saved.lower);
      Above::forward_rows(at.at(1), w.upper, Rows<const A, out>(saved.between), rows, y, saved.upper);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto between = take_rows<Grad, out>(at.scratch, G.input ? at.shape.rows : 0);
      Above::backward(at.at(1), w.upper, saved.upper, dy, between, Write::assign, g.upper);
      if constexpr (G.input)
        Below::backward(at.at(0), w.lower, saved.lower, Rows<const Grad, out>(between), dx, how, g.lower);
    }
    static void backward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, out> dy, const std::int32_t* row_of, Rows<Grad, in> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto between = take_rows<Grad, out>(at.scratch, G.input ? at.shape.rows : 0);
      Above::backward_rows(at.at(1), w.upper, saved.upper, dy, row_of, between, Write::assign, g.upper);
      if constexpr (G.input)
        Below::backward(at.at(0), w.lower, saved.lower, Rows<const Grad, out>(between), dx, how, g.lower);
    }
  };
};

}  // namespace entrain::layer
