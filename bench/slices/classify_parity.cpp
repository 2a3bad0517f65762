// bench: finetune_parity.hpp for a classifier of texts on the CPU. TRAIN and TEST are CSV files.
//
//   classify_parity FOLDER TRAIN TEST STEPS SEED OUT [fp64]
//
// first_step.hpp tells what it writes for the first step; a row of OUT/logits is a text.
#include <entrain/cpu_classifier.hpp>
#include <entrain/cpu_transformer.hpp>
#include <entrain/train.hpp>

#include "bench/slices/finetune_parity.hpp"
#include "bench/slices/first_step.hpp"

using namespace entrain;

namespace {

template <class P> void run(const parity::Asked& asked) {
  using Trainer = train::Trainer<model::FineTunedClassifier<model::MiniLmL6>, P, device::Cpu<kernel::FastGemm>,
                                 optim::LazyUpdate<optim::AdamW>>;
  using Features = typename Trainer::Features;
  const typename Trainer::Device cpu(2);
  const text::Corpus gold = train::read<Trainer>(asked.train), test = train::read<Trainer>(asked.test);
  const auto labels = Trainer::Task::labels_of(gold);
  const auto features = train::open_features<Features>(asked.folder);
  auto corpus = batch::encode<Features>(gold, features);
  Trainer::Task::set_targets(corpus, gold, labels);
  const auto encoded_test = batch::encode<Features>(test, features);
  const auto at_first = [&](Trainer& trainer, const auto& batch) {
    parity::write_first_step(trainer, cpu, batch, asked.out, [](const auto& saved) { return saved.head.z; });
  };
  parity::finetune<Trainer>(cpu, asked, labels, corpus, encoded_test, at_first, [&](Trainer& trainer, auto& packer) {
    std::ofstream classes(asked.out + "/classes");
    train::predict_all(trainer, encoded_test, packer, [&](std::size_t, std::span<const float> p) {
      classes << labels.name(static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin())) << '\n';
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  return parity::main_of(argc, argv, " [fp64]",
                         argc > 7 && std::string(argv[7]) == "fp64" ? run<precision::Fp64> : run<precision::Fp32>);
}
