// text > batch > embed > encode > head > [model] > optim > checkpoint
//
// A model whose head reads one row a word: words become vectors, then vectors in context, then tags. Read network.hpp
// for the passes.
#pragma once
#include "entrain/model/network.hpp"

namespace entrain::model {

/// loss = head(encode(embed(words)), targets), a sum over the batch
///
/// Embed     makes rows of width Embed::out from what its Features pack        (embed/); where those are pieces of
///           words, a word is the row that its Features name, and after the encoder there is one row a word
/// Encode    a layer, as wide as Embed gives and Head takes                    (encode/, layer/)
/// Head      makes loss and predictions from rows of width Head::in; names its task, Head::Task   (head/, task/)
template <class Embed, class Encode, class Head> struct Tagger {
  static_assert(
      embed::is_embedding<Embed>,
      "entrain: the first argument of model::Tagger is not an embedding; the arguments are Tagger<Embed, Encode, "
      "Head>, as in Tagger<embed::MultiHash<96>, encode::MaxoutWindow<96, 4>, head::Crf<96, text::Bioes>>; see "
      "embed/contract.hpp.");
  static_assert(!embed::is_embedding<Embed> || refuse::is_encoder<Encode>,
                "entrain: the second argument of model::Tagger is not an encoder, a layer with 'in', 'out' and "
                "Weights; the arguments are Tagger<Embed, Encode, Head>; see docs/extending/layer.md.");
  static_assert(!embed::is_embedding<Embed> || !refuse::is_encoder<Encode> || head::is_head<Head>,
                "entrain: the third argument of model::Tagger is not a head, with 'in', Task, loss_name and Weights; "
                "the arguments are Tagger<Embed, Encode, Head>; see docs/extending/head.md.");
};

/// For three valid parts: the template above names the fault of others.
template <embed::IsEmbedding Embed, refuse::IsEncoder Encode, head::IsHead Head> struct Tagger<Embed, Encode, Head>
    : Network<Embed, Encode, Head, typename Embed::Features> {};

}  // namespace entrain::model
