// text > batch > embed > encode > [head] > optim > checkpoint
//
// A head whose input first goes through a layer, as ModernBERT's prediction head before the classifier. Read
// head/softmax.hpp and with_dropout.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/contract.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::head {

/// loss = head(layer(x), targets)
///
/// Layer     computes each row from that row alone; its parameters are prediction.X
/// shapes    x [N,C]; the rest as Head
/// saves     layer(x) [N,W], and what both save
/// source    transformers' ModernBertForTokenClassification
template <class Layer, class Head> struct After : task::OldScheme<typename Head::Task> {
  static_assert(WidthsMeet<Layer::out, Head::in>::value);
  static_assert(reach_of<Layer> == 0,
                "entrain: the first argument of head::After must compute each row from that row alone; put other "
                "layers into the encoder.");
  static constexpr int in = Layer::in, C = Layer::in, W = Layer::out;
  static constexpr bool scores_apart = entrain::scores_apart<Head>;
  using Task = typename Head::Task;
  static constexpr std::string_view loss_name = Head::loss_name;
  static constexpr LossReads loss_reads = loss_reads_of<Head>;
  static constexpr std::string_view label_bias = label_bias_of<Head>, own_part = own_part_of<Head>;

  template <class T> struct Weights {
    typename Layer::template Weights<T> layer;
    typename Head::template Weights<T> head;
    static void each(auto&& f, auto& w) {
      f.part("prediction", w.layer);
      Head::template Weights<T>::each(f, w.head);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(layer::contract<Layer, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Values = Weights<const typename P::Weight>;
    static constexpr bool handed_down = G.input || (G.params && trainable<Layer>);
    using Below = entrain::Impl<Layer, P, D, Needs{G.params && trainable<Layer>, G.input}>;
    using Above = entrain::Impl<Head, P, D, Needs{G.params, handed_down}>;
    struct Saved {
      typename Below::Saved layer;
      Rows<A, W> z;
      typename Above::Saved head;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Below::allocate_saved(arena, shape), take_rows<A, W>(arena, shape.rows),
              Above::allocate_saved(arena, shape)};
    }

    static void forward(const Step<D>& at, const Values& w, Rows<const A, C> x, typename Task::Targets targets,
                        typename P::Sum* loss, Saved& saved) {
      saved.z.n = x.n;  // allocated for the largest batch, used for this one
      Below::forward(at.at(0), w.layer, x, saved.z, saved.layer);
      Above::forward(at.at(1), w.head, Rows<const A, W>(saved.z), targets, loss, saved.head);
    }
    static void backward(const Step<D>& step, const Values& w, const Saved& saved, typename Task::Targets targets,
                         Rows<Grad, C> dx, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const auto dz = take_rows<Grad, W>(at.scratch, at.shape.rows);
      Above::backward(at.at(1), w.head, saved.head, targets, dz, g.head);
      if constexpr (handed_down)
        Below::backward(at.at(0), w.layer, saved.layer, Rows<const Grad, W>(dz), dx, Write::assign, g.layer);
    }
    static void decode(const Step<D>& at, const Values& w, Rows<const A, C> x, typename Task::Prediction out) {
      through(at, w, x, [&](Rows<const A, W> z) { Above::decode(at.at(1), w.head, z, out); });
    }
    template <class T>
    static void score(const Step<D>& at, const Values& w, Rows<const A, C> x, LabelMatrix<T> scores) {
      through(at, w, x, [&](Rows<const A, W> z) { Above::score(at.at(1), w.head, z, scores); });
    }
    template <class T>
    static void choose(const Step<D>& at, const Values& w, LabelMatrix<const T> scores, typename Task::Prediction out) {
      Above::choose(at.at(1), w.head, scores, out);
    }

   private:
    static void through(const Step<D>& at, const Values& w, Rows<const A, C> x, auto&& f) {
      const Scratch give_back{at.scratch};
      auto saved = Below::allocate_saved(at.scratch, at.shape);
      const auto z = take_rows<A, W>(at.scratch, at.shape.rows);
      Below::forward(at.evaluating().at(0), w.layer, x, z, saved);
      f(Rows<const A, W>(z));
    }
  };
};

}  // namespace entrain::head
