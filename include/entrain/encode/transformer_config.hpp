// text > batch > embed > [encode] > head > optim > checkpoint
//
// The dimensions of a transformer in one type, so that a composition names each once.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::encode {

/// As config.json's hidden_size, num_attention_heads, intermediate_size and layer_norm_eps. A named type, because nvcc
/// accepts no bare braces in a template argument.
///
/// window    0: a row attends to all rows of its sentence; else to those at most window / 2 places away, itself and
///           window / 2 to each side (the meaning of local_attention in ModernBERT's config.json, 128 there, and of
///           attention_window in Longformer's). Blocks that differ only in the window can follow each other.
struct TransformerConfig {
  int width = 768;
  int heads = 12;
  int intermediate = 3072;
  int window = 0;
  double eps = 1e-12;  // last: clang 19 misreads template arguments that have gaps inside and at their end

  constexpr int head_width() const { return width / heads; }
  friend constexpr bool operator==(const TransformerConfig&, const TransformerConfig&) = default;

  /// `name<384, 12, 1536, 1e-12, act>`, followed by `window 128` if there is one, as in a model's config.json.
  ENTRAIN_INLINE std::string describe(std::string_view name, std::string_view act = {}) const;
};

using Width [[deprecated("entrain: the name is TransformerConfig")]] = TransformerConfig;

}  // namespace entrain::encode

#if !defined(ENTRAIN_COMPILED)
#include "entrain/encode/transformer_config.ipp"
#endif
