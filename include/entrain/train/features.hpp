// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a composition's features need of a folder before they can read a word: nothing, or a tokenizer.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/train/folder.hpp"

namespace entrain::train {

/// The features of a model folder, entrain's or Hugging Face's.
/// throws    what checkpoint::read_tokenizer throws, where rows of the encoder are pieces of words
template <class Features> [[gnu::cold]] Features open_features(const std::string& folder) {
  if constexpr (Features::by_words) {
    return {};
  } else {
    checkpoint::TokenizerFile file = checkpoint::read_tokenizer(folder);
    return {std::make_shared<const text::WordPiece>(std::move(file.vocabulary), std::move(file.options)),
            std::move(file.before), std::move(file.behind)};
  }
}

/// The files of a folder that open_features reads, to be saved with a model.
template <class Features> [[gnu::cold]] std::vector<Attachment> feature_files(const std::string& folder) {
  std::vector<Attachment> files;
  if constexpr (!Features::by_words)
    for (const char* name : {"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"})
      if (const std::string path = folder + "/" + name; std::filesystem::exists(path))
        files.push_back({name, text::read_file(path)});
  return files;
}

}  // namespace entrain::train
