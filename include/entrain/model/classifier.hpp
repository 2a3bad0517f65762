// text > batch > embed > encode > head > [model] > optim > checkpoint
//
// A model whose head reads whole texts: words become vectors, then vectors in context, then a class for the text. Read
// network.hpp for the passes.
#pragma once
#include "entrain/batch/encode/label_all_tokens.hpp"
#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/core/activation.hpp"
#include "entrain/head/classify.hpp"
#include "entrain/layer/dense.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/model/network.hpp"
#include "entrain/model/prediction_head.hpp"

namespace entrain::model {

/// loss = head(encode(embed(words)), targets), a sum over the batch
///
/// Embed     makes rows of width Embed::out from what its Features pack        (embed/); where those are pieces of
///           words, the head reads every piece of the text, [CLS] and [SEP] too
/// Encode    a layer, as wide as Embed gives and Head takes                    (encode/, layer/)
/// Head      makes loss and predictions from the rows of each sentence         (head/classify.hpp)
template <class Embed, class Encode, class Head> struct Classifier {
  static_assert(embed::is_embedding<Embed>,
                "entrain: the first argument of model::Classifier is not an embedding; the arguments are "
                "Classifier<Embed, Encode, "
                "Head>, as in Classifier<embed::MultiHash<96>, encode::MaxoutWindow<96, 4>, head::Classify<96>>; see "
                "embed/contract.hpp.");
  static_assert(!embed::is_embedding<Embed> || refuse::is_encoder<Encode>,
                "entrain: the second argument of model::Classifier is not an encoder, a layer with 'in', 'out' and "
                "Weights; the arguments are Classifier<Embed, Encode, Head>; see docs/extending/layer.md.");
  static_assert(
      !embed::is_embedding<Embed> || !refuse::is_encoder<Encode> || head::is_head<Head>,
      "entrain: the third argument of model::Classifier is not a head, with 'in', Task, loss_name and Weights; "
      "the arguments are Classifier<Embed, Encode, Head>; see docs/extending/head.md.");
};

/// For three valid parts: the template above names the fault of others.
template <embed::IsEmbedding Embed, refuse::IsEncoder Encode, head::IsHead Head> struct Classifier<Embed, Encode, Head>
    : Network<Embed, Encode, Head, batch::WholeTextsOf<typename Embed::Features>> {
  static_assert(!batch::labels_every_piece<typename Embed::Features>,
                "entrain: LabelAllTokens trains on a target for every piece, but model::Classifier has one for each "
                "text; embed the pieces without it.");
};

namespace detail {
/// The activation function of a family's pooler, through wrappers of the embedding: tanh, or what the family names.
template <class Embed> constexpr auto pooler_act() {
  if constexpr (requires { typename Embed::Described; })
    return pooler_act<typename Embed::Described>();
  else if constexpr (requires { typename Embed::Family::PoolerAct; })
    return typename Embed::Family::PoolerAct();
  else
    return act::Tanh();
}
template <class Embed> constexpr bool pooler_drops_input() {
  if constexpr (requires { typename Embed::Described; })
    return pooler_drops_input<typename Embed::Described>();
  else if constexpr (requires { Embed::Family::pooler_drops_input; })
    return Embed::Family::pooler_drops_input;
  else
    return false;
}
template <class E> constexpr auto pooler_of() {
  using Drop = layer::Dropout<E::width>;
  using Pooler = layer::Dense<E::width, E::width, decltype(pooler_act<typename E::Embed>())>;
  if constexpr (has_prediction_head<typename E::Embed>)
    return PredictionHeadOf<E>();
  else if constexpr (pooler_drops_input<typename E::Embed>())
    return layer::Sequence<Drop, Pooler, Drop>();
  else
    return layer::Sequence<Pooler, Drop>();
}
}  // namespace detail

/// What transformers' ...ForSequenceClassification has between the row of [CLS] and the classes: a dense layer, with
/// tanh for BERT, whose pretrained folders have its weights, relu for DistilBERT, tanh for RoBERTa and gelu for
/// ELECTRA; then dropout, for the last two also before the dense layer. For ModernBERT: PredictionHeadOf.
///
/// source    Devlin et al. 2018, arXiv:1810.04805, section 4.1; transformers' BertPooler, RobertaClassificationHead and
///           ElectraClassificationHead
template <class E> using PoolerOf = decltype(detail::pooler_of<E>());

/// A classifier on a pretrained encoder, as transformers' BertForSequenceClassification.
///
///   model::FineTunedClassifier<model::MiniLmL6>
///   model::FineTunedClassifier<model::BertBase, task::Classification<task::Many>, pool::Mean, layer::Dropout<768>>
template <class E, class Task = task::Classification<task::One>, class Pooling = pool::First,
          class Between = PoolerOf<E>, class Loss = loss::CrossEntropy>
using FineTunedClassifier =
    Classifier<typename E::Embed, typename E::Encode, head::Classify<E::width, Task, Pooling, Between, Loss>>;

}  // namespace entrain::model
