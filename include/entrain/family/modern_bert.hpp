// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// ModernBERT: rotary positions, local and global attention by turns, gated feed-forward layers, and no biases. Read
// bert.hpp first.
#pragma once
#include <string_view>

#include "entrain/family/contract.hpp"
#include "entrain/text/tokenizer/byte_bpe.hpp"

namespace entrain::family {

/// source    Warner et al. 2024, arXiv:2412.13663; transformers' ModernBertConfig, ModernBertForTokenClassification and
///           ModernBertForSequenceClassification
struct ModernBert {
  static constexpr std::string_view model_type = "modernbert";
  static constexpr std::string_view architecture = "ModernBertForTokenClassification";
  static constexpr std::string_view classifier = "ModernBertForSequenceClassification";
  static constexpr std::string_view type = "family::ModernBert";
  static constexpr std::string_view embedding = "ModernBert";
  using Tokenizer = text::ByteBpe;
  static constexpr bool has_prediction_head = true;
  static constexpr std::string_view pooling_key = "classifier_pooling";
  static constexpr int first_position = 0;
  static constexpr double dropout = 0;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 50368},
                             .positions = {"max_position_embeddings", 8192},
                             .types = {"", 0},
                             .width = {"hidden_size", 768},
                             .layers = {"num_hidden_layers", 22},
                             .heads = {"num_attention_heads", 12},
                             .intermediate = {"intermediate_size", 1152},
                             .eps = {"norm_eps", 1e-5},
                             .act = {"hidden_activation", "gelu"},
                             .local_attention = {"local_attention", 128},
                             .global_every = {"global_attn_every_n_layers", 3},
                             .global_theta = {"global_rope_theta", 160000},
                             .local_theta = {"local_rope_theta", 10000}};
  static constexpr Only only[]{{"norm_bias", "false", "use a model without biases"},
                               {"attention_bias", "false", "use a model without biases"},
                               {"mlp_bias", "false", "use a model without biases"},
                               {"classifier_bias", "false", "use a model without biases"},
                               {"rope_scaling", "null", "use a model without scaled positions"},
                               {"classifier_activation", "\"gelu\"", "use a model whose classifier has GELU"}};

  static constexpr Renamed in_embeddings[]{{"word_embeddings.", "tok_embeddings."}, {"LayerNorm.", "norm."}};
  static constexpr Renamed in_head[]{{"prediction.", "head."}, {"pooler.", "head."}};
  static constexpr std::string_view pretrained_in_head[]{"head."};
  static constexpr std::string_view other_heads[]{"head.", "decoder.", "classifier."};
  static constexpr Names names{.prefix = "model.",
                               .embeddings = "embeddings.",
                               .blocks = "layers.",
                               .in_embeddings = in_embeddings,
                               .in_block = {},
                               .in_head = in_head,
                               .pretrained_in_head = pretrained_in_head,
                               .older_ends = {},
                               .not_read = {},
                               .other_heads = other_heads};
};

}  // namespace entrain::family
