// bench: prediction by a fine-tuned MiniLM with products in bf16. Read predict_slices.hpp.
#include "bench/slices/predict_slices.hpp"

#include "examples/04_finetune_ner/tagger.hpp"

using Trainer = entrain::train::Trainer<finetune::MiniLm, entrain::precision::Fp32,
                                        entrain::device::Cpu<entrain::kernel::FastBf16Gemm>,
                                        entrain::optim::LazyUpdate<entrain::optim::AdamW>>;

int main(int argc, char** argv) { return slices::predict_slices<entrain::predict::TaggerOf<Trainer>>(argc, argv); }
