// bench: bench/slices/finetune_parity.hpp on a GPU, in bf16.
#include "../slices/finetune_parity.hpp"

#include "device.cuh"
#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/train/loop/trainer.hpp"

namespace {

using namespace entrain;
using Trainer = train::Trainer<model::FineTuned<model::MiniLmL6, head::Softmax, text::Bio>, precision::Bf16Mixed,
                               bench::Gpu, optim::LazyUpdate<optim::AdamW>>;

void run(const parity::Asked& asked) {
  const Trainer::Device gpu;
  parity::finetune<Trainer>(gpu, asked, [](const auto&...) {});
}

}  // namespace

int main(int argc, char** argv) { return parity::main_of(argc, argv, "", run); }
