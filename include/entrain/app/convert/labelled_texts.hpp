// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads texts with their labels, in any format that has labels.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/input/format.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/csv/csv.hpp"
#include "entrain/text/folder/labelled_folder.hpp"
#include "entrain/text/records/labelled_json.hpp"

namespace entrain::app {
namespace detail {

inline text::CsvOptions csv_options(const Reading& reading, Format format) {
  text::CsvOptions options = reading.csv;
  if (format == Format::tsv && options.delimiter == '\0') options.delimiter = '\t';
  return options;
}

/// `2 columns separated by ',': text in column 1 'text', label in column 2 'category'`
inline std::string layout_words(const text::CsvLayout& layout) {
  if (layout.columns == 0) return "blank lines";
  const auto column = [&](std::size_t c) {
    return "column " + std::to_string(c + 1) +
           (layout.names.empty() ? "" : " '" + text::excerpt(layout.names[c]) + "'");
  };
  const char apart = layout.form.delimiter;
  return std::to_string(layout.columns) + (layout.columns == 1 ? " column" : " columns separated by ") +
         (layout.columns == 1 ? ""
          : apart == '\t'     ? "TAB"
                              : "'" + std::string(1, apart) + "'") +
         ": text in " + column(layout.text) +
         (layout.label == text::CsvLayout::none ? "" : ", label in " + column(layout.label)) +
         (layout.names.empty() ? "; no header" : "") + (layout.form.quotes ? "" : "; quotes are ordinary characters");
}

template <class Source, class F> void each_block(Source source, bool read_many, F&& f) {
  source.start(0, {});
  auto work = source.work();
  typename Source::Raw raw;
  text::Texts texts;
  while (source.read(raw)) {
    work(raw, texts);
    if constexpr (requires { raw.layout; })
      f(texts, layout_words(*raw.layout));
    else if constexpr (requires { raw.label; })
      f(texts, std::string("a file for each text, in the folder of its label"));
    else
      f(texts, std::string("JSON lines, each with a text") + (texts.label.empty() ? ""
                                                              : read_many         ? " and its labels"
                                                                                  : " and a label"));
  }
}

/// Calls f(texts, layout) for each block. layout: in words
///
/// throws    what Csv or LabelledJson throws
template <class F>
void each_block_of_texts(const std::vector<std::string>& files, Format format, const Reading& reading, F&& f) {
  const text::CsvOptions options = csv_options(reading, format);
  if (format == Format::folder)
    for (const std::string& folder : files) each_block(text::LabelledFolder(folder, options.lenient), options.many, f);
  else if (format == Format::labelled)
    each_block(text::LabelledJson(files, options), options.many, f);
  else
    each_block(text::Csv(files, options), options.many, f);
}

}  // namespace detail
}  // namespace entrain::app
