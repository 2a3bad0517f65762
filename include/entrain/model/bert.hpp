// text > batch > embed > encode > head > [model] > optim > checkpoint
//
// Pretrained encoders by name, and a tagger on one of them. Read model/tagger.hpp first.
#pragma once
#include "entrain/embed/bert.hpp"
#include "entrain/embed/frozen.hpp"
#include "entrain/embed/label_all_tokens.hpp"
#include "entrain/embed/modern_bert.hpp"
#include "entrain/embed/projected.hpp"
#include "entrain/encode/modern_bert.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/encode/with_norm.hpp"
#include "entrain/family/distilbert.hpp"
#include "entrain/family/electra.hpp"
#include "entrain/family/multilingual_bert.hpp"
#include "entrain/family/roberta.hpp"
#include "entrain/family/xlm_roberta.hpp"
#include "entrain/head/after.hpp"
#include "entrain/head/with_dropout.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/norm_without_bias.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/stack.hpp"
#include "entrain/model/prediction_head.hpp"
#include "entrain/model/tagger.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::model {

/// The parts of a pretrained encoder: its tables, and the blocks on them.
template <class EmbedType, class EncodeType> struct Encoder {
  using Embed = EmbedType;
  using Encode = EncodeType;
  static constexpr int width = Encode::out;
};

/// source    Devlin et al. 2018, arXiv:1810.04805, section 3; bert-base-uncased, bert-base-cased, and so on
using BertBase = Encoder<embed::Bert<embed::EmbeddingConfig{}>,
                         layer::Stack<12, encode::PostNormBlock<encode::TransformerConfig{}>>>;
using BertBaseCased = Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 28996}>,
                              layer::Stack<12, encode::PostNormBlock<encode::TransformerConfig{}>>>;
using BertLarge = Encoder<embed::Bert<embed::EmbeddingConfig{.width = 1024}>,
                          layer::Stack<24, encode::PostNormBlock<encode::TransformerConfig{
                                               .width = 1024, .heads = 16, .intermediate = 4096}>>>;
using BertLargeCased = Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 28996, .width = 1024}>,
                               layer::Stack<24, encode::PostNormBlock<encode::TransformerConfig{
                                                    .width = 1024, .heads = 16, .intermediate = 4096}>>>;

/// source    Wang et al. 2020, "MiniLM", arXiv:2002.10957; all-MiniLM-L6-v2 and all-MiniLM-L12-v2
using MiniLmL6 = Encoder<
    embed::Bert<embed::EmbeddingConfig{.width = 384}>,
    layer::Stack<6, encode::PostNormBlock<encode::TransformerConfig{.width = 384, .heads = 12, .intermediate = 1536}>>>;
using MiniLmL12 =
    Encoder<embed::Bert<embed::EmbeddingConfig{.width = 384}>,
            layer::Stack<
                12, encode::PostNormBlock<encode::TransformerConfig{.width = 384, .heads = 12, .intermediate = 1536}>>>;

/// source    Sanh et al. 2019, "DistilBERT", arXiv:1910.01108; distilbert-base-uncased, distilbert-base-cased
using DistilBert = Encoder<embed::Bert<embed::EmbeddingConfig{.types = 0}, family::DistilBert>,
                           layer::Stack<6, encode::PostNormBlock<encode::TransformerConfig{}>>>;
using DistilBertCased =
    Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 28996, .types = 0}, family::DistilBert>,
            layer::Stack<6, encode::PostNormBlock<encode::TransformerConfig{}>>>;

/// source    Clark et al. 2020, "ELECTRA", arXiv:2003.10555; electra-small-discriminator, electra-base-discriminator
/// and
///           electra-large-discriminator
using ElectraSmall = Encoder<
    embed::Projected<embed::Bert<embed::EmbeddingConfig{.width = 128}, family::Electra>, 256>,
    layer::Stack<12, encode::PostNormBlock<encode::TransformerConfig{.width = 256, .heads = 4, .intermediate = 1024}>>>;
using ElectraBase = Encoder<embed::Bert<embed::EmbeddingConfig{}, family::Electra>, typename BertBase::Encode>;
using ElectraLarge =
    Encoder<embed::Bert<embed::EmbeddingConfig{.width = 1024}, family::Electra>, typename BertLarge::Encode>;

/// source    Liu et al. 2019, "RoBERTa", arXiv:1907.11692; roberta-base, roberta-large, and distilroberta-base, whose
///           blocks are six of RoBERTa's
using RobertaBase =
    Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 50265, .positions = 514, .types = 1, .eps = 1e-5},
                        family::Roberta>,
            layer::Stack<12, encode::PostNormBlock<encode::TransformerConfig{.eps = 1e-5}>>>;
using RobertaLarge = Encoder<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 50265, .positions = 514, .types = 1, .width = 1024, .eps = 1e-5},
                family::Roberta>,
    layer::Stack<24, encode::PostNormBlock<encode::TransformerConfig{
                         .width = 1024, .heads = 16, .intermediate = 4096, .eps = 1e-5}>>>;
using DistilRoberta = Encoder<typename RobertaBase::Embed,
                              layer::Stack<6, encode::PostNormBlock<encode::TransformerConfig{.eps = 1e-5}>>>;

