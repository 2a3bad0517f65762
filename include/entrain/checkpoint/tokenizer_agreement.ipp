// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of tokenizer_agreement.hpp, and of read_tokenizer and keep of wordpiece_files.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json_tokenizer.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"
#include "entrain/checkpoint/tokenizer_agreement.hpp"
#include "entrain/checkpoint/wordpiece_pieces.ipp"

namespace entrain::checkpoint {
namespace detail {

/// How words become pieces, by transformers' names: what tokenizer_config.json states, and what it means to
/// transformers where tokenizer.json is there.
struct Cutting {
  struct Rule {
    const char *name, *in_tokenizer_json;
    std::optional<bool> stated{};
    bool taken = true, ours = true;
  };
  std::array<Rule, 3> rules{Rule{"do_lower_case", "lowercase"}, Rule{"strip_accents", "strip_accents"},
                            Rule{"tokenize_chinese_chars", "handle_chinese_chars"}};
  std::string tokenizer_class;  // transformers'
  bool follows_tokenizer_json = false;

  Cutting(const std::optional<Json>& config, std::string_view where, const text::BertNormalizer& read) {
    if (config) {
      for (Rule& rule : rules) rule.stated = stated_flag(*config, rule.name, where);
      tokenizer_class = stated_piece(*config, "tokenizer_class", where).value_or("");
    }
    follows_tokenizer_json = detail::follows_tokenizer_json(tokenizer_class);
    rules[0].taken = rules[0].stated.value_or(true);
    rules[1].taken = rules[1].stated.value_or(rules[0].taken);
    rules[2].taken = rules[2].stated.value_or(true);
    rules[0].ours = read.lowercase, rules[1].ours = read.strip_accents, rules[2].ours = read.handle_chinese_chars;
  }
};

}  // namespace detail

ENTRAIN_INLINE std::vector<std::string> check_agreement(const TokenizerFile& read,
                                                        const std::vector<FolderText>& texts) {
  using namespace detail;
  std::vector<std::string> notes;
  const auto config = object_in(texts, "tokenizer_config.json");
  const std::string where = path_in(texts, "tokenizer_config.json");
  const Cutting cutting(config, where, read.options.normalizer);
  for (const Cutting::Rule& rule : cutting.rules) {
    if (rule.taken == rule.ours) continue;
    const std::string name = rule.name, theirs = true_or_false(rule.taken), ours = true_or_false(rule.ours),
                      place = "normalizer." + std::string(rule.in_tokenizer_json) + " of tokenizer.json";
    if (rule.stated && !cutting.follows_tokenizer_json)
      throw Error("entrain.checkpoint.55", where, name + " " + theirs, ours + ", as in " + place,
                  "transformers uses tokenizer_config.json: set both to the value that the model was trained with");
    if (rule.stated)
      notes.push_back(where + ": " + name + " " + theirs + ", but " + place + " is " + ours +
                      ", which is used here and by transformers' " + cutting.tokenizer_class);
    else if (!cutting.follows_tokenizer_json)
      notes.push_back(where + ": " + (config ? "no " + name : "no such file") + ": transformers uses " + name + " " +
                      theirs + ", but " + place + " is " + ours + ", which is used here: add \"" + name +
                      "\": " + ours);
  }
  const PieceComparison pieces(read, texts);
  if (config) {
    pieces.special(*config, "tokenizer_config.json");
    pieces.added(added_tokens_decoder(*config, where, false), "tokenizer_config.json", true);
    compare_lengths(*config, texts, notes);
  }
  if (const auto map = object_in(texts, "special_tokens_map.json")) pieces.special(*map, "special_tokens_map.json");
  if (const FolderText* const file = find_text(texts, "added_tokens.json"))
    pieces.added(parse_added_tokens(file->text, file->where), "added_tokens.json", false);
  if (const FolderText* const file = find_text(texts, "vocab.txt")) pieces.vocabulary(*file);
  return notes;
}

ENTRAIN_INLINE std::optional<std::string> agreeing_tokenizer_config(const TokenizerFile& read,
                                                                    const std::vector<FolderText>& texts) {
  using namespace detail;
  if (find_text(texts, "tokenizer.json") == nullptr) return std::nullopt;
  auto config = object_in(texts, "tokenizer_config.json");
  const std::string where = path_in(texts, "tokenizer_config.json");
  bool changed = false;
  for (std::size_t i = 0; i < 3; ++i) {  // in turn: accents are stripped as letters are lowered, unless it says else
    const Cutting cutting(config, where, read.options.normalizer);
    const Cutting::Rule& rule = cutting.rules[i];
    if (rule.taken == rule.ours || rule.stated || cutting.follows_tokenizer_json) continue;
    if (!config) config = Json::object();
    config->set(rule.name, rule.ours);
    changed = true;
  }
  if (!changed) return std::nullopt;
  return config->dump(2) + "\n";
}

ENTRAIN_INLINE TokenizerFile read_tokenizer(const std::vector<FolderText>& texts, const std::string& folder,
                                            std::vector<std::string>& notes) {
  for (const FolderText& file : texts) detail::check_text(file);
  const auto stated = detail::object_in(texts, "tokenizer_config.json");
  detail::refuse_other_class(stated, texts, {"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer"});
  if (stated) detail::refuse_other_rules(*stated, texts);
  if (const FolderText* const file = find_text(texts, "tokenizer.json")) {
    TokenizerFile read = parse_tokenizer(file->text, file->where);
    for (std::string& note : check_agreement(read, texts)) notes.push_back(std::move(note));
    detail::take_special_pieces(read, texts);
    return read;
  }
  const FolderText* const vocabulary = find_text(texts, "vocab.txt");
  if (vocabulary == nullptr)
    throw Error("entrain.checkpoint.53", folder, "no tokenizer.json and no vocab.txt", "a tokenizer's files",
                "name the model folder");
  TokenizerConfig config;
  if (const FolderText* const file = find_text(texts, "tokenizer_config.json")) {
    config = parse_tokenizer_config(file->text, file->where);
    detail::compare_lengths(*stated, texts, notes);
  }
  TokenizerFile read = detail::from_lines(vocabulary->text, vocabulary->where, config);
  detail::check_added_tokens_json(texts, config.added);
  detail::take_special_pieces(read, texts);
  return read;
}

ENTRAIN_INLINE std::vector<KeptFile> TokenizerOf<text::WordPiece>::keep(const std::vector<FolderText>& texts) {
  std::vector<KeptFile> kept;
  for (const char* name : {"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"})
    if (const FolderText* const file = find_text(texts, name)) kept.push_back({name, file->text});
  const FolderText* const whole = find_text(texts, "tokenizer.json");
  if (whole == nullptr) return kept;
  if (auto config = agreeing_tokenizer_config(parse_tokenizer(whole->text, whole->where), texts)) {
    std::erase_if(kept, [](const KeptFile& f) { return f.name == "tokenizer_config.json"; });
    kept.push_back({"tokenizer_config.json", std::move(*config)});
  }
  return kept;
}

}  // namespace entrain::checkpoint
