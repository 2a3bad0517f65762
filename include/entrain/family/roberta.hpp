// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// RoBERTa, and all models that use its config.json, its names and its byte-level BPE: DistilRoBERTa, BioMed-RoBERTa.
// Read bert.hpp first.
#pragma once
#include <string_view>

#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/text/tokenizer/byte_bpe.hpp"

namespace entrain::family {

/// The first position is pad_token_id + 1, where pad_token_id is 1.
///
/// source    Liu et al. 2019, arXiv:1907.11692; transformers' RobertaConfig, RobertaForTokenClassification and
///           RobertaForSequenceClassification
struct Roberta {
  static constexpr std::string_view model_type = "roberta";
  static constexpr std::string_view architecture = "RobertaForTokenClassification";
  static constexpr std::string_view classifier = "RobertaForSequenceClassification";
  static constexpr bool pooler_drops_input = true;
  static constexpr std::string_view type = "family::Roberta";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = text::ByteBpe;
  static constexpr int first_position = 2;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 50265},
                             .positions = {"max_position_embeddings", 512},
                             .types = {"type_vocab_size", 2},
                             .width = {"hidden_size", 768},
                             .layers = {"num_hidden_layers", 12},
                             .heads = {"num_attention_heads", 12},
                             .intermediate = {"intermediate_size", 3072},
                             .eps = {"layer_norm_eps", 1e-12},
                             .act = {"hidden_act", "gelu"}};
  static constexpr Only only[]{{"pad_token_id", "1", "use a model whose positions begin at 2"},
                               {"position_embedding_type", "\"absolute\"", "use a model with absolute positions"},
                               {"is_decoder", "false", "use an encoder"},
                               {"add_cross_attention", "false", "use an encoder"}};

  static constexpr std::string_view other_heads[]{"lm_head.", "qa_outputs.", "classifier."};
  static constexpr Renamed in_pooled_head[]{{"pooler.dense.", "classifier.dense."},
                                            {"classifier.", "classifier.out_proj."}};
  static constexpr Names names{.prefix = "roberta.",
                               .embeddings = "embeddings.",
                               .blocks = "encoder.layer.",
                               .in_embeddings = {},
                               .in_block = {},
                               .in_pooled_head = in_pooled_head,
                               .older_ends = Bert::older_ends,
                               .not_read = Bert::not_read,
                               .other_heads = other_heads};
};

}  // namespace entrain::family
