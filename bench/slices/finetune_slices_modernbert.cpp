// bench: fine-tuning ModernBERT-base as examples/04_finetune_ner fine-tunes MiniLM. Read finetune_slices.hpp.
#include <entrain/cpu_transformer.hpp>
#include <entrain/train/loop/fit.hpp>

#include "bench/slices/tag_slices.hpp"

using Tagger = entrain::model::FineTuned<entrain::model::ModernBertBase, entrain::head::Softmax, entrain::text::Bio>;
using Trainer =
    entrain::train::Trainer<Tagger, entrain::precision::Fp32, entrain::device::Cpu<entrain::kernel::FastGemm>,
                            entrain::optim::LazyUpdate<entrain::optim::AdamW>>;

int main(int argc, char** argv) { return slices::finetune_tagger<Trainer>(argc, argv, slices::modern_bert_base); }
