// tests > [train]
//
// A training that is stopped and resumed is the training that was never stopped: losses, rates, evaluations, the best
// model, the last values, to the bit.
#include "entrain/train/state/resume.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "tests/scratch.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace resume_test {
using namespace entrain;
using namespace test;

namespace {

/// What is seen of a training, all of it as bits.
struct Seen {
  std::vector<double> steps;  // of each: step, epoch, loss, rate, norm, tokens
  std::vector<double> looks;  // of each evaluation: step, score, whether it is the best; and a sum of what it saw
  std::vector<float> last;    // values at the end
  std::vector<double> outcome;
};

/// What stops a training.
struct Stop {};

template <class Model, class Optimizer> struct Training {
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, Optimizer>;
  using Features = typename Model::Features;

  explicit Training(const train::Tagged& split, Features features = {}) : labels(split.types.names()) {
    options.epochs = 4;
    options.learning_rate = 0.01;
    options.lr_scheduler_type = optim::Decay::cosine;
    options.token_budget = 30;
    options.gradient_accumulation_steps = 2;
    options.word_dropout = 0;
    options.calibrate = false;
    options.knobs.weight_decay = 0.1;
    options.knobs.ema_decay = 0.9;
    e = batch::encode<Features>(split.corpus, std::move(features));
    train::set_targets(e, split, labels, "conlleval");
  }

  /// save_steps: 0 for a training that keeps nothing. Stopped after step `last`, or never.
  Seen go(const std::string& folder, std::uint32_t save_steps, std::uint32_t last, bool resumes, int threads = 1) {
    const device::Cpu<> dev(threads);
    const int rows = static_cast<int>(batch::largest_batch(e.rows, options.batching()));
    Trainer trainer(dev, labels, rows, options.seed);
    batch::Packer<Features> packer(rows);
    Seen seen;
    train::Options o = options;
    o.save_steps = save_steps;
    o.stop = &stop;
    train::Progress<float> from;
    if (resumes) {
      const auto stored = checkpoint::load_training_state(folder);
      train::check_shared(stored.state.same, train::shared(trainer, e, o), stored.where());
      from = train::restore(trainer, stored);
      goes_on_from = from.at.steps;
    }
    try {
      const train::Outcome out = train::fit(
          trainer, e, o,
          [&](const train::StepReport& r) {
            for (const double x : {static_cast<double>(r.step), static_cast<double>(r.epoch), r.loss, r.learning_rate,
                                   r.grad_norm, static_cast<double>(r.tokens)})
              seen.steps.push_back(x);
            stop = stop || (asks_after == r.step && !asks_in_evaluation);
          },
          [&] {
            // A score that goes up and down with the step, of values and of what is decoded with them.
            const std::uint32_t step = trainer.steps();
            stop = stop || (asks_after == step && asks_in_evaluation);
            if (stop) throw train::EvaluationStopped();
            std::vector<std::int32_t> tags(static_cast<std::size_t>(rows));
            const std::vector<std::uint32_t> first{0};
            trainer.decode(packer.pack(e, first, labels.count()), tags.data());
            double sum = 0;
            for (int i = 0; i < e.length(0); ++i) sum += tags[static_cast<std::size_t>(i)];
            for (std::size_t i = 0; i < trainer.layout().size; ++i)
              sum += static_cast<double>(trainer.best_values()[i]);
            seen.looks.push_back(sum);
            return scores.empty() ? -1.0 : scores[step % scores.size()];
          },
          [&](std::uint32_t step, double score, bool best) {
            for (const double x : {static_cast<double>(step), score, static_cast<double>(best)})
              seen.looks.push_back(x);
          },
          std::move(from),
          [&](const train::Progress<float>& progress) {
            ++kept;
            train::save_state(trainer, progress, folder, {train::shared(trainer, e, o), {}});
            if (last > 0 && progress.at.steps >= last) throw Stop();
          });
      for (const double x : {static_cast<double>(out.steps), static_cast<double>(out.best_step), out.best,
                             static_cast<double>(out.tokens), static_cast<double>(out.stopped_early)})
        seen.outcome.push_back(x);
      CHECK(out.stopped == stop.load());
    } catch (const Stop&) {
    }
    seen.last = {trainer.values(), trainer.values() + trainer.layout().size};
    return seen;
  }

  /// Stopped after each step and resumed, once each: the parts together are the whole.
  void check_each_stop() {
    const Seen whole = go("", 0, 0, false);
    const auto steps = static_cast<std::uint32_t>(whole.outcome[0]);
    REQUIRE(steps > 5);
    for (std::uint32_t last = 1; last <= steps; ++last) {
      CAPTURE(last);
      const test::Scratch folder;
      Seen parts = go(folder.path(), 1, last, false);
      CHECK(folder.names() == std::set<std::string>{"training_state.safetensors"});
      const Seen rest = go(folder.path(), 1, 0, true, 2);
      CHECK(goes_on_from == last);
      parts.steps.insert(parts.steps.end(), rest.steps.begin(), rest.steps.end());
      parts.looks.insert(parts.looks.end(), rest.looks.begin(), rest.looks.end());
      parts.last = rest.last;
      parts.outcome = rest.outcome;
      CHECK(parts.steps == whole.steps);
      CHECK(parts.looks == whole.looks);
      CHECK(parts.outcome == whole.outcome);
      CHECK(parts.last == whole.last);
    }
  }

  /// Asked to stop after each step, and in each evaluation, and resumed: the parts together are the whole. A training
  /// that keeps no state otherwise keeps one then.
  void check_each_request() {
    const Seen whole = go("", 0, 0, false);
    const auto steps = static_cast<std::uint32_t>(whole.outcome[0]);
    int stopped_in_evaluations = 0;
    for (const bool in_evaluation : {false, true})
      for (std::uint32_t after = 1; after <= steps; ++after) {
        CAPTURE(in_evaluation);
        CAPTURE(after);
        const test::Scratch folder;
        asks_after = after;
        asks_in_evaluation = in_evaluation;
        Seen parts = go(folder.path(), 0, 0, false);
        asks_after = 0;
        if (!stop.load()) {  // no evaluation there
          CHECK(in_evaluation);
          CHECK(parts.looks == whole.looks);
          continue;
        }
        stopped_in_evaluations += in_evaluation;
        CHECK(folder.names() == std::set<std::string>{"training_state.safetensors"});
        const Seen none = go(folder.path(), 0, 0, true);  // while it is asked still: a step at most
        CHECK(none.steps.size() <= 6);
        parts.steps.insert(parts.steps.end(), none.steps.begin(), none.steps.end());
        CHECK(none.looks.empty());
        stop = false;
        const Seen rest = go(folder.path(), 0, 0, true, 2);
        CHECK(goes_on_from == after + none.steps.size() / 6);
        parts.steps.insert(parts.steps.end(), rest.steps.begin(), rest.steps.end());
        parts.looks.insert(parts.looks.end(), rest.looks.begin(), rest.looks.end());
        CHECK(parts.steps == whole.steps);
        CHECK(parts.looks == whole.looks);
        CHECK(rest.outcome == whole.outcome);
        CHECK(rest.last == whole.last);
      }
    CHECK(stopped_in_evaluations > 1);
  }

  typename Trainer::Labels labels;
  batch::Encoded<Features> e;
  train::Options options;
  std::vector<double> scores{0.3, 0.2, 0.5, 0.1};
  std::uint32_t goes_on_from = 0;
  int kept = 0;
  std::atomic<bool> stop{false};  // Options::stop, set after this step, or in the evaluation after it
  std::uint32_t asks_after = 0;
  bool asks_in_evaluation = false;
};

template <class Optimizer> using Light = Training<Tiny, Optimizer>;

}  // namespace

