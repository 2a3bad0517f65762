// Loaders of the words and labels that examples/ and most folders of BERT's family learn, compiled once per build.
#include "entrain/app/material.hpp"
#include "entrain/batch/hashed_words.hpp"
#include "entrain/batch/pieces.hpp"
#include "entrain/family/bert.hpp"

namespace entrain::app {
template class Sentences<batch::AffixWords, text::Bioes>;
template class Sentences<batch::Pieces<512, 30522, family::Bert::Tokenizer>, text::Bio>;
}  // namespace entrain::app
