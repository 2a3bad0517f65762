// [text] > batch > embed > encode > head > optim > checkpoint
//
// Which column of a CoNLL file holds what. Nobody should have to say it: the data says it, this file listens, and puts
// its findings in words, so that a wrong guess is seen at once and overridden by an option.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/conll_line.hpp"
#include "entrain/text/conll_options.hpp"
#include "entrain/text/labels.hpp"  // split_tag

namespace entrain::text {

/// How one file is laid out. find_layout decides it from the file's own lines and the options.
struct ConllLayout {
  static constexpr int none = -1;
  Separator separator = Separator::tab;  // tab or blanks
  int columns = 0;                       // of most lines
  int token_column = 0;
  int tag_column = none;
  bool tag_last = false;                         // lines differ in width, and the last column of each holds its tag
  bool numbered = false;                         // column 0 counts the words of a sentence, as in CoNLL-U and UNER
  Hash hash = Hash::token;                       // token, comment or mixed
  std::size_t hash_tokens = 0, hash_others = 0;  // '#' lines that have the columns of a token, and that have not
  std::vector<int> also_tags;                    // other columns that look like tags
  std::string words;                             // all of this as one line for people
};

namespace detail {

/// The first lines that hold tokens. Those that may hold something else count only where there are no others.
inline Columns sample_lines(std::string_view bytes) {
  constexpr std::size_t enough = 5000;
  Columns lines, doubtful;
  for (std::size_t at = 0; at < bytes.size() && lines.size() < enough;) {
    const std::string_view line = next_line(bytes, at);
    if (all_blank(line) || is_docstart(line)) continue;
    (line[0] == '#' || is_word_range(line) ? doubtful : lines).push_back(line);
  }
  return lines.empty() ? doubtful : lines;
}

inline bool all_start_with_hash(const Columns& lines) {
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) { return line[0] == '#'; });
}

/// Has a '#' line the columns of a token?
inline bool hash_is_token(std::string_view line, const ConllLayout& layout, Columns& columns) {
  split(line, layout.separator, columns);
  if (static_cast<int>(columns.size()) != layout.columns) return false;
  if (layout.tag_column == ConllLayout::none) return line.size() == 1 || !is_remark(line);
  return split_tag(columns[static_cast<std::size_t>(layout.tag_column)]).has_value();
}

/// What the sampled columns hold, counted over the lines that have the usual number of columns.
struct ColumnCensus {
  std::size_t rows = 0;
  // one count a column: values that are tags, that are tags but O, that are digits only
  std::vector<std::size_t> tags, entities, numbers;

  bool tagged(std::size_t column) const { return rows > 0 && 4 * tags[column] >= 3 * rows; }
};

inline ColumnCensus count_columns(const Columns& lines, Separator separator, int usual) {
  const auto width = static_cast<std::size_t>(usual);
  ColumnCensus c{0, std::vector<std::size_t>(width), std::vector<std::size_t>(width), std::vector<std::size_t>(width)};
  Columns columns;
  for (const std::string_view line : lines) {
    split(line, separator, columns);
    if (columns.size() != width) continue;
    ++c.rows;
    for (std::size_t k = 0; k < width; ++k) {
      const bool tag = split_tag(columns[k]).has_value();
      c.tags[k] += tag;
      c.entities[k] += tag && columns[k] != "O";
      c.numbers[k] += all_digits(columns[k]);
    }
  }
  return c;
}

inline int usual_columns(const Columns& lines, Separator separator) {
  std::unordered_map<std::size_t, std::size_t> seen;
  Columns columns;
  for (const std::string_view line : lines) split(line, separator, columns), ++seen[columns.size()];
  std::size_t usual = 0;
  for (const auto& [width, lines_seen] : seen)
    if (usual == 0 || lines_seen > seen[usual] || (lines_seen == seen[usual] && width < usual)) usual = width;
  return static_cast<int>(usual);
}

/// The last column of tags, as NER stands behind chunks in CoNLL 2003; in numbered files the first, as the outermost
/// entities stand first in UNER and GermEval. Columns with entities go before columns of O alone.
inline void choose_tag_column(const ColumnCensus& census, ConllLayout& layout) {
  std::vector<int> found, with_entities;
  for (int k = 0; k < layout.columns; ++k) {
    const auto column = static_cast<std::size_t>(k);
    if (k == layout.token_column || !census.tagged(column)) continue;
    found.push_back(k);
    if (census.entities[column] > 0) with_entities.push_back(k);
  }
  const auto& best = with_entities.empty() ? found : with_entities;
  if (!best.empty()) layout.tag_column = layout.numbered ? best.front() : best.back();
  for (const int k : found)
    if (k != layout.tag_column) layout.also_tags.push_back(k);
}

inline std::string in_words(const ConllLayout& layout, const ConllOptions& options) {
  const auto number = [](int k) { return std::to_string(k); };
  std::string s = number(layout.columns) + (layout.columns == 1 ? " column" : " columns");
  if (layout.columns > 1) s += layout.separator == Separator::tab ? " separated by TAB" : " separated by blanks";
  s += "; token in column " + number(layout.token_column);
  if (layout.numbered) s += " (column 0 numbers them)";
  if (layout.tag_column == ConllLayout::none) {
    s += ", no tags";
  } else {
    s += ", tag in column " + number(layout.tag_column);
    if (options.tag_column != ConllOptions::automatic) {
      s += " (as told)";
    } else if (layout.also_tags.empty()) {
      s += " (the only one that holds tags)";
    } else {
      s += layout.numbered ? " (the first that holds tags; also" : " (the last that holds tags; also";
      for (const int k : layout.also_tags) s += " " + number(k);
      s += ")";
    }
  }
  const std::size_t hashes = layout.hash_tokens + layout.hash_others;
  if (hashes == 0) return s;
  s += "; " + std::to_string(hashes) + (hashes == 1 ? " line starts" : " lines start") + " with #, read as ";
  if (layout.hash == Hash::token) return s + "token";
  if (layout.hash == Hash::comment) return s + "comment";
  return s + "token where the columns are those of one (" + std::to_string(layout.hash_tokens) + "), else as comment";
}

