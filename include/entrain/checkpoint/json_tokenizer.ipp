// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of wordpiece_files.hpp that read one file. Read json_tokenizer_parts.ipp first.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/tokenizer_builder.ipp"
#include "entrain/checkpoint/wordpiece_files.hpp"

namespace entrain::checkpoint {

ENTRAIN_INLINE TokenizerFile parse_tokenizer(std::string_view text, std::string_view where) {
  detail::TokenizerBuilder builder(text, where);
  nlohmann::json::sax_parse(text, &builder);
  TokenizerFile file;
  file.vocabulary = std::move(builder.vocabulary);
  const detail::TokenizerParts parts(builder.root(), where, "BERT's WordPiece");
  const detail::Json& model = parts.part("model", {"WordPiece"});
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

}  // namespace entrain::checkpoint
