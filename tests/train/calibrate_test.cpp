// tests > [train]
//
// Calibration of taggers by a single pass of the encoder. trainer_test.cpp has the rules of calibration.
#include "entrain/train/loop/calibrate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/task/calibration.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/predict_shifted.hpp"
#include "tests/train/tiny.hpp"

namespace calibrate_test {
using namespace entrain;
using namespace test;

namespace {

template <template <int, text::TagScheme> class Head> using TrainerWith =
    train::Trainer<model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, Head<8, text::Bioes>>,
                   precision::Fp32, device::Cpu<>, optim::AdamW>;
template <int C, text::TagScheme S> using Softmax = head::Softmax<C, S>;
template <int C, text::TagScheme S> using Crf = head::Crf<C, S>;

const Span& label_bias(const auto& trainer) {
  const auto& spans = trainer.layout().spans;
  return *std::find_if(spans.begin(), spans.end(), [](const Span& s) { return s.name == "head.classifier.bias"; });
}

/// By shifts of the bias, and by shifts of the scores, which are added in another order.
template <class T> void same_predictions(int rows) {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(15);
  const Labels labels(split.types.names());
  T trainer(dev, labels, rows, 1);
  const auto e = encoded(split, labels);
  batch::Packer<Words> packer(rows);
  std::vector<double> of_label(static_cast<std::size_t>(labels.count()));
  for (std::size_t i = 0; i < of_label.size(); ++i) of_label[i] = static_cast<double>(i % 3) - 0.5;
  const std::vector<double> shifts{0, 0.75, 8, -8};
  using Found = std::vector<std::pair<std::size_t, std::vector<text::Tag>>>;
  std::vector<Found> expected(shifts.size()), found(shifts.size());
  const Span& bias = label_bias(trainer);
  const std::vector<float> before(trainer.values() + bias.offset, trainer.values() + bias.offset + bias.size());
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    for (std::size_t i = 0; i < before.size(); ++i)
      trainer.values()[bias.offset + i] = before[i] + static_cast<float>(shifts[k] * of_label[i]);
    trainer.start_average();
    train::predict_all(trainer, e, packer, [&](std::size_t s, std::span<const text::Tag> tags) {
      expected[k].emplace_back(s, std::vector(tags.begin(), tags.end()));
    });
  }
  std::copy(before.begin(), before.end(), trainer.values() + bias.offset);
  trainer.start_average();
  const auto values = values_of(trainer);
  train::predict_shifted(trainer, e, packer, {of_label, shifts},
                         [&](std::size_t k, std::size_t s, std::span<const text::Tag> tags) {
                           found[k].emplace_back(s, std::vector(tags.begin(), tags.end()));
                         });
  CHECK(found == expected);
  for (std::size_t k = 1; k < shifts.size(); ++k) CHECK(found[k] != found[0]);
  CHECK(values_of(trainer) == values);
}

/// A function of the shift for a calibration with and without `shifted`.
struct Peak {
  double best, slope;
  double at(double shift) const { return 0.3 + slope * std::min(shift, 2 * best - shift); }
};

}  // namespace

TEST_CASE("predict_shifted: the predictions of a shifted bias, in batches and for sentences alone") {
  for (const int rows : {90, 13, 6}) {
    CAPTURE(rows);
    same_predictions<TrainerWith<Softmax>>(rows);
    same_predictions<TrainerWith<Crf>>(rows);
  }
}

TEST_CASE("predict_shifted: a sentence that is longer than a batch") {
  const device::Cpu<> dev(1);
  train::Tagged split = people(5);
  text::Corpus corpus;
  for (std::size_t i = 0; i < 400; ++i) corpus.push(std::string(split.corpus.token(i % split.corpus.size())), "O", 1);
  corpus.end_sentence();
  const train::Tagged longer = train::tagged(std::move(corpus), {});
  const Labels labels(split.types.names());
  TrainerWith<Crf> trainer(dev, labels, 64, 1);
  auto e = batch::encode<Words>(longer.corpus);
  batch::Packer<Words> packer(64);
  std::vector<std::vector<text::Tag>> expected, found;
  train::predict_all(trainer, e, packer, [&](std::size_t, std::span<const text::Tag> tags) {
    expected.emplace_back(tags.begin(), tags.end());
  });
  const std::vector<double> of_label(static_cast<std::size_t>(labels.count()), 1), shifts{0, 2};
  train::predict_shifted(
      trainer, e, packer, {of_label, shifts},
      [&](std::size_t, std::size_t, std::span<const text::Tag> tags) { found.emplace_back(tags.begin(), tags.end()); });
  REQUIRE(found.size() == 2);
  CHECK(found[0] == expected[0]);
  CHECK(found[1] == expected[0]);  // the same for every label changes no tag
}

