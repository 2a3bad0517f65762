// core > [report]
//
// Plain text tables: rows of words in, aligned columns out.
//
//   label   precision  recall     F1
//   PER         87.50   83.05  85.22
//   ORG         61.00   58.20  59.57
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/report/colour.hpp"
#include "entrain/report/width.hpp"  // columns, harmless

namespace entrain::report {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
};

using Row = std::vector<std::string>;

/// Widths are counted in columns of a terminal, so that names in any script stay aligned. A row may be shorter than the
/// table; cells beyond the table's width are dropped. No line ends with spaces. Control characters in cells become '?'.
inline std::string table(std::span<const Column> titles, std::span<const Row> rows, const Terminal& at = {}) {
  const auto cell = [](const Row& row, std::size_t c) { return c < row.size() ? harmless(row[c]) : std::string(); };
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < titles.size(); ++c) {
    std::size_t widest = columns(harmless(titles[c].title));
    for (const Row& row : rows) widest = std::max(widest, columns(cell(row, c)));
    widths.push_back(widest);
  }
  const auto line = [&](auto&& text_of) {
    std::string out;
    for (std::size_t c = 0; c < titles.size(); ++c) {
      const std::string text = text_of(c);
      const std::string gap(widths[c] - columns(text), ' ');
      if (c) out.append("  ");
      out.append(titles[c].align == Align::left ? text + gap : gap + text);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  };
  std::string out = painted(line([&](std::size_t c) { return harmless(titles[c].title); }), Style::bold, at) + "\n";
  for (const Row& row : rows) out.append(line([&](std::size_t c) { return cell(row, c); })).append("\n");
  return out;
}

}  // namespace entrain::report
