// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of rewrites.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/convert/rewrites.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/output/document.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/output/render.hpp"
#include "entrain/batch/numpy/npy.hpp"
#include "entrain/batch/numpy/number_text.hpp"
#include "entrain/core/error.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/csv/csv_write.hpp"
#include "entrain/text/raw/raw_text.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {
namespace detail {

inline constexpr std::array<std::string_view, 4> written_names{"conll", "jsonl", "csv", "tsv"};

inline char delimiter_of(Written to) { return to == Written::tsv ? '\t' : ','; }

inline bool can_be(Matter from, Written to) {
  switch (from) {
    case Matter::sentences:
    case Matter::raw:
      return to == Written::conll || to == Written::jsonl;
    case Matter::texts:
      return to != Written::conll;
    case Matter::numbers:
      break;
  }
  return to == Written::csv || to == Written::tsv;
}

/// The format that a file's ending names, or auto. Columns of words and tags may be called .tsv too.
inline std::string_view written_by_name(std::string_view name, Matter from) {
  if (name.ends_with(".tsv")) return from == Matter::texts || from == Matter::numbers ? "tsv" : "conll";
  return format_by_name(name);
}

/// Text to write, passed to the destination in blocks.
class Destination {
 public:
  explicit Destination(const Settings& s)
      : name_(s.destination == "-" ? "standard output" : s.destination), out_(s.destination, s.signals) {}

  std::string text;  // append to it, then pass()
  void pass() {
    if (text.size() < std::size_t{1} << 20) return;
    out_.write(text);
    text.clear();
  }
  void close(Console& console, const std::string& what) {
    out_.write(text);
    out_.close();
    console.fact("to", name_ + ": " + what);
  }

