// [text] > batch > embed > encode > head > optim > checkpoint
//
// What the columns of a CoNLL file hold, counted over its first lines. Read conll_cells.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "entrain/text/conll_cells.hpp"
#include "entrain/text/conll_layout.hpp"
#include "entrain/text/conll_line.hpp"
#include "entrain/text/label_form.hpp"

namespace entrain::text::detail {

/// The first lines that hold tokens. Those that may hold something else count only where there are no others.
struct Sample {
  Columns lines;
  std::vector<std::size_t> starts;  // of these, the first lines of sentences, the first line of the file apart
  std::string_view first;           // the first line that is not blank, -DOCSTART- or a remark
  std::uint32_t first_line = 0;     // its number
  bool parted = false;              // a blank line follows a line of a token
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
    if (is_docstart(line)) continue;
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

/// Counted over the lines that have the usual number of columns.
struct ColumnCensus {
  struct Column {
    // values that are O, that are other tags, types alone, digits alone, nothing, words, and as in the line before
    std::size_t outside = 0, entities = 0, types = 0, numbers = 0, empty = 0, letters = 0, repeats = 0;
  };
  std::size_t rows = 0;
  std::vector<Column> columns;

  /// At least 3 of 4 values are tags.
  bool tagged(const Column& c) const { return rows > 0 && 4 * (c.outside + c.entities) >= 3 * rows; }
  /// All but 1 of 20 are O or types alone, and O is not a rare value, as it would be among parts of speech.
  bool typed(const Column& c) const {
    return rows > 0 && c.types > c.entities && 20 * (c.outside + c.types) >= 19 * rows && 4 * c.outside >= rows;
  }
  bool holds_tags(int k) const { return tagged(at(k)) || typed(at(k)); }
  bool has_entities(int k) const { return at(k).entities + at(k).types > 0; }
  bool numbered(int k) const { return rows > 0 && 20 * at(k).numbers >= 19 * rows; }
  bool repeated(int k) const { return rows > 1 && 2 * at(k).repeats >= rows - 1; }
  bool empty(int k) const { return 2 * at(k).empty > rows; }
  bool wordless(int k) const { return numbered(k) || repeated(k) || empty(k); }
  bool words(int k) const { return !wordless(k) && !holds_tags(k) && 2 * at(k).letters >= rows; }

  const Column& at(int k) const { return columns[static_cast<std::size_t>(k)]; }
};

inline bool may_have_unseen(std::string_view cell) noexcept {
  return !cell.empty() && (blank(cell.front()) || blank(cell.back()) ||
                           std::any_of(cell.begin(), cell.end(), [](char c) { return (c & 0x80) != 0; }));
}

inline void count_columns(const Columns& lines, const ConllLayout& layout, std::string_view without,
                          ColumnCensus& census) {
  const auto width = static_cast<std::size_t>(layout.columns);
  census = {0, std::vector<ColumnCensus::Column>(width)};
  Columns columns, before;
  std::string seen;
  for (const std::string_view line : lines) {
    if (line.data() == without.data()) continue;
    split(line, layout, columns);
    if (columns.size() != width) continue;
    for (std::size_t k = 0; k < width; ++k) {
      std::string_view cell = columns[k];
      ColumnCensus::Column& c = census.columns[k];
      if (may_have_unseen(cell) && !is_tag(cell)) {  // `O ` is meant as a tag: check says what is wrong with it
        seen = without_unseen(cell);
        if (is_tag(seen)) cell = seen;
      }
      c.outside += cell == "O";
      if (is_tag(cell))
        c.entities += cell != "O";
      else
        c.types += is_type_alone(cell);
      c.numbers += all_digits(cell);
      c.empty += cell.empty();
      c.letters += has_letter(cell);
      c.repeats += census.rows > 0 && columns[k] == before[k];
    }
    ++census.rows;
    before.swap(columns);
  }
}

inline int usual_columns(const Columns& lines, const ConllLayout& layout) {
  std::unordered_map<std::size_t, std::size_t> seen;
  Columns columns;
  for (const std::string_view line : lines) split(line, layout, columns), ++seen[columns.size()];
  std::size_t usual = 0;
  for (const auto& [width, lines_seen] : seen)
    if (usual == 0 || lines_seen > seen[usual] || (lines_seen == seen[usual] && width < usual)) usual = width;
  return static_cast<int>(usual);
}

/// The key of a column of key=value pairs whose values are tags, as `name` in `SpaceAfter=No|name=B-PER`; empty: none.
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
      const bool tag = value == "O" || (value.size() > 2 && is_tag(value));  // a bare letter may mean anything
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
