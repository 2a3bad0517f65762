// text > batch > embed > encode > [head] > optim > checkpoint
//
// Chooses the tags of a sentence together: a linear layer to one score a tag, and a chain with a score for each pair of
// consecutive tags, which excludes the pairs that the scheme forbids. In: vectors [N,C] and targets [N]. Out: the loss,
// or a tag a token.
#pragma once
#include <string_view>
#include <type_traits>

#include "entrain/device/backward_step.hpp"
#include "entrain/head/by_scores.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias
#include "entrain/kernel/crf/contract.hpp"   // crf_forward, crf_backward, crf_decode
#include "entrain/kernel/map/contract.hpp"   // convert
#include "entrain/layer/linear.hpp"          // linear_back
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/tensor/weight.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::head {

/// loss = -sum over sentences of log P(targets),   P(y) = e^score(y) / Z over the paths that S allows,
/// score(y) = start[y_1] + sum_t (weight x[t] + bias)[y_t] + sum_t transitions[y_t-1, y_t] + end[y_L]
///
/// Decoding finds the path of the largest score (kernel::crf_decode).
///
/// C         width of the vectors          S         the scheme of the tags: the pairs that it forbids have probability
///                                                   0, so decoded tags are always valid
/// shapes    x [N,C]; weight [K,C], bias [1,K], transitions [K,K] from row to column, start and end [1,K], K tags;
///           targets [N], -100 where there is none: that token's tag is summed out
/// saves     the scores and the forward weights, [N,K] each. Scores and transitions are in the type of sums. In 16-bit
///           precisions, x, weight and the gradient of the scores have 16 bits, since products read them.
///           Saved::chain.broken counts sentences that were left out because their targets break the scheme
/// requires  C >= 1
/// source    Lafferty, McCallum, Pereira 2001, ICML, section 3; as a head, Lample et al. 2016, arXiv:1603.01360,
///           section 2.2; decoding Viterbi 1967
template <int C, text::TagScheme S> struct Crf : task::OldScheme<task::Tagging<S>> {
  static_assert(C > 0, "entrain: head::Crf<C, Scheme> needs C >= 1, the number of channels, as in Crf<96, Bioes>.");
  static constexpr std::string_view name = "crf", loss_name = "crf";
  static constexpr int in = C;
  static constexpr bool supports_deferred_join = true, scores_apart = true;
  using Task = task::Tagging<S>;
  static constexpr const char* label_bias = "classifier.bias";
  static constexpr std::string_view own_part = "crf.";

  template <class T> struct Weights {
    Weight<T, dynamic_labels, C> weight;
    Weight<T, 1, dynamic_labels> bias;
    kernel::Chain<T> chain;
    static void each(auto&& f, auto& w) {
      f("classifier.weight", w.weight, init::glorot_uniform);
      f(label_bias, w.bias, init::zeros);
      f("crf.transitions", w.chain.transitions, init::zeros);
      f("crf.start_transitions", w.chain.start, init::zeros);
      f("crf.end_transitions", w.chain.end, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      LabelMatrix<Sum> scores;
      kernel::CrfSaved<Sum> chain;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_label_matrix<Sum>(arena, shape.rows, shape.labels), kernel::CrfSaved<Sum>::take(arena, shape)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                        typename Task::Targets targets, Sum* loss, Saved& saved) {
      const Scratch give_back{at.scratch};
      saved.x = x;
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, saved.scores);
      kernel::crf_forward<S>(at, LabelMatrix<const Sum>(saved.scores), summed(at, w.chain), targets.data, saved.chain,
                             loss);
    }
    /// Call it once after a forward pass: it overwrites the chain's forward weights.
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         typename Task::Targets targets, Rows<Grad, C> dx, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto slopes = take_label_matrix<Sum>(at.scratch, at.shape.rows, at.shape.labels);
      kernel::crf_backward<S>(at, LabelMatrix<const Sum>(saved.scores), summed(at, w.chain), targets.data, saved.chain,
                              slopes, G.params ? g.chain : kernel::Chain<Sum>{});
      const LabelMatrix<Grad> d = rounded(at, slopes);
      layer::linear_back<G>(at, d, saved.x, w, dx, Write::assign, g);
    }
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                       typename Task::Prediction tags) {
      decode_by_scores<Impl, Sum>(at, w, x, tags);
    }
    /// decode in two parts: scores, row by row; then the tags.
    static void score(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                      LabelMatrix<Sum> scores) {
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, scores);
    }
    static void choose(const Step<D>& at, const Weights<const typename P::Weight>& w, LabelMatrix<const Sum> scores,
                       typename Task::Prediction tags) {
      const Scratch give_back{at.scratch};
      kernel::crf_decode<S>(at, scores, summed(at, w.chain), tags.data);
    }

   private:
    /// The chain in the type of its sums.
    template <class W> static kernel::Chain<const Sum> summed(const Step<D>& at, const kernel::Chain<const W>& chain) {
      if constexpr (std::is_same_v<W, Sum>) {
        return chain;
      } else {
        const int labels = at.shape.labels;
        const auto sums = [&](const W* numbers, int rows) {
          const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(labels);  // mutant 232
          Sum* const to = at.scratch.template take<Sum>(count);
          kernel::convert(at.dev, numbers, to, count);
          return to;
        };
        return {{sums(chain.transitions.data, labels), labels},
                {sums(chain.start.data, 1), labels},
                {sums(chain.end.data, 1), labels}};
      }
    }
    /// The gradient in the type in which products read it.
    static LabelMatrix<Grad> rounded(const Step<D>& at, LabelMatrix<Sum> slopes) {
      if constexpr (std::is_same_v<Grad, Sum>) {
        return slopes;
      } else {
        const auto to = take_label_matrix<Grad>(at.scratch, slopes.n, slopes.c);
        kernel::convert(at.dev, slopes.data, to.data,
                        static_cast<std::size_t>(slopes.n) * static_cast<std::size_t>(slopes.stride));  // mutant 233
        return to;
      }
    }
  };
};

}  // namespace entrain::head