 private:
  std::string name_;
  Output out_;
};

inline void say_source(const std::vector<std::string>& files, const std::string& what, const text::Met& met,
                       Console& console) {
  console.fact("from", text::name_of(files[0]) +
                           (files.size() > 1 ? " and " + counted(files.size() - 1, "file", "files") + " more" : "") +
                           ": " + what);
  if (const std::string words = text::describe(met); !words.empty()) console.fact("", "met " + words);
}

inline void refuse_nul(const text::Texts& texts, std::size_t i) {
  if (texts.text(i).find('\0') != std::string_view::npos || texts.label_name(i).find('\0') != std::string_view::npos)
    throw Error("entrain.app.44", texts.where(i), "a NUL in a text or a label", "text without a NUL", "write jsonl");
}

/// A text on one line of JSON, with its label if it has one, or with the list of its labels.
inline void append_labelled(std::string& out, const text::Texts& texts, std::size_t i, const text::CsvOptions& csv) {
  out += "{\"text\":";
  append_json(out, texts.text(i));
  if (csv.many && csv.labels) {
    out += ",\"labels\":[";
    for (const std::int32_t& label : texts.labels_of(i)) {
      if (&label != texts.labels_of(i).data()) out += ',';
      append_json(out, texts.labels.name(label));
    }
    out += ']';
  } else if (texts.label_of(i) != text::Types::none) {
    out += ",\"label\":";
    append_json(out, texts.label_name(i));
  }
  out += "}\n";
}

/// throws    entrain.app.44; .91: a label that has the character between labels
inline void append_row(std::string& out, const text::Texts& texts, std::size_t i, char delimiter,
                       const text::CsvOptions& csv) {
  refuse_nul(texts, i);
  if (csv.many && csv.labels) {
    std::string all;
    for (const std::int32_t label : texts.labels_of(i)) {
      const std::string& name = texts.labels.name(label);
      if (name.find(csv.label_delimiter) != name.npos)
        throw Error("entrain.app.91", texts.where(i), "label '" + text::excerpt(name) + "'",
                    "labels without '" + std::string(1, csv.label_delimiter) + "', which is between two of them",
                    "name another character with --label-delimiter, or write jsonl");
      all += (all.empty() ? "" : std::string(1, csv.label_delimiter)) + name;
    }
    text::append_csv_record(out, {texts.text(i), all}, delimiter);
  } else if (texts.label_of(i) == text::Types::none)
    text::append_csv_record(out, {texts.text(i)}, delimiter);
  else
    text::append_csv_record(out, {texts.text(i), texts.label_name(i)}, delimiter);
}

/// A text that is not UTF-8, which JSON cannot hold: it is an error, or it is left out, counted and reported.
///
/// throws    entrain.text.43
[[gnu::cold]] inline void leave_out(std::string_view text, text::Where at, const Settings& s, text::Met& met,
                                    Console& console) {
  const std::string unit = s.reading.text_unit == text::TextUnit::line ? "line" : "paragraph";
  const std::string_view before = text.substr(0, text::census(text).first_invalid);
  at.line += static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  if (!s.reading.records.lenient)
    throw Error(
        "entrain.text.43", at.words(), "bytes that are not UTF-8", "text in UTF-8",
        "convert it with iconv -t UTF-8; check --list all lists every such line, --lenient skips such a " + unit);
  ++met.malformed;
  console.warn_of(unit + "s that are not UTF-8 and are skipped",
                  at.words() + ": bytes that are not UTF-8: this " + unit + " is skipped");
}

/// Records the lines of a text that are not UTF-8.
[[gnu::cold]] inline void see_lines(std::string_view text, text::Where where, NotUtf8& not_utf8) {
  for (; !text.empty(); ++where.line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = text.substr(0, end); !text::is_valid_utf8(line)) not_utf8.line(line, where);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Reports the place of the first text with U+FFFD, which may come from such a half.
[[gnu::cold]] inline void see_lone_surrogates(const text::Texts& texts, NotUtf8& not_utf8) {
  std::size_t i = 0;
  while (i + 1 < texts.size() && texts.text(i).find("\xEF\xBF\xBD") == std::string_view::npos) ++i;
  not_utf8.surrogates(texts.met.lone_surrogates, text::Where{texts.name, texts.size() > 0 ? texts.line[i] : 0});
}

/// The text from its first to its last character that is not blank; line ends count as blank.
inline std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace detail

ENTRAIN_INLINE std::string written_name(Written to) {
  return std::string(detail::written_names[static_cast<std::size_t>(to)]);
}

ENTRAIN_INLINE Written written_as(const std::vector<std::string>& files, Format from, const Settings& s) {
  const Matter matter = matter_of(from);
  for (const std::string_view suffix : {".gz", ".zst"})
    if (s.destination.ends_with(suffix))
      throw Error("entrain.app.45", "--output " + s.destination, "the name of a compressed file", "an uncompressed one",
                  std::string("write to standard output and compress it: | ") + (suffix == ".gz" ? "gzip" : "zstd") +
                      " > " + s.destination);
  const std::string_view name =
      s.format != "auto" ? std::string_view(s.format) : detail::written_by_name(s.destination, matter);
  const auto at = std::find(detail::written_names.begin(), detail::written_names.end(), name);
  const Written to = at != detail::written_names.end() ? static_cast<Written>(at - detail::written_names.begin())
                     : matter == Matter::sentences     ? Written::conll
                     : matter == Matter::numbers       ? Written::csv
                                                       : Written::jsonl;
  const bool known = at != detail::written_names.end() || name == "auto";
  if (known && detail::can_be(matter, to)) return to;
  throw Error(
      "entrain.app.43", "convert",
      text::name_of(files[0]) + ", " + matter_name(matter) + " (" + format_name(from) + "), to " +
          std::string(known ? written_name(to) : name),
      "sentences of words with tags to conll or jsonl, texts with one label each to jsonl, csv or tsv, text "
      "without annotations to jsonl or conll, or an array of numbers to csv or tsv",
      from == Format::jsonl ? "for one label per text, use --input-format labelled" : "name the format with --format");
}

ENTRAIN_INLINE void rewrite_texts(const std::vector<std::string>& files, Format from, Written to, const Settings& s,
                                  Console& console) {
  detail::Destination out(s);
  std::size_t texts = 0;
  std::string layout;
  text::Types labels;
  text::Met met;
  NotUtf8 not_utf8(s.reading.strict);
  const char delimiter = detail::delimiter_of(to);
  if (to != Written::jsonl) {
    if (s.reading.csv.labels)
      text::append_csv_record(out.text, {"text", s.reading.csv.many ? "labels" : "label"}, delimiter);
    else
      text::append_csv_record(out.text, {"text"}, delimiter);
  }
  detail::each_block_of_texts(files, from, s.reading, [&](const text::Texts& block, const std::string& words) {
    if (layout.empty()) layout = words;
    met += block.met;
    for (const text::Problem& p : block.problems)
      console.warn_of("records that are skipped", block.name + ":" + std::to_string(p.line) + ": " + p.reason);
    if (block.met.lone_surrogates > 0) detail::see_lone_surrogates(block, not_utf8);
    for (const std::string& label : block.labels.names()) labels.add(label);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (to == Written::jsonl)
        detail::append_labelled(out.text, block, i, s.reading.csv);
      else
        detail::append_row(out.text, block, i, delimiter, s.reading.csv);
      out.pass();
    }
    texts += block.size();
  });
  detail::say_source(files, layout, met, console);
  not_utf8.warn({}, console);
  out.close(
      console,
      counted(texts, "text", "texts") +
          (s.reading.csv.labels ? ", " + counted(static_cast<std::size_t>(labels.size()), "label", "labels") : "") +
          " in " + written_name(to));
}

ENTRAIN_INLINE void rewrite_raw(const std::vector<std::string>& files, Written to, const Settings& s,
                                Console& console) {
  detail::Destination out(s);
  std::size_t texts = 0, sentences = 0, words = 0;
  text::Met met;
  text::Blocks<text::TextEnd> blocks(files, std::size_t{1} << 18, text::TextEnd(s.reading.text_unit));
  blocks.start({});
  Document d;
  const predict::Splitting splitting(s.splitter, s.sentence_splitter, "convert");
  NotUtf8 not_utf8(s.reading.strict);
  for (text::Block block; blocks.read(block);) {
    const std::string name = blocks.name(block.file);
    std::string_view bytes = block.bytes;
    if (block.line == 1 && bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3), ++met.bom;
    const bool utf8 = text::is_valid_utf8(bytes);  // of all texts at once; text by text if not
    text::each_text(bytes, block.line, s.reading.text_unit, met, [&](std::string_view text, std::uint64_t line) {
      if (to == Written::jsonl && !utf8 && !text::is_valid_utf8(text))
        return detail::leave_out(text, text::Where{name, line}, s, met, console);
      d.clear();
      d.file = name;
      d.line = line;
      d.text = detail::without_blanks(text);
      splitting.words().split(d.text, d.words);
      if (d.words.empty()) return;
      if (!utf8) {
        for (const text::Token& word : d.words) met.invalid_tokens += !text::is_valid_utf8(word.in(d.text));
        detail::see_lines(text, text::Where{name, line}, not_utf8);
      }
      splitting.split_sentences(d.text, d.words, d.sentences);
      if (to == Written::jsonl)
        append_jsonl(out.text, d, false);
      else
        append_conll(out.text, d, text::SchemeId::bio);
      out.pass();
      ++texts;
      sentences += d.sentences.size();
      words += d.words.size();
    });
  }
  detail::say_source(files, "text", met, console);
  not_utf8.warn("such bytes are written as they are", console);
  out.close(console, (to == Written::jsonl ? counted(texts, "line", "lines") + ", " : std::string()) +
                         counted(sentences, "sentence", "sentences") + " and " + counted(words, "word", "words") +
                         " in " + written_name(to) + ", without entities");
}

ENTRAIN_INLINE void rewrite_numbers(const std::vector<std::string>& files, Written to, const Settings& s,
                                    Console& console) {
  detail::Destination out(s);
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  std::string type;
  for (const std::string& file : files) {
    const std::string name = text::name_of(file);
    text::ByteStream stream = text::ByteStream::open(file);
    const batch::NpyHead head = batch::read_npy_head(stream, name);
    type = head.type;
    const bool known = !head.structured && batch::with_npy_type(head.type, [&]<class T>(std::type_identity<T>) {
      batch::NpyArray<T> array(name, std::move(stream), head);
      if (columns == 0) columns = array.columns();
      if (array.columns() != columns)
        throw Error("entrain.batch.34", name, "rows of " + std::to_string(array.columns()) + " numbers",
                    std::to_string(columns) + ", as in " + text::name_of(files[0]));
      std::vector<T> row;
      for (std::uint64_t i = 0; i < array.rows(); ++i) {
        array.read(1, row);
        for (std::size_t j = 0; j < row.size(); ++j) {
          if (j > 0) out.text += detail::delimiter_of(to);
          batch::append_number(out.text, row[j]);
        }
        out.text += '\n';
        out.pass();
      }
      rows += array.rows();
    });
    if (!known) batch::accept_npy_head(head, name, batch::readable_npy_type(head.type));  // which throws
  }
  detail::say_source(files, batch::detail::npy_words(type), {}, console);
  out.close(console, counted(static_cast<std::size_t>(rows), "row", "rows") + " of " +
                         counted(columns, "number", "numbers") + " in " + written_name(to));
}

}  // namespace entrain::app
