// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of format.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "entrain/app/format.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/byte_stream.hpp"
#include "entrain/text/file_list.hpp"      // can_be_read_once
#include "entrain/text/labelled_json.hpp"  // LabelledKeys
#include "entrain/text/labels.hpp"         // tag_problem

namespace entrain::app {
namespace detail {

inline constexpr std::array<std::pair<std::string_view, Format>, 8> format_names{{{"conll", Format::conll},
                                                                                  {"jsonl", Format::jsonl},
                                                                                  {"annotated", Format::annotated},
                                                                                  {"labelled", Format::labelled},
                                                                                  {"csv", Format::csv},
                                                                                  {"tsv", Format::tsv},
                                                                                  {"text", Format::text},
                                                                                  {"npy", Format::npy}}};
inline Format format_called(std::string_view name) {
  for (const auto& [known, format] : format_names)
    if (known == name) return format;
  return Format::conll;
}

inline std::string_view without_packing(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  return name;
}

/// f(line) for each that is not blank, and whole; until it says false.
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

/// f(field) for each of a line's columns: apart by TABs, or else by blanks.
template <class F> void each_column(std::string_view line, F&& f) {
  const char apart = line.find('\t') != line.npos ? '\t' : ' ';
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(apart, at), line.size());
    if (end > at || apart == '\t') f(line.substr(at, end - at));
    at = end + 1;
  }
}

/// O, or a letter and a type: a bare letter stands in many a text.
inline bool surely_tag(std::string_view s) { return s == "O" || (s.size() > 2 && text::tag_problem(s).empty()); }

/// Fewer than half of the lines have a tag behind a word.
inline bool without_tags(std::string_view head, bool whole) {
  std::size_t lines = 0, tagged = 0;
  each_line_of(head, whole, [&](std::string_view line) {
    if (line.starts_with('#') || line.starts_with("-DOCSTART-")) return true;
    std::size_t column = 0;
    bool tag = false;
    each_column(line, [&](std::string_view field) { tag |= column++ > 0 && surely_tag(field); });
    ++lines;
    tagged += tag;
    return true;
  });
  return lines > 0 && 2 * tagged < lines;
}

/// The first line names a text and, unless nobody asks, a label.
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

/// Somebody says what only tables have.
inline bool asks_for_table(const text::CsvOptions& csv) {
  return !csv.text.empty() || !csv.label.empty() || !csv.header || !csv.labels || csv.delimiter != '\0';
}

/// The first bytes of a file that is there again when it is opened again; else nothing.
inline std::string beginning(const std::string& file, bool& whole) {
  text::refuse_no_file(file);
  if (text::can_be_read_once(file)) return {};
  std::string head(std::size_t{1} << 16, '\0');
  text::ByteStream stream = text::ByteStream::open(file);
  head.resize(stream.read(head.data(), head.size()));
  whole = head.size() < std::size_t{1} << 16;
  return head;
}

/// name: what it said already, or auto
inline Format format_by_beginning(const std::string& file, std::string_view name, const Reading& reading) {
  bool whole = true;
  const std::string head = beginning(file, whole);
  if (name == "jsonl")
    return text::begins_labelled(head, text::LabelledKeys(reading.csv)) ? Format::labelled : Format::jsonl;
  if (head.starts_with("\x93NUMPY")) return Format::npy;
  std::string_view rest = head;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  const std::string_view plain = without_packing(file);
  if (plain.ends_with(".tsv") && asks_for_table(reading.csv)) return Format::tsv;
  std::string_view line;
  each_line_of(rest, true, [&](std::string_view first) {
    line = first;
    return false;
  });
  if (line.empty()) return Format::conll;
  const std::size_t first = line.find_first_not_of(" \t");
  if (line[first] == '{') return format_by_beginning(file, "jsonl", reading);
  const std::size_t tab = line.find('\t', first);
  const std::size_t behind = tab == line.npos ? tab : line.find_first_not_of(' ', tab + 1);
  if (behind != line.npos && line[behind] == '[') return Format::annotated;
  if (plain.ends_with(".tsv") && tab != line.npos && names_columns(line, reading.csv)) return Format::tsv;
  const bool columns = reading.conll.token_column != text::ConllOptions::automatic ||
                       reading.conll.tag_column != text::ConllOptions::automatic || !reading.scheme.empty();
  return plain.ends_with(".txt") && !columns && without_tags(rest, whole) ? Format::text : Format::conll;
}

}  // namespace detail

ENTRAIN_PART std::string format_name(Format format) {
  return std::string(detail::format_names[static_cast<std::size_t>(format)].first);
}

ENTRAIN_PART std::string matter_name(Matter matter) {
  return matter == Matter::sentences ? "sentences of words with tags"
         : matter == Matter::texts   ? "texts with one label each"
         : matter == Matter::raw     ? "text without annotations"
                                     : "an array of numbers";
}

ENTRAIN_PART std::string_view format_by_name(std::string_view file) {
  file = detail::without_packing(file);
  for (const std::string_view ending : {".jsonl", ".json", ".ndjson"})
    if (file.ends_with(ending)) return "jsonl";
  for (const std::string_view ending : {".conll", ".conllu", ".iob", ".iob2", ".bio"})
    if (file.ends_with(ending)) return "conll";
  if (file.ends_with(".csv")) return "csv";
  if (file.ends_with(".npy")) return "npy";
  return "auto";
}

ENTRAIN_PART Format format_of(const std::vector<std::string>& files, const Reading& reading) {
  if (reading.format != "auto") return detail::format_called(reading.format);
  std::string_view found = "auto";
  for (const std::string& file : files) {
    const std::string_view one = format_by_name(file);
    if (one == "auto") continue;
    if (found != "auto" && found != one)
      throw Error("entrain.app.30", file, "by its name " + std::string(one),
                  std::string(found) + ", as files before it", "say which with --input-format");
    found = one;
  }
  if ((found == "auto" || found == "jsonl") && !files.empty() && files[0] != "-")
    return detail::format_by_beginning(files[0], found, reading);
  return detail::format_called(found);
}

ENTRAIN_PART Format tagged_format_of(const std::vector<std::string>& files, const Reading& reading) {
  const Format format = format_of(files, reading);
  const Matter matter = matter_of(format);
  if (matter == Matter::sentences) return format;
  throw Error("entrain.app.41", text::name_of(files[0]), matter_name(matter) + " (" + format_name(format) + ")",
              matter_name(Matter::sentences) + ": entrain trains taggers, and has no head for " +
                  (matter == Matter::numbers ? "rows of numbers" : "whole texts"),
              matter == Matter::numbers ? "batch::Npy reads it in a program of your own"
                                        : "annotate the entities in them; --input-format conll, if these are columns");
}

ENTRAIN_PART std::string how_format_was_found(const std::string& file, Format format, const Reading& reading) {
  if (reading.format != "auto" || format_by_name(file) != "auto") return {};
  const std::string_view plain = detail::without_packing(file);
  const std::string_view other = format != Format::conll   ? "conll"
                                 : plain.ends_with(".tsv") ? "tsv"
                                 : plain.ends_with(".txt") ? "text"
                                                           : "jsonl, for one,";
  return text::name_of(file) + ": " + format_name(format) +
         (text::can_be_read_once(file) ? ", as it can be read once and nobody looks ahead" : ", by how it begins") +
         "; --input-format " + std::string(other) + " reads it otherwise";
}

}  // namespace entrain::app
