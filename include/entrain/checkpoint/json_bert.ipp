// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of bert_config.hpp, and the JSON reader of open_weights.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/checkpoint/json_tree.ipp"  // Json, parse_tree
#include "entrain/checkpoint/open_weights.hpp"
#include "entrain/family/all.hpp"

namespace entrain::checkpoint {

namespace detail {

/// The base of the frequencies of a kind of layers, in the form of transformers 5, or null.
inline const Json* theta_in(const Json& tree, std::string_view kind, std::string_view where) {
  const Json* const all = tree.find("rope_parameters");
  const Json* const of_kind = all != nullptr && all->is_object() ? all->find(kind) : nullptr;
  if (of_kind == nullptr || !of_kind->is_object()) return nullptr;
  if (const Json* const type = of_kind->find("rope_type"); type != nullptr && type->dump() != "\"default\"")
    throw Error("entrain.checkpoint.60", where, "rope_type " + type->dump() + " of " + std::string(kind), "\"default\"",
                "use a model without scaled positions");
  return of_kind->find("rope_theta");
}

/// n, where layer_types names block 0 and every n-th block after it full_attention, and all others sliding_attention.
inline std::int64_t global_every(const Json& types, std::int64_t layers, std::string_view where) {
  const auto refuse = [&](const std::string& found) {
    throw Error("entrain.checkpoint.60", where, found,
                "one of " + std::to_string(layers) +
                    " for each block: \"full_attention\" for the first and every n-th after it, else "
                    "\"sliding_attention\"",
                "use a model whose global blocks are equally far apart");
  };
  if (!types.is_array() || static_cast<std::int64_t>(types.items().size()) != layers)
    refuse("layer_types " + (types.is_array() ? "of " + std::to_string(types.items().size()) : types.dump()));
  std::int64_t n = layers;  // only the first
  const auto is_global = [&](std::int64_t i) {
    return types.items()[static_cast<std::size_t>(i)].dump() == "\"full_attention\"";
  };
  for (std::int64_t i = layers - 1; i > 0; --i)
    if (is_global(i)) n = i;
  for (std::int64_t i = 0; i < layers; ++i) {
    const std::string type = types.items()[static_cast<std::size_t>(i)].dump();
    if (type != (i % n == 0 ? "\"full_attention\"" : "\"sliding_attention\""))
      refuse("layer_types[" + std::to_string(i) + "] " + type);
  }
  return n;
}

}  // namespace detail

ENTRAIN_INLINE BertConfig parse_bert_config(std::string_view text, std::string_view where,
                                            const family::Description* own) {
  using detail::Json;
  const Json tree = detail::parse_tree(text, where);
  if (!tree.is_object())
    throw Error("entrain.checkpoint.32", where, "the file is " + detail::what_is(tree), "an object");
  BertConfig config;
  if (const Json* const type = tree.find("model_type")) {
    config.family = type->is_string() ? family::find(type->text(), own) : nullptr;
    if (config.family == nullptr)
      throw Error("entrain.checkpoint.60", where, "model_type " + type->dump(), family::model_types(own),
                  "use a model of a family that this program supports");
  }
  const family::Keys& keys = config.family->keys;
  for (const auto& [key, json, remedy] : config.family->only)
    if (const Json* const it = tree.find(key); it != nullptr && it->dump() != json)
      throw Error("entrain.checkpoint.60", where, std::string(key) + " " + it->dump(), json, remedy);

  const auto extent = [&](const family::Number& number) {
    const Json* const it = number.key.empty() ? nullptr : tree.find(number.key);
    if (it == nullptr) return number.otherwise;
    constexpr std::uint64_t most = 1'000'000;
    if (!it->is_number_unsigned() || it->number<std::uint64_t>() < 1 || it->number<std::uint64_t>() > most)
      throw Error("entrain.checkpoint.61", where, std::string(number.key) + " " + it->dump(),
                  "a whole number from 1 to 1000000");
    return it->number<std::int64_t>();
  };
  config.vocab_size = extent(keys.vocabulary);
  config.max_position_embeddings = extent(keys.positions);
  config.type_vocab_size = extent(keys.types);
  config.hidden_size = extent(keys.width);
  config.num_hidden_layers = extent(keys.layers);
  config.num_attention_heads = extent(keys.heads);
  config.intermediate_size = extent(keys.intermediate);
  config.embedding_size = keys.embedding.key.empty() ? config.hidden_size : extent(keys.embedding);
  config.layer_norm_eps = keys.eps.otherwise;
  if (const Json* const eps = keys.eps.key.empty() ? nullptr : tree.find(keys.eps.key)) {
    if (!eps->is_number() || !(eps->number<double>() > 0 && eps->number<double>() < 1))
      throw Error("entrain.checkpoint.61", where, std::string(keys.eps.key) + " " + eps->dump(),
                  "a number between 0 and 1");
    config.layer_norm_eps = eps->number<double>();
  }
  const std::string act_key(keys.act.key);
  config.hidden_act = keys.act.otherwise;
  if (const Json* const act = act_key.empty() ? nullptr : tree.find(act_key)) {
    if (!act->is_string()) detail::wrong_value(where, act_key, *act, "a string");
    config.hidden_act = act->text();
    if (config.hidden_act == "gelu_new" || config.hidden_act == "gelu_fast") config.hidden_act = "gelu_pytorch_tanh";
    if (config.hidden_act != "gelu" && config.hidden_act != "gelu_pytorch_tanh" && config.hidden_act != "relu")
      throw Error("entrain.checkpoint.60", where, act_key + " " + act->dump(),
                  "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh or relu", "add it to core/activation.hpp");
  }
  if (keys.local_attention.key.empty()) return config;
  config.local_attention = extent(keys.local_attention);
  const Json* const types = tree.find("layer_types");
  config.global_attn_every_n_layers = types != nullptr && types->dump() != "null"
                                          ? detail::global_every(*types, config.num_hidden_layers, where)
                                          : std::min(extent(keys.global_every), config.num_hidden_layers);
  const auto theta = [&](const family::Real& number, std::string_view kind) {
    const Json* it = detail::theta_in(tree, kind, where);
    if (it == nullptr) it = tree.find(number.key);
    if (it == nullptr) return number.otherwise;
    if (!it->is_number() || !(it->number<double>() > 0))
      throw Error("entrain.checkpoint.61", where, std::string(number.key) + " " + it->dump(), "a number above 0");
    return it->number<double>();
  };
  config.global_rope_theta = theta(keys.global_theta, "full_attention");
  config.local_rope_theta = theta(keys.local_theta, "sliding_attention");
  return config;
}

ENTRAIN_INLINE std::vector<std::pair<std::string, std::string>> parse_weight_map(std::string_view text,
                                                                                 std::string_view where) {
  const detail::Json tree = detail::parse_tree(text, where);
  const detail::Json* const map = tree.find("weight_map");
  if (map == nullptr || !map->is_object() || map->members().empty())
    throw Error("entrain.checkpoint.62", where, "no weight_map", "an object of tensors and the files that hold them",
                "copy the folder again");
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [tensor, file] : map->members()) {
    const std::string name = file.is_string() ? file.text() : "";
    if (name.empty() || name.find_first_of("/\\") != name.npos || name.starts_with('.'))
      throw Error("entrain.checkpoint.62", where, "tensor " + detail::in_quotes(tensor) + " in " + file.dump(),
                  "the name of a file next to this one");
    files.emplace_back(tensor, name);
  }
  return files;
}

}  // namespace entrain::checkpoint
