// A head with a task of its own, one number a sentence: it is encoded, packed, trained, evaluated, saved, loaded and
// predicts, and no file of include/ depends on it.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/cpu.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/predict/predictor.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/state/resume.hpp"
#include "tests/extending/rating/head.hpp"
#include "tests/extending/rating/task.hpp"
#include "tests/scratch.hpp"

using namespace entrain;

namespace test_rating {
namespace {

using Words = batch::HashedWords<2, 60, 20, 20, 20>;
using Net = model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, rating::Head<8>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
using Features = Trainer::Features;

/// `the food was good`, of 3 to 7 words, rated by its good and bad words; each seventh sentence has no rating.
struct Reviews {
  text::Corpus corpus;
  rating::Task::Gold gold;
  batch::Encoded<Features> encoded;

  explicit Reviews(int sentences) {
    const std::vector<std::string> words{"good", "bad", "food", "was", "the", "soup"};
    for (int s = 0; s < sentences; ++s) {
      float sum = 0;
      const int n = 3 + s % 5;
      for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>((s * 5 + i * i * 3 + s / 7) % 6);
        corpus.push(words[k], 0);
        sum += k == 0 ? 1.f : k == 1 ? -1.f : 0.f;
      }
      corpus.end_sentence();
      gold.push_back(s % 7 == 6 ? NAN : sum / static_cast<float>(n));
    }
    encoded = batch::encode<Features>(corpus);
    for (std::size_t s = 0; s < gold.size(); ++s) encoded.target[s] = gold[s];
  }
};

train::Options options(int epochs) {
  train::Options o;
  o.epochs = epochs;
  o.token_budget = 40;
  o.learning_rate = 0.02;
  o.dropout = 0;
  o.word_dropout = 0;
  return o;
}

}  // namespace

TEST_CASE("rating: a batch has a target for each sentence, and those that are none do not count") {
  const Reviews reviews(14);
  CHECK(reviews.encoded.target.size() == 14);
  batch::Packer<Features> packer(200);
  const std::vector<std::uint32_t> order{3, 6, 0, 13};
  const auto b = packer.pack(reviews.encoded, order, 1);
  CHECK(b.shape.sentences == 4);
  CHECK(b.targets[0] == reviews.gold[3]);
  CHECK(std::isnan(b.targets[1]));
  CHECK(b.targets[2] == reviews.gold[0]);
  CHECK(b.real_targets == 2);
  CHECK(b.target_weight == 2);
}

