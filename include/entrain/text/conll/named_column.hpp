// [text] > batch > embed > encode > head > optim > checkpoint
//
// Columns that a user names by the header of a CoNLL file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/corpus/excerpt.hpp"

namespace entrain::text::detail {

/// The column with this name in the header; none: the header lacks the name, or there is no header.
inline int column_named(const ConllLayout& layout, std::string_view name) {
  const auto it = std::find(layout.names.begin(), layout.names.end(), name);
  return it == layout.names.end() ? ConllLayout::none : static_cast<int>(it - layout.names.begin());
}

/// throws    entrain.text.7 unless the header has this name once; an empty name is not checked
inline void check_name(std::string_view file, const ConllLayout& layout, const std::string& name) {
  if (name.empty()) return;
  const auto times = std::count(layout.names.begin(), layout.names.end(), name);
  if (times == 1) return;
  if (times > 1)
    throw Error("entrain.text.7", file, std::to_string(times) + " columns with the name '" + excerpt(name) + "'", "one",
                "use the column's number, from 0");
  if (layout.header_line == 0)
    throw Error("entrain.text.7", file,
                "no column with the name '" + excerpt(name) + "', as the file has no line of column names",
                "a first line that contains it", "use the column's number, from 0, or last");
  constexpr std::size_t most = 20;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, layout.names.size()); ++i)
    names.append(i == 0 ? "'" : ", '").append(excerpt(layout.names[i])).append("'");
  if (layout.names.size() > most) names += " and " + std::to_string(layout.names.size() - most) + " more";
  throw Error("entrain.text.7", file, "no column with the name '" + excerpt(name) + "'",
              "a name in line " + std::to_string(layout.header_line) + ": " + names,
              "or use the column's number, from 0, or last");
}

}  // namespace entrain::text::detail
