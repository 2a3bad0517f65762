// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// BERT with the pieces of a unigram model: multilingual MiniLM, multilingual-e5-small. Read bert.hpp and
// xlm_roberta.hpp first.
#pragma once
#include <string_view>

#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/text/tokenizer/unigram.hpp"

namespace entrain::family {

/// BERT's config.json and names; the tokenizer.json tells it from Bert. CMake looks there for `pieces`.
///
/// source    Wang et al. 2020, "MiniLMv2", arXiv:2012.15828; Reimers, Gurevych 2020, arXiv:2004.09813
struct MultilingualBert : Bert {
  static constexpr std::string_view model_type = "bert";
  static constexpr std::string_view type = "family::MultilingualBert";
  static constexpr std::string_view embedding = "Bert";
  using Tokenizer = text::Unigram;
  static constexpr std::string_view pieces = "Unigram";  // model.type of its tokenizer.json

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
