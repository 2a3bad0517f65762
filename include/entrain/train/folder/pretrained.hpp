// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Loads a folder of Hugging Face into a composition: the encoder's weights by the names of its family, and nothing
// else. Plain values only, so that it is compiled once. Read folder.hpp first.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/checkpoint/dtype.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/family/contract.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/folder/folder.hpp"

namespace entrain::train {

/// The config.json that this composition needs.
template <class Model> [[gnu::cold]] checkpoint::BertConfig config_of() {
  checkpoint::BertConfig config;
  config.num_hidden_layers = 0;
  Model::extents(config);
  return config;
}

/// The embedding and the encoder that a config describes, as C++: `embed::Bert<embed::EmbeddingConfig{...}>,
/// layer::Stack<6, encode::PostNormBlock<encode::TransformerConfig{...}>>`.
ENTRAIN_INLINE std::string type_for(const checkpoint::BertConfig& config);

/// Refuses a folder whose config.json describes another composition.
/// throws    what checkpoint::parse_bert_config throws; entrain.train.21: another extent, with the field, both values
///           and type_for
ENTRAIN_INLINE void check_config(const std::string& folder, const checkpoint::BertConfig& here);

/// Copies the weights of a folder over values laid out by `layout`, under any of its family's names
/// (family/tensor_names.hpp). 16-bit floats are converted to the composition's type. The head's values do not change,
/// except for tensors that pretrained models of the family have, as BERT's pooler.
///
/// returns   messages for the user: tensors that are not for tagging and were ignored: not_read and other_heads of the
///           family
/// throws    what checkpoint::Weights and copy_numbers throw; entrain.train.22, 23: a tensor is missing or has another
///           shape; entrain.train.20: any other tensor that the composition does not have
ENTRAIN_INLINE std::vector<std::string> read_pretrained(const std::string& folder, const Layout& layout,
                                                        const family::Description& family, checkpoint::Dtype dtype,
                                                        std::byte* values);

/// config.json and a tokenizer's files, of one moment.
/// names     of the tokenizer's files
/// throws    what checkpoint::at_one_moment and checkpoint::FolderFiles throw
ENTRAIN_INLINE std::vector<checkpoint::FolderText> read_texts(const std::string& folder,
                                                              std::span<const std::string_view> names);

/// See source_files_of in train/data/features.hpp.
/// files     checkpoint::kept_files of these texts
ENTRAIN_INLINE SourceFiles source_files_in(const std::vector<checkpoint::FolderText>& texts,
                                           std::vector<Attachment> files);

/// Refuses a folder into which another process has saved since `source_files` was read: the tokenizer and the weights
/// that were read since may belong to two models. throws    entrain.train.27
ENTRAIN_INLINE void demand_the_same(const std::string& folder, const SourceFiles& source_files);

/// check_config and read_pretrained for a trainer. Returns messages for the user.
template <class Trainer>
[[gnu::cold]] std::vector<std::string> start_from_pretrained(Trainer& trainer, const std::string& folder) {
  check_config(folder, config_of<typename Trainer::Model>());
  auto notes = read_pretrained(folder, trainer.layout(), *Trainer::Model::family,
                               checkpoint::DtypeOf<typename Trainer::Number>::value,
                               reinterpret_cast<std::byte*>(trainer.values()));
  trainer.start_average();
  return notes;
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/folder/pretrained.ipp"
#endif
