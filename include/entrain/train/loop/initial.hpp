// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Initial values of parameters, as each layer defines them (tensor/initialiser.hpp). Each span draws from its own
// stream, keyed by its name: a new label or another depth does not change the initial values of the others.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "entrain/core/hash.hpp"
#include "entrain/core/random.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::train {

template <class T> [[gnu::cold]] void initialise(const Span& span, T* values, std::uint64_t seed) {
  Random random(seed, static_cast<std::uint32_t>(hash_string(span.name)));
  std::array<double, 512> next;
  for (std::size_t i = 0; i < span.size(); i += next.size()) {
    const std::size_t n = std::min(next.size(), span.size() - i);
    span.initial.draw(random, span.rows, span.cols, span.initial.scale, std::span(next.data(), n));
    for (std::size_t j = 0; j < n; ++j) values[i + j] = static_cast<T>(next[j]);
  }
}

}  // namespace entrain::train
