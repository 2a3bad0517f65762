// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of session.hpp for the splitters of texts that come without words or sentences.
#pragma once
#include <string>
#include <utility>

#include "entrain/app/input/split_by.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/train/state/resume.hpp"  // check_shared

namespace entrain::app {

/// All files of the training are split as the saved model splits its input: evaluate then gives the scores that train
/// gave, and the model predicts for words as it learned them. Texts with classes are split by their own reader.
ENTRAIN_INLINE void Session::take_splitters() {
  if (s_.splitter.empty()) word_splitter_ = facts_.splitter;
  if (s_.sentence_splitter.empty()) sentence_splitter_ = facts_.sentence_splitter;
  if (facts_.learns == Learns::tags)
    s_.reading = split_by(std::move(s_.reading), predict::Splitting(word_splitter_, sentence_splitter_, "train"));
}

/// Called before the files are read: other splitters make other words, and a message about the content of the training
/// file would not name the option. A state of an older entrain has no splitters; for it only the content counts.
ENTRAIN_INLINE void Session::refuse_other_splitters(const checkpoint::StoredTrainingState& stored) const {
  const auto check = [&](const char* name, const std::string& here) {
    if (const std::string* const was = stored.text(name); was != nullptr)
      train::check_shared({{name, *was}}, {{name, here}}, stored.where());
  };
  check("splitter", word_splitter_);
  check("sentence_splitter", sentence_splitter_);
}

}  // namespace entrain::app
