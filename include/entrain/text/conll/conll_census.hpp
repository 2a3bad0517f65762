// [text] > batch > embed > encode > head > optim > checkpoint
//
// Counts the kinds of values in each column of a CoNLL file over its first lines. Read conll_cells.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/text/conll/conll_cells.hpp"
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/conll/conll_line.hpp"
#include "entrain/text/tags/label_form.hpp"

namespace entrain::text::detail {

/// The first lines that hold tokens. Lines that may be something else count only if there are no others.
struct Sample {
  Columns lines;
  std::vector<std::size_t> starts;  // indices of the first lines of sentences, except the file's first line
  std::string_view first;           // the first line that is not blank, -DOCSTART- or a remark
  std::uint32_t first_line = 0;     // its line number
  bool parted = false;              // true: a blank line follows a token's line
};

inline Sample sample_lines(std::string_view bytes) {
  constexpr std::size_t enough = 5000;
  Sample sample;
  Columns doubtful;
  std::uint32_t number = 0;
  bool after_blank = false;
  for (std::size_t at = 0; at < bytes.size() && sample.lines.size() < enough;) {
    const std::string_view line = next_line(bytes, at);
    ++number;
    if (all_blank(line)) {
      after_blank = true;
      continue;
    }
    if (line[0] == '-' && is_docstart(line)) continue;
    if (sample.first_line == 0 && !(line[0] == '#' && is_remark(line))) sample.first = line, sample.first_line = number;
    if (line[0] == '#' || is_word_range(line)) {
      doubtful.push_back(line);
      continue;
    }
    if (after_blank && !sample.lines.empty()) sample.parted = true, sample.starts.push_back(sample.lines.size());
    after_blank = false;
    sample.lines.push_back(line);
  }
  if (sample.lines.empty()) sample.lines = doubtful, sample.parted = true;
  return sample;
}

/// Counts over the lines that have the usual number of columns.
struct ColumnCensus {
  struct Column {
    // number of values that are O, that are other tags, types alone, digits alone, empty, and equal to the line before
    std::size_t outside = 0, entities = 0, types = 0, numbers = 0, empty = 0, repeats = 0;
  };
  std::size_t rows = 0;
  std::vector<Column> columns;

  /// At least 3 of 4 values are tags.
  bool tagged(const Column& c) const { return rows > 0 && 4 * (c.outside + c.entities) >= 3 * rows; }
  /// At most 1 of 20 values is neither O nor a type alone. any_share: O may be rare, as it is among parts of speech
  bool typed(const Column& c, bool any_share = false) const { return typed(c, c.types, any_share); }
  bool holds_tags(int k) const { return tagged(at(k)) || typed(at(k)); }
  bool has_entities(int k) const { return at(k).entities + at(k).types > 0; }
  bool numbered(int k) const { return rows > 0 && 20 * at(k).numbers >= 19 * rows; }
  bool repeated(int k) const { return rows > 1 && 2 * at(k).repeats >= rows - 1; }
  bool empty(int k) const { return 2 * at(k).empty > rows; }
  bool wordless(int k) const { return numbered(k) || repeated(k) || empty(k); }

  /// Whether the number of types alone can affect any decision about the column, given the other numbers.
  bool needs_types(const Column& c, bool any_share) const {
    const std::size_t most = rows - c.outside - c.entities;
    return most > 0 && (typed(c, most, any_share) || (tagged(c) && c.entities == 0));
  }

  const Column& at(int k) const { return columns[static_cast<std::size_t>(k)]; }

