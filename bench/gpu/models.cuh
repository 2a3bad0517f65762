// bench: the timed taggers: that of the quick start, encoders by the names of model/bert.hpp, and a small one for the
// host harness.
#pragma once
#include <string_view>

#include "bench/gpu/device.cuh"
#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"

namespace bench {

using entrain::model::BertBase;
using entrain::model::MiniLmL6;
using Small = entrain::model::Encoder<
    entrain::embed::Bert<entrain::embed::EmbeddingConfig{.vocabulary = 203, .positions = 64, .width = 32}>,
    entrain::layer::Stack<2, entrain::encode::PostNormBlock<entrain::encode::TransformerConfig{
                                 .width = 32, .heads = 2, .intermediate = 64}>>>;

template <class Encoder> inline constexpr std::string_view name_of = "small";
template <> inline constexpr std::string_view name_of<BertBase> = "bert-base";
template <> inline constexpr std::string_view name_of<MiniLmL6> = "minilm-l6";

/// The tagger of the quick start (examples/01_first_tagger/composition.hpp), which reads words.
using Light =
    entrain::model::Tagger<entrain::embed::MultiHash<96, entrain::batch::AffixWords, 2>,
                           entrain::encode::MaxoutWindow<96, 2, 1, 2>, entrain::head::Crf<96, entrain::text::Bioes>>;
template <> inline constexpr std::string_view name_of<Light> = "light";

/// Nine tags: four types in BIO.
template <class Encoder> using Tagger = entrain::model::FineTuned<Encoder, entrain::head::Softmax, entrain::text::Bio>;

}  // namespace bench
