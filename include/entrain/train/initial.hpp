// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// First values of parameters, by what they are. Each span draws from a stream of its own, keyed by its name: a new
// label or another depth does not change what the others start from.
#pragma once
#include <cmath>
#include <cstdint>
#include <string_view>

#include "entrain/core/hash.hpp"
#include "entrain/core/random.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::train {

/// Tables: uniform in [-0.1, 0.1], as spaCy's HashEmbed. Gains: 1. Transitions and biases: 0. Matrices: uniform in
/// [-a, a] with a = sqrt(6 / (rows + cols)).
///
/// source    Glorot, Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks", eq. 16
template <class T> [[gnu::cold]] void initialise(const Span& span, T* values, std::uint64_t seed) {
  const std::string_view name = span.name;
  const auto ends = [&](std::string_view tail) { return name.ends_with(tail); };
  if (ends("layer_norm.weight") || ends("LayerNorm.weight")) {
    for (std::size_t i = 0; i < span.size(); ++i) values[i] = T(1);
  } else if (span.rows == 1 || ends("transitions")) {
    for (std::size_t i = 0; i < span.size(); ++i) values[i] = T(0);
  } else {
    Random random(seed, static_cast<std::uint32_t>(hash_string(name)));
    const double reach = span.sparse ? 0.1 : std::sqrt(6.0 / (span.rows + span.cols));
    for (std::size_t i = 0; i < span.size(); ++i)
      values[i] = static_cast<T>(reach * (2.0 * static_cast<double>(random.uniform()) - 1.0));
  }
}

}  // namespace entrain::train
