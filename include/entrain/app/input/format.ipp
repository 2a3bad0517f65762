// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of format.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "entrain/app/input/format.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/files/beginning.hpp"
#include "entrain/text/files/byte_stream.hpp"      // name_of
#include "entrain/text/files/file_list.hpp"        // can_be_read_once
#include "entrain/text/records/labelled_json.hpp"  // LabelledKeys
#include "entrain/text/tags/labels.hpp"            // tag_problem

namespace entrain::app {
namespace detail {

inline constexpr std::array<std::pair<std::string_view, Format>, 9> format_names{{{"conll", Format::conll},
                                                                                  {"jsonl", Format::jsonl},
                                                                                  {"annotated", Format::annotated},
                                                                                  {"labelled", Format::labelled},
                                                                                  {"csv", Format::csv},
                                                                                  {"tsv", Format::tsv},
                                                                                  {"folder", Format::folder},
                                                                                  {"text", Format::text},
                                                                                  {"npy", Format::npy}}};
inline Format format_called(std::string_view name) {
  for (const auto& [known, format] : format_names)
    if (known == name) return format;
  return Format::conll;
}

inline std::string_view without_compression(std::string_view name) {
  for (const std::string_view suffix : {".gz", ".zst"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

/// Calls f(line) for each whole line that is not blank, until f returns false.
template <class F> void each_line_of(std::string_view head, bool whole, F&& f) {
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == head.npos && !whole) return;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == head.npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != line.npos && !f(line)) return;
  }
}

/// Calls f(field) for each column of a line: columns are separated by TABs if the line has any, else by blanks.
template <class F> void each_column(std::string_view line, F&& f) {
  const char apart = line.find('\t') != line.npos ? '\t' : ' ';
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(apart, at), line.size());
    if (end > at || apart == '\t') f(line.substr(at, end - at));
    at = end + 1;
  }
}

/// O, or a letter and a type. A single letter does not count, as it occurs in ordinary text.
inline bool surely_tag(std::string_view s) { return s == "O" || (s.size() > 2 && text::tag_problem(s).empty()); }

struct TaggedLines {
  std::size_t lines = 0, tagged = 0;  // lines that have a tag after a word
};
inline TaggedLines tagged_lines(std::string_view head, bool whole) {
  TaggedLines n;
  each_line_of(head, whole, [&](std::string_view line) {
    if (line.starts_with('#') || line.starts_with("-DOCSTART-")) return true;
    std::size_t column = 0;
    bool tag = false;
    each_column(line, [&](std::string_view field) { tag |= column++ > 0 && surely_tag(field); });
    ++n.lines;
    n.tagged += tag;
    return true;
  });
  return n;
}

/// Whether fewer than half of the lines have a tag after a word.
inline bool without_tags(std::string_view head, bool whole) {
  const TaggedLines n = tagged_lines(head, whole);
  return n.lines > 0 && 2 * n.tagged < n.lines;
}

/// Whether the lines are words with tags: most have the same number of columns, and one of these columns has a tag in
/// nearly all of them. A single line counts only if it has a TAB.
inline bool surely_columns(std::string_view head, bool whole) {
  struct Lines {
    std::size_t count = 0;
    std::vector<std::size_t> tags;  // per column
  };
  std::map<std::size_t, Lines> by_columns;
  std::size_t lines = 0, with_tab = 0;
  std::vector<char> tag;
  each_line_of(head, whole, [&](std::string_view line) {
    if (line.starts_with('#') || line.starts_with("-DOCSTART-")) return true;
    tag.clear();
    each_column(line, [&](std::string_view field) { tag.push_back(!tag.empty() && surely_tag(field)); });
    Lines& of = by_columns[tag.size()];
    of.tags.resize(tag.size());
    for (std::size_t c = 0; c < tag.size(); ++c) of.tags[c] += tag[c] != 0;
    ++of.count;
    ++lines;
    with_tab += line.find('\t') != line.npos;
    return true;
  });
  if (lines == 0 || (lines == 1 && with_tab == 0)) return false;
  for (const auto& [columns, of] : by_columns)
    if (10 * of.count >= 8 * lines &&
        std::any_of(of.tags.begin(), of.tags.end(), [&, n = of.count](std::size_t t) { return 10 * t >= 9 * n; }))
      return true;
  return false;
}

/// `{"`, or an object without keys: JSON begins like this, ordinary text hardly ever does.
inline bool surely_object(std::string_view line) {
  const std::size_t brace = line.find_first_not_of(" \t");
  if (brace == line.npos || line[brace] != '{') return false;
  const std::size_t next = line.find_first_not_of(" \t", brace + 1);
  return next != line.npos && (line[next] == '"' || line[next] == '}');
}

