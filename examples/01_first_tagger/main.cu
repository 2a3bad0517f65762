// The quick start for an NVIDIA GPU: only the device differs.
//
//   ner_light_cuda train
#include <entrain/app/ner.hpp>
#include <entrain/cuda.cuh>

#include "composition.hpp"

using Trainer = entrain::train::Trainer<light::Tagger, entrain::precision::Fp32,
                                        entrain::device::Cuda<entrain::device::ENTRAIN_TARGET>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

int main(int argc, char** argv) { return entrain::app::ner<Trainer>(argc, argv); }
