// The composition of the quick start, and the options that go with it: what ./dev train builds and ./dev bench ner
// times.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/train/fit.hpp>

namespace light {

// Words become vectors by hashes of their spelling, vectors look at neighbours to each side, and the tags of a sentence
// are chosen together.
using Tagger =
    entrain::model::Tagger<entrain::embed::MultiHash<96, entrain::batch::AffixWords, 2>,
                           entrain::encode::MaxoutWindow<96, 2, 1, 2>, entrain::head::Crf<96, entrain::text::Bioes>>;
using Trainer = entrain::train::Trainer<Tagger, entrain::precision::Fp32, entrain::device::Cpu<>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

}  // namespace light