/// Whether the first line names a text column and, if labels are read, a label column.
inline bool names_columns(std::string_view line, const text::CsvOptions& csv) {
  bool text = false, label = !csv.labels;
  std::size_t columns = 0;
  const text::LabelledKeys keys(csv);
  each_column(line, [&](std::string_view field) {
    if (field.size() > 1 && field.starts_with('"') && field.ends_with('"')) field = field.substr(1, field.size() - 2);
    text |= keys.is_text(field);
    label |= keys.is_label(field);
    ++columns;
  });
  return text && label && (columns > 1 || !csv.labels);
}

/// Whether the lines hold a token and its tag, with any separator: O on at least half of the lines, or O, B-X and the
/// like on all, and almost no token with a blank in it.
inline bool holds_tokens(std::string_view head, bool whole, const text::ConllOptions& told) {
  if (!whole) head = head.substr(0, head.rfind('\n') + 1);
  text::ConllOptions options = told;
  options.tags = false;
  text::ConllFile file;
  try {
    file = text::parse_conll("", head, options);
  } catch (const Error&) {
    return false;
  }
  const text::Corpus& c = file.corpus;
  std::size_t outside = 0, tags = 0, spaced = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    outside += c.tag_name(i) == "O";
    tags += surely_tag(c.tag_name(i));
    spaced += c.token(i).find(' ') != std::string_view::npos;
  }
  return c.size() > 0 && file.layout.tag_column != text::ConllLayout::none &&
         (2 * outside >= c.size() || tags == c.size()) && 20 * spaced <= c.size();
}

/// Whether an option was given that only tables have.
inline bool asks_for_table(const text::CsvOptions& csv) {
  return !csv.text.empty() || !csv.label.empty() || !csv.header || !csv.labels || csv.delimiter != '\0';
}

/// The first line that is not blank; empty if there is none.
inline std::string_view first_line(std::string_view head) {
  std::string_view line;
  each_line_of(head, true, [&](std::string_view first) {
    line = first;
    return false;
  });
  return line;
}

inline std::string_view without_mark(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  return head;
}

/// Whether the text begins with a list or a dictionary, and not with a column that is a bracket.
inline bool begins_annotations(std::string_view s) {
  if (s.starts_with('[')) return true;
  const std::size_t next = s.find_first_not_of(' ', 1);
  return s.starts_with('{') && next != s.npos && std::string_view("\"'}").find(s[next]) != std::string_view::npos;
}

/// Whether a line is a text in quotes and a list or dictionary, in parentheses: ("...", {"entities": ...
inline bool begins_pair_of_python(std::string_view line) {
  if (line.size() < 3 || line[0] != '(' || (line[1] != '"' && line[1] != '\'') || line.find('\t') != line.npos)
    return false;
  const std::size_t end = line.find(std::string{line[1], ','}, 2);
  const std::size_t next = end == line.npos ? end : line.find_first_not_of(' ', end + 2);
  return next != line.npos && (begins_annotations(line.substr(next)) || line[next] == '(');
}

/// Whether --token-column or --tag-column is given.
inline bool columns_told(const text::ConllOptions& told) {
  return told.token_column != text::ConllOptions::automatic || !told.token_name.empty() ||
         told.tag_column != text::ConllOptions::automatic || !told.tag_name.empty();
}

/// name      the format that the file's name gave, or auto
inline Format format_by_beginning(const std::string& file, std::string_view name, const Reading& reading,
                                  Otherwise otherwise) {
  const text::Beginning begin = text::beginning_of(file);
  const std::string& head = begin.bytes;
  const Format undecided = otherwise == Otherwise::text ? Format::text : Format::conll;
  if (name == "jsonl")
    return text::begins_labelled(head, text::LabelledKeys(reading.csv)) ? Format::labelled : Format::jsonl;
  if (head.starts_with("\x93NUMPY")) return Format::npy;
  const std::string_view rest = without_mark(head), line = first_line(rest);
  if (name == "conll")
    return surely_object(line) && line.ends_with('}') ? format_by_beginning(file, "jsonl", reading, otherwise)
                                                      : Format::conll;
  const std::string_view plain = without_compression(file);
  if (plain.ends_with(".tsv") && asks_for_table(reading.csv)) return Format::tsv;
  if (line.empty()) return plain.ends_with(".tsv") ? Format::conll : undecided;
  const std::size_t first = line.find_first_not_of(" \t");
  if (begins_pair_of_python(line.substr(first))) return Format::annotated;
  if (undecided == Format::text ? surely_object(line) : line[first] == '{')
    return format_by_beginning(file, "jsonl", reading, otherwise);
  const std::size_t tab = line.find('\t', first);
  const std::size_t after = tab == line.npos ? tab : line.find_first_not_of(' ', tab + 1);
  if (after != line.npos && begins_annotations(line.substr(after))) return Format::annotated;
  if (plain.ends_with(".tsv") && tab != line.npos && names_columns(line, reading.csv) &&
      !holds_tokens(rest, begin.whole, reading.conll))
    return Format::tsv;
  const bool columns = columns_told(reading.conll) || !reading.scheme.empty();
  if (columns || plain.ends_with(".tsv")) return Format::conll;
  if (undecided == Format::text) return surely_columns(rest, begin.whole) ? Format::conll : Format::text;
  return plain.ends_with(".txt") && without_tags(rest, begin.whole) && !holds_tokens(rest, begin.whole, reading.conll)
             ? Format::text
             : Format::conll;
}

}  // namespace detail

