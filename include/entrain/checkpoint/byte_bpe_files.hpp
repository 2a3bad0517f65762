// text > batch > embed > encode > head > optim > [checkpoint]
//
// The files of RoBERTa's and ModernBERT's tokenizers, as folders of Hugging Face hold them: tokenizer.json, or
// RoBERTa's vocab.json and merges.txt with tokenizer_config.json. Their contents become a text::ByteBpe; anything in
// them that entrain cannot do is an error, never ignored. Read tokenizer.hpp first.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/added_tokens.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/byte_bpe.hpp"

namespace entrain::checkpoint {

/// What the files say.
struct ByteBpeFile {
  std::vector<std::string> vocabulary;      // by id; empty where no piece has that id
  std::vector<text::ByteBpe::Pair> merges;  // by rank
  text::ByteBpeOptions options;             // unk_token is empty if tokenizer.json has none
  std::vector<std::int32_t> before, after;  // around every text, as <s> and </s>
  bool add_prefix_space = false;            // of the pre_tokenizer
};

/// The text of tokenizer.json.
///
/// normalizer       null, or NFC
/// pre_tokenizer    ByteLevel, with use_regex
/// name             of the tokenizer that is expected, for messages
///
/// throws    entrain.checkpoint.30, 36: as parse_config            .31: a key or a piece twice
///           .32: a value of another type, or an id below 0        .33: a part, or a piece that it names, is missing
///           .50: a part of another kind than byte-level BPE's     .51: two pieces with one id, an id too large, or
///           one that tokenizers does not give
ENTRAIN_INLINE ByteBpeFile parse_byte_bpe(std::string_view text, std::string_view where,
                                          std::string_view name = "RoBERTa's byte-level BPE");

/// The text of vocab.json: the pieces by id.
/// throws    entrain.checkpoint.30, 31, 32, 51: as parse_byte_bpe
ENTRAIN_INLINE std::vector<std::string> parse_vocabulary(std::string_view text, std::string_view where);

/// The text of merges.txt: a first line that begins with `#version`, then two pieces a line, by rank.
/// throws    entrain.checkpoint.54: there is no such first line, or a line is not two pieces with a space between them
ENTRAIN_INLINE std::vector<text::ByteBpe::Pair> parse_merges(std::string_view text, std::string_view where);

/// The tokenizer that these texts of a folder describe (tokenizer_texts): tokenizer.json if it is there, else
/// vocab.json and merges.txt, with tokenizer_config.json and special_tokens_map.json if those are there. Special pieces
/// are found in a text as transformers 5.23 finds them: those that any file states, and, unless the class is
/// PreTrainedTokenizerFast or the folder is of a ModernBERT, those of RobertaTokenizer. A ModernBERT has a
/// tokenizer.json; transformers takes all from it, whatever class the files name. <mask> takes the spaces before it
/// only where a file says so; transformers 4.57 also did so where none does.
///
/// folder    for messages
/// notes     receives what the user should hear: that transformers puts no space before the first word of a text
/// throws    entrain.checkpoint.53: neither is there       .52: a special piece is no piece
///           .31: two added tokens are one text after NFC
///           .55: two files state different things, or the pieces around a text are not those of RobertaTokenizer
///           .50: added_tokens.json has a token that tokenizer_config.json does not have   .51: as parse_byte_bpe
ENTRAIN_INLINE ByteBpeFile read_byte_bpe(const std::vector<FolderText>& texts, const std::string& folder,
                                         std::vector<std::string>& notes);

template <> struct TokenizerOf<text::ByteBpe> {
  static constexpr std::string_view names[]{
      "tokenizer.json",          "vocab.json",       "merges.txt", "tokenizer_config.json",
      "special_tokens_map.json", "added_tokens.json"};
  static OpenedTokenizer<text::ByteBpe> open(const std::vector<FolderText>& texts, const std::string& folder,
                                             std::vector<std::string>& notes) {
    ByteBpeFile file = read_byte_bpe(texts, folder, notes);
    return {text::ByteBpe(std::move(file.vocabulary), file.merges, std::move(file.options), folder),
            std::move(file.before), std::move(file.after)};
  }
  /// With add_prefix_space true in tokenizer_config.json and tokenizer.json, so that transformers cuts words as this
  /// program does.
  ENTRAIN_INLINE static std::vector<KeptFile> keep(const std::vector<FolderText>& texts);
};

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_byte_bpe.ipp"
#endif
