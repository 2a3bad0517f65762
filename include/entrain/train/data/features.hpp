// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The files that a composition's features need before they can read a word: none, a tokenizer's, or the words of
// vectors.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/checkpoint/all_tokenizers.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/train/data/vectors.hpp"
#include "entrain/train/folder/pretrained.hpp"

namespace entrain::train {

/// Whether features are read from the files of a folder.
template <class Features> inline constexpr bool reads_files = !Features::by_words || has_vectors<Features>;

/// The features of texts of a folder (checkpoint::tokenizer_texts, checkpoint::Model).
///
/// folder    for messages
/// notes     receives messages for the user
/// throws    where rows of the encoder are pieces of words: what checkpoint::TokenizerOf of the tokenizer throws, and
///           what batch::Pieces throws; with word vectors what kept_words and batch::WordsWithVectors throw
template <class Features> [[gnu::cold]] Features features_of(const std::vector<checkpoint::FolderText>& texts,
                                                             const std::string& folder,
                                                             std::vector<std::string>& notes) {
  if constexpr (has_vectors<Features>) {
    return Features(kept_words(texts, Features::kept_file, folder), folder);
  } else if constexpr (Features::by_words) {
    return {};
  } else {
    using Tokenizer = typename Features::Tokenizer;
    auto [tokenizer, before, after] = checkpoint::TokenizerOf<Tokenizer>::open(texts, folder, notes);
    return {std::make_shared<const Tokenizer>(std::move(tokenizer)), std::move(before), std::move(after), folder};
  }
}

namespace detail {
template <class Features> std::vector<checkpoint::FolderText> texts_for(const std::string& folder) {
  if constexpr (has_vectors<Features>) {
    return read_texts(folder, std::span(&Features::kept_file, 1));
  } else {
    return read_texts(folder, checkpoint::names_of_files<typename Features::Tokenizer>());
  }
}
template <class Features> SourceFiles source_files_for(const std::vector<checkpoint::FolderText>& texts) {
  if constexpr (has_vectors<Features>) {
    return {{{std::string(Features::kept_file), checkpoint::find_text(texts, Features::kept_file)->text}},
            {},
            checkpoint::find_text(texts, checkpoint::config_name)->text};
  } else {
    return source_files_in(texts, checkpoint::kept_files<typename Features::Tokenizer>(texts));
  }
}
}  // namespace detail

/// The files that a training takes from its starting folder in addition to the weights, all of one moment.
template <class Features> struct Start {
  Features features;
  SourceFiles source_files;
  std::vector<std::string> notes;  // messages for the user
  VectorFile vectors;              // of --vectors; start_from_vectors takes them
};

/// Reads the start from a model folder of entrain or Hugging Face, or from a file of word vectors. Reads nothing for
/// features without files.
/// vectors   a file of word vectors, for features that have them; empty: the folder has the words
/// throws    what features_of, checkpoint::at_one_moment, checkpoint::FolderFiles, read_vector_file and refuse_start
/// throw
template <class Features>
[[gnu::cold]] Start<Features> read_start(const std::string& folder, const std::string& vectors = {}) {
  Start<Features> start;
  refuse_start(has_vectors<Features>, folder, vectors);
  if constexpr (has_vectors<Features>) {
    if (!vectors.empty()) {
      start.vectors = read_vector_file(vectors, Features::vector_rows - 1);
      start.features = Features(start.vectors.words, vectors);
      start.source_files.files.push_back(words_to_keep(Features::kept_file, *start.vectors.words));
      if (!start.vectors.note.empty()) start.notes.push_back(start.vectors.note);
      return start;
    }
  }
  if constexpr (reads_files<Features>) {
    const auto texts = detail::texts_for<Features>(folder);
    start.features = features_of<Features>(texts, folder, start.notes);
    start.source_files = detail::source_files_for<Features>(texts);
  }
  return start;
}

/// The features of a model folder, entrain's or Hugging Face's.
/// throws    what features_of, checkpoint::at_one_moment and checkpoint::FolderFiles throw
template <class Features> [[gnu::cold]] Features open_features(const std::string& folder) {
  if constexpr (!reads_files<Features>) {
    return {};
  } else {
    std::vector<std::string> notes;
    return features_of<Features>(detail::texts_for<Features>(folder), folder, notes);
  }
}

/// The content that a model keeps of its starting folder: the files that open_features reads, and the keys of its
/// config.json that are for transformers, as BertForTokenClassification. Nothing for features without files.
template <class Features> [[gnu::cold]] SourceFiles source_files_of(const std::string& folder) {
  if constexpr (!reads_files<Features>) {
    return {};
  } else {
    return detail::source_files_for<Features>(detail::texts_for<Features>(folder));
  }
}

}  // namespace entrain::train
