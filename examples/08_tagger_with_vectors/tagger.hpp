// The quick start's tagger with word vectors as one more input: what unlabelled text says of a word.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/embed/with_vectors.hpp>
#include <entrain/encode/window.hpp>
#include <entrain/head/crf.hpp>
#include <entrain/model/tagger.hpp>
#include <entrain/train/loop/fit.hpp>

namespace light {

// 49,999 words may have a vector of 100 numbers. With embed::TrainedVectors training changes the vectors too.
using Vectors = entrain::embed::StaticVectors<50000, 100>;
using Words = entrain::embed::WithVectors<entrain::embed::MultiHash<96, entrain::batch::AffixWords, 2>, Vectors>;
using Tagger = entrain::model::Tagger<Words, entrain::encode::MaxoutWindow<96, 2, 1, 2>,
                                      entrain::head::Crf<96, entrain::text::Bioes>>;
using Trainer = entrain::train::Trainer<Tagger, entrain::precision::Fp32, entrain::device::Cpu<>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

}  // namespace light
