// tests: a folder with a tokenizer's files, opened as a model's folder is, for the tests of each tokenizer.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/all_tokenizers.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "tests/scratch.hpp"

namespace test {

struct OpenedFolder {
  std::vector<std::string> notes;
  std::vector<std::int32_t> ids, before, after;  // of a text, and around it
  std::int32_t unknown = 0;
};

template <class Tokenizer> std::vector<entrain::checkpoint::FolderText> texts_of(const Scratch& folder) {
  namespace checkpoint = entrain::checkpoint;
  return checkpoint::at_one_moment(folder.path(), [](auto& files) {
    return checkpoint::tokenizer_texts(files, checkpoint::names_of_files<Tokenizer>());
  });
}

/// called: the folder's name in messages
template <class Tokenizer>
OpenedFolder open_folder(const Scratch& folder, std::string_view text, const std::string& called) {
  OpenedFolder opened;
  const auto made =
      entrain::checkpoint::TokenizerOf<Tokenizer>::open(texts_of<Tokenizer>(folder), called, opened.notes);
  typename Tokenizer::Reader reader(made.tokenizer);
  entrain::text::Pieces pieces;
  reader.encode(text, pieces);
  opened.ids = pieces.id, opened.before = made.before, opened.after = made.after;
  opened.unknown = made.tokenizer.unknown();
  return opened;
}

}  // namespace test
