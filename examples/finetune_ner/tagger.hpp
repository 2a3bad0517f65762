// The composition of the fine-tuning example: MiniLM-L6 under a softmax over tags.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/cpu_transformer.hpp>
#include <entrain/train/fit.hpp>

namespace finetune {

using MiniLm = entrain::model::Tagger<entrain::embed::Bert<entrain::embed::Tables{.width = 384}>,
                                      entrain::layer::Stack<6, entrain::encode::PostNormBlock<entrain::encode::Width{
                                                                   .width = 384, .heads = 12, .intermediate = 1536}>>,
                                      entrain::head::Dropped<entrain::head::Softmax<384, entrain::text::Bio>>>;
using Trainer =
    entrain::train::Trainer<MiniLm, entrain::precision::Fp32, entrain::device::Cpu<entrain::kernel::FastGemm>,
                            entrain::optim::Deferred<entrain::optim::AdamW>>;

}  // namespace finetune
