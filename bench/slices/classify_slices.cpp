// bench: fine-tuning MiniLM as a classifier of texts, the composition of ./dev train --task classify. TRAIN is CSV, TSV
// or JSON Lines. Read finetune_slices.hpp.
#include <entrain/cpu_classifier.hpp>
#include <entrain/cpu_transformer.hpp>
#include <entrain/train.hpp>

#include "bench/slices/finetune_slices.hpp"

namespace {
using namespace entrain;
using Trainer = train::Trainer<model::FineTunedClassifier<model::MiniLmL6>, precision::Fp32,
                               device::Cpu<kernel::FastGemm>, optim::LazyUpdate<optim::AdamW>>;
}  // namespace

int main(int argc, char** argv) {
  return slices::main_of(argc, argv, [](const slices::Asked& asked) {
    const auto gold = train::read<Trainer>(asked.train);
    const auto labels = Trainer::Task::labels_of(gold);
    slices::finetune<Trainer>(asked, labels, [&](const auto& features) {
      auto corpus = batch::encode<Trainer::Features>(gold, features);
      Trainer::Task::set_targets(corpus, gold, labels);
      return corpus;
    });
  });
}
