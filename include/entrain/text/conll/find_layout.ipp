// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of find_layout.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/text/conll/conll_census.hpp"
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/conll/find_layout.hpp"
#include "entrain/text/conll/named_column.hpp"
#include "entrain/text/corpus/excerpt.hpp"

namespace entrain::text {

namespace detail {

inline bool all_start_with_hash(const Columns& lines) {
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) { return line[0] == '#'; });
}

inline bool is_automatic(int column) { return column == ConllOptions::automatic; }

/// The --input-format of a line that has no columns; empty: nothing shows that it has none.
inline std::string_view other_format(std::string_view line) {
  const auto first_after = [&](std::size_t at) {
    at = line.find_first_not_of(" \t\r", at);
    return at == line.npos ? '\0' : line[at];
  };
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == line.npos) return {};
  const char second = first_after(first + 1);
  if (line[first] == '{' && (second == '"' || second == '}')) return "jsonl";
  if (line[first] == '[' && second == '{') return "jsonl";
  const std::size_t tab = line.find('\t', first);
  if (tab == line.npos || first_after(tab + 1) != '[') return {};
  const char inside = first_after(line.find('[', tab) + 1);
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
              other.empty()
                  ? "name it with --tag-column (a number from 0, or last), or name another format with --input-format"
                  : "use --input-format " + std::string(other));
}

inline void check_columns(std::string_view name, const ConllLayout& layout) {
  const auto refuse = [&](const char* what, int column) {
    throw Error("entrain.text.7", name, std::string(what) + " column " + std::to_string(column),
                "0 to " + std::to_string(layout.columns - 1) + ", as most lines have " +
                    std::to_string(layout.columns) + (layout.columns == 1 ? " column" : " columns"),
                "columns are numbered from 0");
  };
  if (layout.token_column < 0 || layout.token_column >= layout.columns) refuse("token", layout.token_column);
  if (layout.tag_column < ConllLayout::none || layout.tag_column >= layout.columns) refuse("tag", layout.tag_column);
  if (layout.tag_column == layout.token_column)
    throw Error("entrain.text.7", name, "token and tag both in column " + std::to_string(layout.tag_column),
                "two columns");
}

/// Finds the columns for one separator.
class ColumnFinder {
 public:
  ColumnFinder(const Sample& sample, const ConllOptions& options) : sample_(sample), options_(options) {}

  /// Starts from layout.separator.
  void find(ConllLayout& layout) {
    layout.columns = usual_columns(sample_.lines, layout);
    read_names(layout);
    layout.numbered = layout.columns > 2 && census_.numbered(0) && !census_.repeated(0) && counts_words(layout);
    const auto column = [&](int told, const std::string& name) {
      if (!name.empty()) return column_named(layout, name);
      return told == ConllOptions::last ? layout.columns - 1 : told;
    };
    layout.token_column = column(options_.token_column, options_.token_name);
    if (is_automatic(layout.token_column)) layout.token_column = choose_token(layout);
    layout.tag_column = column(options_.tag_column, options_.tag_name);
    if (!tag_is_told()) choose_tag_column(layout);
    layout.tag_last = !options_.strict && options_.tag_column == ConllOptions::last;
    read_tags(layout);
    find_sentences(layout);
    say_doubt(layout);
  }

  /// Why no column before the token column is the token column.
  std::string words_about_token(const ConllLayout& layout) const {
    if (!options_.token_name.empty()) return " ('" + excerpt(options_.token_name) + "', as given)";
    if (!is_automatic(options_.token_column)) return {};
    if (layout.numbered && layout.token_column == 1) return " (column 0 numbers them)";
    if (name(layout.token_column, layout) == ColumnName::token)
      return " ('" + excerpt(layout.names[static_cast<std::size_t>(layout.token_column)]) + "')";
    std::string s;
    for (int k = 0; k < layout.token_column; ++k) s.append(s.empty() ? " (" : ", ").append(reason_against(k));
    return s.empty() ? s : s + ")";
  }

 private:
  /// Why a column is not the token column.
  std::string reason_against(int k) const {
    return "column " + std::to_string(k) +
           (census_.numbered(k)     ? " holds numbers"
            : census_.empty(k)      ? " is empty on most lines"
            : census_.repeated(k)   ? " has long runs of one value"
            : census_.holds_tags(k) ? " holds tags"
                                    : " holds few words");
  }
  bool tag_is_told() const { return !is_automatic(options_.tag_column) || !options_.tag_name.empty(); }
  bool is_column(int k, const ConllLayout& layout) const { return k >= 0 && k < layout.columns; }
  ColumnName name(int k, const ConllLayout& layout) const {
    return layout.names.empty() ? ColumnName::unknown : name_of_column(layout.names[static_cast<std::size_t>(k)]);
  }

