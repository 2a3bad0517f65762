// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of tensor_names.hpp.
#pragma once
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/train/tensor_names.hpp"

namespace entrain::train {
namespace detail {

struct Renamed {
  std::string_view ours, theirs;
};
/// Where parts of a net stand.
inline constexpr Renamed bert_parts[]{
    {"embed.", "bert.embeddings."}, {"encode.", "bert.encoder.layer."}, {"head.", ""}};
inline constexpr Renamed distilbert_parts[]{
    {"embed.", "distilbert.embeddings."}, {"encode.", "distilbert.transformer.layer."}, {"head.", ""}};
/// DistilBERT's names inside a block; BERT's are ours.
inline constexpr Renamed distilbert_block[]{{"attention.self.query.", "attention.q_lin."},
                                            {"attention.self.key.", "attention.k_lin."},
                                            {"attention.self.value.", "attention.v_lin."},
                                            {"attention.output.dense.", "attention.out_lin."},
                                            {"attention.output.LayerNorm.", "sa_layer_norm."},
                                            {"intermediate.dense.", "ffn.lin1."},
                                            {"output.dense.", "ffn.lin2."},
                                            {"output.LayerNorm.", "output_layer_norm."}};

/// What transformers writes beside the encoder, prefix of the model type left out: poolers and the positions' numbers.
inline constexpr std::string_view beside_encoder[]{"pooler.dense.weight", "pooler.dense.bias",
                                                   "embeddings.position_ids"};
/// Its heads of other tasks, and the head that --init reads, not --pretrained. DistilBERT's are the last four.
inline constexpr std::string_view other_heads[]{"cls.predictions.",  "cls.seq_relationship.", "qa_outputs.",
                                                "classifier.",       "pre_classifier.",       "vocab_transform.",
                                                "vocab_layer_norm.", "vocab_projector."};

/// `name` with the first of `list` that it holds at `at` put in the other's place.
inline std::string renamed(std::string name, std::size_t at, std::span<const Renamed> list) {
  for (const auto& [ours, theirs] : list)
    if (name.compare(at, ours.size(), ours) == 0) return name.replace(at, ours.size(), theirs);
  return name;
}

}  // namespace detail

ENTRAIN_PART std::string stored_name(const std::string& ours, std::string_view model_type) {
  if (model_type == "bert") return detail::renamed(ours, 0, detail::bert_parts);
  if (model_type != "distilbert") return ours;
  constexpr std::string_view encode = "encode.";
  std::string name = ours;
  if (name.starts_with(encode))
    name = detail::renamed(name, name.find('.', encode.size()) + 1, detail::distilbert_block);
  return detail::renamed(std::move(name), 0, detail::distilbert_parts);
}

ENTRAIN_PART std::vector<std::string> stored_names(const std::string& ours, std::string_view model_type) {
  std::vector<std::string> names{stored_name(ours, model_type)};
  const auto also = [&](std::string_view ending, std::string_view other) {
    if (names[0].ends_with(ending)) names.push_back(names[0].substr(0, names[0].size() - ending.size()).append(other));
  };
  also("LayerNorm.weight", "LayerNorm.gamma");
  also("LayerNorm.bias", "LayerNorm.beta");
  const std::string prefix = std::string(model_type) + ".";
  for (std::size_t i = 0, n = names.size(); i < n; ++i)
    if (names[i].starts_with(prefix)) names.push_back(names[i].substr(prefix.size()));
  return names;
}

ENTRAIN_PART bool not_for_tagging(std::string_view name, std::string_view model_type) {
  if (std::any_of(std::begin(detail::other_heads), std::end(detail::other_heads),
                  [&](std::string_view head) { return name.starts_with(head); }))
    return true;
  if (name.starts_with(model_type) && name.substr(model_type.size()).starts_with('.'))
    name.remove_prefix(model_type.size() + 1);
  return std::find(std::begin(detail::beside_encoder), std::end(detail::beside_encoder), name) !=
         std::end(detail::beside_encoder);
}

}  // namespace entrain::train
