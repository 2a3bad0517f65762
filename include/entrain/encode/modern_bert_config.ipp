// text > batch > embed > [encode] > head > optim > checkpoint
//
// Definitions of modern_bert_config.hpp.
#pragma once
#include <string>
#include <string_view>

#include "entrain/encode/modern_bert_config.hpp"
#include "entrain/report/number.hpp"

namespace entrain::encode {

ENTRAIN_INLINE std::string ModernBertConfig::describe(std::string_view name, std::string_view act) const {
  const auto real = [](double x) { return std::string(report::Short("%.10g", x)); };
  return std::string(name) + "<" + std::to_string(width) + ", " + std::to_string(heads) + ", " +
         std::to_string(intermediate) + ", " + real(eps) + (act.empty() ? "" : ", " + std::string(act)) + ", window " +
         std::to_string(local_attention) + ", global " + std::to_string(global_attn_every_n_layers) + ", theta " +
         real(global_rope_theta) + " " + real(local_rope_theta) + ">";
}

}  // namespace entrain::encode
