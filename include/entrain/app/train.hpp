// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `train`: files in, a model folder out, and proof that what was saved is what was trained.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/document.hpp"
#include "entrain/app/machine.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/plan_words.hpp"
#include "entrain/app/render.hpp"
#include "entrain/app/result_words.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/batch/encoded.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/train/evaluate.hpp"
#include "entrain/train/fit.hpp"
#include "entrain/train/load.hpp"
#include "entrain/train/save.hpp"

namespace entrain::app {

/// The precision that a trainer was made with.
template <class Trainer> struct PolicyOf;
template <class Model, Precision P, class D, class Optimizer> struct PolicyOf<train::Trainer<Model, P, D, Optimizer>> {
  using type = P;
};

/// One training, from the files to the scores of what was saved.
template <class Trainer> class TrainCommand {
 public:
  explicit TrainCommand(const Settings& settings)
      : s_(settings), talk_(settings.quiet), files_(settings.files), dev_(threads_or_all(settings.threads)) {
    if (files_.train.empty())
      throw Error("entrain.app.8", "--train", "no training file", "one, or a corpus that has one");
  }

  int run() {
    const predict::Splitting splitting(s_.splitter, s_.sentence_splitter, "--splitter, --sentence-splitter");
    talk_.say(std::string("entrain ") + version);
    say_device<Trainer>(dev_, talk_);
    read();
    prepare_folder(s_.output);
    Trainer trainer = make_trainer();
    const auto steps = train::total_steps(s_.training, train_->encoded);
    say_plan(trainer, s_.training, steps, talk_);
    const train::Outcome outcome = fit(trainer, splitting, steps);
    report(trainer, outcome);
    return 0;
  }

 private:
  using Model = typename Trainer::Model;
  using Policy = typename PolicyOf<Trainer>::type;
  using Features = typename Trainer::Features;
  using Labels = typename Trainer::Labels;
  using Net = predict::Net<Model, Policy, typename Trainer::Device>;
  using Decoder = predict::Decoder<Model, Policy, typename Trainer::Device>;

  struct Split {
    train::Tagged gold;
    batch::Encoded<Features> encoded;
  };

  std::optional<Split> read(const std::string& name, const std::string& path) {
    if (path.empty()) return std::nullopt;
    train::Tagged gold = read_split(name, path, s_.reading, talk_);
    auto encoded = batch::encode<Features>(gold.corpus);
    warn_about(gold, (train_ ? train_->gold : gold).types.names(), s_.reading.repair, talk_);
    rows_ = std::max(rows_, longest_sentence(gold, s_.training.token_budget, talk_));
    return Split{std::move(gold), std::move(encoded)};
  }

  void read() {
    rows_ = s_.training.token_budget;
    train_ = read("train", files_.train);
    dev_split_ = read("dev", files_.dev);
    test_ = read("test", files_.test);
    if (!dev_split_) talk_.warn("no dev file: the last values are kept, whatever their score");
  }

  Trainer make_trainer() {
    Labels labels(train::entity_types(train_->gold));
    train::set_targets(train_->encoded, train_->gold, labels, s_.reading.repair);
    const auto cost = train::cost_of<Model, Policy>({rows_, rows_, labels.count()});
    refuse_oversize(cost.arena, "a batch of " + grouped(static_cast<std::size_t>(rows_)) +
                                    " words makes it so large: lower --batch-tokens, split longer sentences");
    Trainer trainer(dev_, std::move(labels), rows_, s_.training.seed);
    if (!s_.init.empty()) say_survival(train::start_from(trainer, s_.init));
    return trainer;
  }

  void say_survival(const train::Survival& survival) {
    const auto listed = [](const std::vector<std::string>& names) {
      std::string s;
      for (const std::string& name : names) s.append(s.empty() ? "" : ", ").append(name);
      return s.empty() ? std::string("none") : s;
    };
    talk_.fact("init", s_.init + ": labels that survive: " + listed(survival.kept));
    talk_.fact("", "new labels, which start fresh: " + listed(survival.fresh));
    talk_.fact("", "labels of that model only, dropped: " + listed(survival.dropped));
  }

  train::Outcome fit(Trainer& trainer, const predict::Splitting& splitting, std::uint32_t total) {
    batch::Packer<Features> packer(rows_);
    report::Progress now{.stage = "", .total = total};
    report::Short stage;
    std::uint32_t saved = 0;
    const auto on_step = [&](const train::StepReport& r) {
      stage = report::Short("epoch %d", r.epoch + 1);
      now.stage = stage;
      now.done = r.step;
      now.items = static_cast<std::int64_t>(r.tokens);
      now.loss = r.loss;
      talk_.progress(now);
    };
    const auto evaluate = [&] {
      if (!dev_split_) return -1.0;
      last_ = train::evaluate(trainer, dev_split_->encoded, dev_split_->gold, packer);
      return last_.strict.micro().figures().f1;
    };
    const auto on_evaluation = [&](std::uint32_t step, double score, bool best) {
      if (!dev_split_) return;
      if (best) {
        now.score = score;
        try {
          save(trainer, splitting, step, score);
          saved = step;
        } catch (const Error& e) {
          talk_.warn(std::string(e.what()) + "; training goes on");
        }
      }
      talk_.say(evaluation_line(step, now.loss, last_, best));
    };
    const train::Outcome outcome =
        train::fit(trainer, train_->encoded, packer, s_.training, on_step, evaluate, on_evaluation);
    talk_.finish(now);
    if (outcome.stopped_early)
      talk_.fact("stopped", "after " + std::to_string(s_.training.patience) + " evaluations without a better score");
    if (saved == 0 || saved != outcome.best_step) save(trainer, splitting, outcome.steps, outcome.best);
    talk_.fact("saved", s_.output + (dev_split_ ? ", the values of step " + grouped(outcome.best_step) : ""));
    return outcome;
  }

  void save(const Trainer& trainer, const predict::Splitting& splitting, std::uint32_t step, double score) {
    checkpoint::Config about;
    about.splitter = splitting.word_splitter();
    about.sentence_splitter = splitting.sentence_splitter();
    about.set("version", version);
    about.set("precision", std::string(Trainer::precision));
    about.set("optimizer", std::string(Trainer::optimizer));
    about.set("train", train_->gold.corpus.name);
    if (dev_split_) {
      about.set("dev", dev_split_->gold.corpus.name);
      about.set("best_dev_f1", score);
    }
    about.set("step", static_cast<std::int64_t>(step));
    train::remember(about, s_.training);
    train::save(trainer, s_.output, std::move(about));
  }

  /// Reads the folder back, and shows that the model in it predicts what the trainer predicts.
  void report(Trainer& trainer, const train::Outcome& outcome) {
    talk_.fact("speed", grouped(static_cast<std::size_t>(static_cast<double>(outcome.tokens) /
                                                         std::max(outcome.seconds, 1e-9))) +
                            " words/s in training");
    const Net net(s_.output);
    for (const std::string& note : net.notes) talk_.warn(note);
    Decoder reloaded(net, rows_, dev_.threads());
    const Split& check = test_ ? *test_ : dev_split_ ? *dev_split_ : *train_;
    batch::Packer<Features> packer(rows_);
    demand_equal(trainer, reloaded, check, packer);
    talk_.fact("reloaded", s_.output + ": the same tags on every word of " + check.gold.corpus.name);
    if (test_) {
      const score::Scores scores = train::evaluate(reloaded, test_->encoded, test_->gold, packer);
      const score::Scores names = dictionary_scores(train_->gold, test_->gold, s_.reading.repair);
      Output out("-");
      out.write(s_.json ? final_json(scores, names, outcome) : final_table(test_->gold.corpus.name, scores, names));
    }
    show_examples(reloaded, check, packer);
    if (talk_.warnings() > 0)
      talk_.say(std::to_string(talk_.warnings()) + (talk_.warnings() == 1 ? " warning" : " warnings"));
  }

  void demand_equal(Trainer& trainer, Decoder& reloaded, const Split& split, batch::Packer<Features>& packer) {
    std::vector<text::Tag> trained;
    train::predict_all(trainer, split.encoded, packer, [&](std::size_t, std::span<const text::Tag> tags) {
      trained.insert(trained.end(), tags.begin(), tags.end());
    });
    std::size_t at = 0;
    train::predict_all(reloaded, split.encoded, packer, [&](std::size_t s, std::span<const text::Tag> tags) {
      for (const text::Tag tag : tags)
        if (tag != trained[at++])
          throw Error("entrain.app.9", split.gold.corpus.where(split.gold.corpus.sentence[s]),
                      "the model read back from " + s_.output + " tags this sentence otherwise than the trained one",
                      "the same tags", "this is a fault of entrain: please report it");
    });
  }

  /// Three sentences of the split, with what the model finds in them.
  void show_examples(Decoder& decoder, const Split& split, batch::Packer<Features>& packer) {
    if (s_.quiet) return;
    constexpr int wanted = 3;
    std::vector<Document> examples;
    train::predict_all(decoder, split.encoded, packer, [&](std::size_t s, std::span<const text::Tag> tags) {
      const bool fits = examples.size() < wanted && 6 <= tags.size() && tags.size() <= 30;
      if (fits && std::any_of(tags.begin(), tags.end(), [](text::Tag tag) { return tag != 0; }))
        examples.push_back(document_of(split.gold.corpus, s, tags, decoder.labels()));
    });
    Colours colours;
    for (const Document& d : examples) {
      std::string line;
      colours.append(line, d, talk_.terminal());
      line.pop_back();
      talk_.say("  " + line);
    }
  }

  const Settings& s_;
  Talk talk_;
  Files files_;
  typename Trainer::Device dev_;
  std::optional<Split> train_, dev_split_, test_;
  int rows_ = 0;
  score::Scores last_;
};

}  // namespace entrain::app
