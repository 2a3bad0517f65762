// text > batch > embed > encode > head > optim > [checkpoint]
//
// The files of BERT's tokenizer, as folders of Hugging Face hold them: tokenizer.json, or vocab.txt with
// tokenizer_config.json. Their contents become a text::WordPiece; anything in them that entrain cannot do is an error,
// never ignored. Read tokenizer.hpp first.
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
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace entrain::checkpoint {

/// What the files say.
struct TokenizerFile {
  std::vector<std::string> vocabulary;  // by id; empty where no piece has that id
  bool has_empty_piece = false;         // which no text has, but it counts as one where the next free id is sought
  text::WordPieceOptions options;
  std::vector<std::int32_t> before, after;  // around every text, as [CLS] and [SEP]
  std::string padding_piece;                // of the part `padding`, which is not used
};

/// The text of tokenizer.json.
/// throws    entrain.checkpoint.30, 36: as parse_config            .31: a key or a piece twice
///           .32: a value of another type, or an id below 0        .33: a part, or a piece that it names, is missing
///           .50: a part of another kind than WordPiece's          .51: two pieces with one id, or an id too large
ENTRAIN_INLINE TokenizerFile parse_tokenizer(std::string_view text, std::string_view where);

/// What tokenizer_config.json says of BERT's tokenizer: do_lower_case, strip_accents, tokenize_chinese_chars, unk_token
/// and its kin, added_tokens_decoder. Other keys are for other programs.
struct TokenizerConfig {
  bool do_lower_case = true;
  bool strip_accents = true;  // as do_lower_case where the file says null or nothing
  bool tokenize_chinese_chars = true;
  std::string unk_token = "[UNK]", cls_token = "[CLS]", sep_token = "[SEP]", pad_token = "[PAD]", mask_token = "[MASK]";
  std::vector<text::AddedPiece> added;
};

/// The text of tokenizer_config.json. A special piece is a text, or an object with it as `content`.
/// throws    entrain.checkpoint.30, 31, 36: as parse_config        .32: a value of another type
///           .50: do_basic_tokenize is false, never_split has tokens, or an added token is to be found in changed text
ENTRAIN_INLINE TokenizerConfig parse_tokenizer_config(std::string_view text, std::string_view where);

/// vocab.txt: a piece a line, its id the line's number from 0. Spaces and carriage returns at a line's end are removed.
/// The config's added tokens are pieces of it, or follow it.
/// throws    entrain.checkpoint.51: an added token has another id than the vocabulary gives it, or another's
///           .52: the special pieces are not in it      .54: a piece occurs twice
ENTRAIN_INLINE TokenizerFile from_vocabulary(std::string_view text, std::string_view where,
                                             const TokenizerConfig& config = {});

namespace detail {
/// The pieces of vocab.txt, the rules that the config states and its added tokens, without the special pieces.
ENTRAIN_INLINE TokenizerFile from_lines(std::string_view text, std::string_view where, const TokenizerConfig& config);

[[noreturn]] inline void refuse_no_line(std::string_view where, const std::string& piece) {
  throw Error("entrain.checkpoint.52", where, "no piece " + piece, "a line with it",
              "name the right one in tokenizer_config.json");
}

/// Gives what tokenizer.json or vocab.txt says the added tokens that transformers has after it read all files, and
/// vocab.txt the pieces around a text.
/// throws    what read_tokenizer does: entrain.checkpoint.50, 51, 52, 55
ENTRAIN_INLINE void take_special_pieces(TokenizerFile& read, const std::vector<FolderText>& texts);
}  // namespace detail

/// The tokenizer that these texts of a folder describe (tokenizer_texts): tokenizer.json if it is there, which says all
/// by itself, else vocab.txt with tokenizer_config.json and special_tokens_map.json if those are there. Texts that
/// contradict each other are refused (tokenizer_agreement.hpp), and a tokenizer.json from which transformers'
/// BertTokenizer does not take what it says. Special pieces that the other files state are added tokens.
///
/// folder    for messages
/// notes     receives what the user should hear
/// throws    entrain.checkpoint.50: next to vocab.txt there is an added_tokens.json with a token that
///           tokenizer_config.json does not have, or a token is to be found in changed text
///           .51: tokenizers gives an added token another id        .52: a special piece is no piece
///           .53: neither file is there                  .55: see check_agreement, or BertTokenizer does otherwise
///           what parse_tokenizer, parse_tokenizer_config, parse_added_tokens and from_vocabulary throw
ENTRAIN_INLINE TokenizerFile read_tokenizer(const std::vector<FolderText>& texts, const std::string& folder,
                                            std::vector<std::string>& notes);

template <> struct TokenizerOf<text::WordPiece> {
  static constexpr std::string_view names[]{"tokenizer.json", "vocab.txt", "tokenizer_config.json",
                                            "special_tokens_map.json", "added_tokens.json"};
  static OpenedTokenizer<text::WordPiece> open(const std::vector<FolderText>& texts, const std::string& folder,
                                               std::vector<std::string>& notes) {
    TokenizerFile file = read_tokenizer(texts, folder, notes);
    return {text::WordPiece(std::move(file.vocabulary), std::move(file.options), folder), std::move(file.before),
            std::move(file.after)};
  }
  /// A tokenizer_config.json that states less than tokenizer.json is completed, so that transformers cuts words as this
  /// program does (tokenizer_agreement.hpp).
  ENTRAIN_INLINE static std::vector<KeptFile> keep(const std::vector<FolderText>& texts);
};

/// The tokenizer of a folder.
/// throws    what at_one_moment, FolderFiles and the function above throw
inline TokenizerFile read_tokenizer(const std::string& folder) {
  std::vector<std::string> notes;
  constexpr auto texts = [](auto& files) { return tokenizer_texts(files, TokenizerOf<text::WordPiece>::names); };
  return read_tokenizer(at_one_moment(folder, texts), folder, notes);
}

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_tokenizer.ipp"
#include "entrain/checkpoint/tokenizer_agreement.ipp"
#endif