 private:
  bool typed(const Column& c, std::size_t types, bool any_share) const {
    return rows > 0 && types > c.entities && 20 * (c.outside + types) >= 19 * rows &&
           (any_share || 4 * c.outside >= rows);
  }
};

/// Equal to `a == b`; compares the first byte first because it often decides.
inline bool same(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && (a.empty() || (a[0] == b[0] && (a.size() == 1 || a == b)));
}

inline bool may_have_unseen(std::string_view cell) noexcept {
  return !cell.empty() && (blank(cell.front()) || blank(cell.back()) ||
                           std::any_of(cell.begin(), cell.end(), [](char c) { return (c & 0x80) != 0; }));
}

/// False for nearly all words, by their first two bytes: no tag starts so, even after unseen characters are removed.
inline bool may_be_tag(std::string_view cell) noexcept {
  const auto unseen = [](char c) { return c <= ' ' || c == 0x7F || (c & 0x80) != 0; };
  if (cell.empty()) return false;
  if (unseen(cell[0])) return true;
  if (cell[0] != 'O' && tag_letters.find(cell[0]) == tag_letters.npos) return false;
  return cell.size() == 1 || cell[1] == '-' || unseen(cell[1]);
}

/// The tag that a cell is, or that it means: `O ` is O, and check reports the fault. Empty: none.
inline std::string_view tag_meant(std::string_view cell, std::string& seen) {
  if (!may_be_tag(cell)) return {};
  if (same(cell, "O") || is_tag(cell)) return cell;
  if (!may_have_unseen(cell)) return {};
  seen = without_unseen(cell);
  return is_tag(seen) ? std::string_view(seen) : std::string_view();
}

/// f(cells) for each line of the usual number of columns, except the line `without`.
template <class F> void each_row(const Columns& lines, const ConllLayout& layout, std::string_view without, F&& f) {
  Columns cells;
  for (const std::string_view line : lines) {
    if (line.data() == without.data()) continue;
    split(line, layout, cells);
    if (cells.size() == static_cast<std::size_t>(layout.columns)) f(cells);
  }
}

/// In columns where the number of types alone decides nothing, it stays 0.
inline void count_columns(const Columns& lines, const ConllLayout& layout, std::string_view without, bool any_share,
                          ColumnCensus& census) {
  const auto width = static_cast<std::size_t>(layout.columns);
  census = {0, std::vector<ColumnCensus::Column>(width)};
  Columns before;
  std::string seen;
  each_row(lines, layout, without, [&](Columns& cells) {
    for (std::size_t k = 0; k < width; ++k) {
      const std::string_view cell = cells[k];
      ColumnCensus::Column& c = census.columns[k];
      if (const std::string_view tag = tag_meant(cell, seen); !tag.empty())
        ++(same(tag, "O") ? c.outside : c.entities);
      else
        c.numbers += all_digits(cell), c.empty += cell.empty();
      c.repeats += census.rows > 0 && same(cell, before[k]);
    }
    ++census.rows;
    before.swap(cells);
  });
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < width; ++k)
    if (census.needs_types(census.columns[k], any_share)) open.push_back(k);
  if (open.empty()) return;
  each_row(lines, layout, without, [&](const Columns& cells) {
    for (const std::size_t k : open)
      census.columns[k].types += is_type_alone(cells[k]) && tag_meant(cells[k], seen).empty();
  });
}

/// For each column, the number of values with a letter.
inline std::vector<std::size_t> count_letters(const Columns& lines, const ConllLayout& layout,
                                              std::string_view without) {
  std::vector<std::size_t> letters(static_cast<std::size_t>(layout.columns));
  each_row(lines, layout, without, [&](const Columns& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) letters[k] += has_letter(cells[k]);
  });
  return letters;
}

inline std::size_t width_of(std::string_view line, const ConllLayout& layout, Columns& columns) {
  if (layout.separator == Separator::tab)
    return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
  split(line, layout, columns);
  return columns.size();
}

inline int usual_columns(const Columns& lines, const ConllLayout& layout) {
  std::unordered_map<std::size_t, std::size_t> seen;
  Columns columns;
  std::size_t run = 0, width = 0;  // most lines have the width of the line before
  for (const std::string_view line : lines) {
    const std::size_t here = width_of(line, layout, columns);
    if (here != width && run > 0) seen[width] += std::exchange(run, 0);
    width = here;
    ++run;
  }
  seen[width] += run;
  std::size_t usual = 0;
  for (const auto& [columns_of, lines_seen] : seen)
    if (usual == 0 || lines_seen > seen[usual] || (lines_seen == seen[usual] && columns_of < usual)) usual = columns_of;
  return static_cast<int>(usual);
}

/// The key, in a column of key=value pairs, whose values are tags, as `name` in `SpaceAfter=No|name=B-PER`; empty:
/// none.
inline std::string key_of_tags(const Columns& lines, const ConllLayout& layout, int column) {
  struct Values {
    std::size_t all = 0, tags = 0, entities = 0;
  };
  std::map<std::string, Values, std::less<>> keys;
  Columns columns;
  for (const std::string_view line : lines) {
    split(line, layout, columns);
    if (static_cast<int>(columns.size()) != layout.columns) continue;
    each_pair(columns[static_cast<std::size_t>(column)], [&](std::string_view key, std::string_view value) {
      auto at = keys.find(key);
      if (at == keys.end()) at = keys.emplace(key, Values{}).first;
      const bool tag = value == "O" || (value.size() > 2 && is_tag(value));  // a single letter may mean anything
      ++at->second.all;
      at->second.tags += tag;
      at->second.entities += tag && value != "O";
    });
  }
  std::string best;
  std::size_t most = 0;
  for (const auto& [key, values] : keys)
    if (values.entities > 0 && 4 * values.tags >= 3 * values.all && values.tags > most) best = key, most = values.tags;
  return best;
}

}  // namespace entrain::text::detail
