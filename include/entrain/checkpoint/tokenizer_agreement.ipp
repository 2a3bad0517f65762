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
#include "entrain/checkpoint/tokenizer_agreement.hpp"
#include "entrain/text/files/file.hpp"  // refuse_binary

namespace entrain::checkpoint {
namespace detail {

/// The object in one of these texts; nothing if there is none of that name.
inline std::optional<Json> object_in(const std::vector<FolderText>& texts, std::string_view name) {
  const FolderText* const file = find_text(texts, name);
  if (file == nullptr) return std::nullopt;
  Json root = parse_tree(file->text, file->where);
  if (!root.is_object()) wrong_value(file->where, "", root, "an object");
  return root;
}

inline std::string path_in(const std::vector<FolderText>& texts, std::string_view name) {
  if (const FolderText* const file = find_text(texts, name)) return file->where;
  return texts.front().where.substr(0, texts.front().where.rfind('/') + 1) + std::string(name);
}

inline std::string true_or_false(bool value) { return value ? "true" : "false"; }

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
    follows_tokenizer_json = tokenizer_class == "PreTrainedTokenizerFast" || tokenizer_class == "TokenizersBackend";
    rules[0].taken = rules[0].stated.value_or(true);
    rules[1].taken = rules[1].stated.value_or(rules[0].taken);
    rules[2].taken = rules[2].stated.value_or(true);
    rules[0].ours = read.lowercase, rules[1].ours = read.strip_accents, rules[2].ours = read.handle_chinese_chars;
  }
};

/// Compares the pieces of a tokenizer.json with those that other files state.
class PieceComparison {
 public:
  PieceComparison(const TokenizerFile& read, const std::vector<FolderText>& texts) : read_(read), texts_(texts) {}

  void special(const Json& object, std::string_view name) const {
    const auto compare = [&](const char* key, const std::string& ours, const char* part) {
      const auto stated = stated_piece(object, key, path_in(texts_, name));
      if (!stated || ours.empty() || *stated == ours) return;
      refuse(name, std::string(key) + " " + in_quotes(*stated),
             in_quotes(ours) + ", as in " + part + " of tokenizer.json");
    };
    compare("unk_token", read_.options.unk_token, "model.unk_token");
    compare("cls_token", read_.before.size() == 1 ? text_of(read_.before[0]) : "", "post_processor");
    compare("sep_token", read_.after.size() == 1 ? text_of(read_.after[0]) : "", "post_processor");
  }

  /// how: whether the file also says how the token is found
  void added(const std::vector<text::AddedPiece>& tokens, std::string_view name, bool how) const {
    for (const text::AddedPiece& one : tokens) {
      const auto& ours = read_.options.added;
      const auto it = std::find_if(ours.begin(), ours.end(), [&](const auto& a) { return a.text == one.text; });
      const std::string found = "token " + in_quotes(one.text) + " with id " + std::to_string(one.id);
      if (it == ours.end()) refuse(name, found, "a token in added_tokens of tokenizer.json");
      if (it->id != one.id)
        refuse(name, found, "id " + std::to_string(it->id) + ", as in added_tokens of tokenizer.json");
      if (how && (it->lstrip != one.lstrip || it->rstrip != one.rstrip || it->single_word != one.single_word))
        refuse(name, found + " and a different lstrip, rstrip or single_word",
               "those in added_tokens of tokenizer.json");
    }
  }

  void vocabulary(const FolderText& file) const {
    std::size_t id = 0;
    for (std::size_t at = 0; at < file.text.size(); ++id) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
      std::string_view piece = std::string_view(file.text).substr(at, end - at);
      if (piece.ends_with('\r')) piece.remove_suffix(1);
      if (const std::string ours = text_of(static_cast<std::int32_t>(id)); piece != ours)
        refuse_piece(file.where + ":" + std::to_string(id + 1), "piece " + in_quotes(piece), id, ours);
      at = end + 1;
    }
    if (id < read_.vocabulary.size())
      refuse_piece(file.where, std::to_string(id) + " pieces", id, read_.vocabulary[id]);
  }

 private:
  std::string text_of(std::int32_t id) const {
    const auto at = static_cast<std::size_t>(id);
    if (at < read_.vocabulary.size() && !read_.vocabulary[at].empty()) return read_.vocabulary[at];
    for (const text::AddedPiece& one : read_.options.added)
      if (one.id == id) return one.text;
    return {};
  }
  [[noreturn]] void refuse(std::string_view name, const std::string& found, const std::string& expected) const {
    throw Error("entrain.checkpoint.55", path_in(texts_, name), found, expected,
                "use both files of the same model, or load the folder in transformers and save it");
  }
  [[noreturn]] static void refuse_piece(const std::string& where, const std::string& found, std::size_t id,
                                        const std::string& ours) {
    throw Error(
        "entrain.checkpoint.55", where, found,
        (ours.empty() ? "no piece" : in_quotes(ours)) + " with id " + std::to_string(id) + ", as in tokenizer.json",
        "use both files of the same model, or remove the one that is wrong");
  }

  const TokenizerFile& read_;
  const std::vector<FolderText>& texts_;
};

