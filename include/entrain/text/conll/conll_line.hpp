// [text] > batch > embed > encode > head > optim > checkpoint
//
// One line of a CoNLL file: its end, its kind, its columns.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/conll/conll_options.hpp"  // Separator

namespace entrain::text {

namespace detail {

using Columns = std::vector<std::string_view>;

inline bool blank(char c) noexcept { return c == ' ' || c == '\t'; }
inline bool all_blank(std::string_view s) noexcept { return std::all_of(s.begin(), s.end(), blank); }

inline bool all_digits(std::string_view s) noexcept {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// `-DOCSTART-` with no text attached to it.
inline bool is_docstart(std::string_view line) noexcept {
  constexpr std::string_view mark = "-DOCSTART-";
  return line.substr(0, mark.size()) == mark && (line.size() == mark.size() || blank(line[mark.size()]));
}

/// A '#' line that describes the text: `# text = ...`, `#begin document ...`, a lone `#`.
inline bool is_remark(std::string_view line) noexcept {
  return line.size() == 1 || blank(line[1]) || line.substr(0, 15) == "#begin document" ||
         line.substr(0, 13) == "#end document";
}

/// A '#' line after which a document begins.
inline bool starts_document(std::string_view line) noexcept {
  return line.substr(0, 8) == "# newdoc" || line.substr(0, 15) == "#begin document";
}

/// The line at `at` without its end, the next line feed; moves `at` after that end.
inline std::string_view take_line(std::string_view bytes, std::size_t& at, std::size_t end) noexcept {
  const char *const begin = bytes.data() + at, *stop = bytes.data() + end;
  at = end + 1;
  while (stop > begin && stop[-1] == '\r') --stop;
  return {begin, static_cast<std::size_t>(stop - begin)};
}
inline std::string_view next_line(std::string_view bytes, std::size_t& at) noexcept {
  return take_line(bytes, at, std::min(bytes.find('\n', at), bytes.size()));
}

/// The columns of a line. Every TAB separates, so a column may be empty or hold spaces.
inline void split(std::string_view line, Separator separator, Columns& columns) {
  columns.clear();
  if (separator == Separator::tab) {
    for (std::size_t end; (end = line.find('\t')) != std::string_view::npos; line.remove_prefix(end + 1))
      columns.push_back(line.substr(0, end));
    columns.push_back(line);
    return;
  }
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
}

/// `3-4` and `3.1` in the first column: CoNLL-U's lines for words written together, and for words that are not written.
inline bool is_word_range(std::string_view line) noexcept {
  if (line.empty() || line[0] < '0' || line[0] > '9') return false;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits == line.size() || (line[digits] != '-' && line[digits] != '.')) return false;
  const std::size_t more = line.find_first_not_of("0123456789", digits + 1);
  return more > digits + 1 && more < line.size() && blank(line[more]);
}

/// The next '#' that starts a line, from the start of a line on; npos if there is none.
inline std::size_t find_hash(std::string_view bytes, std::size_t from) noexcept {
  for (std::size_t at = from; (at = bytes.find('#', at)) != std::string_view::npos; ++at)
    if (at == from || bytes[at - 1] == '\n') return at;
  return std::string_view::npos;
}

/// The columns of token and tag in a line: given by a layout, or the usual ones, known at compile time.
struct InColumns {
  int token = 0, tag = 1;
  bool last = false;  // the tag is in the last column
};
struct TokenThenTag {
  static constexpr int token = 0, tag = 1;
  static constexpr bool last = false;
};

/// The relevant columns of one line.
struct Cut {
  std::string_view token, tag;
  int columns = 0;
  bool ragged = false;  // blanks: more than one between columns, or some at an end
};

/// find_tab(at, end): the first TAB from `at` on, or end
template <Separator separator, class Place, class FindTab>
Cut cut(std::string_view line, const Place& place, FindTab&& find_tab) noexcept {
  Cut c;
  const char *at = line.data(), *const end = at + line.size();
  const auto take = [&](const char* stop) {
    // no string_view is copied: the copy stalls on its two halves
    const auto size = static_cast<std::size_t>(stop - at);
    if (c.columns == place.token) c.token = {at, size};
    if (c.columns == place.tag || place.last) c.tag = {at, size};
    ++c.columns;
  };
  if constexpr (separator == Separator::tab) {
    for (;; ++at) {
      const char* const stop = find_tab(at, end);
      take(stop);
      at = stop;
      if (stop == end) return c;
    }
  } else {
    const auto skip = [&](std::ptrdiff_t allowed) {
      const char* const from = at;
      while (at < end && blank(*at)) ++at;
      c.ragged |= at - from > allowed || (at > from && at == end);
    };
    for (skip(0); at < end; skip(1)) {
      const char* stop = at;
      while (stop < end && !blank(*stop)) ++stop;
      take(stop);
      at = stop;
    }
    return c;
  }
}

template <Separator separator> Cut cut(std::string_view line, int token_column, int tag_column, bool last) noexcept {
  const InColumns place{token_column, tag_column, last};
  return cut<separator>(line, place, [](const char* at, const char* end) {
    const void* const tab = std::memchr(at, '\t', static_cast<std::size_t>(end - at));
    return tab ? static_cast<const char*>(tab) : end;
  });
}

/// Text in quotes, with invisible characters as escapes.
inline std::string visible(std::string_view text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '\t')
      s += "\\t";
    else if (c == '\r')
      s += "\\r";
    else
      s += c;
  }
  return s + "\"";
}

}  // namespace detail
}  // namespace entrain::text
