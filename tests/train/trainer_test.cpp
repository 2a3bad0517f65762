// tests > [train]
#include "entrain/train/loop/trainer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "entrain/train/loop/calibrate.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/free_for_plan.hpp"
#include "tests/scratch.hpp"
#include "tests/train/tiny.hpp"

namespace trainer_test {
using namespace entrain;
using namespace test;

namespace {

/// Trained until it knows its corpus by heart.
template <class T> void learn(T& trainer, const train::Tagged& split, int epochs = 30) {
  train::Options options;
  options.epochs = epochs;
  options.learning_rate = 0.02;
  options.token_budget = trainer.rows();
  options.dropout = options.word_dropout = 0;
  options.calibrate = false;
  train::fit(
      trainer, encoded(split, trainer.labels()), options, [](const train::StepReport&) {}, [] { return -1.0; },
      [](std::uint32_t, double, bool) {});
}

const entrain::Span& span_of(const entrain::Layout& layout, std::string_view tail) {
  for (const entrain::Span& s : layout.spans)
    if (s.name.ends_with(tail)) return s;
  FAIL("no such parameter");
  return layout.spans[0];
}

}  // namespace

TEST_CASE("initialise: tables, gains, biases, transitions and matrices start as they should, whatever the labels") {
  const device::Cpu<> dev(1);
  Trainer few(dev, Labels({"PER"}), 10, 5), more(dev, Labels({"PER", "LOC", "ORG"}), 10, 5),
      other(dev, Labels({"PER"}), 10, 6);
  for (std::size_t i = 0; i < few.layout().spans.size(); ++i) {
    const entrain::Span &s = few.layout().spans[i], &t = more.layout().spans[i];
    CAPTURE(s.name);
    const std::span<const float> a(few.values() + s.offset, s.size()), b(more.values() + t.offset, t.size()),
        c(other.values() + s.offset, s.size());
    const bool zero = s.name.ends_with("bias") || s.name.ends_with("transitions") || s.name.ends_with("starts") ||
                      s.name.ends_with("ends");
    const bool one = s.name.ends_with("layer_norm.weight");
    const float reach = s.sparse ? 0.1f : std::sqrt(6.0f / static_cast<float>(s.rows + s.cols));
    double sum = 0;
    for (const float v : a) {
      sum += v;
      if (zero) CHECK(v == 0);
      if (one) CHECK(v == 1);
      if (!zero && !one) CHECK(std::abs(v) <= reach);
    }
    if (zero || one) continue;
    CHECK(std::abs(sum / static_cast<double>(a.size())) < reach * 3 / std::sqrt(3.0 * static_cast<double>(a.size())));
    CHECK(!std::equal(a.begin(), a.end(), c.begin()));                           // another seed
    if (s.size() == t.size()) CHECK(std::equal(a.begin(), a.end(), b.begin()));  // more labels change nothing else
  }
}

TEST_CASE("Trainer: takes the bytes that it planned, and cost_of knows them before") {
  const device::Cpu<> dev(1);
  const Labels labels({"PER", "LOC"});
  const Trainer small(dev, labels, 10, 1), large(dev, labels, 1000, 1);
  const auto cost = train::cost_of<Tiny, precision::Fp32>({1000, 1000, labels.count()});
  CHECK(large.cost().arena == cost.arena);
  CHECK(cost.saved > 0);
  CHECK(cost.saved <= cost.arena);
  CHECK(cost.flops > 0);
  CHECK(cost.ops > 0);
  CHECK(large.planned_bytes() - small.planned_bytes() == cost.arena - small.cost().arena);
  CHECK(large.memory_plan().results == 4 + static_cast<std::size_t>(labels.count()) * 4);
  CHECK(large.planned_bytes() ==
        large.layout().size * 4 * 4 + large.layout().stamps * 4 + cost.arena + large.memory_plan().results);
  CHECK(Trainer::planned(labels.count(), 1000).asked() == large.planned_bytes());
  std::size_t numbers = 0;
  for (const entrain::Span& s : large.layout().spans) numbers += s.size();
  CHECK(large.parameters() == numbers);
  // memory grows with rows, not with their square
  CHECK(train::cost_of<Tiny, precision::Fp32>({2000, 2000, labels.count()}).arena < cost.arena * 21 / 10);
}

TEST_CASE("Trainer: a batch beyond the plan is refused, one of the planned size is not") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(4);
  const Labels labels(split.types.names());
  const auto e = encoded(split, labels);
  Trainer trainer(dev, labels, 12, 1);
  batch::Packer<Words> packer(24);
  const std::vector<std::uint32_t> two{0, 1}, four{0, 1, 2, 3};
  CHECK(sentence([&] { trainer.accumulate(packer.pack(e, two, labels.count()), 0); }).empty());
  CHECK(has(sentence([&] { trainer.accumulate(packer.pack(e, four, labels.count()), 0); }),
            "plan the memory for the largest batch"));
}

