// [text] > batch > embed > encode > head > optim > checkpoint
//
// The meaning of the columns of a CoNLL file. find_layout.hpp decides it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/conll/conll_cells.hpp"
#include "entrain/text/conll/conll_line.hpp"
#include "entrain/text/conll/conll_options.hpp"

namespace entrain::text {

/// The layout of one file. find_layout decides it from the file's own lines and the options.
struct ConllLayout {
  static constexpr int none = -1;
  Separator separator = Separator::tab;  // tab, blanks or commas
  char comma = ',';                      // for commas: the character that separates fields, ',' or ';'
  int columns = 0;                       // of most lines
  int token_column = 0;
  int tag_column = none;
  bool tag_last = false;                         // lines differ in width, and the last column of each holds its tag
  bool numbered = false;                         // column 0 counts the words of a sentence, as in CoNLL-U and UNER
  Hash hash = Hash::token;                       // token, comment or mixed
  std::size_t hash_tokens = 0, hash_others = 0;  // '#' lines that have the columns of a token, and other '#' lines
  std::vector<int> also_tags;                    // other columns that look like tags
  std::uint32_t header_line = 0;                 // the line that names the columns; 0: none
  std::vector<std::string> names;                // the names in that line
  bool types_alone = false;                      // tags are types without a prefix, as PER: read as IO, I-PER
  std::string tag_key;  // the tag column holds key=value pairs, and this key's value is the tag
  /// A word belongs to a new sentence where the value in this column changes; none: blank lines alone end sentences.
  int sentence_column = none;
  bool restarts = false;  // without blank lines: a sentence begins where column 0 counts from its start again
  std::string words;      // the layout as one line for people
  std::string doubt;      // why the token column may be the wrong one; empty: no reason

  /// Whether ConllTable must read the file: it has more than columns of tokens and tags between TABs or blanks.
  bool is_table() const noexcept {
    return separator == Separator::commas || header_line > 0 || types_alone || !tag_key.empty() ||
           sentence_column != none || restarts;
  }
};

namespace detail {

/// The columns of a line of such a file. Two quotes in a quoted field stay two.
inline void split(std::string_view line, const ConllLayout& layout, Columns& columns) {
  if (layout.separator == Separator::commas)
    split_fields(line, layout.comma, columns);
  else
    split(line, layout.separator, columns);
}

/// Whether a cell of the tag column holds a tag.
inline bool holds_tag(std::string_view cell, const ConllLayout& layout) {
  if (!layout.tag_key.empty()) return is_tag(value_of(cell, layout.tag_key));
  return layout.types_alone ? cell == "O" || is_type_alone(cell) : is_tag(cell);
}

/// Whether a '#' line holds a word. A comment has the file's number of columns only by chance.
///
/// A line whose tag column holds a tag holds a word. A line without a tag but with the file's number of columns holds a
/// word with a broken tag, unless column 0 counts words, or the line has the form of a remark. In a TAB file a line
/// `#Oslo TAB ...` holds a word whatever its number of columns.
inline bool hash_is_token(std::string_view line, const ConllLayout& layout, Columns& columns) {
  split(line, layout, columns);
  const bool fits = static_cast<int>(columns.size()) == layout.columns;
  if (layout.tag_column == ConllLayout::none) return fits && (line.size() == 1 || !is_remark(line));
  const auto tag = static_cast<std::size_t>(layout.tag_column);
  if (fits && holds_tag(columns[tag], layout)) return true;
  if (layout.numbered) return false;
  if (columns[0] == "#") return fits && !has_small_letter(columns[tag]);  // `# LOC` is a word, `# newdoc` a remark
  if (is_remark(line)) return false;
  return fits || (layout.separator == Separator::tab && columns.size() > 1);
}

}  // namespace detail

}  // namespace entrain::text
