// tests > [train]
#include "entrain/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "entrain/train/loop/evaluate.hpp"
#include "tests/train/tiny.hpp"

namespace fit_test {
using namespace entrain;
using namespace test;

namespace {

/// A training with a made-up score for each evaluation.
struct Run {
  train::Options options = [] {
    train::Options o;
    o.epochs = 4;
    o.token_budget = 30;
    o.learning_rate = 0.01;
    o.word_dropout = 0;
    o.calibrate = false;
    return o;
  }();
  std::vector<double> scores;  // of evaluation 0, 1, ...; the last for all that follow

  train::Outcome outcome;
  std::vector<train::StepReport> steps;
  std::vector<std::uint32_t> evaluated;    // steps
  std::vector<std::vector<float>> values;  // at each evaluation
  std::vector<bool> best;
  std::vector<float> last;

  template <class Optimizer = optim::AdamW> Run& go(int threads = 1) {
    const device::Cpu<> dev(threads);
    const train::Tagged split = people(20);
    const Labels labels(split.types.names());
    auto e = encoded(split, labels);
    if (options.word_dropout > 0) batch::add_unknown_word_copies(e);
    TrainerOf<Optimizer> trainer(dev, labels, options.token_budget, options.seed);
    outcome = train::fit(
        trainer, e, options, [&](const train::StepReport& r) { steps.push_back(r); },
        [&] {
          const std::size_t k = evaluated.size();
          return scores.empty() ? -1.0 : scores[std::min(k, scores.size() - 1)];
        },
        [&](std::uint32_t step, double, bool is_best) {
          evaluated.push_back(step);
          best.push_back(is_best);
          values.emplace_back(trainer.best_values(), trainer.best_values() + trainer.layout().size);
        });
    last = values_of(trainer);
    return *this;
  }
};

}  // namespace

TEST_CASE("fit: epochs become the number of steps that was promised") {
  // 20 sentences of 6 words, 30 words a batch: 4 steps an epoch
  Run run;
  run.go();
  CHECK(run.outcome.steps == 16);
  CHECK(run.steps.size() == 16);
  CHECK(run.outcome.tokens == 4 * 120);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    CHECK(run.steps[i].step == i + 1);
    CHECK(run.steps[i].total_steps == 16);
    CHECK(run.steps[i].epoch == static_cast<int>(i / 4));
    CHECK(run.steps[i].tokens == 30 * (i + 1));
    CHECK(std::isfinite(run.steps[i].loss));
    CHECK(run.steps[i].grad_norm > 0);
  }
  CHECK(run.evaluated == std::vector<std::uint32_t>{4, 8, 12, 16});
  CHECK(run.steps.back().loss < run.steps.front().loss);
}

TEST_CASE("fit: --max-steps goes before epochs, in the middle of one and beyond the last") {
  Run few;
  few.options.max_steps = 6;
  few.go();
  CHECK(few.outcome.steps == 6);
  CHECK(few.steps.back().total_steps == 6);
  CHECK(few.evaluated == std::vector<std::uint32_t>{4, 6});  // the end is always looked at
  Run many;
  many.options.max_steps = 18;
  many.go();
  CHECK(many.outcome.steps == 18);
  CHECK(many.steps.back().epoch == 4);
}

TEST_CASE("fit: evaluation every n steps") {
  Run run;
  run.options.max_steps = 7;
  run.options.eval_steps = 3;
  run.go();
  CHECK(run.evaluated == std::vector<std::uint32_t>{3, 6, 7});
  Run exact;
  exact.options.max_steps = 6;
  exact.options.eval_steps = 3;
  exact.go();
  CHECK(exact.evaluated == std::vector<std::uint32_t>{3, 6});  // not twice
}

