// core > device, precision > tensor > kernel > [layer]
//
// A linear layer with several pieces for each output; the output is the largest of them.
#pragma once
#include <string_view>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/maxout/contract.hpp"  // maxout, maxout_back
#include "entrain/layer/linear.hpp"            // linear_back
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y[n,c] = max_p (sum_i x[n,i] weight[p C + c, i] + bias[p C + c]),  p = 0 ... Pieces-1
///
/// shapes    x [N,I], y [N,C]; weight [Pieces C, I], bias [Pieces C]
/// saves     the index of the largest piece, [N,C] bytes; x is a view
/// source    Goodfellow et al. 2013, arXiv:1302.4389, section 3
template <int I, int C, int Pieces = 3> struct Maxout {
  static_assert(Pieces >= 2, "entrain: Maxout<I, C, Pieces> needs Pieces >= 2, as in Maxout<288, 96, 3>.");
  static constexpr std::string_view name = "maxout";
  static constexpr int in = I, out = C, wide = Pieces * C, reach = 0;

  template <class T> using Weights = typename Linear<I, wide>::template Weights<T>;

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, I> x;
      Rows<std::uint8_t, C> which;
    };

    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_rows<std::uint8_t, C>(arena, shape.rows)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, I> x, Rows<A, C> y,
                        Saved& saved) {
      const Scratch give_back{at.scratch};
      const auto pre = take_rows<A, wide>(at.scratch, at.shape.rows);
      kernel::gemm(at.dev, x, w.weight, pre);
      kernel::maxout<Pieces>(at.dev, Rows<const A, wide>(pre), w.bias, y, saved.which);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, I> dx, Write how, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const auto dpre = take_rows<Grad, wide>(at.scratch, at.shape.rows);
      kernel::maxout_back<Pieces>(at.dev, dy, Rows<const std::uint8_t, C>(saved.which), dpre);
      linear_back<G>(at, dpre, saved.x, w, dx, how, g);
    }
  };
};

}  // namespace entrain::layer
