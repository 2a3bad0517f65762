// text > batch > embed > encode > [head] > optim > checkpoint
//
// Classes of whole texts: the rows of a text become one vector, and a linear layer scores each class.
// In: vectors [N,C], the first row of each text, and targets [S]. Out: the loss, or a probability for each class.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "entrain/core/loss.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias
#include "entrain/kernel/pool/contract.hpp"
#include "entrain/kernel/sigmoid/contract.hpp"
#include "entrain/kernel/softmax/contract.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/linear.hpp"  // linear_back
#include "entrain/precision/policies.hpp"
#include "entrain/task/classification.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::head {

/// z[s] = between(pool(x))[s];   score[s] = weight z[s] + bias;   loss = sum_s of the task's loss of score[s]
///
/// C         width of the vectors
/// T         task::Classification<task::One>: softmax, one class a text; <task::Many>: a sigmoid for each class
/// Pooling   pool::Mean, pool::Max or pool::First (kernel/pool)
/// Between   a layer on the pooled vectors: dropout, or layer::Identity<C>; for BERT's pooler
///           layer::Sequence<layer::Dense<C, C, act::Tanh>, layer::Dropout<C>>
/// Loss      a loss other than cross-entropy, and its class weights: core/loss.hpp
///
/// shapes    x [N,C], weight [K,W], bias [K]; W the width that Between gives
/// saves     pool(x) and z [S,C], the slopes of the scores [S,K], what Between saves
template <int C, class T = task::Classification<task::One>, class Pooling = pool::Mean,
          class Between = layer::Dropout<C>, class Loss = loss::CrossEntropy>
struct Classify {
  static_assert(
      pool::is_pooling<Pooling>,
      "entrain: the third argument of head::Classify is not a pooling: pool::Mean, pool::Max or pool::First.");
  static_assert(WidthsMeet<C, Between::in>::value);
  static constexpr int in = C, W = Between::out;
  using Task = T;
  static constexpr std::string_view loss_name = Loss::name;
  static constexpr LossReads loss_reads = Loss::reads;
  static constexpr const char* label_bias = "classifier.bias";

  template <class N> struct Weights {
    typename Between::template Weights<N> between;
    Weight<N, dynamic_labels, W> weight;
    Weight<N, 1, dynamic_labels> bias;
    static void each(auto&& f, auto& w) {
      f.part("pooler", w.between);
      f("classifier.weight", w.weight, init::glorot_uniform);
      f(label_bias, w.bias, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(layer::contract<Between, P, D>());
    static_assert(sizeof(kernel::Pool<D>) > 0);  // a missing kernel is refused here
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Values = Weights<const typename P::Weight>;
    using Middle = entrain::Impl<Between, P, D, Needs{G.params && trainable<Between>, true}>;
    struct Saved {
      std::int32_t* from;  // [S,C] where the pooling remembers rows
      Rows<A, C> pooled;
      typename Middle::Saved between;
      Rows<A, W> z;
      LabelMatrix<Grad> slopes;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      const int texts = shape.sentences;
      const std::size_t remembered = Pooling::remembers_rows ? static_cast<std::size_t>(texts) * C : 0;
      return {arena.take<std::int32_t>(remembered), take_rows<A, C>(arena, texts),
              Middle::allocate_saved(arena, of_texts(shape)), take_rows<A, W>(arena, passes ? 0 : texts),
              take_label_matrix<Grad>(arena, texts, shape.labels)};
    }

    static void forward(const Step<D>& at, const Values& w, Rows<const A, C> x, typename Task::Targets targets,
                        typename P::Sum* loss, Saved& saved) {
      const Scratch give_back{at.scratch};
      const Step<D> inner = of_texts(at);
      const auto scores = take_label_matrix<A>(at.scratch, at.shape.sentences, at.shape.labels);
      read(at, w, x, saved, scores);
      if constexpr (Task::exclusive) {
        kernel::softmax_loss<Loss>(inner, LabelMatrix<const A>(scores), targets.data, saved.slopes, loss);
      } else {
        kernel::sigmoid_loss<Loss>(inner, LabelMatrix<const A>(scores), targets.data, saved.slopes, loss);
      }
    }
    static void backward(const Step<D>& step, const Values& w, const Saved& saved, typename Task::Targets,
                         Rows<Grad, C> dx, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const int texts = at.shape.sentences;
      const auto dz = take_rows<Grad, W>(at.scratch, texts);
      const LabelMatrix<const Grad> slopes = saved.slopes;
      layer::linear_back<Needs{G.params, G.input || trainable<Between>}>(at, slopes, Rows<const A, W>(saved.z), w, dz,
                                                                         Write::assign, g);
      if constexpr (G.input || trainable<Between>) {
        auto dpooled = take_rows<Grad, C>(at.scratch, passes ? 0 : texts);
        if constexpr (passes) {
          dpooled = dz;
        } else {
          Middle::backward(of_texts(at).at(0), w.between, saved.between, Rows<const Grad, W>(dz), dpooled,
                           Write::assign, g.between);
        }
        if constexpr (G.input) kernel::pool_rows_back<Pooling>(at, Rows<const Grad, C>(dpooled), saved.from, dx);
      }
    }
    static void decode(const Step<D>& at, const Values& w, Rows<const A, C> x, typename Task::Prediction out) {
      const Scratch give_back{at.scratch};
      Saved saved = allocate_saved(at.scratch, at.shape);
      const auto scores = take_label_matrix<A>(at.scratch, at.shape.sentences, at.shape.labels);
      read(at.evaluating(), w, x, saved, scores);
      if constexpr (Task::exclusive) {
        kernel::softmax_rows(at.dev, LabelMatrix<const A>(scores), out.data);
      } else {
        kernel::sigmoid_rows(at.dev, LabelMatrix<const A>(scores), out.data);
      }
    }

   private:
    static constexpr bool passes = passes_rows_on<Between>;
    /// The same sizes, of a step whose rows are texts.
    static Shape of_texts(Shape shape) { return {shape.sentences, shape.sentences, shape.labels}; }
    static Step<D> of_texts(const Step<D>& at) { return at.with_rows(at.shape.sentences); }

    static void read(const Step<D>& at, const Values& w, Rows<const A, C> x, Saved& saved, LabelMatrix<A> scores) {
      kernel::pool_rows<Pooling>(at, x, saved.pooled, saved.from);
      if constexpr (passes) {
        saved.z = saved.pooled;
      } else {
        Middle::forward(of_texts(at).at(0), w.between, Rows<const A, C>(saved.pooled), saved.z, saved.between);
      }
      kernel::gemm_bias(at.dev, Rows<const A, W>(saved.z), w.weight, w.bias, scores);
    }
  };
};

}  // namespace entrain::head
