// tests > [train]: the compositions of golden/bert, golden/distilbert, golden/electra, golden/electra_small,
// golden/roberta, golden/xlm_roberta and golden/modern_bert, and their folders.
#pragma once
#include <string>

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"

namespace test {
namespace embed = entrain::embed;
namespace encode = entrain::encode;
namespace head = entrain::head;
namespace layer = entrain::layer;
namespace model = entrain::model;
namespace text = entrain::text;

inline constexpr encode::TransformerConfig tiny_width{.width = 16, .heads = 2, .intermediate = 24};
using BertTables = embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 16}>;
using BertStack = layer::Stack<2, encode::PostNormBlock<tiny_width>>;
using BertHead = head::WithDropout<head::Softmax<16, text::Bio>>;
using Bert = model::Tagger<BertTables, BertStack, BertHead>;
using DistilBert =
    model::Tagger<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .types = 0, .width = 16},
                              entrain::family::DistilBert>,
                  BertStack, BertHead>;
using Electra = model::Tagger<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 16}, entrain::family::Electra>,
    BertStack, BertHead>;
using ElectraSmall =
    model::Tagger<embed::Projected<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 10},
                                               entrain::family::Electra>,
                                   16>,
                  BertStack, BertHead>;
inline constexpr encode::TransformerConfig tiny_roberta{.width = 16, .heads = 2, .intermediate = 24, .eps = 1e-5};
using Roberta = model::Tagger<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 280, .positions = 42, .types = 1, .width = 16, .eps = 1e-5},
                entrain::family::Roberta>,
    layer::Stack<2, encode::PostNormBlock<tiny_roberta>>, BertHead>;
using XlmRoberta = model::Tagger<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 38, .positions = 42, .types = 1, .width = 16, .eps = 1e-5},
                entrain::family::XlmRoberta>,
    layer::Stack<2, encode::PostNormBlock<tiny_roberta>>, BertHead>;
inline constexpr encode::ModernBertConfig tiny_modern{.width = 16,
                                                      .heads = 2,
                                                      .intermediate = 24,
                                                      .local_attention = 6,
                                                      .global_attn_every_n_layers = 2,
                                                      .global_rope_theta = 50,
                                                      .local_rope_theta = 7};
using ModernBertEncoder = model::Encoder<
    embed::ModernBert<embed::EmbeddingConfig{.vocabulary = 280, .positions = 40, .types = 0, .width = 16, .eps = 1e-5}>,
    encode::WithNorm<layer::Stack<4, encode::ModernBertBlock<tiny_modern>>,
                     layer::NormWithoutBias<layer::NormConfig{.width = 16}>>>;
using ModernBert = model::FineTuned<ModernBertEncoder, head::Softmax, text::Bio>;
inline const std::string golden_bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert";
inline const std::string golden_distilbert = ENTRAIN_SOURCE_DIR "/tests/train/golden/distilbert";
inline const std::string golden_electra = ENTRAIN_SOURCE_DIR "/tests/train/golden/electra";
inline const std::string golden_electra_small = ENTRAIN_SOURCE_DIR "/tests/train/golden/electra_small";
inline const std::string golden_roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/roberta";
inline const std::string golden_xlm_roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/xlm_roberta";
inline const std::string golden_modern_bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/modern_bert";

}  // namespace test
