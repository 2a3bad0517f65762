// text > batch > embed > encode > head > optim > [checkpoint]
//
// Compares the pieces of a tokenizer.json with those that the other files of its folder state. Read
// tokenizer_agreement.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/vocabulary_lines.hpp"
#include "entrain/family/all.hpp"
#include "entrain/text/files/file.hpp"  // refuse_binary
#include "entrain/text/tokenizer/added_pieces.hpp"

namespace entrain::checkpoint::detail {

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

/// Compares the pieces of a tokenizer.json with those that other files state.
class PieceComparison {
 public:
  /// File: a TokenizerFile or a ByteBpeFile, which outlives this object
  template <class File> PieceComparison(const File& read, const std::vector<FolderText>& texts)
      : pieces_(read.vocabulary),
        added_(read.options.added),
        unk_token_(read.options.unk_token),
        before_(read.before),
        after_(read.after),
        texts_(texts) {}

  void special(const Json& object, std::string_view name) const {
    const auto compare = [&](const char* key, const std::string& ours, const char* part) {
      const auto stated = stated_piece(object, key, path_in(texts_, name));
      if (!stated || ours.empty() || *stated == ours) return;
      refuse(name, std::string(key) + " " + in_quotes(*stated),
             in_quotes(ours) + ", as in " + part + " of tokenizer.json");
    };
    compare("unk_token", unk_token_, "model.unk_token");
    compare("cls_token", before_.size() == 1 ? text_of(before_[0]) : "", "post_processor");
    compare("sep_token", after_.size() == 1 ? text_of(after_[0]) : "", "post_processor");
  }

  /// how: whether the file also says how the token is found
  void added(const std::vector<text::AddedPiece>& tokens, std::string_view name, bool how) const {
    for (const text::AddedPiece& one : tokens) {
      const auto& ours = added_;
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
      const std::string_view piece = next_piece(file.text, at);
      if (const std::string ours = text_of(static_cast<std::int32_t>(id)); piece != ours)
        refuse_piece(file.where + ":" + std::to_string(id + 1), "piece " + in_quotes(piece), id, ours);
    }
    if (id < pieces_.size()) refuse_piece(file.where, std::to_string(id) + " pieces", id, pieces_[id]);
  }

