// text > batch > embed > [encode] > head > optim > checkpoint
//
// The dimensions of ModernBERT's encoder in one type, so that a composition names each once.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::encode {

/// By the meaning of hidden_size, num_attention_heads, intermediate_size, norm_eps and the keys of the same names in
/// ModernBERT's config.json.
///
/// local_attention             in a local block a row attends to those at most local_attention / 2 places away; even
/// global_attn_every_n_layers  block 0 and every n-th block after it are global: a row attends to its whole sentence
/// ..._rope_theta              the base of the rotary frequencies of global and of local blocks
struct ModernBertConfig {
  int width = 768;
  int heads = 12;
  int intermediate = 1152;
  int local_attention = 128;
  int global_attn_every_n_layers = 3;
  double global_rope_theta = 160000;
  double local_rope_theta = 10000;
  double eps = 1e-5;  // last: clang 19 misreads template arguments that have gaps inside and at their end

  constexpr int head_width() const { return width / heads; }
  constexpr bool is_global(int block) const { return block % global_attn_every_n_layers == 0; }
  friend constexpr bool operator==(const ModernBertConfig&, const ModernBertConfig&) = default;

  /// `name<768, 12, 1152, 1e-05, act, window 128, global 3, theta 160000 10000>`, as in a model's config.json.
  ENTRAIN_INLINE std::string describe(std::string_view name, std::string_view act = {}) const;
};

}  // namespace entrain::encode

#if !defined(ENTRAIN_COMPILED)
#include "entrain/encode/modern_bert_config.ipp"
#endif
