// text > batch > embed > [encode] > head > optim > checkpoint
//
// Definitions of transformer_config.hpp.
#pragma once
#include <string>
#include <string_view>

#include "entrain/encode/transformer_config.hpp"
#include "entrain/report/number.hpp"

namespace entrain::encode {

ENTRAIN_INLINE std::string TransformerConfig::describe(std::string_view name, std::string_view act) const {
  return std::string(name) + "<" + std::to_string(width) + ", " + std::to_string(heads) + ", " +
         std::to_string(intermediate) + ", " + std::string(report::Short("%g", eps)) +
         (act.empty() ? "" : ", " + std::string(act)) + (window == 0 ? "" : ", window " + std::to_string(window)) + ">";
}

}  // namespace entrain::encode
