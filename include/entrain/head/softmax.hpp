// text > batch > embed > encode > [head] > optim > checkpoint
//
// Chooses each token's tag independently: a linear layer to one score a tag, cross-entropy in training, the largest
// score in decoding. In: vectors [N,C] and targets [N]. Out: the loss, or a tag a token.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/loss.hpp"
#include "entrain/core/type_name.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/head/by_scores.hpp"
#include "entrain/kernel/bias/contract.hpp"     // gemm_bias
#include "entrain/kernel/softmax/contract.hpp"  // softmax_loss, argmax_rows
#include "entrain/layer/linear.hpp"             // linear_back
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/tensor/weight.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::head {

/// loss = -sum_n log softmax(weight x[n] + bias)[target[n]] over rows that have a target
///
/// C         width of the vectors          S         the scheme of the tags; this head does not enforce it
/// Loss      a loss other than the one above, and its class weights: core/loss.hpp, kernel::softmax_loss
/// shapes    x [N,C]; weight [K,C], bias [1,K], K tags; targets [N], -100 where there is none
/// requires  C >= 1
/// saves     the gradient of the scores [N,K], which is computed with the loss
/// decoding  tags may break the scheme, as in I-PER after O: score and predict read them by S's rules; head::Crf never
///           makes such tags
template <int C, text::TagScheme S, class LossType = loss::CrossEntropy> struct Softmax
    : task::OldScheme<task::Tagging<S>> {
  static_assert(C > 0,
                "entrain: head::Softmax<C, Scheme> needs C >= 1, the number of channels, as in Softmax<96, Bio>.");
  static constexpr std::string_view name = "softmax";
  static constexpr std::string_view loss_name = LossType::name;
  static constexpr LossReads loss_reads = LossType::reads;
  static constexpr int in = C;
  static constexpr bool supports_deferred_join = true, scores_apart = true;
  using Task = task::Tagging<S>;
  using Loss = LossType;
  static constexpr const char* label_bias = "classifier.bias";
  /// The loss matters only in training.
  static std::string describe() { return "Softmax<" + std::to_string(C) + ", " + std::string(type_name<S>()) + ">"; }

  template <class T> struct Weights {
    Weight<T, dynamic_labels, C> weight;
    Weight<T, 1, dynamic_labels> bias;
    static void each(auto&& f, auto& w) {
      f("classifier.weight", w.weight, init::glorot_uniform);
      f(label_bias, w.bias, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, C> x;
      LabelMatrix<Grad> slopes;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_label_matrix<Grad>(arena, shape.rows, shape.labels)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                        typename Task::Targets targets, typename P::Sum* loss, Saved& saved) {
      const Scratch give_back{at.scratch};
      const auto scores = take_label_matrix<A>(at.scratch, at.shape.rows, at.shape.labels);
      saved.x = x;
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, scores);
      kernel::softmax_loss<Loss>(at, LabelMatrix<const A>(scores), targets.data, saved.slopes, loss);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         typename Task::Targets, Rows<Grad, C> dx, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const LabelMatrix<const Grad> d = saved.slopes;
      layer::linear_back<G>(at, d, saved.x, w, dx, Write::assign, g);
    }
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                       typename Task::Prediction tags) {
      decode_by_scores<Impl, A>(at, w, x, tags);
    }
    /// decode in two parts: scores, row by row; then the tags. T is A if the memory is the host's.
    template <class T> static void score(const Step<D>& at, const Weights<const typename P::Weight>& w,
                                         Rows<const A, C> x, LabelMatrix<T> scores) {
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, scores);
    }
    template <class T> static void choose(const Step<D>& at, const Weights<const typename P::Weight>&,
                                          LabelMatrix<const T> scores, typename Task::Prediction tags) {
      kernel::argmax_rows(at.dev, scores, tags.data);
    }
  };
};

}  // namespace entrain::head
