// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The loop: epochs or a number of steps, evaluation every so many, early stopping, the best values kept.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "entrain/batch/budget.hpp"
#include "entrain/device/reading.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/schedule.hpp"
#include "entrain/optim/steps.hpp"
#include "entrain/train/calibrate.hpp"
#include "entrain/train/evaluate.hpp"

namespace entrain::train {

/// What the user sets, by the names of Hugging Face and spaCy.
struct Options {
  std::uint64_t seed = 0;
  int epochs = 15;
  std::uint32_t max_steps = 0;  // 0: by epochs
  int token_budget = 256;       // rows of a batch
  int gradient_accumulation_steps = 1;
  double learning_rate = 1e-3;
  double head_learning_rate = 0;  // 0: the same
  optim::Decay lr_scheduler_type = optim::Decay::constant;
  std::uint32_t warmup_steps = 0;
  double max_grad_norm = 1;
  double dropout = 0.3;
  double word_dropout = 0.3;            // share of rows whose word is taken as unknown; needs batch::add_twins
  std::uint32_t eval_steps = 0;         // 0: after every epoch
  std::uint32_t patience = 0;           // evaluations without a better score before training stops; 0: never
  bool calibrate = true;                // set on the dev split, at the end, how readily an entity opens
  double label_smoothing_factor = 0.1;  // of a head with loss::Smoothed
  double focal_gamma = 2;               // of a head with loss::Focal
  std::vector<float> class_weights;     // one a label, of a softmax head; empty: all 1
  optim::Knobs knobs;

  /// What a pretrained encoder wants.
  /// source    Devlin et al. 2018, arXiv:1810.04805, appendix A.3: 5e-5 is the largest rate they try, 3 epochs their
  ///           middle
  static Options fine_tuning() {
    Options options;
    options.epochs = 3;
    options.token_budget = 1024;
    options.learning_rate = 5e-5;
    options.lr_scheduler_type = optim::Decay::linear;
    options.dropout = 0.1;
    options.word_dropout = 0;
    return options;
  }
};

/// After each step.
struct StepReport {
  std::uint32_t step, total_steps;
  int epoch;
  double loss;  // of this step, per target
  double learning_rate, grad_norm;
  std::uint64_t tokens;  // seen so far
  double seconds;        // of training so far, evaluation excluded
  double loss_scale = 1;
  std::uint32_t skipped_steps = 0;  // so far, this one among them: their gradients were not finite at their loss scale
};

struct Outcome {
  std::uint32_t steps = 0, best_step = 0;
  double best = -1;  // strict micro F1 of the best evaluation
  std::uint64_t tokens = 0;
  double seconds = 0;  // of training, evaluation excluded
  std::uint32_t skipped_steps = 0;
  bool stopped_early = false;
  double shift = 0;  // by calibration (calibrate.hpp); 0: none was worth it
  device::TimeSpent device;
  device::GpuReading gpu;  // before the last evaluation, while it worked
  double packing = 0;      // seconds that the host packed batches
};

/// Optimization steps that `options` make of this corpus. Known before step one.
template <class Features>
[[gnu::cold]] std::uint32_t total_steps(const Options& options, const batch::Encoded<Features>& e) {
  if (options.max_steps > 0) return options.max_steps;
  std::uint32_t steps = 0;
  batch::Budget batches;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    batches.shuffled(e.sentences(), options.seed, static_cast<std::uint32_t>(epoch));
    batches.plan(e.sentences(), options.token_budget, [&](std::uint32_t s) { return e.rows[s]; });
    const auto k = static_cast<std::size_t>(options.gradient_accumulation_steps);
    steps += static_cast<std::uint32_t>((batches.size() + k - 1) / k);
  }
  return steps;
}

