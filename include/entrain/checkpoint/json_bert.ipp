// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of bert_config.hpp, and of what open_weights.hpp reads as JSON.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/checkpoint/json_tree.ipp"  // Json, parse_tree
#include "entrain/checkpoint/open_weights.hpp"

namespace entrain::checkpoint {

ENTRAIN_PART std::string_view key_of(std::string_view key, std::string_view model_type) {
  if (model_type == "distilbert")
    for (const auto& [bert, distilbert] : {std::pair<std::string_view, std::string_view>{"hidden_size", "dim"},
                                           {"num_hidden_layers", "n_layers"},
                                           {"num_attention_heads", "n_heads"},
                                           {"intermediate_size", "hidden_dim"},
                                           {"hidden_act", "activation"}})
      if (key == bert) return distilbert;
  return key;
}

ENTRAIN_PART BertConfig parse_bert_config(std::string_view text, std::string_view where) {
  using detail::Json;
  const Json tree = detail::parse_tree(text, where);
  if (!tree.is_object())
    throw Error("entrain.checkpoint.32", where, "the file holds " + detail::what_is(tree), "an object");
  // A key that is there has this one value; a missing one means it.
  const auto only = [&](const char* key, const Json& value, const char* remedy) {
    const Json* const it = tree.find(key);
    if (it != nullptr && *it != value)
      throw Error("entrain.checkpoint.60", where, std::string(key) + " " + it->dump(), value.dump(), remedy);
  };
  BertConfig config;
  if (const Json* const type = tree.find("model_type")) {
    if (*type != Json("bert") && *type != Json("distilbert"))
      throw Error("entrain.checkpoint.60", where, "model_type " + type->dump(), "\"bert\" or \"distilbert\"",
                  "BERT's family is what this composition reads: take a model of it");
    config.model_type = type->text();
  }
  if (config.model_type == "distilbert") config.num_hidden_layers = 6, config.type_vocab_size = 0;
  only("position_embedding_type", "absolute", "take a model with absolute positions");
  only("is_decoder", false, "take an encoder");
  only("add_cross_attention", false, "take an encoder");

  const auto extent = [&](std::string_view meant, std::int64_t& to) {
    const std::string key(key_of(meant, config.model_type));
    const Json* const it = tree.find(key);
    if (it == nullptr) return;
    constexpr std::uint64_t most = 1'000'000;
    if (!it->is_number_unsigned() || it->number<std::uint64_t>() < 1 || it->number<std::uint64_t>() > most)
      throw Error("entrain.checkpoint.61", where, key + " " + it->dump(), "a whole number from 1 to 1000000");
    to = it->number<std::int64_t>();
  };
  extent("vocab_size", config.vocab_size);
  extent("max_position_embeddings", config.max_position_embeddings);
  if (config.type_vocab_size > 0) extent("type_vocab_size", config.type_vocab_size);
  extent("hidden_size", config.hidden_size);
  extent("num_hidden_layers", config.num_hidden_layers);
  extent("num_attention_heads", config.num_attention_heads);
  extent("intermediate_size", config.intermediate_size);
  const bool fixed_eps = config.model_type == "distilbert";  // its norms have 1e-12 in every folder
  if (const Json* const eps = tree.find("layer_norm_eps"); !fixed_eps && eps != nullptr) {
    if (!eps->is_number() || !(eps->number<double>() > 0 && eps->number<double>() < 1))
      throw Error("entrain.checkpoint.61", where, "layer_norm_eps " + eps->dump(), "a number between 0 and 1");
    config.layer_norm_eps = eps->number<double>();
  }
  const std::string act_key(key_of("hidden_act", config.model_type));
  if (const Json* const act = tree.find(act_key)) {
    if (!act->is_string()) detail::wrong_value(where, act_key, *act, "a text");
    config.hidden_act = act->text();
    if (config.hidden_act == "gelu_new" || config.hidden_act == "gelu_fast") config.hidden_act = "gelu_pytorch_tanh";
    if (config.hidden_act != "gelu" && config.hidden_act != "gelu_pytorch_tanh" && config.hidden_act != "relu")
      throw Error("entrain.checkpoint.60", where, act_key + " " + act->dump(),
                  "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh or relu", "write its policy in core/activation.hpp");
  }
  return config;
}

ENTRAIN_PART std::vector<std::pair<std::string, std::string>> parse_weight_map(std::string_view text,
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
