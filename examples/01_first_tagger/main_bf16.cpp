// The quick start with products in bf16: only the multiplication of its trainer differs. For CPUs that multiply
// bf16 (AMX, AVX512_BF16); ./dev train --precision bf16 builds it.
//
//   ner_light_bf16 train
#include <entrain/app/ner.hpp>
#include <entrain/kernel/gemm/fast.hpp>

#include "tagger.hpp"  // the composition

using Trainer = entrain::train::Trainer<light::Tagger, entrain::precision::Fp32,
                                        entrain::device::Cpu<entrain::kernel::FastBf16Gemm>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

int main(int argc, char** argv) { return entrain::app::ner<Trainer>(argc, argv); }