TEST_CASE("fit: the best values are kept, the first of equals") {
  Run run;
  run.scores = {0.2, 0.5, 0.5, 0.4};
  run.go();
  CHECK(run.best == std::vector<bool>{true, true, false, false});
  CHECK(run.outcome.best == 0.5);
  CHECK(run.outcome.best_step == 8);
  CHECK_FALSE(run.outcome.stopped_early);
  CHECK(run.last == run.values[1]);
  CHECK(run.last != run.values[3]);
}

TEST_CASE("fit: patience counts evaluations without a better score") {
  Run run;
  run.options.epochs = 20;
  run.options.patience = 2;
  run.scores = {0.2, 0.1, 0.3, 0.3, 0.1, 0.9};
  run.go();
  CHECK(run.outcome.stopped_early);
  CHECK(run.outcome.steps == 20);  // the fifth evaluation
  CHECK(run.outcome.best_step == 12);
  CHECK(run.last == run.values[2]);
  CHECK(run.evaluated.size() == 5);
}

TEST_CASE("fit: with nothing to score patience does not stop, and the last values stay") {
  Run run;
  run.options.patience = 1;
  run.go();
  CHECK_FALSE(run.outcome.stopped_early);
  CHECK(run.outcome.steps == 16);
  CHECK(run.outcome.best == -1);
  CHECK(run.outcome.best_step == 0);
  CHECK(run.last == run.values.back());
  CHECK(run.best == std::vector<bool>(4, false));
}

TEST_CASE("fit: averages are what is evaluated and what is kept") {
  Run run;
  run.scores = {0.2, 0.6, 0.1};
  run.go<optim::Averaged<optim::AdamW>>();
  CHECK(run.last == run.values[1]);
}

TEST_CASE("fit: same seed, same bits, on one, two and three threads; another seed, others") {
  const auto run = [](std::uint64_t seed, int threads) {
    Run r;
    r.options.seed = seed;
    r.options.word_dropout = 0.3;
    r.options.gradient_accumulation_steps = 2;
    return r.go<optim::Averaged<optim::AdamW>>(threads).last;
  };
  const auto one = run(7, 1);
  CHECK(run(7, 1) == one);
  CHECK(run(7, 2) == one);
  CHECK(run(7, 3) == one);
  CHECK(run(8, 1) != one);
}

TEST_CASE("fit: accumulation makes one step of several batches") {
  Run run;
  run.options.gradient_accumulation_steps = 3;  // 4 batches an epoch: 3 and 1
  run.go();
  CHECK(run.outcome.steps == 8);
  CHECK(run.steps[0].tokens == 90);
  CHECK(run.steps[1].tokens == 120);
  CHECK(run.steps[2].tokens == 210);
}

TEST_CASE("fit: two small batches accumulated are as one large batch") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(10);
  const Labels labels(split.types.names());
  const auto e = encoded(split, labels);
  std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::span<const std::uint32_t> order(all);
  const auto after = [&](std::initializer_list<std::span<const std::uint32_t>> batches) {
    TrainerOf<optim::Sgd> trainer(dev, labels, 60, 1);
    batch::Packer<Words> packer(60);
    for (const auto& b : batches) trainer.accumulate(packer.pack(e, b, labels.count()), 0);
    trainer.update({}, 0.1, 0);
    return values_of(trainer);
  };
  const auto whole = after({order}), parts = after({order.subspan(0, 3), order.subspan(3)});
  double worst = 0, moved = 0;
  TrainerOf<optim::Sgd> fresh(dev, labels, 60, 1);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(whole[i]) - parts[i]));
    moved = std::max(moved, std::abs(static_cast<double>(whole[i]) - fresh.values()[i]));
  }
  CHECK(worst < 1e-6);
  CHECK(moved > 1e-3);
}

TEST_CASE("fit: learning rates follow the schedule") {
  Run run;
  run.options.lr_scheduler_type = optim::Decay::linear;
  run.options.warmup_steps = 4;
  run.go();
  CHECK(run.steps[0].learning_rate < run.steps[3].learning_rate);
  CHECK(run.steps[4].learning_rate == doctest::Approx(0.01));
  CHECK(run.steps[15].learning_rate < run.steps[8].learning_rate);
  CHECK(run.steps[15].learning_rate > 0);
}

