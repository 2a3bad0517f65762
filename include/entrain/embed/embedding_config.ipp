// text > batch > [embed] > encode > head > optim > checkpoint
//
// Definitions of embedding_config.hpp.
#pragma once
#include <string>
#include <string_view>

#include "entrain/embed/embedding_config.hpp"
#include "entrain/report/number.hpp"

namespace entrain::embed {

ENTRAIN_INLINE std::string EmbeddingConfig::describe(std::string_view name) const {
  return std::string(name) + "<" + std::to_string(vocabulary) + ", " + std::to_string(positions) + ", " +
         std::to_string(types) + ", " + std::to_string(width) + ", " + std::string(report::Short("%g", eps)) + ">";
}

}  // namespace entrain::embed
