// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of class_splits.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/input/class_splits.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/splits.hpp"  // ProblemsSaid
#include "entrain/app/output/output.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/class_report.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/in_words.hpp"
#include "entrain/text/files/file_list.hpp"

namespace entrain::app {

ENTRAIN_INLINE text::Corpus read_texts_with_classes(const std::string& path, const Reading& reading, bool by_words,
                                                    std::string* layout) {
  const std::vector<std::string> files = text::file_list({path}, text::Folders::kept);
  const Format format = format_of(files, reading);
  if (matter_of(format) != Matter::texts)
    throw Error("entrain.app.86", path, matter_name(matter_of(format)),
                "texts with labels: CSV, TSV, JSON Lines with \"text\" and \"label\", or a folder for each label",
                "convert the file, or name its format with --input-format");
  text::Corpus all;
  const auto read = [&](auto in_words) {
    detail::each_block_of_texts(files, format, reading, [&](const text::Texts& texts, const std::string& how) {
      if (layout != nullptr && layout->empty()) *layout = how;
      const text::Corpus block = in_words(texts);
      if (all.name.empty()) all.name = block.name;
      all.append(block);
    });
  };
  if (by_words)
    read(text::InWords<text::UnicodeWords>());
  else
    read(text::InWords<text::Whitespace>());
  if (all.sentences() == 0)
    throw Error("entrain.app.87", path, "no text with a word", "at least one",
                text::remedy_for_no_word(all.name, all.met, all.problems, all.problems.size()));
  return all;
}

ENTRAIN_INLINE task::Tagged read_classes(const std::string& split, const std::string& path, const Reading& reading,
                                         bool by_words, Console& console) {
  std::string layout;
  task::Tagged gold;
  gold.corpus = read_texts_with_classes(path, reading, by_words, &layout);
  text::Corpus& corpus = gold.corpus;
  console.fact(
      split,
      corpus.name + (corpus.files.empty() ? "" : " and " + counted(corpus.files.size(), "file", "files") + " more"));
  console.fact("", layout);
  if (const std::string met = text::describe(corpus.met); !met.empty()) console.fact("", "met " + met);
  ProblemsSaid problems;
  problems.say(corpus.problems, corpus.name, console);
  problems.say_total(corpus.met, corpus.name, console);
  if (corpus.met.wordless > 0)
    console.warn(corpus.name + ": " + counted(corpus.met.wordless, "text has", "texts have") +
                 " no word and cannot be learned or scored: left out");
  std::vector<std::string> classes = corpus.classes.names;
  std::sort(classes.begin(), classes.end());
  for (const std::string& name : classes) gold.types.add(name);
  console.fact("", counted(corpus.sentences(), "text", "texts") + ", " + counted(corpus.size(), "word", "words") +
                       ", " + counted(classes.size(), "class", "classes"));
  return gold;
}

ENTRAIN_INLINE void warn_about_classes(const task::Tagged& split, const std::vector<std::string>& known,
                                       Console& console) {
  const text::Corpus& corpus = split.corpus;
  std::vector<std::uint64_t> texts(corpus.classes.names.size());
  std::vector<std::string> first(texts.size());
  for (std::size_t s = 0; s < corpus.sentences(); ++s)
    for (const std::int32_t id : corpus.classes_of(s))
      if (texts[static_cast<std::size_t>(id)]++ == 0)
        first[static_cast<std::size_t>(id)] = corpus.where(corpus.sentence[s]);
  const std::unordered_set<std::string> learned(known.begin(), known.end());
  for (std::size_t k = 0; k < texts.size(); ++k)
    if (!learned.contains(corpus.classes.names[k]))
      console.warn_of("classes that were never seen in training",
                      first[k] + ": class '" + text::excerpt(corpus.classes.names[k]) +
                          "' was never seen in training: its " + grouped(texts[k]) +
                          (texts[k] == 1 ? " text counts" : " texts count") + " as missed");
  if (texts.size() == 1)
    console.warn(corpus.name + ": one class only, '" + text::excerpt(corpus.classes.names[0]) + "'");
}

ENTRAIN_INLINE void print_scores(const task::ClassScores& scores, const Settings& s) {
  Output out("-");
  out.write(s.json ? score::json(scores) + "\n" : score::table(scores));
}

}  // namespace entrain::app