TEST_CASE("rating: gradients agree with differences of the loss") {
  const Reviews reviews(10);
  const device::Cpu<> cpu = device::Cpu<>::with(1);
  batch::Packer<Features> packer(200);
  const std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto b = packer.pack(reviews.encoded, order, 1);
  using Head = rating::Head<8>;
  using Real = Impl<Head, precision::Fp64, device::Cpu<>>;
  const auto rows = static_cast<std::size_t>(b.shape.rows);
  std::vector<double> x(rows * 8), dx(rows * 8), values(layout_of<Head>(1).size, 0.1), g(values.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  std::vector<std::byte> memory(1 << 16);
  const Counters counters;
  const auto loss_of = [&](bool back) {
    Arena arena{memory.data(), memory.size()};
    const Step<device::Cpu<>> at{cpu, b.shape, b.geometry, true, Write::assign, arena, &counters};
    double loss = -1;
    auto saved = Real::allocate_saved(arena, b.shape);
    const auto w = bind<Head, const double>(values.data(), 1);
    Real::forward(at, w, {x.data(), b.shape.rows}, b.targets, &loss, saved);
    if (back) Real::backward(at, w, saved, b.targets, {dx.data(), b.shape.rows}, bind<Head, double>(g.data(), 1));
    return loss;
  };
  CHECK(loss_of(true) > 0);
  const auto difference = [&](double& number) {
    constexpr double h = 1e-5;
    const double before = number;
    number = before + h;
    const double more = loss_of(false);
    number = before - h;
    const double less = loss_of(false);
    number = before;
    return (more - less) / (2 * h);
  };
  for (const Span& s : layout_of<Head>(1).spans)
    for (std::size_t i = 0; i < s.size(); ++i)
      CHECK(g[s.offset + i] == doctest::Approx(difference(values[s.offset + i])).epsilon(1e-6));
  for (std::size_t i = 0; i < x.size(); i += 5) CHECK(dx[i] == doctest::Approx(difference(x[i])).epsilon(1e-6));
}

TEST_CASE("rating: a training of a few steps learns the numbers, with any threads to the same bits") {
  const Reviews reviews(60);
  std::vector<std::vector<float>> values;
  for (const int threads : {1, 2}) {
    const auto cpu = Trainer::Device::with(threads);
    Trainer trainer(cpu, {}, 64, 1);
    CHECK(trainer.planned_bytes() == Trainer::planned(1, 64).asked());
    batch::Packer<Features> packer(64);
    const auto score = [&] { return train::evaluate(trainer, reviews.encoded, reviews.gold, packer); };
    const rating::Task::Scores before = score();
    CHECK(before.sentences == 52);
    std::vector<double> losses;
    const train::Outcome outcome = train::fit(
        trainer, reviews.encoded, options(30), [&](const train::StepReport& r) { losses.push_back(r.loss); },
        [&] { return rating::Task::Scorer::score(score()); }, [](std::uint32_t, double, bool) {});
    CHECK(losses.back() < 0.2 * losses.front());
    CHECK(score().mean_square() < 0.2 * before.mean_square());
    CHECK(outcome.best == doctest::Approx(rating::Task::Scorer::score(score())));
    CHECK(outcome.calibration.largest == 0);  // the task has nothing to calibrate
    values.emplace_back(trainer.values(), trainer.values() + trainer.layout().size);
  }
  CHECK(values[0] == values[1]);
}

/// The sentences of Reviews as a file of words, a tab, and ratings.
std::string as_file(const Reviews& reviews) {
  std::string file;
  for (std::size_t s = 0; s < reviews.gold.size(); ++s, file += "\n")
    for (std::size_t i = reviews.corpus.sentence[s]; i < reviews.corpus.sentence[s + 1]; ++i) {
      const float gold = reviews.gold[s];
      file.append(reviews.corpus.token(i)).append("\t");
      file += (i > reviews.corpus.sentence[s] || std::isnan(gold) ? "-" : std::to_string(gold)) + "\n";
    }
  return file;
}

using Source = text::Conll<text::Bio>;
using Encode = batch::Encode<Features, rating::Task, Source>;
using Shuffled = batch::Shuffled<batch::Workers<Encode>>;
using Loader = batch::Prefetch<batch::Packed<Shuffled>>;

TEST_CASE("rating: a loader takes the ratings from files, and a training learns from its batches") {
  const Reviews reviews(60);
  const test::Scratch folder;
  test::put(folder / "ratings", as_file(reviews));
  const auto encode = [&] { return Encode({}, Trainer::Labels{}, Source({folder / "ratings"}, {.tag_column = 1})); };
  batch::InTurn<Encode> blocks(encode());
  blocks.start(0, {});
  batch::EncodedBlock<Features> block;
  REQUIRE(blocks.next(block));
  CHECK(block.gold.annotations == 52);
  REQUIRE(block.sentences.target.size() == 60);
  for (std::size_t s = 0; s < 60; ++s) {
    if (std::isnan(reviews.gold[s])) {
      CHECK(std::isnan(block.sentences.target[s]));
    } else {
      CHECK(block.sentences.target[s] == doctest::Approx(reviews.gold[s]));
    }
  }
  CHECK(!blocks.next(block));

  const auto cpu = Trainer::Device::with(1);
  Trainer trainer(cpu, {}, 64, 1);
  Shuffled shuffled(batch::Workers<Encode>(encode(), {.workers = 2}), {.seed = 3});
  Loader loader(batch::Packed<Shuffled>(std::move(shuffled), train::packed_options(trainer, options(30))));
  std::vector<double> losses;
  train::fit(
      trainer, loader, 300, options(30), [&](const train::StepReport& r) { losses.push_back(r.loss); },
      [] { return 0.; }, [](std::uint32_t, double, bool) {}, {}, {}, [](const auto&, const auto&) {});
  CHECK(losses.back() < 0.2 * losses.front());

  test::put(folder / "ratings", "soup\tB-GOOD\n");
  batch::InTurn<Encode> wrong(encode());
  wrong.start(0, {});
  CHECK(test::sentence([&] { wrong.next(block); }) ==
        "rating.1: " + (folder / "ratings") + ":1: 'B-GOOD', expected a number, or -; correct the rating");
}

TEST_CASE("rating: a training that was stopped resumes to the same bits") {
  const Reviews reviews(60);
  const auto cpu = Trainer::Device::with(1);
  const test::Scratch folder;
  const auto values_after = [&](std::uint32_t last, bool resumes) {
    Trainer trainer(cpu, {}, 64, 1);
    std::atomic<bool> stop = false;
    train::Options o = options(3);
    o.stop = &stop;
    const auto on_step = [&](const train::StepReport& r) { stop = r.step == last; };
    const auto evaluate = [] { return 0.; };
    const auto on_evaluation = [](std::uint32_t, double, bool) {};
    train::Progress<float> from;
    if (resumes) {
      const auto stored = checkpoint::load_training_state(folder.path());
      train::check_shared(stored.state.same, train::shared(trainer, reviews.encoded, o), stored.where());
      from = train::restore(trainer, stored);
    }
    const auto keep = [&](const train::Progress<float>& progress) {
      train::save_state(trainer, progress, folder.path(), {train::shared(trainer, reviews.encoded, o), {}});
    };
    train::fit(trainer, reviews.encoded, o, on_step, evaluate, on_evaluation, std::move(from), keep);
    return std::vector<float>(trainer.values(), trainer.values() + trainer.layout().size);
  };
  const auto whole = values_after(0, false);
  CHECK(values_after(4, false) != whole);
  CHECK(values_after(0, true) == whole);
}

TEST_CASE("rating: a saved model gives the same predictions, to the trainer that loads it and to a decoder") {
  const Reviews reviews(60);
  const auto cpu = Trainer::Device::with(1);
  Trainer trainer(cpu, {}, 64, 1);
  train::fit(
      trainer, reviews.encoded, options(3), [](const train::StepReport&) {}, [] { return 0.; },
      [](std::uint32_t, double, bool) {});
  const test::Scratch folder;
  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "lines";
  train::prove_writable(trainer, folder.path(), about);
  train::save(trainer, folder / "m", about);
  const std::string config = test::get(folder / "m/config.json");
  CHECK(test::has(config, "\"id2label\": {\n    \"0\": \"LABEL_0\"\n  }"));
  CHECK(test::has(config, "Head<8>"));

  batch::Packer<Features> packer(64);
  const auto predictions = [&](auto& decoder) {
    std::vector<float> all;
    train::predict_all(decoder, reviews.encoded, packer,
                       [&](std::size_t, std::span<const float> rating) { all.push_back(rating.front()); });
    return all;
  };
  const auto before = predictions(trainer);
  CHECK(before.size() == 60);
  auto loaded = train::load<Trainer>(cpu, folder / "m", 64, 9);
  CHECK(predictions(loaded) == before);
  Trainer continued(cpu, {}, 64, 5);
  CHECK(train::start_from(continued, folder / "m").kept == std::vector<std::string>{"LABEL_0"});
  CHECK(predictions(continued) == before);
  const predict::Net<Net, precision::Fp32, Trainer::Device> net(folder / "m");
  predict::Decoder<Net, precision::Fp32, Trainer::Device> decoder(net, 64);
  CHECK(predictions(decoder) == before);

  const predict::PredictorOf<Trainer> predictor(folder / "m");
  const auto of_corpus = [&] {
    std::vector<float> all;
    predictor.predict(reviews.corpus, [&](std::size_t, std::span<const float> rating) { all.push_back(rating[0]); });
    return all;
  };
  const auto of_predictor = of_corpus();  // whose products round differently
  REQUIRE(of_predictor.size() == before.size());
  for (std::size_t s = 0; s < before.size(); ++s) CHECK(of_predictor[s] == doctest::Approx(before[s]).epsilon(1e-4));
  std::string lines;
  for (std::size_t s = 0; s < reviews.corpus.sentences(); ++s)
    for (std::size_t i = reviews.corpus.sentence[s]; i < reviews.corpus.sentence[s + 1]; ++i)
      lines.append(reviews.corpus.token(i)).append(i + 1 < reviews.corpus.sentence[s + 1] ? " " : "\n");
  std::vector<float> of_lines;
  predictor.predict(lines, [&](const predict::Sentence& sentence, std::span<const float> rating) {
    CHECK(sentence.words.size() == reviews.corpus.length(of_lines.size()));
    of_lines.push_back(rating[0]);
  });
  CHECK(of_lines == of_predictor);

  std::string other = config;
  other.replace(other.find("\"LABEL_0\""), 9, "\"O\"").replace(other.find("\"LABEL_0\""), 9, "\"O\"");
  test::put(folder / "m/config.json", other);
  CHECK(test::sentence([&] { train::load<Trainer>(cpu, folder / "m", 64, 9); }) ==
        "entrain.task.2: " + (folder / "m/config.json") +
            ": 1 label in id2label, expected LABEL_0 to LABEL_0 of the task rating; restore the file");
}

}  // namespace test_rating
