// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of unigram_files.hpp. Read json_tokenizer_parts.ipp, pipeline_parts.ipp, piece_comparison.ipp and
// special_pieces.ipp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/base64.hpp"
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"
#include "entrain/checkpoint/pipeline_parts.ipp"
#include "entrain/checkpoint/special_pieces.ipp"
#include "entrain/checkpoint/tokenizer_builder.ipp"
#include "entrain/checkpoint/unigram_files.hpp"

namespace entrain::checkpoint {

namespace detail {

inline constexpr std::string_view unigram_name = "XLM-RoBERTa's unigram tokenizer";

[[noreturn]] inline void refuse_unigram(std::string_view where, const std::string& found, std::string_view expected) {
  throw Error("entrain.checkpoint.50", where, found, expected, "this tokenizer is not " + std::string(unigram_name));
}

/// The steps of the normalizer.
inline void read_normalizer(const TokenizerParts& parts, UnigramFile& file, std::string_view where) {
  const Json* const normalizer = parts.part_if_there("normalizer");
  if (normalizer == nullptr) return;
  constexpr const char* expected = "one Precompiled, one Strip and one Replace at most, in this order";
  int met = 0;  // 1: Precompiled, 2: Strip, 3: Replace
  for (const Json* const one : parts_of(*normalizer, "normalizers")) {
    const std::string type = type_of(*one);
    const int number = type == "Precompiled" ? 1 : type == "Strip" ? 2 : type == "Replace" ? 3 : 0;
    if (number <= met) refuse_part(where, "normalizer", *one, expected, unigram_name);
    met = number;
    if (number == 1) {
      const auto bytes = from_base64(parts.text(*one, "normalizer.", "precompiled_charsmap", ""));
      if (!bytes)
        throw Error("entrain.checkpoint.32", where, "'normalizer.precompiled_charsmap' is no text in base64",
                    "a map of characters in base64", "restore the file");
      file.options.precompiled_charsmap = *bytes;
    } else if (number == 2) {
      file.options.strip_left = parts.flag(*one, "normalizer.", "strip_left", true);
      file.options.strip_right = parts.flag(*one, "normalizer.", "strip_right", true);
    } else {
      const Json* const pattern = parts.find(*one, "pattern");
      const Json* const regex = pattern != nullptr && pattern->is_object() ? parts.find(*pattern, "Regex") : nullptr;
      const std::string joined = parts.text(*one, "normalizer.", "content", "");
      if (regex == nullptr || !regex->is_string() || regex->text() != " {2,}" ||
          (joined != " " && joined != text::Unigram::mark))
        refuse_unigram(where, "normalizer of type 'Replace' with " + one->dump().substr(0, 200),
                       "two or more spaces, replaced by one");
      file.options.two_spaces = joined;
    }
  }
}

inline void read_pre_tokenizer(const TokenizerParts& parts, UnigramFile& file, std::string_view where) {
  const Json* const pre = parts.part_if_there("pre_tokenizer");
  if (pre == nullptr)
    throw Error("entrain.checkpoint.33", where, "no key 'pre_tokenizer'", "an object of type Metaspace");
  const auto steps = parts_of(*pre, "pretokenizers");
  file.options.whitespace_split = steps.size() == 2 && type_of(*steps[0]) == "WhitespaceSplit";
  if (steps.size() != 1 + std::size_t{file.options.whitespace_split} || type_of(*steps.back()) != "Metaspace")
    refuse_part(where, "pre_tokenizer", steps.size() == 1 ? *steps[0] : *pre,
                "Metaspace, or a Sequence of WhitespaceSplit and Metaspace", unigram_name);
  const Json& mark = *steps.back();
  const std::string prefix = "pre_tokenizer.";
  if (const std::string found = parts.text(mark, prefix, "replacement", ""); found != text::Unigram::mark)
    refuse_unigram(where, prefix + "replacement " + in_quotes(found), in_quotes(text::Unigram::mark));
  if (const std::string found = parts.text(mark, prefix, "prepend_scheme", "always"); found != "always")
    refuse_unigram(where, prefix + "prepend_scheme " + in_quotes(found), "'always'");
  for (const char* const key : {"add_prefix_space", "split"})
    if (!parts.flag(mark, prefix, key, true)) refuse_unigram(where, prefix + key + " false", "true");
}

}  // namespace detail

ENTRAIN_INLINE UnigramFile parse_unigram(std::string_view text, std::string_view where) {
  using namespace detail;
  TokenizerBuilder builder(text, where, TokenizerBuilder::Vocabulary::with_scores);
  nlohmann::json::sax_parse(text, &builder);
  UnigramFile file;
  file.vocabulary = std::move(builder.vocabulary);
  file.scores = std::move(builder.scores);
  const TokenizerParts parts(builder.root(), where, unigram_name);
  const Json& model = parts.part("model", {"Unigram"});
  if (const Json* const vocab = parts.find(model, "vocab"); vocab != nullptr)
    wrong_value(where, "model.vocab", *vocab, "an array of pieces with their scores");
  if (file.vocabulary.empty())
    throw Error("entrain.checkpoint.33", where, "no pieces in 'model.vocab'", "an array of pieces with their scores");
  if (parts.flag(model, "model.", "byte_fallback", false)) refuse_unigram(where, "model.byte_fallback true", "false");
  if (parts.find(model, "unk_id") == nullptr)
    throw Error("entrain.checkpoint.33", where, "no key 'model.unk_id'", "the id of the piece for unknown words");
  const std::int64_t unknown = parts.number(model, "model.", "unk_id", 0);
  if (unknown >= static_cast<std::int64_t>(file.vocabulary.size()))
    throw Error("entrain.checkpoint.51", where, "model.unk_id " + std::to_string(unknown),
                "less than " + std::to_string(file.vocabulary.size()) + ", the number of pieces");
  file.options.unk_token = file.vocabulary[static_cast<std::size_t>(unknown)];
  read_normalizer(parts, file, where);
  read_pre_tokenizer(parts, file, where);
  file.options.added = parts.added(file.vocabulary, true);
  read_around(parts, file, where, unigram_name);
  return file;
}

namespace detail {

/// Refuses a folder of a BERT that states no tokenizer_class: transformers makes a BertTokenizer for it.
inline void refuse_bert_without_class(const std::optional<Json>& config, const std::vector<FolderText>& texts) {
  if (model_type_in(texts) != "bert") return;
  if (config && stated_piece(*config, "tokenizer_class", path_in(texts, "tokenizer_config.json"))) return;
  if (stated_piece(*object_in(texts, config_name), "tokenizer_class", path_in(texts, config_name))) return;
  throw Error("entrain.checkpoint.50", path_in(texts, "tokenizer_config.json"), "no tokenizer_class",
              "XLMRobertaTokenizer or PreTrainedTokenizerFast, as transformers makes a BertTokenizer without it",
              "state it in tokenizer_config.json");
}

}  // namespace detail

ENTRAIN_INLINE UnigramFile read_unigram(const std::vector<FolderText>& texts, const std::string& folder,
                                        std::vector<std::string>& notes) {
  using namespace detail;
  for (const FolderText& file : texts) check_text(file);
  const FolderText* const whole = find_text(texts, "tokenizer.json");
  if (whole == nullptr)
    throw Error("entrain.checkpoint.53", folder, "no tokenizer.json", "a tokenizer's file",
                "load the folder in transformers and save it: that writes tokenizer.json");
  const auto config = object_in(texts, "tokenizer_config.json");
  const std::string where = path_in(texts, "tokenizer_config.json");
  UnigramFile file = parse_unigram(whole->text, whole->where);
  compare_pieces(file, config, texts);
  refuse_other_class(config, texts, {"XLMRobertaTokenizer"});
  refuse_bert_without_class(config, texts);
  const bool follows = follows_tokenizer_json(config, texts);
  if (config) follow_decoder(*config, follows, file.options.added, where);
  const SpecialPieces special(texts, config, file);
  special.add(!follows);
  if (!follows) {
    constexpr const char* remedy =
        "load the folder in transformers and save it, or state the tokenizer_class PreTrainedTokenizerFast";
    constexpr std::size_t unk_id = 3;  // of XLMRobertaTokenizer, whatever tokenizer.json says
    if (file.vocabulary.size() <= unk_id || file.vocabulary[unk_id] != file.options.unk_token)
      throw Error("entrain.checkpoint.55", whole->where, "model.unk_id is not 3",
                  "3, as transformers' XLMRobertaTokenizer", remedy);
    for (const char* const role : {"unk_token", "pad_token", "mask_token"})
      if (special.id(role) < 0)
        throw Error("entrain.checkpoint.52", whole->where, "no piece " + special.text(role),
                    "one, as transformers' XLMRobertaTokenizer", "name the right one in tokenizer_config.json");
    if (file.before != std::vector{special.id("bos_token")} || file.after != std::vector{special.id("eos_token")})
      throw Error("entrain.checkpoint.55", whole->where, "other pieces around a text in post_processor",
                  in_quotes(special.text("bos_token")) + " before it and " + in_quotes(special.text("eos_token")) +
                      " after it, as transformers' XLMRobertaTokenizer",
                  remedy);
    if (config && !stated_flag(*config, "add_prefix_space", where).value_or(true))
      throw Error("entrain.checkpoint.50", where, "add_prefix_space false", "true: every word begins with U+2581");
    file.options.whitespace_split = true;
    file.options.strip_left = file.options.strip_right = false;
    file.options.two_spaces.clear();
  }
  if (config) refuse_other_rules(*config, texts);
  if (config) compare_lengths(*config, texts, notes);
  return file;
}

}  // namespace entrain::checkpoint