TEST_CASE("fit: total_steps counts batches of the seed's own order") {
  text::Corpus corpus;
  for (int s = 0; s < 30; ++s) {
    for (int i = 0; i <= s % 7; ++i) corpus.push("x", "O", 1);
    corpus.end_sentence();
  }
  const auto e = batch::encode<Words>(corpus);
  train::Options options;
  options.token_budget = 10;
  options.epochs = 5;
  options.seed = 3;
  std::uint32_t expected = 0;
  batch::Budget batches;
  for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
    batches.shuffled(30, 3, epoch);
    batches.plan({.token_budget = 10}, e.rows);
    expected += static_cast<std::uint32_t>((batches.size() + 1) / 2);
  }
  options.gradient_accumulation_steps = 2;
  CHECK(train::total_steps(options, e) == expected);
  options.max_steps = 3;
  CHECK(train::total_steps(options, e) == 3);
}

namespace {
/// Sentences of 1 to 9 words.
batch::Encoded<Words> uneven(const Labels& labels) {
  text::Corpus corpus;
  for (int s = 0; s < 41; ++s) {
    for (int i = 0; i <= s * 5 % 9; ++i) corpus.push("w" + std::to_string(i), "O", 1);
    corpus.end_sentence();
  }
  auto e = batch::encode<Words>(corpus);
  for (std::int32_t& target : e.target) target = labels.count() - 1;
  return e;
}
}  // namespace

TEST_CASE("fit: total_steps is the steps that are made, whatever a batch is") {
  const device::Cpu<> dev(1);
  const Labels labels({"PER", "LOC"});
  const auto e = uneven(labels);
  for (const int batch_size : {0, 1, 6})
    for (const bool grouped : {false, true})
      for (const batch::Compounding& sizes : {batch::Compounding{}, {2, 20, 1.03}, {9, 3, 0.99}})
        for (const int accumulation : {1, 3}) {
          train::Options options;
          options.epochs = 3;
          options.token_budget = 20;
          options.batch_size = batch_size;
          options.group_by_length = grouped;
          options.compounding = sizes;
          options.gradient_accumulation_steps = accumulation;
          options.word_dropout = 0;
          options.calibrate = false;
          // The bound of a batch is what the trainer takes memory for: it is enough.
          const auto rows = static_cast<int>(batch::largest_batch(e.rows, options.batching()));
          TrainerOf<optim::Sgd> trainer(dev, labels, rows, 1);
          std::uint32_t steps = 0;
          const train::Outcome outcome = train::fit(
              trainer, e, options,
              [&](const train::StepReport& r) {
                ++steps;
                if (r.total_steps != train::total_steps(options, e)) steps += 1000;
              },
              [] { return -1.0; }, [](std::uint32_t, double, bool) {});
          CAPTURE(batch_size);
          CAPTURE(sizes.start);
          CHECK(outcome.steps == train::total_steps(options, e));
          CHECK(steps == outcome.steps);
          CHECK(outcome.tokens == 3 * e.size());
        }
}

TEST_CASE(
    "fit: sentences per batch determine the number of steps; sizes that compound make fewer from epoch to epoch") {
  const auto e = uneven(Labels({"PER", "LOC"}));  // 41 sentences
  train::Options options;
  options.epochs = 3;
  options.batch_size = 8;
  CHECK(train::total_steps(options, e) == 3 * 6);
  options.compounding = {1, 8, 2};
  CHECK(train::total_steps(options, e) == 8 + 2 * 6);  // 1 2 4 8 8 8 8 2, then all of 8
  options.compounding = {1, 8, 1.1};
  std::uint32_t batches = 0;
  double size = 1;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (int left = 41; left > 0; ++batches, size *= 1.1) left -= static_cast<int>(std::min(size, 8.0));
  CHECK(train::total_steps(options, e) == batches);
}

}  // namespace fit_test
