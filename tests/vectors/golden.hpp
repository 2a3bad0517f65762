// tests > [vectors]
//
// A training of word vectors on any device, compared with what numpy computes by the formulas.
#pragma once
#include <doctest/doctest.h>

#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/text/split/splitter.hpp"
#include "entrain/vectors/trainer.hpp"

namespace test {

/// Lines of tests/vectors/golden/numpy.txt (scripts/golden/word_vectors.py): the losses of an objective, then its
/// words.
template <class Trainer> void against_numpy(std::istream& golden) {
  entrain::vectors::Options o;
  o.unit = entrain::text::TextUnit::line;
  o.window = 2, o.min_count = 2, o.negative = 3, o.sample = 0.05, o.epochs = 12, o.alpha = 0.2, o.min_alpha = 0.01;
  o.seed = 5, o.batch_words = 40, o.row_limit = 12;
  const std::vector<std::string> files{ENTRAIN_SOURCE_DIR "/tests/vectors/golden/text.txt"};
  Trainer trainer(o);
  trainer.template count<entrain::text::Whitespace>(files);
  std::string line;
  std::getline(golden, line);
  std::istringstream losses(line);
  std::string name;
  losses >> name;
  CHECK(name == Trainer::objective);
  // The loss of a step, out of the average: it moves by 0.01 of the difference.
  double average = 0;
  trainer.template train<entrain::text::Whitespace>(files, [&](const entrain::vectors::TrainingProgress& now) {
    double expected = 0;
    losses >> expected;
    REQUIRE_FALSE(losses.fail());
    const double loss = average == 0 ? now.loss : average + (now.loss - average) / 0.01;
    average = now.loss;
    CHECK(loss == doctest::Approx(expected).epsilon(1e-5));
  });
  double none = 0;
  losses >> none;
  CHECK(losses.fail());
  const entrain::vectors::WordVectors found = trainer.vectors();
  for (std::size_t w = 0; w < found.size(); ++w) {
    std::getline(golden, line);
    std::istringstream row(line);
    std::string word;
    row >> word;
    CHECK(found.words[static_cast<entrain::text::Vocabulary::Id>(w)] == word);
    for (const float x : found[w]) {
      double expected = 0;
      row >> expected;
      CHECK(static_cast<double>(x) == doctest::Approx(expected).epsilon(1e-5));
    }
  }
}

}  // namespace test
