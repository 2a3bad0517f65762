// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads texts without words as a model splits its input: `train`, `evaluate` and `score` with the model's splitters.
#pragma once
#include "entrain/app/options/settings.hpp"
#include "entrain/predict/splitting.hpp"

namespace entrain::app {

/// The same reading, in which these splitters split texts that come without words or sentences. Those that the readers
/// use by default are not set, so that the key of a cache names only others.
inline Reading split_by(Reading reading, const predict::Splitting& splitting) {
  const bool own_words = splitting.word_splitter() == predict::word_splitter({}, {}).name;
  const bool own_sentences = splitting.sentence_splitter() == predict::sentence_splitter({}, {}).name;
  reading.records.split_words = own_words ? predict::WordSplitter() : splitting.words();
  reading.records.split_sentences = own_sentences ? predict::SentenceSplitter() : splitting.sentences();
  return reading;
}

}  // namespace entrain::app