ENTRAIN_INLINE std::string format_name(Format format) {
  return std::string(detail::format_names[static_cast<std::size_t>(format)].first);
}

ENTRAIN_INLINE std::string matter_name(Matter matter) {
  return matter == Matter::sentences ? "sentences of words with tags"
         : matter == Matter::texts   ? "texts with one label each"
         : matter == Matter::raw     ? "text without annotations"
                                     : "an array of numbers";
}

ENTRAIN_INLINE std::string_view format_by_name(std::string_view file) {
  file = detail::without_compression(file);
  for (const std::string_view ending : {".jsonl", ".json", ".ndjson"})
    if (file.ends_with(ending)) return "jsonl";
  for (const std::string_view ending : {".conll", ".conllu", ".iob", ".iob2", ".bio"})
    if (file.ends_with(ending)) return "conll";
  if (file.ends_with(".csv")) return "csv";
  if (file.ends_with(".npy")) return "npy";
  return "auto";
}

ENTRAIN_INLINE Format format_of(const std::vector<std::string>& files, const Reading& reading, Otherwise otherwise) {
  if (reading.format != "auto") return detail::format_called(reading.format);
  const auto folders = std::count_if(files.begin(), files.end(), [](const std::string& file) {
    std::error_code ignored;
    return std::filesystem::is_directory(file, ignored);
  });
  if (folders > 0 && folders == std::ssize(files)) return Format::folder;
  std::string_view found = "auto";
  for (const std::string& file : files) {
    const std::string_view one = format_by_name(file);
    if (one == "auto") continue;
    if (found != "auto" && found != one)
      throw Error("entrain.app.30", file, std::string(one) + " (by its name)",
                  std::string(found) + ", as for the files before it", "name the format with --input-format");
    found = one;
  }
  if ((found == "auto" || found == "jsonl" || found == "conll") && !files.empty())
    return detail::format_by_beginning(files[0], found, reading, otherwise);
  if (found == "csv" && !files.empty() && !detail::asks_for_table(reading.csv)) {
    if (detail::columns_told(reading.conll)) return Format::conll;
    const text::Beginning begin = text::beginning_of(files[0]);
    if (!begin.bytes.empty() && detail::holds_tokens(begin.bytes, begin.whole, reading.conll)) return Format::conll;
  }
  return detail::format_called(found);
}

ENTRAIN_INLINE Format tagged_format_of(const std::vector<std::string>& files, const Reading& reading) {
  const Format format = format_of(files, reading);
  const Matter matter = matter_of(format);
  if (matter == Matter::sentences) return format;
  throw Error("entrain.app.41", text::name_of(files[0]), matter_name(matter) + " (" + format_name(format) + ")",
              matter_name(Matter::sentences),
              matter == Matter::numbers ? "batch::Npy reads it in a program of your own"
              : matter == Matter::raw ? "annotate their entities, or use --input-format conll if the files have columns"
                                      : "this program trains a tagger; ./dev train --task classify trains a classifier "
                                        "of texts; --input-format conll reads columns");
}

ENTRAIN_INLINE bool is_read_unseen(const std::string& file) {
  return text::can_be_read_once(file) && text::beginning_of(file).bytes.empty();
}

ENTRAIN_INLINE std::string how_format_was_found(const std::string& file, Format format, const Reading& reading) {
  const std::string_view name = format_by_name(file);
  const bool tokens = name == "csv" && format == Format::conll;  // decided against its name
  if (reading.format != "auto" || format == Format::folder ||
      (name != "auto" && !tokens && (name != "conll" || format == Format::conll)))
    return {};
  const std::string_view plain = detail::without_compression(file);
  const std::string_view other = format != Format::conll   ? "conll"
                                 : tokens                  ? "csv"
                                 : plain.ends_with(".tsv") ? "tsv"
                                 : plain.ends_with(".txt") ? "text"
                                                           : "jsonl, for example";
  return text::name_of(file) + ": " + format_name(format) +
         (is_read_unseen(file) ? ", as it can be read only once" : ", detected from its start") +
         "; override with --input-format " + std::string(other);
}

ENTRAIN_INLINE bool may_be_columns(const std::string& file) {
  const text::Beginning begin = text::beginning_of(file);
  const detail::TaggedLines n = detail::tagged_lines(detail::without_mark(begin.bytes), begin.whole);
  return n.tagged > 0 && 2 * n.tagged >= n.lines;
}

}  // namespace entrain::app