TEST_CASE("Trainer: an update without a micro-batch is refused, and changes nothing") {
  const device::Cpu<> dev(1);
  const auto split = people(4);
  Trainer trainer(dev, Labels(split.types.names()), 24, 1);
  const auto e = encoded(split, trainer.labels());
  batch::Packer<Words> packer(24);
  const std::string none =
      "entrain.train.31: Trainer::update: no micro-batch since the last update, expected at least one; call accumulate "
      "before each update";
  CHECK(sentence([&] { trainer.update({}, 0.01, 0); }) == none);
  const std::vector<std::uint32_t> two{0, 1};
  trainer.accumulate(packer.pack(e, two, trainer.labels().count()), 0);
  trainer.update({}, 0.01, 0);
  const auto values = values_of(trainer);
  CHECK(sentence([&] { trainer.update({}, 0.01, 0); }) == none);
  CHECK(values_of(trainer) == values);
  CHECK(trainer.steps() == 1);
}

TEST_CASE("Trainer: a step with numbers that are not finite is dropped, and repaired values train as others do") {
  const device::Cpu<> dev(1);
  const auto split = people(4);
  const Labels labels = Labels(split.types.names());
  TrainerOf<optim::Sgd> broken(dev, labels, 24, 1), sound(dev, labels, 24, 1);
  const auto e = encoded(split, labels);
  batch::Packer<Words> packer(24);
  const std::vector<std::uint32_t> two{0, 1};
  const auto good = values_of(broken);
  std::fill_n(broken.values() + span_of(broken.layout(), "layer_norm.weight").offset, 8,
              std::numeric_limits<float>::quiet_NaN());
  broken.start_average();
  for (int i = 0; i < 2; ++i) {
    broken.accumulate(packer.pack(e, two, labels.count()), 0);
    CHECK(has(sentence([&] { broken.update({}, 0.01, 0); }), "entrain.optim.2: "));
  }
  CHECK(broken.steps() == 0);
  std::copy(good.begin(), good.end(), broken.values());
  broken.start_average();
  for (auto* const trainer : {&broken, &sound})
    for (int step = 0; step < 2; ++step) {
      trainer->accumulate(packer.pack(e, two, labels.count()), 0);
      trainer->update({}, 0.01, 0);
    }
  CHECK(values_of(broken) == values_of(sound));
}

TEST_CASE("Training: a plan beyond the free memory is refused before it is allocated") {
  CHECK_NOTHROW(train::refuse_no_memory(1023, 8, 1024));
  CHECK(
      sentence([] { train::refuse_no_memory(std::size_t{3} << 30, 4096, std::size_t{2} << 30); }) ==
      "entrain.train.50: memory: training with batches of 4096 rows takes 3072 MiB, expected less than the 2048 MiB of "
      "free memory; lower token_budget or batch_size, or stop other programs");
}

TEST_CASE("Trainer: class weights are none, or one a label") {
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Labels({"PER"}), 10, 5);
  const auto count = static_cast<std::size_t>(trainer.labels().count());
  for (const std::size_t other : {std::size_t{1}, count - 1, count + 1, 100 * count})
    CHECK_THROWS_WITH_AS(trainer.shape_loss(0.1, 2, std::vector<float>(other, 1.0f)),
                         doctest::Contains(("entrain.train.30: class_weights: " + std::to_string(other)).c_str()),
                         Error);
  trainer.shape_loss(0.1, 2, std::vector<float>(count, 1.0f));
  trainer.shape_loss(0.1, 2, {});
}

