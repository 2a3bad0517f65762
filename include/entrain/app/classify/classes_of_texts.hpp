// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The part of the prediction of classes that depends on no type: it reads texts in any format and writes a line for
// each of them, a chunk at a time.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// A model as the code that handles texts sees it.
struct ClassifyBackend {
  std::vector<std::string> classes;
  bool exclusive = true;            // a text has exactly one class
  std::vector<std::string> notes;   // warnings for the user
  const void* predictor = nullptr;  // only classify knows its type
  /// Writes the probabilities [texts, classes]; those of a text without a word are left as they are.
  void (*classify)(const void* predictor, std::span<const std::string_view> texts,
                   std::vector<float>& probabilities) = nullptr;
};

/// `predict FILE ...`: every line of a text file is one text; so is every record of CSV, TSV and JSON Lines. For each
/// text, also for one without a word, a line is written:
///
///   tsv (the default)   class TAB probability; with many classes: classes with Reading's csv.label_delimiter between,
///                       TAB, their probabilities with commas between. A text without a word: - TAB -
///   jsonl               {"text":"...","label":"card_arrival","score":0.97}; with many classes {"text":"...","labels":
///                       ["a","b"],"scores":[0.9,0.6]}. A text without a word: "label":null, or no labels
///
/// throws    what format_of, Csv, LabelledJson, Lines and Output throw; entrain.app.89: another format of input; .90:
/// of
///           output; .93: a class that has the delimiter, to tsv
ENTRAIN_INLINE int answer_classes(const ClassifyBackend& model, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/classify/classes_of_texts.ipp"
#endif
