// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of pretrained.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/convert.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/open_weights.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/family/all.hpp"
#include "entrain/family/tensor_names.hpp"
#include "entrain/report/number.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/train/folder/pretrained.hpp"

namespace entrain::train {
namespace detail {

inline std::string act_type(const std::string& hidden_act) {
  if (hidden_act == "gelu_pytorch_tanh") return "act::GeluTanh";
  return hidden_act == "relu" ? "act::Relu" : "act::Gelu";
}

/// A base of rotary frequencies.
inline std::string theta_text(double x) { return std::string(report::Short("%.10g", x)); }

}  // namespace detail

ENTRAIN_INLINE std::string type_for(const checkpoint::BertConfig& c) {
  const auto n = [](std::int64_t number) { return std::to_string(number); };
  const std::string eps(report::Short("%g", c.layer_norm_eps)), act = detail::act_type(c.hidden_act);
  const bool usual = c.family == &family::of<family::Bert> || c.family == &family::of<family::ModernBert>;
  const std::string family = usual ? std::string() : ", " + std::string(c.family->type);
  const std::string tables = std::string(c.local_attention > 0 ? "embed::ModernBert" : "embed::Bert") +
                             "<embed::EmbeddingConfig{.vocabulary = " + n(c.vocab_size) +
                             ", .positions = " + n(c.max_position_embeddings) + ", .types = " + n(c.type_vocab_size) +
                             ", .width = " + n(c.embedding_size) + ", .eps = " + eps + "}" + family + ">";
  const std::string dimensions = ".width = " + n(c.hidden_size) + ", .heads = " + n(c.num_attention_heads) +
                                 ", .intermediate = " + n(c.intermediate_size);
  const std::string of_act = act == "act::Gelu" ? "" : ", " + act;
  if (c.local_attention > 0) {
    using detail::theta_text;
    return tables + ", encode::WithNorm<layer::Stack<" + n(c.num_hidden_layers) +
           ", encode::ModernBertBlock<encode::ModernBertConfig{" + dimensions +
           ", .local_attention = " + n(c.local_attention) +
           ", .global_attn_every_n_layers = " + n(c.global_attn_every_n_layers) +
           ", .global_rope_theta = " + theta_text(c.global_rope_theta) +
           ", .local_rope_theta = " + theta_text(c.local_rope_theta) + ", .eps = " + eps + "}" + of_act +
           ">>, layer::NormWithoutBias<layer::NormConfig{.width = " + n(c.hidden_size) + ", .eps = " + eps + "}>>";
  }
  const bool projected = c.embedding_size != c.hidden_size;
  return (projected ? "embed::Projected<" : std::string()) + tables + (projected ? ", " + n(c.hidden_size) + ">" : "") +
         ", layer::Stack<" + n(c.num_hidden_layers) + ", encode::PostNormBlock<encode::TransformerConfig{" +
         dimensions + ", .eps = " + eps + "}" + of_act + ">>";
}

ENTRAIN_INLINE void check_config(const std::string& folder, const checkpoint::BertConfig& here) {
  const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
  const auto found = checkpoint::parse_bert_config(checkpoint::read_file(path).text(), path, here.family);
  const auto check = [&](const std::string& field, const std::string& theirs, const std::string& ours) {
    if (theirs == ours) return;
    throw Error(
        "entrain.train.21", path, field + " " + theirs, ours + " of this program",
        "./dev train --pretrained " + folder + " builds the program of this folder, or write " + type_for(found));
  };
  check("model_type", std::string(found.family->model_type), std::string(here.family->model_type));
  const auto number = [&](const family::Number& named, std::int64_t checkpoint::BertConfig::*of) {
    check(std::string(named.key), std::to_string(found.*of), std::to_string(here.*of));
  };
  using C = checkpoint::BertConfig;
  const family::Keys& keys = here.family->keys;
  number(keys.width, &C::hidden_size);
  if (!keys.embedding.key.empty()) number(keys.embedding, &C::embedding_size);
  number(keys.layers, &C::num_hidden_layers);
  number(keys.heads, &C::num_attention_heads);
  number(keys.intermediate, &C::intermediate_size);
  number(keys.vocabulary, &C::vocab_size);
  number(keys.positions, &C::max_position_embeddings);
  number(keys.types, &C::type_vocab_size);
  const auto eps = [](double x) { return std::string(report::Short("%g", x)); };
  check(std::string(keys.eps.key), eps(found.layer_norm_eps), eps(here.layer_norm_eps));
  check(std::string(keys.act.key), found.hidden_act, here.hidden_act);
  if (keys.local_attention.key.empty()) return;
  number(keys.local_attention, &C::local_attention);
  check(std::string(keys.global_every.key), std::to_string(found.global_attn_every_n_layers),
        std::to_string(std::min(here.global_attn_every_n_layers, here.num_hidden_layers)));
  using detail::theta_text;
  check(std::string(keys.global_theta.key), theta_text(found.global_rope_theta), theta_text(here.global_rope_theta));
  check(std::string(keys.local_theta.key), theta_text(found.local_rope_theta), theta_text(here.local_rope_theta));
}

ENTRAIN_INLINE std::vector<std::string> read_pretrained(const std::string& folder, const Layout& layout,
                                                        const family::Description& family, checkpoint::Dtype dtype,
                                                        std::byte* values) {
  std::vector<std::string> notes;
  const checkpoint::Weights weights = checkpoint::at_one_moment(folder, [&](checkpoint::FolderFiles<>& files) {
    checkpoint::Weights read = checkpoint::open_weights(files);
    notes = files.notes();
    return read;
  });
  using checkpoint::detail::in_quotes;
  std::vector<const checkpoint::TensorView*> taken;
  const bool pooled = has_pooler(layout);
  for (const Span& span : layout.spans) {
    const auto names = family::stored_names(span.name, family, pooled);
    const bool of_head = span.name.starts_with("head.");
    if (of_head && !family::is_pretrained(names[0], family)) continue;
    const checkpoint::TensorView* tensor = nullptr;
    for (const std::string& name : names)
      if (tensor == nullptr) tensor = weights.find(name);
    if (of_head && tensor == nullptr) {
      notes.push_back(weights.where() + ": no tensor " + in_quotes(names[0]) + "; its first values are random");
      continue;
    }
    if (tensor == nullptr)
      throw Error("entrain.train.22", weights.where(),
                  "no tensor " + in_quotes(names[0]) + ", with or without its prefix",
                  "the weights of the encoder that config.json describes", "copy the folder again");
    std::vector<std::int64_t> shape{span.rows, span.cols};
    if (!span.matrix()) shape.erase(shape.begin());
    if (tensor->shape != shape)
      throw Error("entrain.train.23", weights.holder(tensor->name).where(),
                  "tensor " + in_quotes(tensor->name) + " is " + checkpoint::text_of(tensor->shape),
                  checkpoint::text_of(shape), "config.json and the weights disagree: copy the folder again");
    std::byte* const to = values + span.offset * checkpoint::bytes_of(dtype);
    if (dtype == checkpoint::Dtype::f64) {
      checkpoint::copy_numbers(*tensor, weights.holder(tensor->name).where(), reinterpret_cast<double*>(to));
    } else {
      checkpoint::copy_numbers(*tensor, weights.holder(tensor->name).where(), reinterpret_cast<float*>(to));
    }
    taken.push_back(tensor);
  }
  std::sort(taken.begin(), taken.end());
  for (const checkpoint::Safetensors& file : weights.files())
    for (const auto& tensor : file.tensors()) {
      if (std::binary_search(taken.begin(), taken.end(), &tensor)) continue;
      if (!family::not_for_tagging(tensor.name, family))
        throw Error("entrain.train.20", file.where(),
                    "a tensor " + in_quotes(tensor.name) + " that this composition does not have",
                    "the tensors of an encoder with this composition's number of layers",
                    "use the composition of the folder");
      notes.push_back(file.where() + ": " + in_quotes(tensor.name) + " is not used by this model and was not read");
    }
  return notes;
}

ENTRAIN_INLINE std::vector<checkpoint::FolderText> read_texts(const std::string& folder,
                                                              std::span<const std::string_view> names) {
  return checkpoint::at_one_moment(
      folder, [&](checkpoint::FolderFiles<>& files) { return checkpoint::tokenizer_texts(files, names); });
}

ENTRAIN_INLINE SourceFiles source_files_in(const std::vector<checkpoint::FolderText>& texts,
                                           std::vector<Attachment> files) {
  SourceFiles source_files;
  source_files.files = std::move(files);
  const checkpoint::FolderText* const config = checkpoint::find_text(texts, checkpoint::config_name);
  if (config == nullptr) return source_files;
  source_files.config_text = config->text;
  source_files.config = checkpoint::parse_config(config->text, config->where).others;
  // Keys that depend on the folder's own labels and head do not apply to this model.
  std::erase_if(source_files.config, [](const checkpoint::NamedText& o) {
    return o.name == "architectures" || o.name == "num_labels" || o.name == "_num_labels";
  });
  return source_files;
}

ENTRAIN_INLINE void demand_the_same(const std::string& folder, const SourceFiles& source_files) {
  const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
  const auto now = checkpoint::read_file_if_there(path);
  if ((now ? now->text() : std::string_view()) == source_files.config_text) return;
  throw Error("entrain.train.27", path, "another process has saved into this folder since the training started",
              "the model whose tokenizer was read", "start the training again");
}

}  // namespace entrain::train
