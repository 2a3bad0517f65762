// text > batch > [embed] > encode > head > optim > checkpoint
//
// The dimensions of BERT's tables in one type.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::embed {

/// Extents of BERT's tables, by the meaning of config.json's vocab_size, max_position_embeddings, type_vocab_size,
/// hidden_size and layer_norm_eps.
struct EmbeddingConfig {
  int vocabulary = 30522;
  int positions = 512;
  int types = 2;  // 0: no table of segments
  int width = 768;
  double eps = 1e-12;

  /// `name<30522, 512, 2, 384, 1e-12>`, as in a model's config.json.
  ENTRAIN_INLINE std::string describe(std::string_view name) const;
  friend constexpr bool operator==(const EmbeddingConfig&, const EmbeddingConfig&) = default;
};

using Tables [[deprecated("entrain: the name is EmbeddingConfig")]] = EmbeddingConfig;

}  // namespace entrain::embed

#if !defined(ENTRAIN_COMPILED)
#include "entrain/embed/embedding_config.ipp"
#endif