/// source    Conneau et al. 2019, "XLM-R", arXiv:1911.02116; xlm-roberta-base, xlm-roberta-large
using XlmRobertaBase =
    Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 250002, .positions = 514, .types = 1, .eps = 1e-5},
                        family::XlmRoberta>,
            typename RobertaBase::Encode>;
using XlmRobertaLarge = Encoder<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 250002, .positions = 514, .types = 1, .width = 1024, .eps = 1e-5},
                family::XlmRoberta>,
    typename RobertaLarge::Encode>;

/// source    Warner et al. 2024, "ModernBERT", arXiv:2412.13663, table 4; ModernBERT-base, ModernBERT-large
using ModernBertBase =
    Encoder<embed::ModernBert<embed::EmbeddingConfig{.vocabulary = 50368, .positions = 8192, .types = 0, .eps = 1e-5}>,
            encode::WithNorm<layer::Stack<22, encode::ModernBertBlock<encode::ModernBertConfig{}>>,
                             layer::NormWithoutBias<layer::NormConfig{}>>>;
using ModernBertLarge =
    Encoder<embed::ModernBert<embed::EmbeddingConfig{
                .vocabulary = 50368, .positions = 8192, .types = 0, .width = 1024, .eps = 1e-5}>,
            encode::WithNorm<layer::Stack<28, encode::ModernBertBlock<encode::ModernBertConfig{
                                                  .width = 1024, .heads = 16, .intermediate = 2624}>>,
                             layer::NormWithoutBias<layer::NormConfig{.width = 1024}>>>;

namespace detail {
template <int K, class Encode> struct FirstFrozen { using type = layer::FrozenFirst<K, Encode>; };
template <int K, class Stack, class Norm> struct FirstFrozen<K, encode::WithNorm<Stack, Norm>> {
  using type = encode::WithNorm<layer::FrozenFirst<K, Stack>, Norm>;
};
}  // namespace detail

/// source    Reimers, Gurevych 2020, arXiv:2004.09813; paraphrase-multilingual-MiniLM-L12-v2, multilingual-e5-small
using MultilingualMiniLmL12 =
    Encoder<embed::Bert<embed::EmbeddingConfig{.vocabulary = 250037, .width = 384}, family::MultilingualBert>,
            typename MiniLmL12::Encode>;

/// An encoder whose embedding training does not change; or the embedding and the first K blocks; or everything, so that
/// only the head is trained.
template <class E> using FrozenEmbedding = Encoder<embed::Frozen<typename E::Embed>, typename E::Encode>;
template <int K, class E> using FrozenFirst =
    Encoder<embed::Frozen<typename E::Embed>, typename detail::FirstFrozen<K, typename E::Encode>::type>;
template <class E> using FrozenEncoder = Encoder<embed::Frozen<typename E::Embed>, layer::Frozen<typename E::Encode>>;

/// An encoder that is trained on the tag of every piece, not of a word's first piece alone.
template <class E> using LabelAllTokens = Encoder<embed::LabelAllTokens<typename E::Embed>, typename E::Encode>;
template <class E> using LabelledByPiece [[deprecated("entrain: the name is LabelAllTokens")]] = LabelAllTokens<E>;

namespace detail {
template <class Stack> struct EachRecomputed;
template <int N, class Block> struct EachRecomputed<layer::Stack<N, Block>> {
  using type = layer::Stack<N, layer::Recompute<Block>>;
};
template <class Stack> struct EachRecomputed<layer::Frozen<Stack>> {  // saves nothing anyway
  using type = layer::Frozen<Stack>;
};
template <int K, int N, class Block> struct EachRecomputed<layer::FrozenFirst<K, layer::Stack<N, Block>>> {
  using type = layer::FrozenFirst<K, layer::Stack<N, layer::Recompute<Block>>>;
};
template <class Stack, class Norm> struct EachRecomputed<encode::WithNorm<Stack, Norm>> {
  using type = encode::WithNorm<typename EachRecomputed<Stack>::type, Norm>;
};
}  // namespace detail

/// The same encoder with less memory and more time: each block saves only its input, and repeats its forward pass in
/// backward. The results have the same bits.
template <class E> using Recomputed =
    Encoder<typename E::Embed, typename detail::EachRecomputed<typename E::Encode>::type>;

namespace detail {
template <class E, class Head> struct HeadOn { using type = head::WithDropout<Head>; };
template <class E, class Head>
requires(has_prediction_head<typename E::Embed>) struct HeadOn<E, Head> {
  using type = head::After<PredictionHeadOf<E>, Head>;
};
}  // namespace detail

/// A tagger on a pretrained encoder, as transformers' BertForTokenClassification: dropout before the head, whose width
/// is the encoder's. On ModernBERT, as ModernBertForTokenClassification: PredictionHeadOf before the head.
///
///   model::FineTuned<model::MiniLmL6, head::Softmax, text::Bio>
template <class E, template <int, text::TagScheme> class Head, text::TagScheme Scheme> using FineTuned =
    Tagger<typename E::Embed, typename E::Encode, typename detail::HeadOn<E, Head<E::width, Scheme>>::type>;

}  // namespace entrain::model