TEST_CASE_TEMPLATE("resume: stopped after any step, a light tagger resumes to the same bits", Optimizer, optim::Sgd,
                   optim::Adam, optim::AdamW, optim::Averaged<optim::AdamW>, optim::LazyUpdate<optim::AdamW>,
                   optim::LazyUpdate<optim::Averaged<optim::AdamW>>) {
  Light<Optimizer> training(people(20));
  training.check_each_stop();
}

TEST_CASE("resume: in the middle of patience, of epochs, and of words taken as unknown") {
  Light<optim::LazyUpdate<optim::Averaged<optim::AdamW>>> training(people(33));
  batch::add_unknown_word_copies(training.e);
  training.options.word_dropout = 0.4;
  training.options.eval_steps = 2;
  training.options.patience = 3;
  training.options.epochs = 9;
  training.options.seed = 5;
  training.scores = {0.1, 0, 0.4, 0, 0.3, 0, 0.2, 0, 0.4, 0};  // steps 2, 4, 6 ... : the best one first
  const Seen whole = training.go("", 0, 0, false);
  CHECK(whole.outcome[4] == 1);  // it stops early
  CHECK(whole.outcome[0] > whole.outcome[1] + 5);
  training.check_each_stop();
}

TEST_CASE("resume: asked to stop after any step, or in any evaluation, a training continues to the same bits") {
  Light<optim::LazyUpdate<optim::Averaged<optim::AdamW>>> epochs(people(20)), often(people(20));
  epochs.check_each_request();
  often.options.eval_steps = 2;
  often.options.patience = 3;
  often.options.epochs = 9;
  often.scores = {0.1, 0, 0.4, 0, 0.3, 0, 0.2, 0, 0.4, 0};
  often.check_each_request();
}

