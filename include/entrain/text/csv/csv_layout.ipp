// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of csv_layout.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/csv/csv_layout.hpp"

namespace entrain::text {

namespace detail {

/// The first records of a file, read with one delimiter.
struct CsvBegin {
  CsvForm form;
  bool enough = false;             // true: `wanted` records were seen, or the whole file
  std::uint64_t line = 0;          // of the first record
  std::vector<std::string> first;  // its fields
  std::size_t records = 0;
  bool even = true;  // true: all have as many fields as the first

  /// from: the position after a line that names the delimiter, or 0
  CsvBegin(std::string_view head, bool whole, CsvForm with, std::size_t wanted, std::size_t from) : form(with) {
    std::uint64_t at_line = from > 0 ? 2 : 1;
    for (std::size_t at = from; at < head.size() && records < wanted;) {
      std::size_t end = csv_record_end(head, at, form);
      if (end == head.npos) {
        if (!whole) return;
        end = head.size();
      }
      const std::string_view record = head.substr(at, end - at);
      if (!blank_csv_record(record)) take(record, at_line);
      at_line += static_cast<std::uint64_t>(std::count(record.begin(), record.end(), '\n'));
      at = end;
    }
    enough = whole || records == wanted;
  }

 private:
  void take(std::string_view record, std::uint64_t at_line) {
    std::vector<std::string> fields;
    each_csv_field(record, form, [&](const CsvField& field) { field.append_to(fields.emplace_back()); });
    if (records++ == 0) {
      line = at_line;
      first = std::move(fields);
    } else {
      even &= fields.size() == first.size();
    }
  }
};

/// The length of a first line that names the delimiter, as in sep=; and 0 if there is none.
inline std::size_t delimiter_line(std::string_view head, char& delimiter) {
  const std::size_t begin = after_mark(head, 0);
  const std::string_view line = head.substr(begin, head.find('\n', begin) - begin);
  const bool ended = begin + line.size() < head.size();
  if (!ended || !line.starts_with("sep=") || (line.size() != 5 && !(line.size() == 6 && line[5] == '\r'))) return 0;
  if (line[4] == '"' || line[4] == '\r' || static_cast<unsigned char>(line[4]) > 0x7E) return 0;
  delimiter = line[4];
  return begin + line.size() + 1;
}

/// The first of these names that is a column's name, or the column of that number.
inline std::size_t csv_column(const std::vector<std::string>& columns, const std::vector<std::string>& names,
                              bool header) {
  for (const std::string& name : names) {
    if (header)
      if (const auto at = std::find(columns.begin(), columns.end(), name); at != columns.end())
        return static_cast<std::size_t>(at - columns.begin());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 1 && number <= columns.size())
      return number - 1;
  }
  return CsvLayout::none;
}

inline std::vector<std::string> names_of(const std::string& said, bool header, std::vector<std::string> by_name,
                                         const char* by_number) {
  if (!said.empty()) return {said};
  if (header) return by_name;
  return {by_number};
}

[[noreturn, gnu::cold]] inline void refuse_column(const std::string& name, const CsvBegin& begin, const char* what,
                                                  const std::vector<std::string>& wanted, bool header) {
  std::string found = "no column named ", expected;
  for (const std::string& w : wanted) found.append(&w == &wanted[0] ? "" : " or ").append(w);
  if (header) {
    for (const std::string& column : begin.first) expected.append(expected.empty() ? "" : ", ").append(column);
    expected = "one of the columns in its first record: " + expected.substr(0, 200);
  } else {
    found = "no column " + wanted[0];
    expected = "a number from 1 to " + std::to_string(begin.first.size());
  }
  throw Error("entrain.text.51", name + ":" + std::to_string(begin.line), found, expected,
              std::string("name it with --") + what + "-column" +
                  (header ? ", or use --no-header if the first record is data" : "") +
                  (std::string_view(what) == "label" ? ", or use --no-labels if there are no labels" : ""));
}

[[noreturn, gnu::cold]] inline void refuse_one_column(const std::string& name, std::uint64_t line,
                                                      const CsvLayout& layout) {
  throw Error("entrain.text.54", name + ":" + std::to_string(line),
              "text and label both in column " + std::to_string(layout.text + 1) +
                  (layout.names.empty() ? "" : " '" + excerpt(layout.names[layout.text]) + "'"),
              "two columns",
              "name them with --text-column and --label-column, or use --no-labels if there are no labels");
}

/// A column that its name finds, and a second one of that name. wanted: the names that were looked for
inline void refuse_two_columns(const std::string& file, const CsvLayout& layout, std::size_t column, const char* what,
                               const std::vector<std::string>& wanted) {
  if (layout.names.empty() || column == CsvLayout::none) return;
  const std::string& name = layout.names[column];
  if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return;  // found by its number
  const auto again =
      std::find(layout.names.begin() + static_cast<std::ptrdiff_t>(column) + 1, layout.names.end(), name);
  if (again == layout.names.end()) return;
  const std::string here = std::to_string(column + 1);
  throw Error("entrain.text.51", file + ":" + std::to_string(layout.header_line),
              "column '" + excerpt(name) + "' twice, columns " + here + " and " +
                  std::to_string(again - layout.names.begin() + 1),
              "one", std::string("name one by its number, as in --") + what + "-column " + here);
}

}  // namespace detail