  /// Takes the columns' names from the first line, if it has them. Then no count includes that line.
  void read_names(ConllLayout& layout) {
    const Columns cells = options_.plain ? Columns() : header_cells(layout);
    if (!cells.empty()) {
      count_columns(sample_.lines, layout, sample_.first, options_.types_alone, census_);
      if (census_.rows > 0 && find_header(layout, cells)) return;
    }
    count_columns(sample_.lines, layout, {}, options_.types_alone, census_);
  }
  /// The first line's cell of each column. Empty if the line names no columns because one cell is a tag or a number,
  /// or because it is a CoNLL-U line for words written together.
  /// Most files have no such line, so their lines are counted once.
  Columns header_cells(const ConllLayout& layout) const {
    std::string_view line = sample_.first;
    if (is_word_range(line)) return {};
    if (line.starts_with('#')) line.remove_prefix(1);
    Columns cells;
    split(line, layout, cells);
    // pandas writes no name for an index without one, so a header between blanks lacks that cell.
    const int lacking = layout.columns - static_cast<int>(cells.size());
    if (layout.columns < 2 || lacking < 0 || lacking > (layout.separator == Separator::blanks)) return {};
    if (lacking > 0) cells.insert(cells.begin(), std::string_view());
    const auto names_none = [](std::string_view cell) { return is_tag(cell) || all_digits(cell); };
    return std::any_of(cells.begin(), cells.end(), names_none) ? Columns() : cells;
  }
  bool find_header(ConllLayout& layout, const Columns& cells) const {
    int known = 0;
    bool word_over_numbers = false, told = false;
    for (int k = 0; k < layout.columns; ++k) {
      const std::string_view cell = cells[static_cast<std::size_t>(k)];
      const bool index = k == 0 && cell.empty();  // pandas writes no name for it
      known += index || name_of_column(cell) != ColumnName::unknown;
      told |= !cell.empty() && (cell == options_.token_name || cell == options_.tag_name);
      word_over_numbers |= census_.at(k).numbers == census_.rows && has_letter(cell);
    }
    const bool lacking = layout.separator == Separator::blanks && cells.front().empty();
    const int enough = lacking || sample_.first.starts_with('#') ? layout.columns : 2;
    if (known < enough && !(word_over_numbers && known > 0) && !told) return false;
    layout.header_line = sample_.first_line;
    layout.names.assign(cells.begin(), cells.end());
    return true;
  }