TEST_CASE("resume: a number of steps instead of epochs, and nothing to score") {
  Light<optim::AdamW> training(people(20));
  training.scores = {};
  training.options.max_steps = 7;
  training.options.lr_scheduler_type = optim::Decay::constant;
  training.check_each_stop();
}

TEST_CASE("resume: in the middle of sizes that compound, of groups by length, of n sentences a batch") {
  Light<optim::AdamW> words(people(25));
  words.options.compounding = {12, 30, 1.04};
  words.options.group_by_length = true;
  words.check_each_stop();
  Light<optim::AdamW> sentences(people(25));
  sentences.options.batch_size = 9;
  sentences.options.compounding = {2, 9, 1.06};
  sentences.check_each_stop();
}

TEST_CASE("resume: a transformer resumes to the same bits") {
  const train::Tagged split = train::tagged(text::read_conll(golden_bert + "/sentences.conll"), {});
  Training<Bert, optim::LazyUpdate<optim::Averaged<optim::AdamW>>> training(
      split, train::open_features<Bert::Features>(golden_bert));
  training.options.token_budget = 20;
  training.options.gradient_accumulation_steps = 1;
  training.check_each_stop();
}

TEST_CASE("resume: what a training must share is told apart, each by its name") {
  const device::Cpu<> dev(1);
  const train::Tagged split = people(12);
  const Labels labels(split.types.names());
  const auto e = encoded(split, labels);
  const Trainer trainer(dev, labels, 60, 0);
  const train::Options plain;
  const auto stored = train::shared(trainer, e, plain);
  const auto names = [&](const std::vector<checkpoint::NamedText>& here) {
    return sentence([&] { train::check_shared(stored, here, "state"); });
  };
  CHECK(names(train::shared(trainer, e, plain)).empty());
  const auto differs = [&](const std::string& name, auto change) {
    train::Options o;
    change(o);
    CHECK(names(train::shared(trainer, e, o))
              .starts_with("entrain.train.24: state: " + name + " of the stopped training"));
  };
  differs("seed", [](auto& o) { o.seed = 1; });
  differs("epochs", [](auto& o) { o.epochs = 1; });
  differs("max_steps", [](auto& o) { o.max_steps = 1; });
  differs("token_budget", [](auto& o) { o.token_budget = 1; });
  differs("batch_size", [](auto& o) { o.batch_size = 8; });
  differs("group_by_length", [](auto& o) { o.group_by_length = true; });
  differs("compounding_start", [](auto& o) { o.compounding.start = 1; });
  differs("compounding_stop", [](auto& o) { o.compounding.stop = 1; });
  differs("compounding_factor", [](auto& o) { o.compounding.factor = 1.001; });
  differs("gradient_accumulation_steps", [](auto& o) { o.gradient_accumulation_steps = 2; });
  differs("learning_rate", [](auto& o) { o.learning_rate = 1; });
  differs("head_learning_rate", [](auto& o) { o.head_learning_rate = 1; });
  differs("lr_scheduler_type", [](auto& o) { o.lr_scheduler_type = optim::Decay::linear; });
  differs("warmup_steps", [](auto& o) { o.warmup_steps = 1; });
  differs("warmup_ratio", [](auto& o) { o.warmup_ratio = 0.5; });
  differs("head_rate", [](auto& o) { o.knobs.head_rate = 10; });
  differs("one_epoch", [](auto& o) { o.one_epoch = true; });
  differs("max_grad_norm", [](auto& o) { o.max_grad_norm = 2; });
  differs("dropout", [](auto& o) { o.dropout = 0.1; });
  differs("word_dropout", [](auto& o) { o.word_dropout = 0.1; });
  differs("eval_steps", [](auto& o) { o.eval_steps = 1; });
  differs("patience", [](auto& o) { o.patience = 1; });
  differs("calibrate", [](auto& o) { o.calibrate = false; });
  differs("label_smoothing_factor", [](auto& o) { o.label_smoothing_factor = 0; });
  differs("focal_gamma", [](auto& o) { o.focal_gamma = 1; });
  differs("class weights", [](auto& o) { o.class_weights = {1, 2}; });
  differs("adam_beta1", [](auto& o) { o.knobs.beta1 = 0.5; });
  differs("adam_beta2", [](auto& o) { o.knobs.beta2 = 0.5; });
  differs("adam_epsilon", [](auto& o) { o.knobs.epsilon = 0.5; });
  differs("momentum", [](auto& o) { o.knobs.momentum = 0.5; });
  differs("weight_decay", [](auto& o) { o.knobs.weight_decay = 0.5; });
  differs("ema_decay", [](auto& o) { o.knobs.ema_decay = 0.5; });
  differs("layerwise_lr_decay", [](auto& o) { o.knobs.layerwise_lr_decay = 0.5; });
  train::Options rarely;  // what decides no bit may differ
  rarely.save_steps = 7;
  CHECK(names(train::shared(trainer, e, rarely)).empty());

  const auto of_corpus = [&](auto change) {
    auto other = e;
    change(other);
    CHECK(names(train::shared(trainer, other, plain))
              .starts_with("entrain.train.24: state: training file of the stopped training: 12 sentences, 72 "
                           "words, sha256 "));
  };
  of_corpus([](auto& c) { std::swap(c.word[0], c.word[1]); });
  of_corpus([](auto& c) { c.target[3] = 0, c.target[0] = 1; });
  of_corpus([](auto& c) { ++c.sentence[1]; });
  of_corpus([](auto& c) { ++c.rows[1]; });
  of_corpus([](auto& c) { ++c.vocabulary[1][0]; });
  of_corpus([](auto& c) { batch::add_unknown_word_copies(c); });

  const TrainerOf<optim::Averaged<optim::AdamW>> averaged(dev, labels, 60, 0);
  const TrainerOf<optim::Adam> adam(dev, labels, 60, 0);
  const Trainer swapped(dev, Labels({"LOC", "PER"}), 60, 0);
  CHECK(names(train::shared(averaged, e, plain)) ==
        "entrain.train.24: state: optimizer of the stopped training: adamw, expected the current adamw and an "
        "average; use the original value, or start again without --resume");
  CHECK(has(names(train::shared(adam, e, plain)), "optimizer of the stopped training: adamw, expected the current"));
  CHECK(has(names(train::shared(swapped, e, plain)), "entity types of the stopped training: PER, LOC, expected"));
  CHECK(has(names(train::shared(trainer, e, plain, {{"dev file", "x"}})),
            "dev file of the stopped training: none, expected the current x"));
  CHECK(has(names({}), "composition of the stopped training: Tagger<"));

  const TrainerOf<optim::LazyUpdate<optim::AdamW>> waits(dev, labels, 60, 0);  // the same bits
  CHECK(names(train::shared(waits, e, plain)).empty());
}

