// The composition of the fine-tuning example: MiniLM-L6 under a softmax over tags.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/cpu_transformer.hpp>
#include <entrain/train/loop/fit.hpp>

namespace finetune {

using MiniLm = entrain::model::FineTuned<entrain::model::MiniLmL6, entrain::head::Softmax, entrain::text::Bio>;
using Trainer =
    entrain::train::Trainer<MiniLm, entrain::precision::Fp32, entrain::device::Cpu<entrain::kernel::FastGemm>,
                            entrain::optim::LazyUpdate<entrain::optim::AdamW>>;

}  // namespace finetune
