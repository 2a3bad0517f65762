// bench: fine-tuning as examples/04_finetune_ner composes it, but with products in bf16. Read finetune_slices.hpp.
#include "bench/slices/tag_slices.hpp"

#include "examples/04_finetune_ner/tagger.hpp"

using Trainer = entrain::train::Trainer<finetune::MiniLm, entrain::precision::Fp32,
                                        entrain::device::Cpu<entrain::kernel::FastBf16Gemm>,
                                        entrain::optim::LazyUpdate<entrain::optim::AdamW>>;

int main(int argc, char** argv) { return slices::finetune_tagger<Trainer>(argc, argv); }