TEST_CASE("Trainer: a very long sentence trains within its plan") {
  text::Corpus corpus;
  corpus.push("Ada", "B-PER", 1);
  for (int i = 1; i < 50'000; ++i) corpus.push("w" + std::to_string(i % 999), "O", 1);
  corpus.end_sentence();
  const train::Tagged split = train::tagged(std::move(corpus), {});
  const device::Cpu<> dev(2);
  const Labels labels(split.types.names());
  Trainer trainer(dev, labels, 50'000, 1);
  learn(trainer, split, 2);
  batch::Packer<Words> packer(50'000);
  const auto scores = train::evaluate(trainer, encoded(split, labels), split, packer);
  CHECK(scores.strict.micro().gold == 1);
}

TEST_CASE("evaluate: gold in its own scheme, the model's entities in its own, unseen labels are missed") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(20);
  const Labels labels(split.types.names());
  Trainer trainer(dev, labels, 60, 1);
  learn(trainer, split);
  batch::Packer<Words> packer(60);
  const auto known = train::evaluate(trainer, encoded(split, labels), split, packer);
  CHECK(known.strict.micro().gold == 60);
  CHECK(known.strict.micro().correct == 60);
  CHECK(known.strict.micro().predicted == 60);

  text::Corpus corpus = people(2).corpus;  // and a type that was not learned
  corpus.push("Ada", "B-ORG", 90);
  corpus.push("met", "I-ORG", 91);
  corpus.end_sentence();
  const train::Tagged other = train::tagged(std::move(corpus), {});
  const auto scores = train::evaluate(trainer, encoded(other, labels), other, packer);
  CHECK(scores.strict.micro().gold == 7);
  CHECK(scores.strict.micro().correct == 6);
  const train::Targets targets = [&] {
    auto e = batch::encode<Words>(other.corpus);
    return train::set_targets(e, other, labels, "conlleval");
  }();
  CHECK(targets.entities == 7);
  CHECK(targets.unseen == 1);
}

TEST_CASE("predict_all: every sentence once, in order, in batches or alone") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(15);
  const Labels labels(split.types.names());
  Trainer trainer(dev, labels, 40, 1);
  learn(trainer, split, 3);
  batch::Packer<Words> packer(40);
  const auto e = encoded(split, labels);
  std::vector<std::size_t> seen;
  std::vector<text::Tag> tags, alone;
  train::predict_all(trainer, e, packer, [&](std::size_t s, std::span<const text::Tag> t) {
    seen.push_back(s);
    tags.insert(tags.end(), t.begin(), t.end());
  });
  for (std::uint32_t s = 0; s < 15; ++s) {
    CHECK(seen[s] == s);
    std::vector<std::int32_t> of(6);
    trainer.decode(packer.pack(e, std::span(&s, 1), labels.count()), of.data());
    alone.insert(alone.end(), of.begin(), of.end());
  }
  CHECK(tags == alone);

  // Two batches at a time are asked for in their order, and one that was not asked for is not taken for what comes
  // next.
  const std::uint32_t first = 3, second = 7;
  const auto of = [&](std::uint32_t s) { return std::span(alone).subspan(6 * s, 6); };
  const auto one = [&](const std::uint32_t& s) { return packer.pack(e, std::span(&s, 1), labels.count()); };
  trainer.decode(one(first)), trainer.decode(one(second));
  CHECK(std::ranges::equal(trainer.decoded(), of(first)));
  CHECK(std::ranges::equal(trainer.decoded(), of(second)));
  trainer.decode(one(first));
  std::vector<std::int32_t> then(6);
  trainer.decode(one(second), then.data());
  CHECK(std::ranges::equal(then, of(second)));
  trainer.decode(one(first));
  std::vector<text::Tag> again;
  train::predict_all(trainer, e, packer,
                     [&](std::size_t, std::span<const text::Tag> t) { again.insert(again.end(), t.begin(), t.end()); });
  CHECK(again == tags);
}

TEST_CASE("calibrate: the best shift goes into the bias of every tag that opens an entity") {
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Labels({"PER", "LOC"}), 10, 1);
  const auto before = values_of(trainer);
  const entrain::Span& bias = span_of(trainer.layout(), "classifier.bias");
  std::vector<double> shifts;
  const auto c = train::calibrate(
      trainer,
      [&] {
        shifts.push_back(trainer.values()[bias.offset + 1]);
        return 0.5 + (shifts.size() == 6 ? 0.2 : 0.1);  // the sixth is best
      },
      0.5);
  CHECK(c.shift == 1.5);
  CHECK(c.score == 0.7);
  REQUIRE(shifts.size() == 14);
  for (std::size_t i = 0; i < shifts.size(); ++i)
    CHECK(shifts[i] == doctest::Approx(0.25 * static_cast<double>(i + 1)));
  const auto after = values_of(trainer);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool in_bias = i >= bias.offset && i < bias.offset + bias.size();
    const std::string name = in_bias ? trainer.labels().name(static_cast<text::Tag>(i - bias.offset)) : "";
    CAPTURE(name);
    CHECK(after[i] == (name.starts_with("B-") || name.starts_with("S-") ? 1.5f : before[i]));
  }
}

