// The trainer of the quick start on a CPU: what ./dev train builds and ./dev bench ner times.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/train/loop/fit.hpp>

#include "composition.hpp"

namespace light {

using Trainer = entrain::train::Trainer<Tagger, entrain::precision::Fp32, entrain::device::Cpu<>,
                                        entrain::optim::Averaged<entrain::optim::AdamW>>;

}  // namespace light