TEST_CASE("calibrate: one pass finds the shift that an evaluation of each finds") {
  const device::Cpu<> dev(1);
  for (const double best : {0.25, 1.5, 3.5, 3.75, 4.75, 5.0, 6.5, 7.75, 8.0, 20.0})
    for (const double slope : {0.0001, 0.005, 0.02}) {
      CAPTURE(best);
      CAPTURE(slope);
      const Peak peak{best, slope};
      const auto shift_of = [](auto& trainer) { return double{trainer.values()[label_bias(trainer).offset + 1]}; };
      Trainer one(dev, Labels({"PER", "LOC"}), 10, 1), other(dev, Labels({"PER", "LOC"}), 10, 1);
      const auto expected = train::calibrate(
          one, [&] { return peak.at(shift_of(one)); }, 0.3);
      int evaluations = 0, passes = 0;
      task::Evaluation by_pass{[&] { return ++evaluations, peak.at(shift_of(other)); }, task::NoFunction(),
                               [&](std::span<const double> of_label, std::span<const double> shifts) {
                                 ++passes;
                                 for (std::size_t tag = 0; tag < of_label.size(); ++tag) {
                                   const std::string name = other.labels().name(static_cast<text::Tag>(tag));
                                   CHECK(of_label[tag] == (name.starts_with("B-") || name.starts_with("S-")));
                                 }
                                 std::vector<double> scores;
                                 for (const double shift : shifts) scores.push_back(peak.at(shift));
                                 return scores;
                               }};
      const auto c = train::calibrate(other, by_pass, 0.3);
      CHECK(c.shift == expected.shift);
      CHECK(c.score == expected.score);
      CHECK(c.best == expected.best);
      CHECK(c.best_score == expected.best_score);
      CHECK(c.largest == expected.largest);
      CHECK(c.at_end() == expected.at_end());
      CHECK(values_of(one) == values_of(other));
      CHECK(evaluations == (expected.shift > 0));
      CHECK(passes == (best < 3.5 ? 1 : best < 5 ? 2 : best < 6.5 ? 3 : 4));
    }
}

TEST_CASE("calibrate: a gain that the evaluation does not confirm changes nothing") {
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Labels({"PER", "LOC"}), 10, 1);
  const auto before = values_of(trainer);
  task::Evaluation wrong{[] { return 0.305; }, task::NoFunction(),
                         [](std::span<const double>, std::span<const double> shifts) {
                           std::vector<double> scores(shifts.size(), 0.2);
                           scores[2] = 0.4;
                           return scores;
                         }};
  const auto c = train::calibrate(trainer, wrong, 0.3);
  CHECK(c.shift == 0);
  CHECK(c.score == 0.3);
  CHECK(c.best == 0.75);
  CHECK(c.best_score == 0.305);
  CHECK(values_of(trainer) == before);
  task::Evaluation stopped{
      [] { return 0.4; }, task::NoFunction(),
      [](std::span<const double>, std::span<const double>) -> std::vector<double> { throw task::EvaluationStopped(); }};
  const auto none = train::calibrate(trainer, stopped, 0.3);
  CHECK(none.stopped);
  CHECK(none.shift == 0);
  CHECK(values_of(trainer) == before);
}

TEST_CASE("calibrate: scores of shifts on a trained model are those of evaluations") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(40), dev_split = people(25, 3);
  const Labels labels(split.types.names());
  Trainer trainer(dev, labels, 60, 1);
  train::Options options;
  options.epochs = 1;
  options.learning_rate = 0.005;
  options.max_steps = 3;
  options.token_budget = 60;
  options.calibrate = false;
  train::fit(
      trainer, encoded(split, labels), options, [](const train::StepReport&) {}, [] { return -1.0; },
      [](std::uint32_t, double, bool) {});
  const auto e = encoded(dev_split, labels);
  batch::Packer<Words> packer(60);
  std::vector<double> expected, shifts, of_label(static_cast<std::size_t>(labels.count()));
  const double unshifted = Trainer::Task::Scorer::score(train::evaluate(trainer, e, dev_split, packer));
  std::vector<double> passed;
  task::Evaluation evaluation{
      [&] { return Trainer::Task::Scorer::score(train::evaluate(trainer, e, dev_split, packer)); }, task::NoFunction(),
      [&](std::span<const double> openings, std::span<const double> tried) {
        std::copy(openings.begin(), openings.end(), of_label.begin());
        shifts.insert(shifts.end(), tried.begin(), tried.end());
        const auto scores = train::evaluate_shifted(trainer, e, dev_split, packer, {openings, tried}, [] {});
        passed.insert(passed.end(), scores.begin(), scores.end());
        return scores;
      }};
  const auto before = values_of(trainer);
  const auto c = train::calibrate(trainer, evaluation, unshifted);
  std::copy(before.begin(), before.end(), trainer.values());
  const Span& bias = label_bias(trainer);
  for (const double shift : shifts) {
    for (std::size_t i = 0; i < of_label.size(); ++i)
      trainer.values()[bias.offset + i] = before[bias.offset + i] + static_cast<float>(shift * of_label[i]);
    trainer.start_average();
    expected.push_back(Trainer::Task::Scorer::score(train::evaluate(trainer, e, dev_split, packer)));
  }
  CHECK(passed == expected);
  REQUIRE(shifts.size() >= 14);
  CHECK(*std::max_element(passed.begin(), passed.end()) > unshifted);  // else the test shows nothing
  CHECK(c.best_score == *std::max_element(passed.begin(), passed.end()));
}

}  // namespace calibrate_test