TEST_CASE("calibrate: less than a point is no gain, and then not a bit changes") {
  const device::Cpu<> dev(1);
  TrainerOf<optim::Averaged<optim::AdamW>> trainer(dev, Labels({"PER", "LOC"}), 10, 1);
  const entrain::Span& bias = span_of(trainer.layout(), "classifier.bias");
  for (std::size_t i = 0; i < bias.size(); ++i)
    trainer.values()[bias.offset + i] = 0.1f + 0.01f * static_cast<float>(i) / 3;
  trainer.start_average();
  const auto before = values_of(trainer);
  const auto c = train::calibrate(
      trainer, [] { return 0.5099; }, 0.5);
  CHECK(c.shift == 0);
  CHECK(c.score == 0.5);
  CHECK(c.best == 0.25);  // and it says what was not enough
  CHECK(c.best_score == 0.5099);
  CHECK(c.unshifted == 0.5);
  CHECK(c.largest == 3.5);
  CHECK(values_of(trainer) == before);
  CHECK(std::equal(before.begin(), before.end(), trainer.best_values()));
}

TEST_CASE("calibrate: it continues as long as the largest shift is the best, and says where it stopped") {
  const device::Cpu<> dev(1);
  for (const int best : {14, 15, 20, 32, 50}) {
    CAPTURE(best);
    Trainer trainer(dev, Labels({"PER", "LOC"}), 10, 1);
    int tried = 0;
    const auto score = [&] {
      ++tried;
      return 0.3 + 0.01 * std::min(tried, 2 * best - tried);
    };
    const auto c = train::calibrate(trainer, score, 0.3);
    CHECK(tried == std::min(best + 1, 32));
    CHECK(c.shift == 0.25 * std::min(best, 32));
    CHECK(c.at_end() == (best >= 32));
    CHECK(c.largest == 0.25 * tried);
  }
}

TEST_CASE("calibrate: as the last act of fit, with its shift and score in the outcome") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(10);
  const Labels labels(split.types.names());
  Trainer trainer(dev, labels, 60, 1);
  train::Options options;
  options.epochs = 2;
  options.word_dropout = 0;
  int evaluations = 0;
  const auto outcome = train::fit(
      trainer, encoded(split, labels), options, [](const train::StepReport&) {},
      [&] { return ++evaluations == 5 ? 0.9 : 0.4; }, [](std::uint32_t, double, bool) {});
  CHECK(evaluations == 2 + 14);
  CHECK(outcome.calibration.shift == 0.75);
  CHECK(outcome.calibration.unshifted == 0.4);
  CHECK(outcome.best == 0.9);
  CHECK(outcome.best_step == 1);
}

}  // namespace trainer_test
