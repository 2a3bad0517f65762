// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Words and labels that the quick start and the fine-tuning example learn: their loaders are compiled once per build,
// by src/parts_material.cpp. Those of others are compiled with the program that has them.
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