ENTRAIN_INLINE bool find_csv_layout(const std::string& name, std::string_view head, bool whole,
                                    const CsvOptions& options, CsvLayout& layout) {
  constexpr std::size_t far = std::size_t{1} << 16;
  const std::size_t cr = head.find('\r');
  if ((whole || head.size() >= far) && head.find('\n') == head.npos && cr < head.size() - 1 && cr != head.npos)
    throw Error("entrain.text.10", name, "lines end in CR only", "LF or CR LF", "convert them: tr '\\r' '\\n'");
  if (options.delimiter == '"' || options.delimiter == '\n' || options.delimiter == '\r')
    throw Error("entrain.text.52", name, "a quote or a line end as delimiter", "a single character");
  const auto texts = detail::names_of(options.text, options.header, {"text"}, "1");
  std::vector<std::string> usual{"label", "category"};
  if (options.many) usual.insert(usual.begin(), "labels");
  const auto labels = detail::names_of(options.label, options.header, usual, "2");
  char named = '\0';
  const std::size_t from = detail::delimiter_line(head, named);
  const char said = options.delimiter != '\0' ? options.delimiter : named;
  const std::vector<char> delimiters = said != '\0' ? std::vector{said} : std::vector{',', ';', '\t'};
  std::vector<std::pair<CsvLayout, bool>> found;  // with: its records are even
  std::vector<detail::CsvBegin> seen;
  for (const char delimiter : delimiters) {
    detail::CsvBegin begin(head, whole, {delimiter, options.quotes}, options.header || delimiters.size() == 1 ? 1 : 20,
                           from);
    if (!begin.enough && head.size() < far) return false;
    if (begin.records == 0) {
      if (!begin.enough) return false;
      continue;  // of blank lines, an unclosed quote
    }
    CsvLayout made{begin.form,
                   begin.first.size(),
                   detail::csv_column(begin.first, texts, options.header),
                   CsvLayout::none,
                   options.header ? begin.line : 0,
                   options.header ? begin.first : std::vector<std::string>(),
                   from > 0 ? std::uint64_t{1} : 0};
    if (options.labels) made.label = detail::csv_column(begin.first, labels, options.header);
    if (made.text != CsvLayout::none && (!options.labels || made.label != CsvLayout::none))
      found.emplace_back(made, begin.even);
    seen.push_back(std::move(begin));
  }
  if (seen.empty()) {
    layout = {};  // there are only blank lines
    layout.delimiter_line = from > 0;
    return true;
  }
  if (found.empty()) {
    const auto& begin = *std::max_element(seen.begin(), seen.end(),
                                          [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
    const bool no_text = detail::csv_column(begin.first, texts, options.header) == CsvLayout::none;
    detail::refuse_column(name, begin, no_text ? "text" : "label", no_text ? texts : labels, options.header);
  }
  const auto in_one = [](const auto& f) { return f.first.text == f.first.label; };
  if (std::all_of(found.begin(), found.end(), in_one)) {
    const auto widest = std::max_element(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first.columns < b.first.columns; });
    detail::refuse_one_column(name, seen[0].line, widest->first);
  }
  std::erase_if(found, in_one);
  if (found.size() > 1 && std::any_of(found.begin(), found.end(), [](const auto& f) { return f.second; }))
    std::erase_if(found, [](const auto& f) { return !f.second; });
  if (found.size() > 1 && std::any_of(found.begin(), found.end(), [](const auto& f) { return f.first.columns > 1; }))
    std::erase_if(found, [](const auto& f) { return f.first.columns == 1; });
  if (found.size() > 1 && found[0].first.columns > 1) {
    std::string which;
    for (const auto& [made, even] : found)
      which.append(which.empty() ? "" : " or ")
          .append(made.form.delimiter == '\t' ? "TAB" : std::string(1, made.form.delimiter));
    throw Error("entrain.text.52", name + ":" + std::to_string(seen[0].line), "an ambiguous delimiter: " + which,
                "one of them", "name it with --delimiter");
  }
  layout = found[0].first;
  detail::refuse_two_columns(name, layout, layout.text, "text", texts);
  detail::refuse_two_columns(name, layout, layout.label, "label", labels);
  return true;
}

}  // namespace entrain::text