/// An optimizer and a schedule with a template argument that their names do not have.
template <int N> struct Every : optim::AdamW { static constexpr std::string_view name = "every"; };
template <int N> struct Steps {
  static constexpr std::string_view name = "steps";
  double rate;
  explicit Steps(const optim::Schedule& from) : rate(from.learning_rate) {}
  double operator()(std::uint32_t step) const { return rate / (1 + step / N); }
};

TEST_CASE("resume: the template arguments of an optimizer and of a schedule are part of the state") {
  const auto named = []<class O>(O) {
    return train::named_with_arguments<typename optim::RuleOf<O>::type>() + ", " +
           train::named_with_arguments<typename optim::ScheduleOf<O>::type>();
  };
  // the names in states that were stored before arguments were part of them
  CHECK(named(optim::Sgd()) == "sgd, usual");
  CHECK(named(optim::Adam()) == "adam, usual");
  CHECK(named(optim::LazyUpdate<optim::Averaged<optim::AdamW>>()) == "adamw, usual");
  CHECK(named(optim::LazyUpdate<optim::Scheduled<optim::Averaged<optim::AdamW>, Steps<3>>>()) ==
        "adamw, steps Steps<3>");
  CHECK(named(Every<3>()) == "every Every<3>, usual");
  CHECK(named(optim::Averaged<Every<4>>()) == "every Every<4>, usual");

  const device::Cpu<> dev(1);
  const Labels labels({"PER", "LOC"});
  const TrainerOf<Every<3>> three(dev, labels, 60, 0);
  const TrainerOf<optim::LazyUpdate<Every<4>>> four(dev, labels, 60, 0);
  const TrainerOf<optim::Scheduled<optim::AdamW, Steps<3>>> by_three(dev, labels, 60, 0);
  const TrainerOf<optim::Scheduled<optim::AdamW, Steps<4>>> by_four(dev, labels, 60, 0);
  const auto states = [&](const auto&... trainers) {
    return std::vector{train::shared(trainers, std::string("corpus"), train::Options(), {})...};
  };
  const auto all = states(three, four, by_three, by_four);
  CHECK(all[0] != all[1]);
  CHECK(all[2] != all[3]);
}

