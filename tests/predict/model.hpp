// tests > [predict]: a very small model in a folder, trained once.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/cpu.hpp"
#include "entrain/predict.hpp"

namespace test {
using Words = entrain::batch::HashedWords<2, 60, 20, 20, 20>;
using Model = entrain::model::Tagger<entrain::embed::MultiHash<8, Words, 2>, entrain::encode::MaxoutWindow<8, 1, 1, 2>,
                                     entrain::head::Crf<8, entrain::text::Bioes>>;
using Tagger = entrain::predict::Tagger<Model>;
using Entities = std::vector<entrain::predict::Entity>;

/// The folder of a model that knows `Ada met Bo in Oslo .` and its like. In model_test.cpp.
const std::string& model_folder();
/// The tags that the trainer gave to each of these sentences before it was saved.
const std::vector<std::vector<entrain::text::Tag>>& trained_tags();
const std::vector<std::string>& trained_sentences();

/// The one tagger that most tests share.
const Tagger& tagger();

}  // namespace test
