// text > batch > embed > encode > head > optim > [checkpoint]
//
// The steps of a tokenizer.json that several tokenizers read: what is before and after the model, each a step or a
// Sequence of steps. Read json_tokenizer_parts.ipp first.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"

namespace entrain::checkpoint::detail {

/// The steps of a Sequence, or the one step.
inline std::vector<const Json*> parts_of(const Json& part, const char* list) {
  const Json* const type = part.find("type");
  if (type == nullptr || !type->is_string() || type->text() != "Sequence") return {&part};
  std::vector<const Json*> parts;
  if (const Json* const all = part.find(list); all != nullptr && all->is_array())
    for (const Json& one : all->items()) parts.push_back(&one);
  return parts;
}
inline std::string type_of(const Json& part) {
  const Json* const type = part.find("type");
  return type != nullptr && type->is_string() ? type->text() : part.dump().substr(0, 40);
}
/// name: of the tokenizer that is expected, as "BERT's WordPiece"
[[noreturn]] inline void refuse_part(std::string_view where, const std::string& key, const Json& part,
                                     std::string_view expected, std::string_view name) {
  throw Error("entrain.checkpoint.50", where, key + " of type " + in_quotes(type_of(part)), expected,
              "this tokenizer is not " + std::string(name));
}

/// The pieces around a text. A ByteLevel changes offsets alone.
template <class File>
void read_around(const TokenizerParts& parts, File& file, std::string_view where, std::string_view name) {
  const Json* const post = parts.part_if_there("post_processor");
  if (post == nullptr) return;
  bool read = false;
  for (const Json* const one : parts_of(*post, "processors")) {
    const std::string type = type_of(*one);
    if (type == "ByteLevel") continue;
    if (read || (type != "RobertaProcessing" && type != "BertProcessing" && type != "TemplateProcessing"))
      refuse_part(where, "post_processor", *one, "one TemplateProcessing, RobertaProcessing or BertProcessing", name);
    parts.around(file, *one, type == "TemplateProcessing" ? "" : type);
    read = true;
  }
}

/// Whether the folder is of a ModernBERT, by the model_type of config.json: AutoTokenizer of transformers (5.23) then
/// takes all from tokenizer.json, whatever tokenizer_class the files name.
inline bool is_modernbert(const std::vector<FolderText>& texts) { return model_type_in(texts) == "modernbert"; }

/// Whether transformers takes all steps from tokenizer.json (5.23); else it makes those of the class that it names.
inline bool follows_tokenizer_json(const std::optional<Json>& config, const std::vector<FolderText>& texts) {
  if (find_text(texts, "tokenizer.json") == nullptr) return false;
  if (is_modernbert(texts)) return true;
  if (!config) return false;
  const auto name = stated_piece(*config, "tokenizer_class", path_in(texts, "tokenizer_config.json"));
  return name && follows_tokenizer_json(*name);
}

}  // namespace entrain::checkpoint::detail
