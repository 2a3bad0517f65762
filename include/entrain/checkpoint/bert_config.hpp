// text > batch > embed > encode > head > optim > [checkpoint]
//
// The sizes of a pretrained encoder, from config.json of a Hugging Face folder. Read family/contract.hpp first.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"

namespace entrain::checkpoint {

/// By the keys of BERT's config.json; the defaults here are those of transformers for a missing key.
struct BertConfig {
  const family::Description* family = &family::of<family::Bert>;
  std::int64_t vocab_size = 30522;
  std::int64_t max_position_embeddings = 512;
  std::int64_t type_vocab_size = 2;
  std::int64_t embedding_size = 768;  // columns of the tables
  std::int64_t hidden_size = 768;
  std::int64_t num_hidden_layers = 12;
  std::int64_t num_attention_heads = 12;
  std::int64_t intermediate_size = 3072;
  double layer_norm_eps = 1e-12;
  std::string hidden_act = "gelu";
  // Of ModernBERT's blocks; 0 for BERT's.
  std::int64_t local_attention = 0, global_attn_every_n_layers = 0;
  double global_rope_theta = 0, local_rope_theta = 0;
  bool operator==(const BertConfig&) const = default;
};

/// own       a family that need not be registered (family/all.hpp), or null
///
/// throws    the errors of parse_config for JSON
///           entrain.checkpoint.60: model_type is of no known family, or positions, attention or hidden_act are of an
///           unknown kind. gelu_new and gelu_fast are gelu_pytorch_tanh
///           entrain.checkpoint.61: a size that is not a whole number from 1 to 1,000,000, an eps outside (0, 1), or a
///           base of rotary frequencies that is not above 0
ENTRAIN_INLINE BertConfig parse_bert_config(std::string_view text, std::string_view where,
                                            const family::Description* own = nullptr);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_bert.ipp"
#endif
