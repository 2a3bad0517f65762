// text > batch > embed > encode > head > optim > [checkpoint]
//
// The added tokens of BERT's tokenizer as transformers (5.23) has them after it read all files of a folder, and what
// its BertTokenizer does whatever tokenizer.json says. Read special_pieces.ipp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"
#include "entrain/checkpoint/pipeline_parts.ipp"
#include "entrain/checkpoint/special_pieces.ipp"
#include "entrain/checkpoint/wordpiece_files.hpp"

namespace entrain::checkpoint::detail {

/// The ids of added tokens, in the order in which they are added. tokenizers gives one that is no piece the id after
/// the largest of those before it, or the number of pieces if that is more; it does not read the files' ids.
inline void check_next_ids(const TokenizerFile& file, std::string_view where) {
  std::unordered_map<std::string_view, std::int64_t> ids;
  for (std::size_t id = 0; id < file.vocabulary.size(); ++id)
    if (!file.vocabulary[id].empty()) ids.emplace(file.vocabulary[id], static_cast<std::int64_t>(id));
  const auto pieces = static_cast<std::int64_t>(ids.size()) + file.has_empty_piece;
  std::int64_t largest = -1;
  for (const text::AddedPiece& one : file.options.added) {
    const auto own = ids.find(one.text);
    const std::int64_t expected = own != ids.end() ? own->second : std::max(largest + 1, pieces);
    if (one.id != expected)
      throw Error("entrain.checkpoint.51", where,
                  "added token " + in_quotes(one.text) + " has id " + std::to_string(one.id),
                  std::to_string(expected) + ", which the package tokenizers gives it", "restore the file");
    largest = std::max<std::int64_t>(largest, one.id);
  }
}

/// What the class of transformers takes by itself from tokenizer.json, if it does not take all from it.
inline void refuse_other_than_bert(const TokenizerFile& file, const SpecialPieces& special, const FolderText& whole) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw Error("entrain.checkpoint.55", whole.where, found, expected + ", as transformers' BertTokenizer",
                "load the folder in transformers and save it, or state the tokenizer_class PreTrainedTokenizerFast");
  };
  const text::WordPieceOptions& options = file.options;
  if (!options.normalizer.clean_text) refuse("normalizer.clean_text false", "true");
  if (options.continuing_subword_prefix != "##")
    refuse("model.continuing_subword_prefix " + in_quotes(options.continuing_subword_prefix), "'##'");
  if (options.max_input_chars_per_word != 100)
    refuse("model.max_input_chars_per_word " + std::to_string(options.max_input_chars_per_word), "100");
  if (const std::string unknown = special.text("unk_token"); options.unk_token != unknown)
    refuse("model.unk_token " + in_quotes(options.unk_token), in_quotes(unknown));
  if (file.before != std::vector{special.id("cls_token")} || file.after != std::vector{special.id("sep_token")})
    refuse("other pieces around a text in post_processor", in_quotes(special.text("cls_token")) + " before it and " +
                                                               in_quotes(special.text("sep_token")) + " after it");
}

/// Refuses null where BertTokenizer needs a piece; missing(piece) is called for one that is no piece.
template <class Missing>
void check_roles(const SpecialPieces& special, const std::vector<FolderText>& texts, Missing&& missing) {
  for (const char* const role : {"cls_token", "sep_token", "unk_token"})
    if (special.is_null(role))
      throw Error("entrain.checkpoint.52", path_in(texts, "tokenizer_config.json"), std::string(role) + " null",
                  "a piece: transformers' BertTokenizer needs one", "remove the key, or name the piece");
  for (const auto& [role, usual] : bert_roles)
    if (const std::string key(role); !usual.empty() && !special.is_null(role) && special.id(key) < 0)
      missing(key, special.text(key));
}

/// Tokens of which no file says that they are found in the unchanged text: transformers finds those without a name in
/// the changed text.
inline void check_unchanged(std::vector<text::AddedPiece>& added, const SpecialPieces& special, bool with_usual,
                            std::string_view where) {
  for (text::AddedPiece& one : added) {
    if (one.normalized && !special.is_named(one.text, with_usual))
      throw Error("entrain.checkpoint.50", where, "added token " + in_quotes(one.text) + " without normalized",
                  "normalized: false, because transformers takes it for true",
                  "state it, if the model was trained with it");
    one.normalized = false;
  }
}
/// Adds the special pieces; none may be found in the changed text.
inline void add_special(std::vector<text::AddedPiece>& added, const SpecialPieces& special, bool with_usual,
                        std::string_view where) {
  special.add(with_usual);
  for (const text::AddedPiece& one : added)
    if (one.normalized)
      throw Error("entrain.checkpoint.50", where, "special piece " + in_quotes(one.text) + " with normalized: true",
                  "false: special pieces are found in the unchanged text", "state normalized: false");
}

