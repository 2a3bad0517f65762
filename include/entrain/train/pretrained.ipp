// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of pretrained.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/convert.hpp"
#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/open_weights.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/report/number.hpp"
#include "entrain/text/file.hpp"
#include "entrain/train/folder.hpp"
#include "entrain/train/pretrained.hpp"

namespace entrain::train {
namespace detail {

inline std::string act_type(const std::string& hidden_act) {
  if (hidden_act == "gelu_pytorch_tanh") return "act::GeluTanh";
  return hidden_act == "relu" ? "act::Relu" : "act::Gelu";
}

/// Where a folder may have what we call `ours`, the likely place first.
inline std::vector<std::string> names_of(const std::string& ours) {
  std::vector<std::string> names{hugging_face_name(ours)};
  const auto also = [&](std::string_view ending, std::string_view other) {
    if (names[0].ends_with(ending)) names.push_back(names[0].substr(0, names[0].size() - ending.size()).append(other));
  };
  also("LayerNorm.weight", "LayerNorm.gamma");
  also("LayerNorm.bias", "LayerNorm.beta");
  constexpr std::string_view prefix = "bert.";
  for (std::size_t i = 0, n = names.size(); i < n; ++i) names.push_back(names[i].substr(prefix.size()));
  return names;
}

/// Weights that belong to other tasks, or that positions are made from.
inline bool not_for_tagging(std::string_view name) {
  return name.find("pooler.") != name.npos || name.find("position_ids") != name.npos ||
         name.starts_with("classifier.") || name.starts_with("cls.");
}

}  // namespace detail

ENTRAIN_PART std::string type_for(const checkpoint::BertConfig& c) {
  const auto n = [](std::int64_t number) { return std::to_string(number); };
  const std::string eps(report::Short("%g", c.layer_norm_eps)), act = detail::act_type(c.hidden_act);
  return "embed::Bert<embed::Tables{.vocabulary = " + n(c.vocab_size) +
         ", .positions = " + n(c.max_position_embeddings) + ", .types = " + n(c.type_vocab_size) +
         ", .width = " + n(c.hidden_size) + ", .eps = " + eps + "}>, layer::Stack<" + n(c.num_hidden_layers) +
         ", encode::PostNormBlock<encode::Width{.width = " + n(c.hidden_size) +
         ", .heads = " + n(c.num_attention_heads) + ", .intermediate = " + n(c.intermediate_size) + ", .eps = " + eps +
         "}" + (act == "act::Gelu" ? "" : ", " + act) + ">>";
}

ENTRAIN_PART void check_config(const std::string& folder, const checkpoint::BertConfig& here) {
  const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
  const auto found = checkpoint::parse_bert_config(text::read_file(path), path);
  const auto check = [&](const char* field, const std::string& theirs, const std::string& ours) {
    if (theirs == ours) return;
    throw Error(
        "entrain.train.21", path, std::string(field) + " " + theirs, ours + " of this program",
        "./dev train --pretrained " + folder + " builds the program of this folder, or write " + type_for(found));
  };
  const auto number = [&](const char* field, std::int64_t checkpoint::BertConfig::*of) {
    check(field, std::to_string(found.*of), std::to_string(here.*of));
  };
  using C = checkpoint::BertConfig;
  number("hidden_size", &C::hidden_size);
  number("num_hidden_layers", &C::num_hidden_layers);
  number("num_attention_heads", &C::num_attention_heads);
  number("intermediate_size", &C::intermediate_size);
  number("vocab_size", &C::vocab_size);
  number("max_position_embeddings", &C::max_position_embeddings);
  number("type_vocab_size", &C::type_vocab_size);
  const auto eps = [](double x) { return std::string(report::Short("%g", x)); };
  check("layer_norm_eps", eps(found.layer_norm_eps), eps(here.layer_norm_eps));
  check("hidden_act", found.hidden_act, here.hidden_act);
}

ENTRAIN_PART std::vector<std::string> read_pretrained(const std::string& folder, const Layout& layout,
                                                      checkpoint::Dtype dtype, std::byte* values) {
  const checkpoint::Weights weights = checkpoint::open_weights(folder);
  using checkpoint::detail::in_quotes;
  std::vector<const checkpoint::TensorView*> taken;
  for (const Span& span : layout.spans) {
    if (span.name.starts_with("head.")) continue;
    const auto names = detail::names_of(span.name);
    const checkpoint::TensorView* tensor = nullptr;
    for (const std::string& name : names)
      if (tensor == nullptr) tensor = weights.find(name);
    if (tensor == nullptr)
      throw Error("entrain.train.22", weights.where(),
                  "no tensor " + in_quotes(names[0]) + ", with its prefix or without",
                  "the weights of the encoder that config.json describes", "copy the folder again");
    std::vector<std::int64_t> shape{span.rows, span.cols};
    if (span.rows == 1) shape.erase(shape.begin());
    if (tensor->shape != shape)
      throw Error("entrain.train.23", weights.holder(tensor->name).where(),
                  "tensor " + in_quotes(tensor->name) + " is " + checkpoint::text_of(tensor->shape),
                  checkpoint::text_of(shape), "config.json and weights do not belong together: copy the folder again");
    std::byte* const to = values + span.offset * checkpoint::bytes_of(dtype);
    if (dtype == checkpoint::Dtype::f64) {
      checkpoint::copy_numbers(*tensor, weights.holder(tensor->name).where(), reinterpret_cast<double*>(to));
    } else {
      checkpoint::copy_numbers(*tensor, weights.holder(tensor->name).where(), reinterpret_cast<float*>(to));
    }
    taken.push_back(tensor);
  }
  std::sort(taken.begin(), taken.end());
  std::vector<std::string> notes;
  for (const checkpoint::Safetensors& file : weights.files())
    for (const auto& tensor : file.tensors()) {
      if (std::binary_search(taken.begin(), taken.end(), &tensor)) continue;
      if (!detail::not_for_tagging(tensor.name))
        throw Error("entrain.train.20", file.where(),
                    "a tensor " + in_quotes(tensor.name) + " that this composition does not have",
                    "the tensors of a BERT with this composition's number of layers",
                    "use the composition that belongs to the folder");
      notes.push_back(file.where() + ": " + in_quotes(tensor.name) + " is not for tagging and was not read");
    }
  return notes;
}

ENTRAIN_PART Heritage read_heritage(const std::string& folder) {
  Heritage heritage;
  for (const char* name : {"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"})
    if (const std::string path = checkpoint::detail::in(folder, name); std::filesystem::exists(path))
      heritage.files.push_back({name, text::read_file(path)});
  const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
  heritage.config = checkpoint::parse_config(text::read_file(path), path).others;
  std::erase_if(heritage.config, [](const checkpoint::NamedText& o) { return o.name == "architectures"; });
  heritage.config.push_back({"architectures", "[\"BertForTokenClassification\"]"});
  return heritage;
}

}  // namespace entrain::train
