// text > batch > embed > encode > [head] > optim > checkpoint
//
// The tags of a sentence are chosen together: a linear layer to one score a tag, and a chain that knows which tag likes
// to follow which, and which the scheme forbids. In: vectors [N,C] and targets [N]. Out: the loss, or a tag a token.
#pragma once
#include <string_view>
#include <type_traits>

#include "entrain/device/side_lane.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias, sum_rows
#include "entrain/kernel/crf/contract.hpp"   // crf_forward, crf_backward, crf_decode
#include "entrain/kernel/gemm/contract.hpp"  // gemm_dx, gemm_dw
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/weight.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::head {

/// loss = -sum over sentences of log P(targets), P by kernel::crf_forward over the scores weight x[n] + bias
///
/// C         width of the vectors          S         the scheme that the tags are written in: what it forbids has
///                                                   probability 0, so decoded tags are always valid
/// shapes    x [N,C]; weight [K,C], bias [1,K], transitions [K,K] from row to column, start and end [1,K], K tags;
///           targets [N], -100 where there is none: that token's tag is summed out
/// saves     the scores and the forward weights, [N,K] each; Saved::chain.broken counts sentences that were left out
///           because their targets break the scheme
template <int C, text::TagScheme S> struct Crf {
  static_assert(C > 0, "entrain: head::Crf<C, Scheme> needs C >= 1, the number of channels, as in Crf<96, Bioes>.");
  static constexpr std::string_view name = "crf", loss_name = "crf";
  static constexpr int in = C;
  using Scheme = S;

  template <class T> struct Weights {
    Weight<T, by_label, C> weight;
    Weight<T, 1, by_label> bias;
    kernel::Chain<T> chain;
    static void each(auto&& f, auto& w) {
      f("classifier.weight", w.weight);
      f("classifier.bias", w.bias);
      f("crf.transitions", w.chain.transitions);
      f("crf.start_transitions", w.chain.start);
      f("crf.end_transitions", w.chain.end);
    }
  };

  template <Precision P, class D, Needs G> struct On {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    static_assert(std::is_same_v<A, Sum> && std::is_same_v<Grad, Sum>,
                  "entrain: head::Crf needs scores and sums of one type: train it in precision::Fp32, or take "
                  "head::Softmax.");
    struct Saved {
      Rows<const A, C> x;
      Wide<A> scores;
      kernel::CrfSaved<A> chain;
    };
    static Saved keep(Arena& arena, Shape shape) {
      return {{}, take_wide<A>(arena, shape.rows, shape.labels), kernel::CrfSaved<A>::take(arena, shape)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                        const std::int32_t* targets, Sum* loss, Saved& saved) {
      saved.x = x;
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, saved.scores);
      kernel::crf_forward<S>(at, Wide<const A>(saved.scores), w.chain, targets, saved.chain, loss);
    }
    /// Once for a forward: the chain's forward weights are spent.
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const std::int32_t* targets, Rows<Grad, C> dx, const Weights<Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto d = take_wide<Grad>(at.scratch, at.shape.rows, at.shape.labels);
      kernel::crf_backward<S>(at, Wide<const A>(saved.scores), w.chain, targets, saved.chain, d,
                              G.params ? g.chain : kernel::Chain<Sum>{});
      device::SideLane lane(at.dev);
      if constexpr (G.params)
        lane([&](const D& dev) {
          kernel::gemm_dw(dev, d, saved.x, g.weight, at.grads);
          kernel::sum_rows(dev, d, g.bias, at.grads);
        });
      if constexpr (G.input) kernel::gemm_dx(at.dev, d, w.weight, dx, Write::assign);
      lane.join();
    }
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                       std::int32_t* tags) {
      const Scratch give_back{at.scratch};
      const auto scores = take_wide<A>(at.scratch, at.shape.rows, at.shape.labels);
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, scores);
      kernel::crf_decode<S>(at, Wide<const A>(scores), w.chain, tags);
    }
  };
};

}  // namespace entrain::head
