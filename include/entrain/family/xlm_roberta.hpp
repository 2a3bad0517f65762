// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// XLM-RoBERTa, and all models that use its config.json and its unigram pieces: multilingual-e5, bge-m3. Read
// roberta.hpp first.
#pragma once
#include <string_view>

#include "entrain/family/contract.hpp"
#include "entrain/family/roberta.hpp"
#include "entrain/text/tokenizer/unigram.hpp"

namespace entrain::family {

/// As RoBERTa, but for the tokenizer: also the names of the tensors are the same.
///
/// source    Conneau et al. 2019, arXiv:1911.02116; transformers' XLMRobertaConfig, XLMRobertaForTokenClassification
/// and
///           XLMRobertaForSequenceClassification
struct XlmRoberta : Roberta {
  static constexpr std::string_view model_type = "xlm-roberta";
  static constexpr std::string_view architecture = "XLMRobertaForTokenClassification";
  static constexpr std::string_view classifier = "XLMRobertaForSequenceClassification";
  static constexpr std::string_view type = "family::XlmRoberta";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = text::Unigram;

  static constexpr Keys keys{.vocabulary = {"vocab_size", 30522},
                             .positions = {"max_position_embeddings", 512},
                             .types = {"type_vocab_size", 2},
                             .width = {"hidden_size", 768},
                             .layers = {"num_hidden_layers", 12},
                             .heads = {"num_attention_heads", 12},
                             .intermediate = {"intermediate_size", 3072},
                             .eps = {"layer_norm_eps", 1e-12},
                             .act = {"hidden_act", "gelu"}};
};

}  // namespace entrain::family
