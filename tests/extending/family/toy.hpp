// tests > [extending]
//
// A family that entrain does not know: BERT's blocks under other names, other keys in config.json, one token type, and
// positions that begin at pad_token_id + 1, as in RoBERTa. Read entrain/family/contract.hpp first.
#pragma once
#include <entrain/family/contract.hpp>
#include <entrain/text/tokenizer/wordpiece.hpp>
#include <string_view>

namespace toy {
using entrain::family::Keys;
using entrain::family::Names;
using entrain::family::Only;
using entrain::family::Renamed;

struct Family {
  static constexpr std::string_view model_type = "toy";
  static constexpr std::string_view architecture = "ToyForTokenClassification";
  static constexpr std::string_view type = "::toy::Family";
  static constexpr std::string_view embedding = "Toy";
  using Tokenizer = entrain::text::WordPiece;
  static constexpr int first_position = 2;

  static constexpr Keys keys{.vocabulary = {"n_tokens", 50265},
                             .positions = {"n_places", 514},
                             .types = {"n_kinds", 1},
                             .width = {"d_model", 768},
                             .layers = {"n_blocks", 12},
                             .heads = {"n_heads", 12},
                             .intermediate = {"d_up", 3072},
                             .eps = {"norm_eps", 1e-5},
                             .act = {"act", "gelu"}};
  static constexpr Only only[]{{"pad_token_id", "1", "take a model whose positions begin at 2"}};

  static constexpr Renamed in_embeddings[]{{"word_embeddings.", "tokens."},
                                           {"position_embeddings.", "places."},
                                           {"token_type_embeddings.", "kinds."},
                                           {"LayerNorm.", "norm."}};
  static constexpr Renamed in_block[]{{"attention.self.query.", "q."},
                                      {"attention.self.key.", "k."},
                                      {"attention.self.value.", "v."},
                                      {"attention.output.dense.", "o."},
                                      {"attention.output.LayerNorm.", "norm1."},
                                      {"intermediate.dense.", "up."},
                                      {"output.dense.", "down."},
                                      {"output.LayerNorm.", "norm2."}};
  static constexpr std::string_view not_read[]{"pooler.weight"};
  static constexpr std::string_view other_heads[]{"lm_head."};
  static constexpr Names names{.prefix = "toy.",
                               .embeddings = "emb.",
                               .blocks = "blocks.",
                               .in_embeddings = in_embeddings,
                               .in_block = in_block,
                               .older_ends = {},
                               .not_read = not_read,
                               .other_heads = other_heads};
};

}  // namespace toy
