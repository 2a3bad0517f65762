// bench: finetune_parity.hpp on the CPU; also writes what the first step computes.
//
//   finetune_parity FOLDER TRAIN TEST STEPS SEED OUT [fp64|bf16]
//
// first_step.hpp tells what it writes for the first step; a row of OUT/logits is a word.
#include "bench/slices/finetune_parity.hpp"

#include <entrain/cpu.hpp>

#include "bench/slices/first_step.hpp"
#include "examples/04_finetune_ner/tagger.hpp"

using namespace entrain;

namespace {

template <class P, class D = finetune::Trainer::Device> void run(const parity::Asked& asked) {
  using Trainer = train::Trainer<finetune::MiniLm, P, D, optim::LazyUpdate<optim::AdamW>>;
  const typename Trainer::Device cpu(2);
  parity::finetune<Trainer>(cpu, asked, [&](Trainer& trainer, const auto& batch) {
    parity::write_first_step(trainer, cpu, batch, asked.out, [](const auto& saved) { return saved.head.head.x; });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string numbers = argc > 7 ? argv[7] : "fp32";
  return parity::main_of(argc, argv, " [fp64|bf16]",
                         numbers == "fp64"   ? run<precision::Fp64>
                         : numbers == "bf16" ? run<precision::Fp32, device::Cpu<kernel::FastBf16Gemm>>
                                             : run<precision::Fp32>);
}