TEST_CASE("resume: a split's identity is of its words, tags and sentences") {
  const std::string one = train::identity_of(people(12).corpus);
  CHECK(one.starts_with("12 sentences, 72 words, sha256 "));
  CHECK(train::identity_of(people(12).corpus) == one);
  CHECK(train::identity_of(people(12, 1).corpus) != one);
  text::Corpus a, b;
  for (auto* c : {&a, &b})
    for (int i = 0; i < 4; ++i) {
      c->push("x", i == 2 ? "B-PER" : "O", 1);
      if (i == (c == &a ? 1 : 2)) c->end_sentence();
    }
  a.end_sentence();
  b.end_sentence();
  CHECK(train::identity_of(train::tagged(std::move(a), {}).corpus) !=
        train::identity_of(train::tagged(std::move(b), {}).corpus));
}

TEST_CASE("resume: a state of other numbers is refused, and one without a text") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  const Labels labels({"PER"});
  TrainerOf<optim::Sgd> sgd(dev, labels, 10, 0);
  train::save_state(sgd, {}, folder.path(), {});
  const auto restoring = [&](auto&& trainer) {
    return sentence([&] { train::restore(trainer, checkpoint::load_training_state(folder.path())); });
  };
  CHECK(restoring(TrainerOf<optim::Sgd>(dev, labels, 10, 0)).empty());
  CHECK(has(restoring(Trainer(dev, labels, 10, 0)), "entrain.checkpoint.26: "));
  CHECK(has(restoring(Trainer(dev, labels, 10, 0)), "no tensor 'training.moment.1'"));
  CHECK(has(restoring(TrainerOf<optim::Sgd>(dev, Labels({"PER", "LOC"}), 10, 0)), "entrain.checkpoint.27: "));
  checkpoint::save_training_state(folder.path(), {}, {});
  CHECK(has(restoring(Trainer(dev, labels, 10, 0)), "entrain.checkpoint.72: "));
  CHECK(has(restoring(Trainer(dev, labels, 10, 0)), "'at.step' is missing"));
}

TEST_CASE("resume: without save_steps a state is kept at evaluations, and not in a training of a moment") {
  Light<optim::AdamW> training(people(20));
  training.go("", 0, 0, false);
  CHECK(training.kept == 0);
  const test::Scratch at_evaluations;
  training.options.save_seconds = 0;
  training.go(at_evaluations.path(), 0, 0, false);
  CHECK(training.kept == 4);
  training.kept = 0;
  const test::Scratch folder;
  training.options.epochs = 2;  // 2 steps each
  training.go(folder.path(), 3, 0, false);
  CHECK(training.kept == 1);
  training.go(folder.path(), 2, 0, false);
  CHECK(training.kept == 3);  // once at the end of an epoch, after the evaluation, not before it, too
}

}  // namespace resume_test
