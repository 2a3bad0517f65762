// tests > [train]: the composition of golden/bert, and where that folder lies.
#pragma once
#include <string>

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"

namespace test {
using namespace entrain;

inline constexpr encode::Width tiny_width{.width = 16, .heads = 2, .intermediate = 24};
using Bert =
    model::Tagger<embed::Bert<embed::Tables{.vocabulary = 21, .positions = 40, .width = 16}>,
                  layer::Stack<2, encode::PostNormBlock<tiny_width>>, head::Dropped<head::Softmax<16, text::Bio>>>;
inline const std::string golden_bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert";

}  // namespace test
