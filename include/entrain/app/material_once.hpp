// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Words and labels of the quick start and of the fine-tuning example: src/parts_material.cpp compiles their loaders
// once per build. The loaders of others are compiled with the program that uses them.
#pragma once
#include "entrain/app/material.hpp"
#include "entrain/batch/hashed_words.hpp"
#include "entrain/batch/pieces.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::app {

extern template class Sentences<batch::AffixWords, text::Bioes>;
extern template class Sentences<batch::Pieces<512, 30522, family::Bert::Tokenizer>, text::Bio>;

}  // namespace entrain::app
