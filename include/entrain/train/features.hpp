// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a composition's features need of a folder before they can read a word: nothing, or a tokenizer.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/train/pretrained.hpp"

namespace entrain::train {

/// The features of a model folder, entrain's or Hugging Face's.
/// throws    where rows of the encoder are pieces of words: what checkpoint::read_tokenizer throws, entrain.text.14 and
///           .15 of its vocabulary (WordPiece), and what batch::Pieces throws
template <class Features> [[gnu::cold]] Features open_features(const std::string& folder) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    checkpoint::TokenizerFile file = checkpoint::read_tokenizer(folder);
    return {std::make_shared<const text::WordPiece>(std::move(file.vocabulary), std::move(file.options), folder),
            std::move(file.before), std::move(file.behind), folder};
  }
}

/// What a model keeps of the folder that it started from: the files that open_features reads, and what its config.json
/// says to transformers, as BertForTokenClassification. Nothing where rows of the encoder are words.
template <class Features> [[gnu::cold]] Heritage heritage_of(const std::string& folder) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    return read_heritage(folder);
  }
}

}  // namespace entrain::train
