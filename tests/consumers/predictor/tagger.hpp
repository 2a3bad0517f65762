// tests > [consumers]: the quick start's composition, smaller, so that it is built and trained in a moment.
#pragma once
#include <entrain/cpu.hpp>

namespace light {

using Tagger =
    entrain::model::Tagger<entrain::embed::MultiHash<16, entrain::batch::HashedWords<4, 500, 100, 100, 100>, 2>,
                           entrain::encode::MaxoutWindow<16, 1, 1, 2>, entrain::head::Crf<16, entrain::text::Bioes>>;
using Trainer = entrain::train::Trainer<Tagger, entrain::precision::Fp32, entrain::device::Cpu<>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

}  // namespace light
