// text > batch > embed > encode > head > [model] > optim > checkpoint
//
// What ModernBERT has between the encoder and the labels' scores. model::FineTuned and model::FineTunedClassifier use
// it for families that have it.
#pragma once
#include "entrain/core/activation.hpp"
#include "entrain/encode/with_norm.hpp"
#include "entrain/layer/dense_without_bias.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/sequence.hpp"

namespace entrain::model {
namespace detail {

/// Whether a pretrained embedding's family has a prediction head; through wrappers of the embedding.
template <class Embed> inline constexpr bool has_prediction_head = [] {
  if constexpr (requires { typename Embed::Described; })
    return has_prediction_head<typename Embed::Described>;
  else
    return requires { requires Embed::Family::has_prediction_head; };
}();

/// The norm after an encoder's blocks.
template <class Encode> struct LastNorm;
template <class Stack, class Norm> struct LastNorm<encode::WithNorm<Stack, Norm>> { using type = Norm; };
template <class Encode> struct LastNorm<layer::Frozen<Encode>> : LastNorm<Encode> {};

}  // namespace detail

/// A dense layer with GELU and a norm, as the one after the blocks; pretrained folders have both. Then dropout.
///
/// source    transformers' ModernBertPredictionHead
template <class E> using PredictionHeadOf =
    layer::Sequence<layer::DenseWithoutBias<E::width, E::width, act::Gelu>,
                    typename detail::LastNorm<typename E::Encode>::type, layer::Dropout<E::width>>;

}  // namespace entrain::model
