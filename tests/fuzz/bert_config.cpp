// tests > fuzz > [checkpoint]
//
// Any bytes as config.json of BERT's family: refused in words, or every extent is one that a table can have.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/core/error.hpp"
#include "entrain/family/all.hpp"

using namespace entrain::checkpoint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const BertConfig c = parse_bert_config({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const std::int64_t extent : {c.vocab_size, c.max_position_embeddings, c.hidden_size, c.num_hidden_layers,
                                      c.num_attention_heads, c.intermediate_size, c.type_vocab_size + 1})
      if (extent < 1 || extent > 1'000'001) std::abort();
    if (!(c.layer_norm_eps > 0 && c.layer_norm_eps < 1)) std::abort();
    if (c.local_attention != 0) {
      if (c.local_attention < 0 || c.global_attn_every_n_layers < 1) std::abort();
      if (c.global_attn_every_n_layers > c.num_hidden_layers) std::abort();
      if (!(c.global_rope_theta > 0 && c.local_rope_theta > 0)) std::abort();
    }
    if (entrain::family::find(c.family->model_type) != c.family) std::abort();
  } catch (const entrain::Error&) {
  }
  return 0;
}
