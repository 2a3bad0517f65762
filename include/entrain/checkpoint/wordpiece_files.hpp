// text > batch > embed > encode > head > optim > [checkpoint]
//
// The files of BERT's tokenizer, as folders of Hugging Face hold them: tokenizer.json, or vocab.txt with
// tokenizer_config.json. Their contents become a text::WordPiece; anything in them that entrain cannot do is an error,
// never ignored. Read tokenizer.hpp first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/checkpoint/added_tokens.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/files/file.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace entrain::checkpoint {

/// What the files say.
struct TokenizerFile {
  std::vector<std::string> vocabulary;  // by id; empty where no piece has that id
  text::WordPieceOptions options;
  std::vector<std::int32_t> before, after;  // around every text, as [CLS] and [SEP]
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

/// vocab.txt: a piece a line, its id the line's number from 0. Carriage returns are removed. The config's added tokens
/// are pieces of it, or follow it.
/// throws    entrain.checkpoint.51: an added token has another id than the vocabulary gives it, or another's
///           .52: the special pieces are not in it      .54: a piece occurs twice
inline TokenizerFile from_vocabulary(std::string_view text, std::string_view where,
                                     const TokenizerConfig& config = {}) {
  TokenizerFile file;
  std::unordered_map<std::string_view, std::int32_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view piece = text.substr(at, end - at);
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    const auto id = static_cast<std::int32_t>(file.vocabulary.size());
    if (const auto [there, fresh] = ids.emplace(piece, id); !fresh && !piece.empty())
      throw Error("entrain.checkpoint.54", std::string(where) + ":" + std::to_string(id + 1),
                  "piece " + detail::in_quotes(piece) + ", as in line " + std::to_string(there->second + 1),
                  "each piece once", "restore the file");
    file.vocabulary.emplace_back(piece);
    at = end + 1;
  }
  const auto id_of = [&](const std::string& piece) {
    if (const auto it = ids.find(piece); it != ids.end()) return it->second;
    throw Error("entrain.checkpoint.52", where, "no piece " + piece, "a line with it",
                "name the right one in tokenizer_config.json");
  };
  file.options.normalizer = {.handle_chinese_chars = config.tokenize_chinese_chars,
                             .strip_accents = config.strip_accents,
                             .lowercase = config.do_lower_case};
  file.options.unk_token = config.unk_token;
  for (const auto& piece : {config.pad_token, config.unk_token, config.cls_token, config.sep_token, config.mask_token})
    file.options.added.push_back({.text = piece, .id = id_of(piece)});
  for (const text::AddedPiece& one : config.added) {
    const auto mismatch = [&](std::string_view of, std::int32_t id) {
      throw Error("entrain.checkpoint.51", where, std::string(of) + " has id " + std::to_string(id),
                  detail::in_quotes(one.text) + " with id " + std::to_string(one.id) +
                      ", as in added_tokens_decoder of tokenizer_config.json",
                  "use both files of the same model");
    };
    const auto piece = ids.find(one.text);
    if (piece != ids.end() && piece->second != one.id) mismatch(detail::in_quotes(one.text), piece->second);
    const auto id = static_cast<std::size_t>(one.id);
    if (piece == ids.end() && id < file.vocabulary.size()) mismatch(detail::in_quotes(file.vocabulary[id]), one.id);
    auto& added = file.options.added;  // the special pieces are there already; this says more of them
    const auto known = std::find_if(added.begin(), added.end(), [&](const auto& a) { return a.text == one.text; });
    if (known == added.end()) {
      added.push_back(one);
    } else {
      if (known->id != one.id) mismatch(detail::in_quotes(one.text), known->id);
      *known = one;
    }
  }
  file.before = {id_of(config.cls_token)};
  file.after = {id_of(config.sep_token)};
  return file;
}

/// The tokenizer that these texts of a folder describe (tokenizer_texts): tokenizer.json if it is there, which says all
/// by itself, else vocab.txt with tokenizer_config.json and special_tokens_map.json if those are there. Texts that
/// contradict each other are refused (tokenizer_agreement.hpp).
///
/// folder    for messages
/// notes     receives what the user should hear
/// throws    entrain.checkpoint.50: next to vocab.txt there is an added_tokens.json with a token that
///           tokenizer_config.json does not have       .53: neither file is there       .55: see check_agreement
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
