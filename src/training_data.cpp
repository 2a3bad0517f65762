// Loaders for the words and labels of examples/ and of most folders of BERT's family, compiled once per build.
#include "entrain/app/train/training_data.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/family/bert.hpp"

namespace entrain::app {
template class Sentences<batch::AffixWords, text::Bioes>;
template class Sentences<batch::Pieces<512, 30522, family::Bert::Tokenizer>, text::Bio>;
}  // namespace entrain::app