/// The added tokens of a tokenizer.json and of the other files.
inline void take_pieces_of_json(TokenizerFile& read, const FolderText& whole, const std::optional<Json>& config,
                                const std::vector<FolderText>& texts) {
  const std::string where = path_in(texts, "tokenizer_config.json");
  const bool follows = follows_tokenizer_json(config, texts);
  auto& added = read.options.added;
  const SpecialPieces special(texts, config, read, bert_roles);
  if (!follows)
    check_roles(special, texts, [&](const std::string& role, const std::string& piece) {
      throw Error("entrain.checkpoint.52", whole.where, "no piece " + piece, "one, as transformers' BertTokenizer",
                  "name the right one in tokenizer_config.json" +
                      std::string(role == "pad_token" || role == "mask_token" ? ", or state null for it there" : ""));
    });
  const Json* const decoder = config ? config->find("added_tokens_decoder") : nullptr;
  if (decoder != nullptr && decoder->is_object()) {
    const auto listed = added_tokens_decoder(*config, where, false);
    const auto in_list = [&](const text::AddedPiece& one) {
      return std::find_if(listed.begin(), listed.end(), [&](const auto& l) { return l.text == one.text; });
    };
    if (!follows)  // those with a name are added without it
      std::erase_if(added, [&](const text::AddedPiece& one) {
        return in_list(one) == listed.end() && special.is_named(one.text, true);
      });
    follow_decoder(*config, follows, added, where);
    for (text::AddedPiece& one : added)
      if (const auto it = in_list(one); it != listed.end()) one.normalized = it->normalized;
  }
  check_unchanged(added, special, !follows, decoder != nullptr ? where : whole.where);
  if (!follows) sort_by_id(added);
  check_next_ids(read, whole.where);
  add_special(added, special, !follows, where);
  if (!follows) {
    refuse_other_than_bert(read, special, whole);
    return;
  }
  // PreTrainedTokenizerFast also finds the piece of the padding, if no file states the pad_token.
  const std::string& piece = read.padding_piece;
  if (!piece.empty() && !special.is_null("pad_token") && !special.is_stated("pad_token") &&
      std::none_of(added.begin(), added.end(), [&](const auto& a) { return a.text == piece; }))
    throw Error("entrain.checkpoint.55", whole.where, "padding.pad_token " + in_quotes(piece),
                "one of added_tokens: transformers finds it in a text",
                "state the right pad_token in tokenizer_config.json");
}

/// The special pieces of a vocab.txt.
inline void take_pieces_of_lines(TokenizerFile& read, const FolderText& vocabulary, const std::optional<Json>& config,
                                 const std::vector<FolderText>& texts) {
  const std::string where = path_in(texts, "tokenizer_config.json");
  if (const Json* const other = config ? config->find("vocab") : nullptr; other != nullptr && !other->is_null())
    throw Error("entrain.checkpoint.50", where, "a key 'vocab'", "none: transformers takes it for the vocabulary",
                "remove the key");
  auto& added = read.options.added;
  const SpecialPieces special(texts, config, read, bert_roles);
  check_roles(special, texts,
              [&](const std::string&, const std::string& piece) { refuse_no_line(vocabulary.where, piece); });
  sort_by_id(added);
  check_unchanged(added, special, true, where);
  check_next_ids(read, where);
  add_special(added, special, true, where);
  read.before = {special.id("cls_token")};
  read.after = {special.id("sep_token")};
  read.options.unk_token = special.text("unk_token");
}

ENTRAIN_INLINE void take_special_pieces(TokenizerFile& read, const std::vector<FolderText>& texts) {
  const auto config = object_in(texts, "tokenizer_config.json");
  if (const FolderText* const whole = find_text(texts, "tokenizer.json"))
    take_pieces_of_json(read, *whole, config, texts);
  else if (const FolderText* const vocabulary = find_text(texts, "vocab.txt"))
    take_pieces_of_lines(read, *vocabulary, config, texts);
}

}  // namespace entrain::checkpoint::detail
