// tests
//
// Layouts without a net: parameters by their extents, placed as tensor/flat.hpp places them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "entrain/tensor/flat.hpp"

namespace entrain::test {

struct Parameter {
  std::string name;
  int rows, cols;
  bool sparse = false, frozen = false;
  int height = 0;
};

inline Layout layout(std::initializer_list<Parameter> parameters) {
  Layout l;
  for (const Parameter& p : parameters) {
    l.spans.push_back(
        {p.name, l.size, p.rows, p.cols, p.sparse, p.frozen, p.height, p.frozen ? 0 : l.gradients, l.stamps});
    const std::size_t size = (l.spans.back().size() + 15) / 16 * 16;
    l.size += size;
    if (!p.frozen) l.gradients += size;
    if (p.sparse && !p.frozen) l.stamps += static_cast<std::size_t>(p.rows);
    l.height = std::max(l.height, p.height);
  }
  return l;
}

}  // namespace entrain::test
