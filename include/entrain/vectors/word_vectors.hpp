// text > batch > kernel > [vectors] > embed > train > app
//
// Words and their vectors, as training makes them and files hold them.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "entrain/text/corpus/vocabulary.hpp"

namespace entrain::vectors {

/// shapes    rows [words, width], row-major
struct WordVectors {
  text::Vocabulary words;
  std::vector<float> rows;
  std::size_t width = 0;

  std::size_t size() const { return words.size(); }
  std::span<const float> operator[](std::size_t word) const { return {rows.data() + word * width, width}; }
};

}  // namespace entrain::vectors
