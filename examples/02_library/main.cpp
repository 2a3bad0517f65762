// Trains a tagger without the command line: reads files, trains with scores of the dev file after each epoch, saves,
// evaluates and predicts.
//
//   library [FOLDER]      with train.conll, dev.conll and test.conll; default: examples/data
#include <entrain/predict.hpp>
#include <entrain/train.hpp>

#include <cstdio>

#include "../01_first_tagger/tagger.hpp"  // the composition

int main(int argc, char** argv) {
  using namespace entrain;
  const std::string folder = argc > 1 ? argv[1] : ENTRAIN_EXAMPLE_DATA;
  const auto gold = train::read<light::Trainer>(folder + "/train.conll");
  const auto dev = train::read<light::Trainer>(folder + "/dev.conll");
  train::Training<light::Trainer> training(gold, &dev);
  training.fit([](const train::StepReport& step) { std::printf("step %u: loss %.3f\n", step.step, step.loss); },
               [](unsigned, const auto& scores, bool) { std::printf("%s", score::table(scores).c_str()); });
  training.save("library-model");
  std::printf("%s", score::table(training.evaluate(train::read<light::Trainer>(folder + "/test.conll"))).c_str());
  const auto tagger = predict::load<light::Tagger>("library-model");
  const std::string text = "Marie Curie flew from Paris to London.";
  for (const auto& entity : tagger.entities(text))
    std::printf("%s %s\n", std::string(entity.type).c_str(), std::string(entity.in(text)).c_str());
}