/// Trains, and leaves the best values in the trainer. `on_step(StepReport)`; `evaluate() -> double`, the score of a
/// moment, or a negative number if there is nothing to score; `on_evaluation(step, score, is_best)`.
template <class Trainer, class OnStep, class Evaluate, class OnEvaluation>
Outcome fit(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e,
            batch::Packer<typename Trainer::Features>& packer, const Options& options, OnStep&& on_step,
            Evaluate&& evaluate, OnEvaluation&& on_evaluation) {
  using Clock = std::chrono::steady_clock;
  Outcome out;
  const optim::Schedule schedule{options.learning_rate, options.lr_scheduler_type, options.warmup_steps,
                                 total_steps(options, e)};
  optim::Knobs knobs = options.knobs;
  if (options.head_learning_rate > 0) knobs.head_rate = options.head_learning_rate / options.learning_rate;
  trainer.shape_loss(options.label_smoothing_factor, options.focal_gamma, options.class_weights);
  std::vector<typename Trainer::Number> best;
  std::uint32_t worse = 0;
  bool stop = schedule.total_steps == 0;
  auto mark = Clock::now();
  const auto seconds = [&] {
    const auto now = Clock::now();
    const double s = std::chrono::duration<double>(now - mark).count();
    mark = now;
    return s;
  };
  struct Asked {
    int epoch;
    double rate;
    std::uint64_t tokens;
  };
  Asked asked[Trainer::under_way + 1];  // of the steps of which nothing is known yet
  const auto tell = [&](optim::Wait wait) {
    trainer.results(
        [&](const optim::StepResult& r) {
          out.seconds += seconds();
          out.skipped_steps += r.skipped;
          const Asked& a = asked[r.step % std::size(asked)];
          on_step(StepReport{r.step, schedule.total_steps, a.epoch, r.mean_loss(), a.rate, r.grad_norm, a.tokens,
                             out.seconds, r.loss_scale, out.skipped_steps});
        },
        wait);
  };
  const auto look = [&] {
    out.gpu = trainer.device().reading();
    tell(optim::Wait::for_all);
    out.seconds += seconds();
    const double score = evaluate();
    const bool better = score > out.best;
    if (better) {
      out.best = score;
      out.best_step = out.steps;
      best.assign(trainer.best_values(), trainer.best_values() + trainer.layout().size);
    }
    if (score >= 0) worse = better ? 0 : worse + 1;
    on_evaluation(out.steps, score, better);
    if (options.patience > 0 && worse >= options.patience) stop = out.stopped_early = true;
    seconds();
  };

  batch::Budget batches;
  std::uint32_t looked = 0;
  for (int epoch = 0; !stop; ++epoch) {
    batches.shuffled(e.sentences(), options.seed, static_cast<std::uint32_t>(epoch));
    batches.plan(e.sentences(), options.token_budget, [&](std::uint32_t s) { return e.rows[s]; });
    for (std::size_t b = 0; b < batches.size() && !stop;) {
      for (int leaf = 0; leaf < options.gradient_accumulation_steps && b < batches.size(); ++leaf, ++b) {
        const batch::WordDropout unknown{static_cast<float>(options.word_dropout), options.seed, out.steps,
                                         static_cast<std::uint32_t>(leaf)};
        const auto before = Clock::now();
        const auto packed =
            packer.pack_to_learn(e, batches[b], trainer.labels().count(), unknown, options.class_weights);
        out.packing += std::chrono::duration<double>(Clock::now() - before).count();
        trainer.accumulate(packed, static_cast<float>(options.dropout));
        out.tokens += static_cast<std::uint64_t>(packed.shape.rows);
      }
      const double rate = schedule(out.steps);
      trainer.update(knobs, rate, options.max_grad_norm);
      asked[++out.steps % std::size(asked)] = {epoch, rate, out.tokens};
      tell(optim::Wait::for_none);
      if (options.eval_steps > 0 && out.steps % options.eval_steps == 0) look(), looked = out.steps;
      stop = stop || out.steps >= schedule.total_steps;
    }
    if (options.eval_steps == 0 && !stop) look(), looked = out.steps;
  }
  if (looked != out.steps) look();
  if (!best.empty()) {
    std::copy(best.begin(), best.end(), trainer.values());
    trainer.start_average();
  }
  out.seconds += seconds();
  out.device = trainer.time_spent();
  if (options.calibrate && out.best >= 0) {
    const Calibration c = calibrate(trainer, evaluate, out.best);
    out.shift = c.shift;
    out.best = c.score;
  }
  return out;
}

}  // namespace entrain::train
