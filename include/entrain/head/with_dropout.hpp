// text > batch > embed > encode > [head] > optim > checkpoint
//
// A head with dropout on its input in training, as the classifier of BERT has it. Read head/softmax.hpp first.
#pragma once
#include <string_view>

#include "entrain/device/step.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::head {

/// loss = head(dropout(x), targets); decoding reads x itself
///
/// shapes    x [N,C]; the rest as Head
/// saves     dropout(x) [N,C], and what Head saves
/// source    Devlin et al. 2018, arXiv:1810.04805; transformers' BertForTokenClassification
template <class Head> struct WithDropout : task::OldScheme<typename Head::Task> {
  static constexpr int in = Head::in, C = Head::in;
  static constexpr bool supports_deferred_join = entrain::supports_deferred_join<Head>,
                        scores_apart = entrain::scores_apart<Head>;
  using Task = typename Head::Task;
  static constexpr std::string_view described_as = "Dropped";  // model folders hold this name
  static constexpr std::string_view loss_name = Head::loss_name;
  static constexpr LossReads loss_reads = loss_reads_of<Head>;
  static constexpr std::string_view label_bias = label_bias_of<Head>, own_part = own_part_of<Head>;
  template <class T> using Weights = typename Head::template Weights<T>;

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Real = entrain::Impl<Head, P, D, G>;
    struct Saved {
      Rows<A, C> x;
      typename Real::Saved head;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {take_rows<A, C>(arena, shape.rows), Real::allocate_saved(arena, shape)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                        typename Task::Targets targets, typename P::Sum* loss, Saved& saved) {
      if (at.training) {
        saved.x.n = x.n;
        kernel::dropout(at, x, saved.x, Write::assign);
        x = saved.x;
      }
      Real::forward(at.at(0), w, x, targets, loss, saved.head);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         typename Task::Targets targets, Rows<Grad, C> dx, const Weights<typename P::Sum>& g) {
      Real::backward(at.at(0), w, saved.head, targets, dx, g);
      if (G.input && at.training) kernel::dropout(at, Rows<const Grad, C>(dx), dx, Write::assign);
    }
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                       typename Task::Prediction out) {
      Real::decode(at.at(0), w, x, out);
    }
    template <class T> static void score(const Step<D>& at, const Weights<const typename P::Weight>& w,
                                         Rows<const A, C> x, LabelMatrix<T> scores) {
      Real::score(at.at(0), w, x, scores);
    }
    template <class T> static void choose(const Step<D>& at, const Weights<const typename P::Weight>& w,
                                          LabelMatrix<const T> scores, typename Task::Prediction out) {
      Real::choose(at.at(0), w, scores, out);
    }
  };
};

template <class Head> using Dropped [[deprecated("entrain: the name is WithDropout")]] = WithDropout<Head>;

}  // namespace entrain::head
