// text > batch > embed > encode > head > optim > [checkpoint]
//
// How the files of a folder become a tokenizer. wordpiece_files.hpp is the example; all_tokenizers.hpp lists the
// existing ones.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/text/tokenizer/contract.hpp"

namespace entrain::checkpoint {

/// A tokenizer, and the pieces that it puts around every text.
template <class Tokenizer> struct OpenedTokenizer {
  static_assert(text::tokenizer_contract<Tokenizer>());
  Tokenizer tokenizer;
  std::vector<std::int32_t> before, after;
};

/// A file that a trained model takes from the folder that its training started from.
struct KeptFile {
  std::string name, text;
};

/// How the texts of a folder become a tokenizer. A tokenizer of your own needs a specialisation.
///
/// open(texts, folder, notes)   config.json and the files of `names`, those that exist; folder: for messages; notes
///                              receives messages for the user
/// names                        optional: a static array of the files that the tokenizer reads; else tokenizer_names
/// keep(texts)                  optional: the files that a trained model has; else all that were read, unchanged
template <class Tokenizer> struct TokenizerOf {
  static_assert(sizeof(Tokenizer) == 0,
                "entrain: there is no checkpoint::TokenizerOf<Tokenizer> with 'static OpenedTokenizer<Tokenizer> "
                "open(texts, folder, notes)', so no folder can be opened with this tokenizer; see "
                "checkpoint/tokenizer.hpp.");
  /// Not defined: no second error.
  static OpenedTokenizer<Tokenizer> open(const std::vector<FolderText>&, const std::string&, std::vector<std::string>&);
};

/// The names of the files that a tokenizer is read from.
template <class Tokenizer> std::span<const std::string_view> names_of_files() {
  if constexpr (requires { TokenizerOf<Tokenizer>::names; }) {
    return TokenizerOf<Tokenizer>::names;
  } else {
    return tokenizer_names;
  }
}

/// The tokenizer's files for the folder of a trained model, from the texts of the folder that its training started
/// from.
template <class Tokenizer> std::vector<KeptFile> kept_files(const std::vector<FolderText>& texts) {
  if constexpr (requires { TokenizerOf<Tokenizer>::keep(texts); }) {
    return TokenizerOf<Tokenizer>::keep(texts);
  } else {
    std::vector<KeptFile> kept;
    for (const FolderText& file : texts)
      if (file.name != config_name) kept.push_back({file.name, file.text});
    return kept;
  }
}

}  // namespace entrain::checkpoint