/// A text of more positions than the model has.
inline void compare_lengths(const Json& config, const std::vector<FolderText>& texts, std::vector<std::string>& notes) {
  const Json* const tokens = config.find("model_max_length");
  const auto model = object_in(texts, config_name);
  if (!model || tokens == nullptr || !tokens->is_number()) return;
  const Json* const positions = model->find("max_position_embeddings");
  constexpr double no_limit = 1e9;  // transformers writes 1e30 for none
  if (positions == nullptr || !positions->is_number() || tokens->number<double>() > no_limit) return;
  if (tokens->number<double>() > positions->number<double>())
    notes.push_back(path_in(texts, "tokenizer_config.json") + ": model_max_length " + tokens->dump() +
                    ", but config.json has max_position_embeddings " + positions->dump() +
                    ", which is used; transformers fails on longer texts");
}

inline void check_text(const FolderText& file) {
  if (file.text.empty()) throw Error("entrain.text.4", file.where, "empty", "text");
  text::refuse_binary(file.where, file.text);
}

/// What special_tokens_map.json states of a vocab.txt's tokenizer in addition to tokenizer_config.json.
inline void add_special_tokens(TokenizerConfig& config, const std::vector<FolderText>& texts) {
  const auto map = object_in(texts, "special_tokens_map.json");
  if (!map) return;
  const auto stated = object_in(texts, "tokenizer_config.json");
  const std::string where = path_in(texts, "special_tokens_map.json");
  for (const auto& [key, to] : {std::pair{"unk_token", &config.unk_token}, std::pair{"cls_token", &config.cls_token},
                                std::pair{"sep_token", &config.sep_token}, std::pair{"pad_token", &config.pad_token},
                                std::pair{"mask_token", &config.mask_token}}) {
    auto piece = stated_piece(*map, key, where);
    if (!piece) continue;
    if (stated && stated_piece(*stated, key, where) && *piece != *to)
      throw Error("entrain.checkpoint.55", where, std::string(key) + " " + in_quotes(*piece),
                  in_quotes(*to) + ", as in tokenizer_config.json", "use both files of the same model");
    *to = std::move(*piece);
  }
}

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
    pieces.added(added_tokens_decoder(*config, where), "tokenizer_config.json", true);
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
  if (const FolderText* const file = find_text(texts, "tokenizer.json")) {
    TokenizerFile read = parse_tokenizer(file->text, file->where);
    for (std::string& note : check_agreement(read, texts)) notes.push_back(std::move(note));
    return read;
  }
  const FolderText* const vocabulary = find_text(texts, "vocab.txt");
  if (vocabulary == nullptr)
    throw Error("entrain.checkpoint.53", folder, "no tokenizer.json and no vocab.txt", "a tokenizer's files",
                "name the model folder");
  TokenizerConfig config;
  if (const FolderText* const file = find_text(texts, "tokenizer_config.json")) {
    config = parse_tokenizer_config(file->text, file->where);
    detail::compare_lengths(*detail::object_in(texts, file->name), texts, notes);
  }
  detail::add_special_tokens(config, texts);
  if (const FolderText* const file = find_text(texts, "added_tokens.json"))
    for (const text::AddedPiece& one : parse_added_tokens(file->text, file->where))
      if (std::none_of(config.added.begin(), config.added.end(),
                       [&](const text::AddedPiece& a) { return a.text == one.text && a.id == one.id; }))
        throw Error(
            "entrain.checkpoint.50", file->where,
            "token " + detail::in_quotes(one.text) + " with id " + std::to_string(one.id),
            "tokens that are also in added_tokens_decoder of tokenizer_config.json, which sets how they are matched",
            "load the folder in transformers and save it: that writes tokenizer.json");
  return from_vocabulary(vocabulary->text, vocabulary->where, config);
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
