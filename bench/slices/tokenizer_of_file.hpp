// bench: the tokenizer of a tokenizer.json, of whichever kind it is.
#pragma once
#include <string>
#include <utility>

#include "entrain/checkpoint/byte_bpe_files.hpp"
#include "entrain/checkpoint/unigram_files.hpp"
#include "entrain/checkpoint/wordpiece_files.hpp"
#include "entrain/text/files/file.hpp"  // read_file

namespace slices {

/// run(tokenizer) with a WordPiece, a ByteBpe or a Unigram.
template <class Run> int with_tokenizer(const std::string& path, Run&& run) {
  namespace checkpoint = entrain::checkpoint;
  const std::string text = entrain::text::read_file(path);
  if (text.find("\"BertPreTokenizer\"") != text.npos) {
    auto file = checkpoint::parse_tokenizer(text, path);
    return run(entrain::text::WordPiece(std::move(file.vocabulary), std::move(file.options), path));
  }
  if (text.find("\"Metaspace\"") != text.npos) {
    auto file = checkpoint::parse_unigram(text, path);
    return run(
        entrain::text::Unigram(std::move(file.vocabulary), std::move(file.scores), std::move(file.options), path));
  }
  auto file = checkpoint::parse_byte_bpe(text, path);
  if (file.options.unk_token.empty()) file.options.unk_token = file.vocabulary.at(0);  // no text needs it
  return run(entrain::text::ByteBpe(std::move(file.vocabulary), file.merges, std::move(file.options), path));
}

}  // namespace slices