  /// Whether numbers in column 0 count from 0 or 1 in each sentence; an index of all lines or of sentences does not.
  bool counts_words(ConllLayout& layout) const {
    Columns cells;
    const auto number = [&](std::size_t line) {
      split(sample_.lines[line], layout, cells);
      unsigned n = 2;
      std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), n);
      return n;
    };
    std::size_t first = 0;
    while (first + 1 < sample_.lines.size() && sample_.lines[first].data() == sample_.first.data() &&
           layout.header_line > 0)
      ++first;
    std::size_t restarts = 0;
    const unsigned start = number(first);
    for (std::size_t i = first + 1; i < sample_.lines.size() && start < 2; ++i) restarts += number(i) == start;
    layout.restarts = !sample_.parted && restarts > 0;
    if (sample_.starts.empty()) return layout.header_line == 0 || restarts > 0;
    std::size_t counted = 0;
    for (const std::size_t line : sample_.starts) counted += number(line) < 2;
    return 4 * counted >= 3 * sample_.starts.size();
  }

  int choose_token(const ConllLayout& layout) const {
    for (int k = 0; k < layout.columns; ++k)
      if (name(k, layout) == ColumnName::token && !census_.wordless(k) && !census_.holds_tags(k)) return k;
    const int usual = layout.numbered ? 1 : 0;
    const bool tags = census_.holds_tags(usual) && census_.has_entities(usual);
    if (layout.columns > 1 && (census_.wordless(usual) || tags))
      if (const int k = first_words(layout); k != ConllLayout::none) return k;
    return usual;
  }
  int first_words(const ConllLayout& layout) const {
    const auto letters =
        count_letters(sample_.lines, layout, layout.header_line > 0 ? sample_.first : std::string_view());
    for (int k = 0; k < layout.columns; ++k)
      if (!census_.wordless(k) && !census_.holds_tags(k) && 2 * letters[static_cast<std::size_t>(k)] >= census_.rows)
        return k;
    return ConllLayout::none;
  }

  /// The column that the header calls a tag or ner; else the last column of tags, as NER follows chunks in CoNLL 2003;
  /// in numbered files the first, because the outermost entities come first in UNER and GermEval. Columns with entities
  /// have priority over columns of only O.
  void choose_tag_column(ConllLayout& layout) const {
    std::vector<int> found, with_entities, named;
    for (int k = 0; k < layout.columns; ++k) {
      if (k == layout.token_column || !census_.holds_tags(k)) continue;
      found.push_back(k);
      if (census_.has_entities(k)) with_entities.push_back(k);
      if (name(k, layout) == ColumnName::tag) named.push_back(k);
    }
    const auto& best = !named.empty() ? named : with_entities.empty() ? found : with_entities;
    if (!best.empty()) layout.tag_column = layout.numbered ? best.front() : best.back();
    for (const int k : found)
      if (k != layout.tag_column) layout.also_tags.push_back(k);
  }

  /// Decides whether the tags of the column are types alone, or values of a key. Searches for such a column if there is
  /// none.
  void read_tags(ConllLayout& layout) const {
    if (options_.plain) return;
    const bool told = tag_is_told();
    if (is_column(layout.tag_column, layout)) {
      const ColumnCensus::Column& c = census_.at(layout.tag_column);
      layout.types_alone = census_.typed(c, options_.types_alone);
      if (told && !layout.types_alone && !census_.tagged(c))
        layout.tag_key = key_of_tags(sample_.lines, layout, layout.tag_column);
      return;
    }
    if (told || layout.columns < 2) return;
    for (int k = layout.columns - 1; k >= 0 && layout.tag_column == ConllLayout::none; --k) {
      if (k == layout.token_column) continue;
      layout.tag_key = key_of_tags(sample_.lines, layout, k);
      const ColumnCensus::Column& c = census_.at(k);
      layout.types_alone = layout.tag_key.empty() && options_.types_alone && census_.typed(c, true);
      if (!layout.tag_key.empty() || layout.types_alone) layout.tag_column = k;
    }
  }

  void find_sentences(ConllLayout& layout) const {
    layout.restarts = layout.restarts && layout.numbered;
    if (sample_.parted || layout.restarts || options_.plain) return;
    Columns cells;
    split(sample_.lines.back(), layout, cells);
    Columns first;
    for (const std::string_view line : sample_.lines)
      if (split(line, layout, first); line.data() != sample_.first.data() || layout.header_line == 0) break;
    for (int k = 0; k < layout.columns && layout.sentence_column == ConllLayout::none; ++k) {
      if (k == layout.token_column || k == layout.tag_column) continue;
      const auto column = static_cast<std::size_t>(k);
      const bool called = name(k, layout) == ColumnName::sentence;
      const bool says = column < first.size() && plain_name(first[column]).starts_with("sentence");
      if (called || (says && (census_.repeated(k) || census_.empty(k)))) layout.sentence_column = k;
    }
  }

  void say_doubt(ConllLayout& layout) const {
    const int k = layout.token_column;
    if (!is_column(k, layout) || (!census_.wordless(k) && !census_.holds_tags(k))) return;
    const int words = first_words(layout);
    if (words == ConllLayout::none || words == layout.tag_column || words == k) return;
    layout.doubt = "token " + reason_against(k) + ", while column " + std::to_string(words) +
                   " holds words: use --token-column " + std::to_string(words) + " to read them";
  }

  const Sample& sample_;
  const ConllOptions& options_;
  ColumnCensus census_;
};

inline std::string words_about_tag(const ConllLayout& layout, const ConllOptions& options) {
  if (layout.tag_column == ConllLayout::none) return ", no tags";
  std::string s = ", tag in column " + std::to_string(layout.tag_column);
  if (!layout.tag_key.empty()) s += ", the value of '" + excerpt(layout.tag_key) + "'";
  if (!options.tag_name.empty()) {
    s += " ('" + excerpt(options.tag_name) + "', as given)";
  } else if (!is_automatic(options.tag_column)) {
    s += " (as given)";
  } else if (!layout.names.empty() &&
             name_of_column(layout.names[static_cast<std::size_t>(layout.tag_column)]) == ColumnName::tag) {
    s += " ('" + excerpt(layout.names[static_cast<std::size_t>(layout.tag_column)]) + "')";
  } else if (layout.also_tags.empty()) {
    s += " (the only one that holds tags)";
  } else {
    s += layout.numbered ? " (the first that holds tags; also" : " (the last that holds tags; also";
    for (const int k : layout.also_tags) s += " " + std::to_string(k);
    s += ")";
  }
  if (layout.types_alone) s += "; types without a prefix, read as IO";
  return s;
}

