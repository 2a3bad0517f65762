// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Words and labels of the quick start and of the fine-tuning example: src/training_data.cpp compiles their loaders
// once per build. The loaders of others are compiled with the program that uses them.
#pragma once
#include "entrain/app/train/training_data.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::app {

extern template class Sentences<batch::AffixWords, text::Bioes>;
extern template class Sentences<batch::Pieces<512, 30522, family::Bert::Tokenizer>, text::Bio>;

}  // namespace entrain::app
