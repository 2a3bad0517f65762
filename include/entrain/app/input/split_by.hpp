// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads raw text with other splitters than the default ones: a file is then split as a model splits its input.
#pragma once
#include "entrain/app/options/settings.hpp"
#include "entrain/predict/splitting.hpp"

namespace entrain::app {

/// The same reading, in which these splitters split texts that come without words or sentences.
inline Reading split_by(Reading reading, const predict::Splitting& splitting) {
  reading.records.split_words = splitting.words().split;
  reading.records.split_sentences = splitting.sentences().split;
  return reading;
}

}  // namespace entrain::app
