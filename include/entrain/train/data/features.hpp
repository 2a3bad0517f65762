// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The files of a folder that a composition's features need before they can read a word: none, or a tokenizer.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/checkpoint/all_tokenizers.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/train/folder/pretrained.hpp"

namespace entrain::train {

/// The features of texts of a folder (checkpoint::tokenizer_texts, checkpoint::Model).
///
/// folder    for messages
/// notes     receives messages for the user
/// throws    where rows of the encoder are pieces of words: what checkpoint::TokenizerOf of the tokenizer throws, and
/// what
///           batch::Pieces throws
template <class Features> [[gnu::cold]] Features features_of(const std::vector<checkpoint::FolderText>& texts,
                                                             const std::string& folder,
                                                             std::vector<std::string>& notes) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    using Tokenizer = typename Features::Tokenizer;
    auto [tokenizer, before, after] = checkpoint::TokenizerOf<Tokenizer>::open(texts, folder, notes);
    return {std::make_shared<const Tokenizer>(std::move(tokenizer)), std::move(before), std::move(after), folder};
  }
}

namespace detail {
template <class Features> std::vector<checkpoint::FolderText> texts_for(const std::string& folder) {
  return read_texts(folder, checkpoint::names_of_files<typename Features::Tokenizer>());
}
template <class Features>
SourceFiles source_files_for(const std::vector<checkpoint::FolderText>& texts, const family::Description* own) {
  return source_files_in(texts, checkpoint::kept_files<typename Features::Tokenizer>(texts), own,
                         batch::whole_texts<Features>);
}
}  // namespace detail

/// The files that a training takes from its starting folder in addition to the weights, all of one moment.
template <class Features> struct Start {
  Features features;
  SourceFiles source_files;
  std::vector<std::string> notes;  // messages for the user
};

/// Reads the start from a model folder of entrain or Hugging Face. Reads nothing where rows of the encoder are words.
/// own       the composition's family, which need not be registered
/// throws    what features_of, checkpoint::at_one_moment and checkpoint::FolderFiles throw
template <class Features>
[[gnu::cold]] Start<Features> read_start(const std::string& folder, const family::Description* own = nullptr) {
  Start<Features> start;
  if constexpr (!Features::by_words) {
    const auto texts = detail::texts_for<Features>(folder);
    start.features = features_of<Features>(texts, folder, start.notes);
    start.source_files = detail::source_files_for<Features>(texts, own);
  }
  return start;
}

/// The features of a model folder, entrain's or Hugging Face's.
/// throws    what features_of, checkpoint::at_one_moment and checkpoint::FolderFiles throw
template <class Features> [[gnu::cold]] Features open_features(const std::string& folder) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    std::vector<std::string> notes;
    return features_of<Features>(detail::texts_for<Features>(folder), folder, notes);
  }
}

/// The content that a model keeps of its starting folder: the files that open_features reads, and the keys of its
/// config.json that are for transformers, as BertForTokenClassification. Nothing where rows of the encoder are words.
/// own       the composition's family, which need not be registered
template <class Features>
[[gnu::cold]] SourceFiles source_files_of(const std::string& folder, const family::Description* own = nullptr) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    return detail::source_files_for<Features>(detail::texts_for<Features>(folder), own);
  }
}

}  // namespace entrain::train