/// What --input-format calls a line that is none of columns; empty: nothing says that it is not.
inline std::string_view other_format(std::string_view line) {
  const auto first_behind = [&](std::size_t at) {
    at = line.find_first_not_of(" \t\r", at);
    return at == line.npos ? '\0' : line[at];
  };
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == line.npos) return {};
  const char second = first_behind(first + 1);
  if (line[first] == '{' && (second == '"' || second == '}')) return "jsonl";
  if (line[first] == '[' && second == '{') return "jsonl";
  const std::size_t tab = line.find('\t', first);
  if (tab == line.npos || first_behind(tab + 1) != '[') return {};
  const char inside = first_behind(line.find('[', tab) + 1);
  return inside == '(' || inside == '[' || inside == ']' ? "annotated" : "";
}

[[noreturn, gnu::cold]] inline void refuse_untagged(std::string_view name, int columns, std::string_view line) {
  const std::string_view other = other_format(line);
  throw Error("entrain.text.8", name,
              (columns == 1 ? "one column, so no tags" : "no tags in any of " + std::to_string(columns) + " columns") +
                  std::string(other.empty()      ? ""
                              : other == "jsonl" ? ": it looks like JSON lines"
                                                 : ": it looks like texts with annotations"),
              "a column of tags such as O, B-PER, I-PER",
              other.empty() ? "name it with --tag-column, from 0, or last, or another format with --input-format"
                            : "say --input-format " + std::string(other));
}

inline void check_columns(std::string_view name, const ConllLayout& layout) {
  const auto refuse = [&](const char* what, int column) {
    throw Error("entrain.text.7", name, std::string(what) + " column " + std::to_string(column),
                "0 to " + std::to_string(layout.columns - 1) + ", as most lines have " +
                    std::to_string(layout.columns) + (layout.columns == 1 ? " column" : " columns"),
                "columns count from 0");
  };
  if (layout.token_column < 0 || layout.token_column >= layout.columns) refuse("token", layout.token_column);
  if (layout.tag_column < ConllLayout::none || layout.tag_column >= layout.columns) refuse("tag", layout.tag_column);
  if (layout.tag_column == layout.token_column)
    throw Error("entrain.text.7", name, "token and tag both in column " + std::to_string(layout.tag_column),
                "two columns");
}

}  // namespace detail

/// Decides the layout of a file from its first 5,000 lines; '#' is judged on the whole file.
///
/// separator   TAB where at least half of the lines have one
/// columns     the count that most lines have
/// token       column 0, or 1 where column 0 numbers the words
/// tag         a column where at least 3 of 4 values are tags (O, B-PER, ...); see choose_tag_column for several
/// '#' lines   tokens where they have the columns of one, in wnut17; else comments, in UNER
/// no column   where no line holds a token: all are blank, -DOCSTART-, or start with '#' and have no tag
/// throws      entrain.text.7 for a column that is not there, entrain.text.8 for a file without tags
inline ConllLayout find_layout(std::string_view name, std::string_view bytes, const ConllOptions& options = {}) {
  using namespace detail;
  const Columns lines = sample_lines(bytes);
  ConllLayout layout;
  if (lines.empty()) return layout;

  layout.separator = options.separator;
  if (layout.separator == Separator::automatic) {
    std::size_t tabs = 0;
    for (const std::string_view line : lines) tabs += line.find('\t') != std::string_view::npos;
    layout.separator = 2 * tabs >= lines.size() ? Separator::tab : Separator::blanks;
  }
  layout.columns = usual_columns(lines, layout.separator);

  const ColumnCensus census = count_columns(lines, layout.separator, layout.columns);
  layout.numbered = layout.columns > 2 && 20 * census.numbers[0] >= 19 * census.rows;
  layout.token_column = options.token_column != ConllOptions::automatic ? options.token_column : layout.numbered;
  if (options.tag_column == ConllOptions::automatic)
    choose_tag_column(census, layout);
  else
    layout.tag_column = options.tag_column == ConllOptions::last ? layout.columns - 1 : options.tag_column;
  layout.tag_last = !options.strict && options.tag_column == ConllOptions::last;
  check_columns(name, layout);
  if (options.tags && layout.tag_column == ConllLayout::none) {
    if ((options.hash == Hash::automatic || options.hash == Hash::comment) && all_start_with_hash(lines)) {
      layout = {};
      layout.hash = Hash::comment;
      return layout;
    }
    refuse_untagged(name, layout.columns, lines[0]);
  }

  layout.hash = options.hash;
  Columns columns;
  for (std::size_t at = find_hash(bytes, 0); at < bytes.size(); at = find_hash(bytes, at))
    ++(hash_is_token(next_line(bytes, at), layout, columns) ? layout.hash_tokens : layout.hash_others);
  if (layout.hash == Hash::automatic)
    layout.hash = layout.hash_others == 0 ? Hash::token : layout.hash_tokens == 0 ? Hash::comment : Hash::mixed;
  layout.words = in_words(layout, options);
  return layout;
}

}  // namespace entrain::text
