// The loop of a training, written out: batches, forward and backward, update, report, scores.
//
//   training_loop [FOLDER]      with train.conll and dev.conll; default: examples/data
#include <entrain/train.hpp>

#include <cstdio>

#include "../01_first_tagger/tagger.hpp"  // the composition

int main(int argc, char** argv) {
  using namespace entrain;
  const std::string folder = argc > 1 ? argv[1] : ENTRAIN_EXAMPLE_DATA;
  const auto gold = train::read<light::Trainer>(folder + "/train.conll");
  const auto dev = train::read<light::Trainer>(folder + "/dev.conll");
  train::Training<light::Trainer> training(gold, &dev);
  const train::Options& options = training.options();
  auto& trainer = training.trainer();
  auto loader = training.loader();  // threads pack batches ahead
  decltype(loader)::Item item;
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    loader.start(epoch, {});
    while (loader.next(item)) {
      trainer.accumulate(item.batch, static_cast<float>(options.dropout));  // forward and backward
      if (!item.last_of_step) continue;                                     // gradient_accumulation_steps
      trainer.update(options.knobs, options.learning_rate, options.max_grad_norm);
      if (trainer.steps() % 10 == 0) std::printf("step %u: loss %.3f\n", trainer.steps(), trainer.result().mean_loss());
    }
    const score::Scores scores = training.evaluate(dev);
    std::printf("epoch %u: F1 %.2f\n", epoch + 1, 100 * scores.strict.micro().figures().f1);
  }
  training.save("loop-model");
}