 private:
  std::string text_of(std::int32_t id) const {
    const auto at = static_cast<std::size_t>(id);
    if (at < pieces_.size() && !pieces_[at].empty()) return pieces_[at];
    for (const text::AddedPiece& one : added_)
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

  const std::vector<std::string>& pieces_;
  const std::vector<text::AddedPiece>& added_;
  const std::string& unk_token_;
  const std::vector<std::int32_t>&before_, &after_;
  const std::vector<FolderText>& texts_;
};

/// Compares the pieces of a tokenizer.json with those that the folder's other files state. config: that of
/// tokenizer_config.json, if it is there. Pieces may be found in changed text.
template <class File>
void compare_pieces(const File& read, const std::optional<Json>& config, const std::vector<FolderText>& texts) {
  const PieceComparison pieces(read, texts);
  if (config) {
    constexpr std::string_view name = "tokenizer_config.json";
    pieces.special(*config, name);
    pieces.added(added_tokens_decoder(*config, path_in(texts, name), true), name, true);
  }
  if (const auto map = object_in(texts, "special_tokens_map.json")) pieces.special(*map, "special_tokens_map.json");
  if (const FolderText* const added = find_text(texts, "added_tokens.json"))
    pieces.added(parse_added_tokens(added->text, added->where), "added_tokens.json", false);
}

/// Refuses keys of tokenizer_config.json by which transformers (5.23) reads other files, or finds other pieces.
inline void refuse_other_rules(const Json& config, const std::vector<FolderText>& texts) {
  const std::string where = path_in(texts, "tokenizer_config.json");
  if (stated_flag(config, "split_special_tokens", where).value_or(false))
    throw Error("entrain.checkpoint.50", where, "split_special_tokens true",
                "false: special pieces are found in a text", "remove the key");
  const Json* const named = config.find("model_specific_special_tokens");
  if (named != nullptr && !named->is_null() && !(named->is_object() && named->members().empty()))
    throw Error("entrain.checkpoint.50", where, "model_specific_special_tokens", "none",
                "state these pieces as extra_special_tokens");
  const Json* const files = config.find("fast_tokenizer_files");
  if (files == nullptr || !files->is_array()) return;
  for (const Json& one : files->items())
    if (!one.is_string() || one.text() != "tokenizer.json")
      throw Error("entrain.checkpoint.50", where, "fast_tokenizer_files with " + what_is(one), "tokenizer.json alone",
                  "load the folder in transformers and save it");
}

/// The model_type of config.json; empty: none is stated.
inline std::string model_type_in(const std::vector<FolderText>& texts) {
  const auto config = object_in(texts, config_name);
  const Json* const type = config ? config->find("model_type") : nullptr;
  return type != nullptr && type->is_string() ? std::string(type->text()) : std::string();
}

/// A text of more positions than the model has.
inline void compare_lengths(const Json& config, const std::vector<FolderText>& texts, std::vector<std::string>& notes) {
  const Json* const tokens = config.find("model_max_length");
  const auto model = object_in(texts, config_name);
  if (!model || tokens == nullptr || !tokens->is_number()) return;
  const Json* const positions = model->find("max_position_embeddings");
  constexpr double no_limit = 1e9;  // transformers writes 1e30 for none
  if (positions == nullptr || !positions->is_number() || tokens->number<double>() > no_limit) return;
  const auto* const family = family::find(model_type_in(texts));
  const int reserved = family != nullptr ? family->first_position : 0;
  if (tokens->number<double>() > positions->number<double>() - reserved)
    notes.push_back(path_in(texts, "tokenizer_config.json") + ": model_max_length " + tokens->dump() +
                    ", but config.json has max_position_embeddings " + positions->dump() +
                    (reserved > 0 ? ", of which " + std::to_string(reserved) + " are reserved" : "") +
                    ", which is used; transformers fails on longer texts");
}

inline void check_text(const FolderText& file) {
  if (file.text.empty()) throw Error("entrain.text.4", file.where, "empty", "text");
  text::refuse_binary(file.where, file.text);
}

/// Whether transformers takes everything from tokenizer.json, by the tokenizer_class of tokenizer_config.json (5.23).
inline bool follows_tokenizer_json(std::string_view tokenizer_class) {
  return tokenizer_class == "PreTrainedTokenizerFast" || tokenizer_class == "TokenizersBackend";
}

/// Refuses a folder for which AutoTokenizer of transformers (5.23) makes another tokenizer, by the tokenizer_class of
/// tokenizer_config.json, or else of config.json.
///
/// classes   those that are expected; each may also have `Fast` at its end. The first is named in messages
inline void refuse_other_class(const std::optional<Json>& config, const std::vector<FolderText>& texts,
                               std::initializer_list<std::string_view> classes) {
  const auto stated = [&](const std::optional<Json>& root, std::string_view name) -> std::optional<std::string> {
    return root ? stated_piece(*root, "tokenizer_class", path_in(texts, name)) : std::nullopt;
  };
  const auto is_expected = [&](std::string_view name) {
    if (name.ends_with("Fast")) name.remove_suffix(4);
    return std::find(classes.begin(), classes.end(), name) != classes.end();
  };
  const std::string first(*classes.begin());
  if (const auto name = stated(config, "tokenizer_config.json")) {
    if (!is_expected(*name) && !follows_tokenizer_json(*name))
      throw Error("entrain.checkpoint.50", path_in(texts, "tokenizer_config.json"),
                  "tokenizer_class " + in_quotes(*name), first + " or PreTrainedTokenizerFast",
                  "load the folder in transformers and save it as one of these");
    return;
  }
  // A trained model's config.json has no such key, so it may state only what is taken without it.
  if (const auto other = stated(object_in(texts, config_name), config_name); other && !is_expected(*other))
    throw Error("entrain.checkpoint.50", path_in(texts, config_name), "tokenizer_class " + in_quotes(*other), first,
                "state the tokenizer_class in tokenizer_config.json");
}

/// Without a tokenizer.json, refuses a token of added_tokens.json of which no file says how it is matched.
inline void check_added_tokens_json(const std::vector<FolderText>& texts, const std::vector<text::AddedPiece>& added) {
  const FolderText* const file = find_text(texts, "added_tokens.json");
  if (file == nullptr) return;
  for (const text::AddedPiece& one : parse_added_tokens(file->text, file->where))
    if (std::none_of(added.begin(), added.end(),
                     [&](const text::AddedPiece& a) { return a.text == one.text && a.id == one.id; }))
      throw Error(
          "entrain.checkpoint.50", file->where, "token " + in_quotes(one.text) + " with id " + std::to_string(one.id),
          "tokens that are also in added_tokens_decoder of tokenizer_config.json, which sets how they are matched",
          "load the folder in transformers and save it: that writes tokenizer.json");
}

}  // namespace entrain::checkpoint::detail
