// The composition of the quick start, the same for every device.
#pragma once
#include <entrain/embed/multi_hash.hpp>
#include <entrain/encode/window.hpp>
#include <entrain/head/crf.hpp>
#include <entrain/model/tagger.hpp>

namespace light {

// Words become vectors by hashes of their spelling, layers combine each vector with its neighbours, and the CRF chooses
// the tags of a sentence together.
using Tagger =
    entrain::model::Tagger<entrain::embed::MultiHash<96, entrain::batch::AffixWords, 2>,
                           entrain::encode::MaxoutWindow<96, 2, 1, 2>, entrain::head::Crf<96, entrain::text::Bioes>>;

}  // namespace light
