// text > batch > embed > encode > head > optim > [checkpoint]
//
// The special pieces that other files than tokenizer.json state. Read json_tokenizer_parts.ipp and
// piece_comparison.ipp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"

namespace entrain::checkpoint::detail {

/// What added_tokens_decoder says of the added pieces of tokenizer.json: transformers (5.23) takes from it whether one
/// is searched in the changed text, and RobertaTokenizer, XLMRobertaTokenizer and BertTokenizer have no others.
inline void follow_decoder(const Json& config, bool has_others, std::vector<text::AddedPiece>& added,
                           const std::string& where) {
  const Json* const all = config.find("added_tokens_decoder");
  if (all == nullptr || !all->is_object()) return;
  for (text::AddedPiece& one : added) {
    const Json* const token = all->find(std::to_string(one.id));
    if (token != nullptr) {
      one.normalized = stated_flag(*token, "normalized", where).value_or(one.normalized);
    } else if (!has_others) {
      throw Error("entrain.checkpoint.55", where, "no " + in_quotes(one.text) + " in added_tokens_decoder",
                  "all of added_tokens in tokenizer.json: transformers has no others",
                  "use both files of the same model");
    }
  }
}

/// The roles of special pieces, each with the text that a class takes where no file states one; an empty text: none.
using SpecialRoles = std::array<std::pair<std::string_view, std::string_view>, 7>;
inline constexpr SpecialRoles roberta_roles{{{"cls_token", "<s>"},
                                             {"sep_token", "</s>"},
                                             {"unk_token", "<unk>"},
                                             {"pad_token", "<pad>"},
                                             {"mask_token", "<mask>"},
                                             {"bos_token", "<s>"},
                                             {"eos_token", "</s>"}}};
inline constexpr SpecialRoles bert_roles{{{"cls_token", "[CLS]"},
                                          {"sep_token", "[SEP]"},
                                          {"unk_token", "[UNK]"},
                                          {"pad_token", "[PAD]"},
                                          {"mask_token", "[MASK]"},
                                          {"bos_token", ""},
                                          {"eos_token", ""}}};

/// The special pieces that tokenizer_config.json and special_tokens_map.json state. transformers finds them in every
/// text, whether the other files have them among the added tokens or not.
class SpecialPieces {
 public:
  /// File: a TokenizerFile, a ByteBpeFile or a UnigramFile, which outlives this object
  template <class File> SpecialPieces(const std::vector<FolderText>& texts, const std::optional<Json>& config,
                                      File& file, const SpecialRoles& usual = roberta_roles)
      : texts_(texts), pieces_(file.vocabulary), added_(file.options.added), usual_(usual) {
    if (config) take(*config, "tokenizer_config.json");
    const Json* const decoder = config ? config->find("added_tokens_decoder") : nullptr;
    std::optional<Json> map;  // if there is a decoder, transformers (5.23) does not read it
    if (decoder == nullptr || decoder->is_null()) map = object_in(texts, "special_tokens_map.json");
    if (map) take(*map, "special_tokens_map.json");
    take_lists(config, map);
  }

  /// The id of the piece of a role, as "cls_token"; -1 if it is no piece.
  std::int32_t id(const std::string& role) const { return id_of(text(role)); }
  /// What is stated for a role, else what the class takes.
  std::string text(const std::string& role) const {
    for (const auto& [key, stated] : stated_)
      if (key == role) return stated.piece.text;
    for (const auto& [key, usual] : usual_)
      if (key == role) return std::string(usual);
    return {};
  }
  bool is_stated(std::string_view role) const {
    return std::any_of(stated_.begin(), stated_.end(), [&](const auto& s) { return s.first == role; });
  }
  /// Whether null is stated for a role: it has no piece.
  bool is_null(std::string_view role) const { return std::find(nulls_.begin(), nulls_.end(), role) != nulls_.end(); }
  /// Whether a piece has a name: a role, or a key as "image_token". with_usual: as in add
  bool is_named(const std::string& piece, bool with_usual) const {
    const auto stated = [&](const auto& s) { return s.second.piece.text == piece; };
    if (std::any_of(stated_.begin(), stated_.end(), stated)) return true;
    return with_usual && std::any_of(usual_.begin(), usual_.end(), [&](const auto& role) {
             return !is_null(role.first) && text(std::string(role.first)) == piece;
           });
  }
  /// Adds those that are stated to the added pieces; with_usual: and those that the class takes, if they are pieces.
  /// throws    entrain.checkpoint.52, 55: one is no piece, or has other flags there
  void add(bool with_usual) const {
    const std::size_t before = added_.size();
    for (const auto& [key, stated] : stated_) add(key, stated, before);
    for (const auto& [key, stated] : listed_) add(key, stated, before);
    if (!with_usual) return;
    for (const auto& [key, usual] : usual_)
      if (const std::string role(key); !is_null(key) && !is_stated(key) && id(role) >= 0)
        add(role, {{.text = text(role)}, false}, before, true);
  }

 private:
  using Stated = std::pair<std::string, StatedPiece>;

