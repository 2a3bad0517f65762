// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// ELECTRA: BERT under another prefix. The tables of ELECTRA-small are narrower than its blocks (embed/projected.hpp).
// Read bert.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/activation.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"

namespace entrain::family {

/// Generators and discriminators, whose heads for pre-training are not read.
///
/// source    Clark et al. 2020, arXiv:2003.10555; transformers' ElectraConfig, ElectraForTokenClassification and
///           ElectraForSequenceClassification
struct Electra {
  static constexpr std::string_view model_type = "electra";
  static constexpr std::string_view architecture = "ElectraForTokenClassification";
  static constexpr std::string_view classifier = "ElectraForSequenceClassification";
  using PoolerAct = act::Gelu;  // of classifier.dense
  static constexpr bool pooler_drops_input = true;
  static constexpr std::string_view type = "family::Electra";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = Bert::Tokenizer;
  static constexpr int first_position = 0;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 30522},
                             .positions = {"max_position_embeddings", 512},
                             .types = {"type_vocab_size", 2},
                             .width = {"hidden_size", 256},
                             .layers = {"num_hidden_layers", 12},
                             .heads = {"num_attention_heads", 4},
                             .intermediate = {"intermediate_size", 1024},
                             .eps = {"layer_norm_eps", 1e-12},
                             .act = {"hidden_act", "gelu"},
                             .embedding = {"embedding_size", 128}};
  static constexpr List<Only> only = Bert::only;

  static constexpr std::string_view not_read[]{"embeddings.position_ids"};
  static constexpr std::string_view other_heads[]{"discriminator_predictions.",
                                                  "generator_predictions.",
                                                  "generator_lm_head.",
                                                  "sequence_summary.",
                                                  "qa_outputs.",
                                                  "classifier."};
  static constexpr Renamed in_embeddings[]{{"project.", "_project."}, {"", "."}};
  static constexpr Renamed in_pooled_head[]{{"pooler.dense.", "classifier.dense."},
                                            {"classifier.", "classifier.out_proj."}};
  static constexpr Names names{.prefix = "electra.",
                               .embeddings = "embeddings",
                               .blocks = "encoder.layer.",
                               .in_embeddings = in_embeddings,
                               .in_block = {},
                               .in_pooled_head = in_pooled_head,
                               .older_ends = Bert::older_ends,
                               .not_read = not_read,
                               .other_heads = other_heads};
};

}  // namespace entrain::family
