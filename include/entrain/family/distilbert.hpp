// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// DistilBERT: BERT's blocks with other names, without token types. Read bert.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/activation.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"

namespace entrain::family {

/// source    Sanh et al. 2019, arXiv:1910.01108; transformers' DistilBertConfig and DistilBertForTokenClassification
struct DistilBert {
  static constexpr std::string_view model_type = "distilbert";
  static constexpr std::string_view architecture = "DistilBertForTokenClassification";
  static constexpr std::string_view classifier = "DistilBertForSequenceClassification";
  static constexpr std::string_view type = "family::DistilBert";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = Bert::Tokenizer;
  using PoolerAct = act::Relu;  // of pre_classifier
  static constexpr int first_position = 0;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 30522},
                             .positions = {"max_position_embeddings", 512},
                             .types = {"", 0},
                             .width = {"dim", 768},
                             .layers = {"n_layers", 6},
                             .heads = {"n_heads", 12},
                             .intermediate = {"hidden_dim", 3072},
                             .eps = {"", 1e-12},
                             .act = {"activation", "gelu"}};
  static constexpr List<Only> only = Bert::only;

  static constexpr Renamed in_block[]{{"attention.self.query.", "attention.q_lin."},
                                      {"attention.self.key.", "attention.k_lin."},
                                      {"attention.self.value.", "attention.v_lin."},
                                      {"attention.output.dense.", "attention.out_lin."},
                                      {"attention.output.LayerNorm.", "sa_layer_norm."},
                                      {"intermediate.dense.", "ffn.lin1."},
                                      {"output.dense.", "ffn.lin2."},
                                      {"output.LayerNorm.", "output_layer_norm."}};
  static constexpr std::string_view other_heads[]{"qa_outputs.",      "classifier.",       "pre_classifier.",
                                                  "vocab_transform.", "vocab_layer_norm.", "vocab_projector."};
  static constexpr Renamed in_head[]{{"pooler.dense.", "pre_classifier."}};
  static constexpr Names names{.prefix = "distilbert.",
                               .embeddings = "embeddings.",
                               .blocks = "transformer.layer.",
                               .in_embeddings = {},
                               .in_block = in_block,
                               .in_head = in_head,
                               .older_ends = Bert::older_ends,
                               .not_read = Bert::not_read,
                               .other_heads = other_heads};
};

}  // namespace entrain::family
