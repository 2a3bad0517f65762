// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The options that several commands have, with CLI11: files, how they are read, the model's folder, the output.
#pragma once
#include <CLI/CLI.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"  // listed
#include "entrain/app/input/corpora.hpp"
#include "entrain/app/options/option_checks.ipp"
#include "entrain/app/options/settings.hpp"
#include "entrain/predict/splitting.hpp"

namespace entrain::app::detail {

inline CLI::Validator scheme_name() {
  return accepted_by([](const std::string& name) { text::scheme_by_name(name, ""); });
}

template <class T> CLI::Option* add(CLI::App& sub, const char* group, const char* name, T& value, const char* what) {
  CLI::Option* const option = sub.add_option(name, value, what)->capture_default_str()->group(group);
  if constexpr (std::is_unsigned_v<T>) option->transform(not_negative<T>());
  if constexpr (std::is_same_v<T, std::string>) option->check(not_empty());
  return option;
}

/// An option with a list of values between commas. It takes one argument, and may be repeated.
inline void list(CLI::App& sub, const char* group, const char* name, std::vector<std::string>& values,
                 const char* what) {
  sub.add_option(name, values, what)
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->delimiter(',')
      ->transform(without_blanks_around())
      ->check(not_empty())
      ->type_name("NAME,...")
      ->group(group);
}

template <class Value> void choice(CLI::App& sub, const char* name, const char* what, Value& value,
                                   std::map<std::string, Value> names, const char* group = "Reading") {
  std::string shown;
  std::vector<std::string> all;
  for (const auto& [word, one] : names) {
    all.push_back(word);
    if (one == value) shown = word;
  }
  sub.add_option_function<std::string>(
         name, [&value, names](const std::string& word) { value = names.at(word); }, what)
      ->check(one_of(std::move(all)))
      ->default_str(shown)
      ->group(group);
}

/// Empty: the text is a name.
inline std::optional<int> column_number(const std::string& text, const char* option) {
  if (text == "auto") return text::ConllOptions::automatic;
  if (text == "last") return text::ConllOptions::last;
  const auto value = number_in(text, 0, std::numeric_limits<int>::max());
  if (!value && text.find_first_not_of("+-.0123456789 ") == text.npos)
    throw CLI::ValidationError(option, "'" + text + "' is neither a number from 0, last, auto nor a column's name");
  return value;
}

inline void column_option(CLI::App& sub, const char* option, int& number, std::string& name) {
  sub.add_option_function<std::string>(
         option,
         [option, &number, &name](const std::string& text) {
           const auto column = column_number(text, option);
           number = column.value_or(text::ConllOptions::automatic);
           name = column ? "" : text;
         },
         "Number from 0, last, a name in the header, or auto")
      ->default_str("auto")
      ->group("Reading");
}

inline void column_options(CLI::App& sub, Settings& s) {
  text::ConllOptions& conll = s.reading.conll;
  column_option(sub, "--token-column", conll.token_column, conll.token_name);
  column_option(sub, "--tag-column", conll.tag_column, conll.tag_name);
}

inline void strict_option(CLI::App& sub, Settings& s) {
  sub.add_flag("--strict", s.reading.strict, "Refuse text that is not UTF-8, instead of warning")->group("Reading");
}

inline void lenient_option(CLI::App& sub, Settings& s,
                           const char* what = "Skip malformed lines or records and count them") {
  sub.add_flag("--lenient", s.reading.conll.lenient, what)->group("Reading");  // settle() copies it to other readers
}

inline void reading_options(CLI::App& sub, Settings& s) {
  const char* const group = "Reading";
  add(sub, group, "--scheme", s.reading.scheme, "Tag scheme: iob1, iob2, iobes, bilou, io or bmes; default: detected")
      ->check(scheme_name());
  add(sub, group, "--repair", s.reading.repair,
      "Reading of tags that violate the scheme: conlleval (each in an entity) or drop")
      ->check(one_of({"conlleval", "drop"}));
  column_options(sub, s);
  lenient_option(sub, s);
  strict_option(sub, s);
}

inline constexpr const char* tagged_formats =
    "conll, jsonl (Hugging Face, Prodigy, doccano, GLiNER), annotated (text TAB [(start, end, label)]), or auto: "
    "detected from the files";
inline constexpr const char* all_formats =
    "conll, jsonl (Hugging Face, Prodigy, doccano, GLiNER), annotated (text TAB [(start, end, label)]); texts with "
    "one label each: csv, tsv, labelled (JSON lines); text; npy; or auto: detected from the files";

inline void misaligned_option(CLI::App& sub, Settings& s) {
  choice(sub, "--misaligned", "Entities that cut words, or overlap: error, snap (to the words that they touch) or drop",
         s.reading.records.misaligned,
         {{"error", text::Misaligned::error}, {"snap", text::Misaligned::snap}, {"drop", text::Misaligned::drop}});
}

/// Options for files that need not be in columns. A command that cannot use one refuses it itself, with a message
/// that gives the reason.
inline void format_options(CLI::App& sub, Settings& s, const char* formats = tagged_formats) {
  const char* const group = "Reading";
  text::RecordOptions& records = s.reading.records;
  add(sub, group, "--input-format", s.reading.format, formats)
      ->check(one_of({"auto", "conll", "jsonl", "annotated", "labelled", "csv", "tsv", "text", "npy"}));
  choice(sub, "--offsets", "Unit of offsets in texts: code-points, bytes or utf-16", records.unit,
         {{"code-points", text::OffsetUnit::code_points},
          {"bytes", text::OffsetUnit::bytes},
          {"utf-16", text::OffsetUnit::utf16}});
  misaligned_option(sub, s);
  list(sub, group, "--tag-names", records.tag_names, "Names of numeric tags: O,B-PER,I-PER,...");
}

inline char delimiter(const char* option, const std::string& text) {
  if (text == "TAB" || text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) throw CLI::ValidationError(option, "'" + text + "' is neither one character nor TAB");
  return text[0];
}

/// Options for files without tags.
inline void table_options(CLI::App& sub, Settings& s) {
  const char* const group = "Texts";
  text::CsvOptions& csv = s.reading.csv;
  add(sub, group, "--text-column", csv.text,
      "Text column of csv, tsv and labelled: name, or number from 1; default: text");
  add(sub, group, "--label-column", csv.label,
      csv.many ? "Column of the labels in csv, tsv and labelled; default: labels, label or category"
               : "Label column of csv, tsv and labelled; default: label or category");
  sub.add_option_function<std::string>(
         "--delimiter", [&csv](const std::string& text) { csv.delimiter = delimiter("--delimiter", text); },
         "Column delimiter: one character or TAB; default: detected")
      ->group(group);
  if (csv.many)
    sub.add_option_function<std::string>(
           "--label-delimiter",
           [&csv](const std::string& text) { csv.label_delimiter = delimiter("--label-delimiter", text); },
           "Between two labels of a text in csv and tsv: one character or TAB; default: ,")
        ->group(group);
  const auto flag = [&](const char* names, bool& value, const char* what) {
    sub.add_flag(names, value, what)->group(group)->default_str(value ? "true" : "false");
  };
  flag("--header,!--no-header", csv.header, "The first record has the column names; else columns are numbered");
  flag("--has-labels,!--no-labels", csv.labels, "Read the label of each text");
  flag("--quotes,!--no-quotes", csv.quotes, "Quotes enclose fields; else they are ordinary characters");
  choice(sub, "--text-unit", "Unit of a text file that is split by itself: paragraph (up to a blank line) or line",
         s.reading.text_unit, {{"paragraph", text::TextUnit::paragraph}, {"line", text::TextUnit::line}}, group);
}

/// Options for files of texts with classes, of a program that learns these.
inline void class_options(CLI::App& sub, Settings& s) {
  add(sub, "Reading", "--input-format", s.reading.format,
      "csv, tsv or labelled (JSON lines with text and label or labels), or auto: detected from the files")
      ->check(one_of({"auto", "csv", "tsv", "labelled"}));
  table_options(sub, s);
  lenient_option(sub, s, "Skip malformed records and count them");
  strict_option(sub, s);
}

inline CLI::Option* files_options(CLI::App& sub, Settings& s) {
  const char* const group = "Files";
  add(sub, group, "--train", s.files.train,
      "Training file, or a pattern of files, as in 'part-*.conll.gz'; - is standard input");
  add(sub, group, "--dev", s.files.dev, "File or pattern for choosing the best model");
  CLI::Option* const test = add(sub, group, "--test", s.files.test, "File or pattern for the final scores");
  std::vector<std::string> names;
  for (const NamedCorpus& c : corpora) names.emplace_back(c.name);
  add(sub, group, "--corpus", s.files.corpus,
      ("Instead of files, a corpus in the folder ENTRAIN_DATA: " + listed(names)).c_str())
      ->check(one_of(names));
  add(sub, group, "--data", s.files.data, "Instead of files, a folder with train.conll, dev.conll and test.conll");
  return test;
}

/// use       what they split, in a description
inline void splitter_options(CLI::App& sub, const char* group, Settings& s, const std::string& use) {
  add(sub, group, "--splitter", s.splitter, ("Word splitter for " + use + ": unicode-words-1 or whitespace").c_str())
      ->check(accepted_by([](const std::string& name) { predict::word_splitter(name, ""); }));
  add(sub, group, "--sentence-splitter", s.sentence_splitter,
      ("Sentence splitter for " + use + ": unicode-sentences-1, lines or whole-text").c_str())
      ->check(accepted_by([](const std::string& name) { predict::sentence_splitter(name, ""); }));
}
inline void model_option(CLI::App& sub, Settings& s) {
  add(sub, "Files", "-m,--model", s.model, "Folder of the model");
}
inline CLI::Option* inputs(CLI::App& sub, Settings& s, const char* what, int least) {
  auto* const option =
      sub.add_option("files", s.inputs, what)->configurable(false)->check(not_empty())->type_name("FILE ...");
  return least > 0 ? option->required() : option;
}
inline void destination(CLI::App& sub, Settings& s) {
  add(sub, "Files", "-o,--output", s.destination, "File to write; - is standard output");
}
inline void machine_options(CLI::App& sub, Settings& s) {
  add(sub, "Machine", "--threads", s.threads, "Number of threads; 0: as many as the machine has")
      ->transform(between(0, 1024));
}
inline void json_option(CLI::App& sub, Settings& s, const char* what) { sub.add_flag("--json", s.json, what); }

}  // namespace entrain::app::detail