  void take(const Json& object, const char* name) {
    const std::string where = path_in(texts_, name);
    const bool is_config = name == std::string_view("tokenizer_config.json");
    for (const auto& [role, usual] : usual_) {
      const std::string key(role);
      const Json* const it = object.find(key);
      if (it == nullptr) continue;
      const auto earlier = std::find_if(stated_.begin(), stated_.end(), [&](const auto& s) { return s.first == key; });
      std::erase(nulls_, key);
      if (it->is_null()) {
        nulls_.push_back(key);
        if (earlier != stated_.end()) stated_.erase(earlier);
        continue;
      }
      StatedPiece stated = stated_token(*it, key, where);
      if (earlier == stated_.end()) {
        stated_.emplace_back(key, std::move(stated));
        continue;
      }
      if (earlier->second.piece.text != stated.piece.text)
        throw Error("entrain.checkpoint.55", where, key + " " + in_quotes(stated.piece.text),
                    in_quotes(earlier->second.piece.text) + ", as in tokenizer_config.json",
                    "use both files of the same model");
      earlier->second = std::move(stated);  // the later file's flags
    }
    for (const auto& member : object.members()) {  // as "image_token"
      const auto& [key, value] = member;
      const bool is_usual =
          std::any_of(usual_.begin(), usual_.end(), [&](const auto& r) { return r.first == member.first; });
      if (!is_usual && key.ends_with("_token") && (value.is_string() || is_token(value, is_config)))
        stated_.emplace_back(key, stated_token(value, key, where));
    }
  }
  /// Whether transformers makes a token of an object; in tokenizer_config.json it does so by the object's __type.
  static bool is_token(const Json& value, bool is_config) {
    if (!value.is_object() || value.find("content") == nullptr) return false;
    const Json* const type = value.find("__type");
    return !is_config || (type != nullptr && type->is_string() && type->text() == "AddedToken");
  }

  /// extra_special_tokens, and additional_special_tokens where transformers (5.23) takes it for the same: in
  /// tokenizer_config.json if the other has no piece, in special_tokens_map.json if there is no other at all.
  void take_lists(const std::optional<Json>& config, const std::optional<Json>& map) {
    constexpr const char *extra_key = "extra_special_tokens", *older_key = "additional_special_tokens";
    const Json* older = nullptr;
    const char* older_in = "tokenizer_config.json";
    bool has_extra = false;
    if (config) {
      const Json* const extra = config->find(extra_key);
      older = config->find(older_key);
      const bool has_pieces = extra != nullptr && !extra->is_null() && !is_empty(*extra);
      if (older != nullptr && !has_pieces) {
        has_extra = take_list(*older, older_key, older_in);
        older = nullptr;
      } else if (extra != nullptr) {
        has_extra = take_list(*extra, extra_key, older_in);
      }
    }
    if (map) {
      if (const Json* const extra = map->find(extra_key)) {
        if (!extra->is_array()) listed_.clear();
        has_extra = take_list(*extra, extra_key, "special_tokens_map.json");
      }
      if (const Json* const it = map->find(older_key)) older = it, older_in = "special_tokens_map.json";
    }
    if (older != nullptr && !has_extra) take_list(*older, older_key, older_in);
  }
  static bool is_empty(const Json& list) {
    return list.is_array() ? list.items().empty() : list.is_object() && list.members().empty();
  }
  /// Returns whether it is a list; the pieces of an object have names.
  bool take_list(const Json& list, const std::string& key, const char* name) {
    const std::string where = path_in(texts_, name);
    if (list.is_object()) {
      for (const auto& [role, one] : list.members()) stated_.emplace_back(key, stated_token(one, key, where));
      return false;
    }
    if (list.is_null()) return true;
    if (!list.is_array()) wrong_value(where, key, list, "an array");
    for (const Json& one : list.items()) {
      listed_.emplace_back(key, stated_token(one, key, where));
      if (one.is_object() && one.find("normalized") == nullptr)
        listed_.back().second.piece.normalized =
            name == std::string_view("tokenizer_config.json") && !stated_flag(one, "special", where).value_or(false);
    }
    return true;
  }
  std::int32_t id_of(const std::string& piece) const {
    const auto it = std::find(pieces_.begin(), pieces_.end(), piece);
    if (it != pieces_.end() && !piece.empty()) return static_cast<std::int32_t>(it - pieces_.begin());
    for (const text::AddedPiece& one : added_)
      if (one.text == piece) return one.id;
    return -1;
  }
  /// before: how many pieces were there before these; of two of these, transformers takes the flags of one. is_usual:
  /// whether the class takes it, perhaps with the spaces next to it
  void add(const std::string& key, const StatedPiece& stated, std::size_t before, bool is_usual = false) const {
    const std::string where = path_in(texts_, "tokenizer_config.json");
    const text::AddedPiece& piece = stated.piece;
    const auto it = std::find_if(added_.begin(), added_.end(), [&](const auto& a) { return a.text == piece.text; });
    if (it != added_.end()) {
      const bool is_of_these = static_cast<std::size_t>(it - added_.begin()) >= before;
      if ((stated.has_flags || is_of_these) &&
          (it->single_word != piece.single_word ||
           (!is_usual && (it->lstrip != piece.lstrip || it->rstrip != piece.rstrip))))
        throw Error("entrain.checkpoint.55", where,
                    key + " " + in_quotes(piece.text) + " and a different lstrip, rstrip or single_word",
                    is_of_these ? "those of the other key that states this piece" : "those of the added token",
                    "load the folder in transformers and save it");
      return;
    }
    const std::int32_t id = id_of(piece.text);
    if (id < 0)
      throw Error("entrain.checkpoint.52", where, key + " " + in_quotes(piece.text) + ", which is no piece",
                  "a piece of the vocabulary, or an added token", "load the folder in transformers and save it");
    added_.push_back(piece);
    added_.back().id = id;
  }

  const std::vector<FolderText>& texts_;
  const std::vector<std::string>& pieces_;
  std::vector<text::AddedPiece>& added_;
  const SpecialRoles& usual_;
  std::vector<Stated> stated_, listed_;  // with a name; those of a list
  std::vector<std::string> nulls_;
};

}  // namespace entrain::checkpoint::detail
