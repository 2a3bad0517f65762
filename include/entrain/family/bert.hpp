// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// BERT and all models that use its config.json and its names: MiniLM, and most sentence encoders. Read contract.hpp
// first.
#pragma once
#include <string_view>

#include "entrain/family/contract.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace entrain::family {

/// source    Devlin et al. 2018, arXiv:1810.04805; transformers' BertConfig and BertForTokenClassification
struct Bert {
  static constexpr std::string_view model_type = "bert";
  static constexpr std::string_view architecture = "BertForTokenClassification";
  static constexpr std::string_view classifier = "BertForSequenceClassification";
  static constexpr std::string_view type = "family::Bert";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = text::WordPiece;
  static constexpr int first_position = 0;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 30522},
                             .positions = {"max_position_embeddings", 512},
                             .types = {"type_vocab_size", 2},
                             .width = {"hidden_size", 768},
                             .layers = {"num_hidden_layers", 12},
                             .heads = {"num_attention_heads", 12},
                             .intermediate = {"intermediate_size", 3072},
                             .eps = {"layer_norm_eps", 1e-12},
                             .act = {"hidden_act", "gelu"}};
  static constexpr Only only[]{{"position_embedding_type", "\"absolute\"", "use a model with absolute positions"},
                               {"is_decoder", "false", "use an encoder"},
                               {"add_cross_attention", "false", "use an encoder"}};

  static constexpr Renamed older_ends[]{{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}};
  static constexpr std::string_view not_read[]{"pooler.dense.weight", "pooler.dense.bias", "embeddings.position_ids"};
  static constexpr std::string_view other_heads[]{"cls.predictions.", "cls.seq_relationship.", "qa_outputs.",
                                                  "classifier."};
  static constexpr Renamed in_head[]{{"pooler.dense.", "bert.pooler.dense."}};
  static constexpr Names names{.prefix = "bert.",
                               .embeddings = "embeddings.",
                               .blocks = "encoder.layer.",
                               .in_embeddings = {},
                               .in_block = {},
                               .in_head = in_head,
                               .older_ends = older_ends,
                               .not_read = not_read,
                               .other_heads = other_heads};
};

}  // namespace entrain::family
