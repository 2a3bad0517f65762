// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of classes_of_texts.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/classify/classes_of_texts.hpp"
#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/predict/lines.hpp"
#include "entrain/core/error.hpp"
#include "entrain/score/report.hpp"  // json_string, number
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/texts.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {
namespace detail {

class ClassAnswers {
 public:
  /// throws    entrain.app.90; .93: a class that has the character between classes
  ClassAnswers(const ClassifyBackend& model, const Settings& s, Console& console)
      : model_(model), s_(s), console_(console), out_(s.destination, s.signals), json_(s.format == "jsonl") {
    if (s.format != "auto" && s.format != "jsonl" && s.format != "tsv")
      throw Error("entrain.app.90", "--format " + s.format, "a format of entities", "tsv or jsonl",
                  "omit it: a line is the class and its probability");
    const char between = s.reading.csv.label_delimiter;
    for (const std::string& name : model.classes)
      if (!json_ && !model.exclusive && name.find(between) != name.npos)
        throw Error("entrain.app.93", s.model, "class '" + text::excerpt(name) + "'",
                    "classes without '" + std::string(1, between) + "', which is between two of them in a line",
                    "name another character with --label-delimiter, or use --format jsonl");
  }

  /// throws    entrain.app.89
  void file(const std::string& path) {
    const Format format = format_of({path}, s_.reading, Otherwise::text);
    if (format == Format::csv || format == Format::tsv || format == Format::labelled || format == Format::jsonl)
      return records(path, format);
    if (format != Format::text)
      throw Error("entrain.app.89", text::name_of(path), matter_name(matter_of(format)),
                  "a text on each line, or CSV, TSV or JSON Lines with a column or key \"text\"",
                  "convert it, or name its format with --input-format");
    const std::string name = text::name_of(path);
    Lines source(path, std::size_t{1} << 26);
    NotUtf8 not_utf8(s_.reading.strict);
    text::Where where{name, 0};
    std::vector<std::string_view> texts;
    for (std::string_view block; source.next(block, where.line);) {
      texts.clear();
      const bool utf8 = text::is_valid_utf8(block);
      for (std::size_t at = 0; at < block.size();) {
        const std::size_t end = std::min(block.find('\n', at), block.size());
        std::string_view line = block.substr(at, end - at);
        at = end + 1;
        ++where.line;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!utf8 && !text::is_valid_utf8(line)) not_utf8.line(line, where);
        texts.push_back(line);
      }
      answer(texts, name, where.line - texts.size() + 1);
    }
    not_utf8.warn({}, console_);
    warn(name);
  }
  void close() { out_.close(); }

 private:
  void records(const std::string& path, Format format) {
    Reading reading = s_.reading;
    reading.csv.labels = false;
    std::vector<std::string_view> texts;
    std::string name = text::name_of(path);
    each_block_of_texts({path}, format == Format::jsonl ? Format::labelled : format, reading,
                        [&](const text::Texts& block, const std::string&) {
                          for (const text::Problem& p : block.problems)
                            console_.warn(block.name + ":" + std::to_string(p.line) + ": " + p.reason + ", skipped");
                          texts.clear();
                          for (std::size_t i = 0; i < block.size(); ++i) texts.push_back(block.text(i));
                          answer(texts, name, block.size() > 0 ? block.line[0] : 0);
                        });
    warn(name);
  }

  /// line: of the first text, for the first warning of texts without a word
  void answer(std::span<const std::string_view> texts, const std::string& name, std::uint64_t line) {
    const std::size_t classes = model_.classes.size();
    probabilities_.assign(texts.size() * classes, std::nanf(""));
    model_.classify(model_.predictor, texts, probabilities_);
    lines_.clear();
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::span<const float> p(probabilities_.data() + t * classes, classes);
      const bool wordless = classes > 0 && std::isnan(p[0]);
      if (wordless && wordless_++ == 0) first_wordless_ = name + ":" + std::to_string(line + t);
      chosen_.clear();
      if (!wordless && model_.exclusive)
        chosen_.push_back(static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin()));
      else if (!wordless)
        for (std::size_t k = 0; k < classes; ++k)
          if (p[k] >= 0.5f) chosen_.push_back(k);
      json_ ? as_json(texts[t], p) : as_table(p, wordless);
    }
    out_.write(lines_);
  }
  static std::string score(float p) { return score::detail::number(static_cast<double>(p)); }
  std::string list(char between, auto&& each) const {
    std::string all;
    for (const std::size_t k : chosen_) all += (all.empty() ? std::string() : std::string(1, between)) + each(k);
    return all;
  }
  void as_table(std::span<const float> p, bool wordless) {
    const char between = s_.reading.csv.label_delimiter;
    if (wordless)
      lines_ += "-\t-\n";
    else
      lines_ += list(between, [&](std::size_t k) { return model_.classes[k]; }) + "\t" +
                list(',', [&](std::size_t k) { return score(p[k]); }) + "\n";
  }
  void as_json(std::string_view text, std::span<const float> p) {
    const auto name = [&](std::size_t k) { return score::detail::json_string(model_.classes[k]); };
    lines_ += "{\"text\":" + score::detail::json_string(text);
    if (!model_.exclusive)
      lines_ += ",\"labels\":[" + list(',', name) + "],\"scores\":[" +
                list(',', [&](std::size_t k) { return score(p[k]); }) + "]}\n";
    else if (chosen_.empty())
      lines_ += ",\"label\":null}\n";
    else
      lines_ += ",\"label\":" + name(chosen_[0]) + ",\"score\":" + score(p[chosen_[0]]) + "}\n";
  }
  void warn(const std::string& name) {
    if (wordless_ > 0)
      console_.warn(first_wordless_ + ": " + counted(wordless_, "text of ", "texts of ") + name +
                    (wordless_ == 1 ? " has" : " have") + " no word, and so no class");
    wordless_ = 0;
  }

  const ClassifyBackend& model_;
  const Settings& s_;
  Console& console_;
  Output out_;
  bool json_;
  std::size_t wordless_ = 0;
  std::string first_wordless_, lines_;
  std::vector<float> probabilities_;
  std::vector<std::size_t> chosen_;
};

}  // namespace detail

ENTRAIN_INLINE int answer_classes(const ClassifyBackend& model, const Settings& s) {
  Console console(s.quiet);
  std::vector<std::pair<std::string, std::string>> once;
  for (const std::string& path : s.inputs)
    if (text::can_be_read_once(path)) once.emplace_back("file " + std::to_string(&path - s.inputs.data() + 1), path);
  text::refuse_read_twice(once);
  for (const std::string& note : model.notes) console.warn(note);
  detail::ClassAnswers answers(model, s, console);
  for (const std::string& path : s.inputs.empty() ? std::vector<std::string>{"-"} : s.inputs) answers.file(path);
  answers.close();
  return 0;
}

}  // namespace entrain::app
