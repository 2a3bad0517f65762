// [text] > batch > embed > encode > head > optim > checkpoint
//
// The kinds of cells in a CoNLL line: a tag, a type alone, key=value pairs, a field between commas, a column's name.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/text/conll/conll_line.hpp"
#include "entrain/text/csv/csv_record.hpp"
#include "entrain/text/tags/labels.hpp"  // split_tag, tag_letters

namespace entrain::text {

namespace detail {

constexpr bool is_small_letter(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter_or_more(char c) noexcept {  // ASCII letters, and bytes of characters beyond ASCII
  return is_small_letter(c) || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80) != 0;
}
inline bool has_small_letter(std::string_view s) noexcept { return std::any_of(s.begin(), s.end(), is_small_letter); }
inline bool has_letter(std::string_view s) noexcept { return std::any_of(s.begin(), s.end(), is_letter_or_more); }

inline bool is_tag(std::string_view cell) noexcept { return split_tag(cell).has_value(); }

/// A type without the letter of a scheme, as in Stanford's files: PER, NAME. `b-PER`, `B_PER` and `PER-B` are tags in
/// another spelling, not types.
inline bool is_type_alone(std::string_view cell) noexcept {
  constexpr std::string_view joints = "-_.:|/";
  if (cell.size() < 2 || is_tag(cell) || !is_letter_or_more(cell[0])) return false;
  if (joints.find(cell[1]) != joints.npos || blank(cell.back())) return false;
  const bool other_way_round = cell.size() > 2 && joints.find(cell[cell.size() - 2]) != joints.npos &&
                               tag_letters.find(cell.back()) != tag_letters.npos;
  return !other_way_round && cell.substr(0, 2) != "O\xC2";  // O and a no-break space
}

/// f(key, value) for each pair of `SpaceAfter=No|name=B-PER`.
template <class F> void each_pair(std::string_view cell, F&& f) {
  for (std::size_t at = 0; at <= cell.size();) {
    const std::size_t end = std::min(cell.find('|', at), cell.size());
    const std::string_view pair = cell.substr(at, end - at);
    if (const std::size_t sign = pair.find('='); sign != pair.npos && sign > 0)
      f(pair.substr(0, sign), pair.substr(sign + 1));
    at = end + 1;
  }
}

/// The value of a key; an empty view without data if the key is missing.
inline std::string_view value_of(std::string_view cell, std::string_view key) {
  std::string_view found;
  each_pair(cell, [&](std::string_view name, std::string_view value) {
    if (name == key && found.data() == nullptr) found = value;
  });
  return found;
}

/// Splits a line into its fields between commas, without the quotes around them.
inline void split_fields(std::string_view line, char comma, Columns& columns) {
  columns.clear();
  each_csv_field(line, {comma, true}, [&](const CsvField& field) { columns.push_back(field.bytes); });
}

/// `TAB`, `blanks`, `','`
inline std::string separator_name(Separator separator, char comma) {
  return separator == Separator::tab      ? "TAB"
         : separator == Separator::blanks ? "blanks"
                                          : std::string{'\'', comma, '\''};
}

/// The name of a column in lower case, letters and digits only: `Sentence #` is sentence, `ner_tags` nertags.
inline std::string plain_name(std::string_view cell) {
  std::string s;
  for (const char c : cell) {
    if (c >= 'A' && c <= 'Z')
      s += static_cast<char>(c - 'A' + 'a');
    else if (is_small_letter(c) || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80) != 0)
      s += c;
  }
  return s;
}

enum class ColumnName { unknown, token, tag, sentence, other };

/// The meaning of a column's name. A cell without letters and digits, as `_`, `-` or a word of punctuation, is no name.
inline ColumnName name_of_column(std::string_view cell) {
  constexpr std::array tokens{"token", "tokens", "word", "words", "form", "wordform", "surface", "text"};
  constexpr std::array tags{"tag",    "tags",       "ner",     "nertag",   "nertags",  "nerlabel",    "label", "labels",
                            "entity", "entitytype", "neclass", "ne",       "netag",    "namedentity", "iob",   "iob1",
                            "iob2",   "iobtag",     "bio",     "biotag",   "bioes",    "bilou",       "nes",   "gold",
                            "target", "nertype",    "iobtags", "entities", "entitytag"};
  constexpr std::array sentences{"sentence",       "sentenceid", "sentenceidx", "sentenceno",
                                 "sentencenumber", "sent",       "sentid",      "sentidx",
                                 "sentencenumber", "sentno",     "sid",         "sents"};
  constexpr std::array others{"id",      "index",    "idx",        "no",         "number",   "pos",       "postag",
                              "postags", "upos",     "xpos",       "lemma",      "lemmas",   "feats",     "head",
                              "deprel",  "deps",     "misc",       "chunk",      "chunktag", "chunktags", "doc",
                              "docid",   "document", "documentid", "start",      "end",      "offset",    "unnamed0",
                              "tokenid", "wordid",   "tokenidx",   "lemmatized", "stem",     "shape",     "position"};
  const std::string name = plain_name(cell);
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (among(tokens)) return ColumnName::token;
  if (among(tags)) return ColumnName::tag;
  if (among(sentences)) return ColumnName::sentence;
  return among(others) ? ColumnName::other : ColumnName::unknown;
}

}  // namespace detail
}  // namespace entrain::text
