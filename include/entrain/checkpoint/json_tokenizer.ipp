// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of wordpiece_files.hpp that read one file. Read json_tokenizer_parts.ipp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/tokenizer_builder.ipp"
#include "entrain/checkpoint/vocabulary_lines.hpp"
#include "entrain/checkpoint/wordpiece_files.hpp"

namespace entrain::checkpoint {

ENTRAIN_INLINE TokenizerFile parse_tokenizer(std::string_view text, std::string_view where) {
  detail::TokenizerBuilder builder(text, where);
  nlohmann::json::sax_parse(text, &builder);
  TokenizerFile file;
  file.vocabulary = std::move(builder.vocabulary);
  file.has_empty_piece = builder.has_empty_piece;
  const detail::TokenizerParts parts(builder.root(), where, "BERT's WordPiece");
  const detail::Json& model = parts.part("model", {"WordPiece"});
  // tokenizers takes a model for a WordPiece, and not for a table of whole words, by its type or by these three.
  for (const char* const key : {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word"})
    if (parts.find(model, "type") == nullptr && parts.find(model, key) == nullptr)
      throw Error("entrain.checkpoint.33", where, "no key " + detail::in_quotes("model." + std::string(key)),
                  "one, or model.type WordPiece");
  file.options.unk_token = parts.text(model, "model.", "unk_token", "[UNK]");
  file.options.continuing_subword_prefix = parts.text(model, "model.", "continuing_subword_prefix", "##");
  file.options.max_input_chars_per_word =
      static_cast<std::size_t>(parts.number(model, "model.", "max_input_chars_per_word", 100));
  const detail::Json& normalizer = parts.part("normalizer", {"BertNormalizer"});
  auto& n = file.options.normalizer;
  n.clean_text = parts.flag(normalizer, "normalizer.", "clean_text", true);
  n.handle_chinese_chars = parts.flag(normalizer, "normalizer.", "handle_chinese_chars", true);
  n.lowercase = parts.flag(normalizer, "normalizer.", "lowercase", true);
  n.strip_accents = parts.flag(normalizer, "normalizer.", "strip_accents", n.lowercase);
  parts.part("pre_tokenizer", {"BertPreTokenizer"});
  file.options.added = parts.added(file.vocabulary, false);
  parts.around(file, "BertProcessing");
  if (const detail::Json* const padding = parts.part_if_there("padding"); padding != nullptr && padding->is_object())
    file.padding_piece = parts.text(*padding, "padding.", "pad_token", "");
  return file;
}

ENTRAIN_INLINE TokenizerConfig parse_tokenizer_config(std::string_view text, std::string_view where) {
  const detail::Json root = detail::parse_tree(text, where);
  if (!root.is_object()) detail::wrong_value(where, "", root, "an object");
  TokenizerConfig config;
  const auto flag = [&](const char* key, bool otherwise) {
    return detail::stated_flag(root, key, where).value_or(otherwise);
  };
  config.do_lower_case = flag("do_lower_case", true);
  config.strip_accents = flag("strip_accents", config.do_lower_case);
  config.tokenize_chinese_chars = flag("tokenize_chinese_chars", true);
  if (!flag("do_basic_tokenize", true))
    throw Error("entrain.checkpoint.50", where, "do_basic_tokenize false",
                "true: words end at spaces and punctuation before they are cut into pieces",
                "use a model whose tokenizer does so");
  if (const detail::Json* const it = root.find("never_split"); it != nullptr && !it->is_null()) {
    if (!it->is_array()) detail::wrong_value(where, "never_split", *it, "an array");
    if (!it->items().empty())
      throw Error("entrain.checkpoint.50", where, "never_split with " + detail::what_is(it->items().front()),
                  "no tokens in it", "name them as added tokens in tokenizer.json");
  }
  config.added = detail::added_tokens_decoder(root, where, false);
  const auto piece = [&](const char* key, std::string& to) {
    if (auto stated = detail::stated_piece(root, key, where)) to = std::move(*stated);
  };
  piece("unk_token", config.unk_token);
  piece("cls_token", config.cls_token);
  piece("sep_token", config.sep_token);
  piece("pad_token", config.pad_token);
  piece("mask_token", config.mask_token);
  return config;
}

namespace detail {

ENTRAIN_INLINE TokenizerFile from_lines(std::string_view text, std::string_view where, const TokenizerConfig& config) {
  TokenizerFile file;
  std::unordered_map<std::string_view, std::int32_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view piece = next_piece(text, at);
    const auto id = static_cast<std::int32_t>(file.vocabulary.size());
    if (const auto [there, fresh] = ids.emplace(piece, id); !fresh && !piece.empty())
      throw Error("entrain.checkpoint.54", std::string(where) + ":" + std::to_string(id + 1),
                  "piece " + in_quotes(piece) + ", as in line " + std::to_string(there->second + 1), "each piece once",
                  "restore the file");
    file.vocabulary.emplace_back(piece);
    file.has_empty_piece = file.has_empty_piece || piece.empty();
  }
  file.options.normalizer = {.handle_chinese_chars = config.tokenize_chinese_chars,
                             .strip_accents = config.strip_accents,
                             .lowercase = config.do_lower_case};
  auto& added = file.options.added;
  for (const text::AddedPiece& one : config.added) {
    const auto mismatch = [&](std::string_view of, std::int32_t id) {
      throw Error("entrain.checkpoint.51", where, std::string(of) + " has id " + std::to_string(id),
                  in_quotes(one.text) + " with id " + std::to_string(one.id) +
                      ", as in added_tokens_decoder of tokenizer_config.json",
                  "use both files of the same model");
    };
    const auto piece = ids.find(one.text);
    if (piece != ids.end() && piece->second != one.id) mismatch(in_quotes(one.text), piece->second);
    const auto id = static_cast<std::size_t>(one.id);
    if (piece == ids.end() && id < file.vocabulary.size()) mismatch(in_quotes(file.vocabulary[id]), one.id);
    const auto known = std::find_if(added.begin(), added.end(), [&](const auto& a) { return a.text == one.text; });
    if (known == added.end()) {
      added.push_back(one);
    } else {
      if (known->id != one.id) mismatch(in_quotes(one.text), known->id);
      *known = one;
    }
  }
  return file;
}

}  // namespace detail

ENTRAIN_INLINE TokenizerFile from_vocabulary(std::string_view text, std::string_view where,
                                             const TokenizerConfig& config) {
  TokenizerFile file = detail::from_lines(text, where, config);
  const auto id_of = [&](const std::string& piece) {
    const auto it = std::find(file.vocabulary.begin(), file.vocabulary.end(), piece);
    if (it == file.vocabulary.end()) detail::refuse_no_line(where, piece);
    return static_cast<std::int32_t>(it - file.vocabulary.begin());
  };
  file.options.unk_token = config.unk_token;
  auto& added = file.options.added;
  for (const auto& piece : {config.pad_token, config.unk_token, config.cls_token, config.sep_token, config.mask_token})
    if (const std::int32_t id = id_of(piece);
        std::none_of(added.begin(), added.end(), [&](const auto& a) { return a.text == piece; }))
      added.push_back({.text = piece, .id = id});
  file.before = {id_of(config.cls_token)};
  file.after = {id_of(config.sep_token)};
  return file;
}

}  // namespace entrain::checkpoint
