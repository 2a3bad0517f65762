// text > batch > embed > encode > head > optim > [checkpoint]
//
// The special pieces of RoBERTa's and XLM-RoBERTa's tokenizers that other files than tokenizer.json state. Read
// json_tokenizer_parts.ipp and piece_comparison.ipp first.
#pragma once
#include <algorithm>
#include <array>
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
/// is searched in the changed text, and RobertaTokenizer and XLMRobertaTokenizer have no others.
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

/// The special pieces that tokenizer_config.json and special_tokens_map.json state. transformers finds them in every
/// text, whether the other files have them among the added tokens or not.
class SpecialPieces {
 public:
  /// File: a ByteBpeFile or a UnigramFile, which outlives this object
  template <class File>
  SpecialPieces(const std::vector<FolderText>& texts, const std::optional<Json>& config, File& file)
      : texts_(texts), pieces_(file.vocabulary), added_(file.options.added) {
    if (config) take(*config, "tokenizer_config.json");
    const Json* const decoder = config ? config->find("added_tokens_decoder") : nullptr;
    if (decoder != nullptr && !decoder->is_null()) return;  // then transformers (5.23) does not read the other file
    if (const auto map = object_in(texts, "special_tokens_map.json")) take(*map, "special_tokens_map.json");
  }

  /// The id of the piece of a role, as "cls_token"; -1 if it is no piece.
  std::int32_t id(const std::string& role) const { return id_of(text(role)); }
  /// What is stated for a role, else what RobertaTokenizer and XLMRobertaTokenizer take.
  std::string text(const std::string& role) const {
    for (const auto& [key, stated] : stated_)
      if (key == role) return stated.piece.text;
    for (const auto& [key, usual] : usual_)
      if (key == role) return std::string(usual);
    return {};
  }
  /// Adds those that are stated to the added pieces; with_usual: and those that these classes take, if they are pieces.
  /// throws    entrain.checkpoint.52, 55: one is no piece, or has other flags there
  void add(bool with_usual) const {
    for (const auto& [key, stated] : stated_) add(key, stated);
    if (!with_usual) return;
    for (const auto& [key, usual] : usual_)
      if (id(std::string(key)) >= 0) add(std::string(key), {{.text = text(std::string(key))}, false});
  }

 private:
  using Role = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Role, 7> usual_{
      Role{"cls_token", "<s>"}, {"sep_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"},
      {"mask_token", "<mask>"}, {"bos_token", "<s>"},  {"eos_token", "</s>"}};

  void take(const Json& object, const char* name) {
    const std::string where = path_in(texts_, name);
    for (const auto& [role, usual] : usual_) {
      const std::string key(role);
      const Json* const it = object.find(key);
      if (it == nullptr || it->is_null()) continue;
      StatedPiece stated = stated_token(*it, key, where);
      const auto earlier = std::find_if(stated_.begin(), stated_.end(), [&](const auto& s) { return s.first == key; });
      if (earlier == stated_.end()) {
        stated_.emplace_back(key, std::move(stated));
        continue;
      }
      if (earlier->second.piece.text != stated.piece.text)
        throw Error("entrain.checkpoint.55", where, key + " " + in_quotes(stated.piece.text),
                    in_quotes(earlier->second.piece.text) + ", as in tokenizer_config.json",
                    "use both files of the same model");
      if (!earlier->second.has_flags) earlier->second = std::move(stated);
    }
    for (const auto& [key, value] : object.members()) {  // as "image_token"
      const bool is_usual = std::any_of(usual_.begin(), usual_.end(), [&](const Role& r) { return r.first == key; });
      if (!is_usual && key.ends_with("_token") && (value.is_string() || value.find("content") != nullptr))
        stated_.emplace_back(key, stated_token(value, key, where));
    }
    for (const char* const key : {"extra_special_tokens", "additional_special_tokens"}) {  // the first that has any
      const Json* const it = object.find(key);
      if (it == nullptr || it->is_null()) continue;
      const std::size_t before = stated_.size();
      if (it->is_array()) {
        for (const Json& one : it->items()) stated_.emplace_back(key, stated_token(one, key, where));
      } else if (it->is_object()) {
        for (const auto& [role, one] : it->members()) stated_.emplace_back(key, stated_token(one, key, where));
      } else {
        wrong_value(where, key, *it, "an array");
      }
      if (stated_.size() > before) break;
    }
  }
  std::int32_t id_of(const std::string& piece) const {
    const auto it = std::find(pieces_.begin(), pieces_.end(), piece);
    if (it != pieces_.end() && !piece.empty()) return static_cast<std::int32_t>(it - pieces_.begin());
    for (const text::AddedPiece& one : added_)
      if (one.text == piece) return one.id;
    return -1;
  }
  void add(const std::string& key, const StatedPiece& stated) const {
    const std::string where = path_in(texts_, "tokenizer_config.json");
    const text::AddedPiece& piece = stated.piece;
    const auto it = std::find_if(added_.begin(), added_.end(), [&](const auto& a) { return a.text == piece.text; });
    if (it != added_.end()) {
      if (stated.has_flags &&
          (it->lstrip != piece.lstrip || it->rstrip != piece.rstrip || it->single_word != piece.single_word))
        throw Error("entrain.checkpoint.55", where,
                    key + " " + in_quotes(piece.text) + " and a different lstrip, rstrip or single_word",
                    "those of the added token", "load the folder in transformers and save it");
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
  std::vector<std::pair<std::string, StatedPiece>> stated_;
};

}  // namespace entrain::checkpoint::detail