inline std::string in_words(const ConllLayout& layout, const ColumnFinder& finder, const ConllOptions& options) {
  const auto number = [](int k) { return std::to_string(k); };
  std::string s = number(layout.columns) + (layout.columns == 1 ? " column" : " columns");
  if (layout.columns > 1) s += " separated by " + separator_name(layout.separator, layout.comma);
  if (layout.header_line > 0) s += ", named by line " + std::to_string(layout.header_line);
  s += "; token in column " + number(layout.token_column) + finder.words_about_token(layout);
  s += words_about_tag(layout, options);
  if (layout.sentence_column != ConllLayout::none)
    s += "; a sentence ends where column " + number(layout.sentence_column) + " changes";
  if (layout.restarts) s += "; a sentence ends where the numbers in column 0 restart";
  const std::size_t hashes = layout.hash_tokens + layout.hash_others;
  if (hashes == 0) return s;
  s += "; " + std::to_string(hashes) + (hashes == 1 ? " line starts" : " lines start") + " with #, read as ";
  if (layout.hash == Hash::token) return s + "token";
  if (layout.hash == Hash::comment) return s + "comment";
  return s + "token if the line has the columns of a token (" + std::to_string(layout.hash_tokens) +
         "), otherwise as comment";
}

inline Separator tabs_or_blanks(const Columns& lines) {
  std::size_t tabs = 0;
  for (std::size_t i = 0; i < lines.size() && 2 * tabs < lines.size(); ++i)
    tabs += lines[i].find('\t') != std::string_view::npos;
  return 2 * tabs >= lines.size() ? Separator::tab : Separator::blanks;
}

/// Whether nearly all lines have the same number of fields between commas.
inline bool in_fields(const Sample& sample, char comma) {
  ConllLayout layout;
  layout.separator = Separator::commas;
  layout.comma = comma;
  layout.columns = usual_columns(sample.lines, layout);
  if (layout.columns < 2) return false;
  std::size_t rows = 0;
  each_row(sample.lines, layout, {}, [&](const Columns&) { ++rows; });
  return 10 * rows >= 9 * sample.lines.size();
}

/// Finds columns of tags, or with any_header columns with names, between commas or semicolons; else leaves the layout
/// unchanged.
inline void try_commas(const Sample& sample, ColumnFinder& finder, bool any_header, ConllLayout& layout) {
  const Separator before = layout.separator;
  for (const char comma : {',', ';'}) {
    if (!in_fields(sample, comma)) continue;
    layout = {};
    layout.separator = Separator::commas;
    layout.comma = comma;
    finder.find(layout);
    if (layout.tag_column != ConllLayout::none || (any_header && layout.header_line > 0)) return;
  }
  if (layout.separator == before) return;
  layout = {};
  layout.separator = before;
  finder.find(layout);
}

}  // namespace detail

ENTRAIN_INLINE ConllLayout find_layout(std::string_view name, std::string_view bytes, const ConllOptions& options) {
  using namespace detail;
  const Sample sample = sample_lines(bytes);
  ConllLayout layout;
  if (sample.lines.empty()) return layout;

  ColumnFinder finder(sample, options);
  const bool open = options.separator == Separator::automatic;
  layout.separator = open ? tabs_or_blanks(sample.lines) : options.separator;
  finder.find(layout);
  if (open && (layout.tag_column == ConllLayout::none || layout.tag_column >= layout.columns))
    try_commas(sample, finder, !options.tags || !options.token_name.empty() || !options.tag_name.empty(), layout);
  check_name(name, layout, options.token_name);
  check_name(name, layout, options.tag_name);
  check_columns(name, layout);
  if (options.tags && layout.tag_column == ConllLayout::none) {
    if ((options.hash == Hash::automatic || options.hash == Hash::comment) && all_start_with_hash(sample.lines)) {
      layout = {};
      layout.hash = Hash::comment;
      return layout;
    }
    refuse_untagged(name, layout.columns, sample.lines[0]);
  }

  layout.hash = options.hash;
  Columns columns;
  for (std::size_t at = find_hash(bytes, 0); at < bytes.size(); at = find_hash(bytes, at)) {
    const std::string_view line = next_line(bytes, at);
    if (layout.header_line > 0 && line.data() == sample.first.data()) continue;
    ++(hash_is_token(line, layout, columns) ? layout.hash_tokens : layout.hash_others);
  }
  if (layout.hash == Hash::automatic)
    layout.hash = layout.hash_others == 0 ? Hash::token : layout.hash_tokens == 0 ? Hash::comment : Hash::mixed;
  layout.words = in_words(layout, finder, options);
  return layout;
}

}  // namespace entrain::text
