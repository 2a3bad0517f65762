// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The training loop: epochs or a number of steps, evaluation at intervals, early stopping, the best values kept.
#pragma once
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/timeline.hpp"
#include "entrain/device/reading.hpp"
#include "entrain/optim/optimizer_state.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/schedule.hpp"
#include "entrain/train/loop/calibrate.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/options.hpp"
#include "entrain/train/loop/step_times.hpp"

namespace entrain::train {

/// After each step.
struct StepReport {
  std::uint32_t step, total_steps;
  int epoch;
  double loss;  // of this step, per target
  double learning_rate, grad_norm;
  std::uint64_t tokens;  // seen so far
  double seconds;        // of training so far, evaluation excluded
  double loss_scale = 1;
  std::uint32_t skipped_steps = 0;  // so far, including this one: their gradients were not finite at their loss scale
  device::TimeSpent device;         // how its time was spent, as far as it has reported; empty for a CPU
  ActivitySeconds spent;            // by all threads since the previous step, if options.timeline measures it
};

/// The progress of a training so far.
struct Reached {
  std::uint32_t steps = 0, best_step = 0;
  double best = -1;  // strict micro F1 of the best evaluation
  std::uint64_t tokens = 0;
  double seconds = 0;  // of training, evaluation excluded
  std::uint32_t skipped_steps = 0;
};

/// The position of fit() between two steps. Together with the best values and the trainer's state
/// (train/state/resume.hpp), it is all that fit() needs to resume.
struct Position : Reached {
  int epoch = 0;             // from 0
  std::uint64_t batch = 0;   // of the epoch, the next one
  std::uint64_t made = 0;    // batches of all epochs
  std::uint32_t looked = 0;  // the step of the latest evaluation
  std::uint32_t worse = 0;   // evaluations since the best one

  /// f(name, number) for each.
  static void each(auto& p, auto&& f) {
    f("step", p.steps), f("epoch", p.epoch), f("batch", p.batch), f("batches", p.made);
    f("evaluated_step", p.looked);
    f("best_step", p.best_step), f("best_score", p.best), f("evaluations_without_better", p.worse);
    f("tokens", p.tokens), f("seconds", p.seconds), f("skipped_steps", p.skipped_steps);
  }
};
template <class Number> struct Progress {
  Position at;
  std::vector<Number> best;  // values, by the trainer's layout; empty before the first evaluation that scored
};

struct Outcome : Reached {
  bool stopped_early = false;
  Calibration calibration;  // at the end; largest == 0: there was none
  bool stopped = false;     // by Options::stop: keep() got the position; the trainer does not have the best values
  device::TimeSpent device;
  device::GpuReading gpu;  // before the last evaluation, under load
  double waiting = 0;      // seconds that the training waited for batches
};

/// The number of optimization steps that `options` make of this corpus. Known before step one.
template <class Features>
[[gnu::cold]] std::uint32_t total_steps(const Options& options, const batch::Encoded<Features>& e) {
  if (options.max_steps > 0) return options.max_steps;
  std::uint32_t steps = 0;
  std::uint64_t made = 0;
  batch::Budget batches;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    batches.shuffled(e.sentences(), options.seed, static_cast<std::uint32_t>(epoch));
    batches.plan(options.batching(), e.rows, made);
    made += batches.size();
    const auto k = static_cast<std::size_t>(options.gradient_accumulation_steps);
    steps += static_cast<std::uint32_t>((batches.size() + k - 1) / k);
  }
  return steps;
}

namespace detail {
/// Accumulates a batch; returns its rows.
template <class Trainer, class Features>
int learn_from(Trainer& trainer, const batch::Loaded<Features>& loaded, float dropout) {
  if (const int rows = std::max(loaded.batch.shape.rows, Features::inside(loaded.batch.shape, loaded.batch.words).rows);
      rows > trainer.rows())
    throw Error("entrain.train.29", "training", "a sentence of " + std::to_string(rows) + " rows",
                "at most " + std::to_string(trainer.rows()) + ", the most that the memory plan allows",
                "raise --token-budget, or split longer sentences");
  trainer.accumulate(loaded.batch, dropout);
  return loaded.batch.shape.rows;
}
template <class Trainer, class Features>
int learn_from(Trainer& trainer, const batch::Pick<Features>& pick, float dropout) {
  return trainer.accumulate(pick.sentences, dropout, pick.unknown);
}
/// A trainer takes the batches that its loader gives. Both names appear in the message of g++, clang and nvcc.
template <class Given, class Taken> struct BatchesMeet {
  static constexpr bool value = true;
  static_assert(
      std::is_same_v<Given, Taken>,
      "entrain: this loader's batches are not the trainer's; see BatchesMeet<Given, Taken>: use batch::Packed with "
      "Encode<Trainer::Features, ...>, or batch::Budgeted for a trainer with batch::Resident.");
};
template <class Loader> inline constexpr bool is_loader = batch::Stage<Loader>;  // for static_assert

/// `static_assert(loader_contract<Trainer, Loader>());` does not compile for a loader that gives something else than
/// fit() takes.
template <class Trainer, class Loader> consteval bool loader_contract() {
  using Features = typename Trainer::Features;
  static_assert(is_loader<Loader>,
                "entrain: this loader has no next(Item&), which yields one batch at a time; wrap batch::Packed in "
                "batch::Prefetch or batch::Workers; see batch/pipeline/stage.hpp.");
  if constexpr (is_loader<Loader>)
    static_assert(
        BatchesMeet<typename Loader::Item, std::conditional_t<Trainer::Batches::resident, batch::Pick<Features>,
                                                              batch::Loaded<Features>>>::value);
  return true;
}

template <class OnStep>
concept TakesStep = requires(OnStep& f, const StepReport& report) {
  f(report);
};
template <class Evaluate>
concept GivesScore = requires(Evaluate& f) {
  { f() } -> std::convertible_to<double>;
};
template <class OnEvaluation>
concept TakesEvaluation = requires(OnEvaluation& f, std::uint32_t& step, double& score, const bool& is_best) {
  f(step, score, is_best);
};
template <class F> inline constexpr bool takes_step = TakesStep<F>;  // for static_assert
template <class F> inline constexpr bool gives_score = GivesScore<F>;
template <class F> inline constexpr bool takes_evaluation = TakesEvaluation<F>;

/// The functions that fit() calls.
template <class OnStep, class Evaluate, class OnEvaluation> consteval bool functions_contract() {
  static_assert(takes_step<OnStep>,
                "entrain: train::fit cannot call its on_step with (const train::StepReport&); see "
                "docs/extending/head.md.");
  static_assert(gives_score<Evaluate>,
                "entrain: train::fit cannot call its evaluate with () for a double, the score, as "
                "Task::Scorer::score(scores); see docs/extending/head.md.");
  static_assert(takes_evaluation<OnEvaluation>,
                "entrain: train::fit cannot call its on_evaluation with (std::uint32_t step, double score, bool "
                "is_best); see docs/extending/head.md.");
  return true;
}
}  // namespace detail

/// Trains, and leaves the best values in the trainer. `on_step(StepReport)`; `evaluate() -> double`, the score of the
/// current values, or a negative number if there is nothing to score. It throws EvaluationStopped if options.stop is
/// not to wait for its end. `on_evaluation(step, score, is_best)`.
///
/// loader       gives an epoch's batches (batch/pipeline/stage.hpp)
/// total_steps  where the learning rate's schedule ends, and the training at the latest
/// from         where an earlier training was stopped, whose numbers the trainer has; the result has the bits of a
///              training that was not stopped
/// next         the cursor of the loader at that place
/// keep         keep(Progress, cursor of the loader), between two steps, when options.save_steps requires it, and where
///              options.stop stops the training
/// throws       entrain.train.28: an epoch of no sentences    .29: a batch larger than the trainer's
template <class Trainer, class Loader, class OnStep, class Evaluate, class OnEvaluation, class Keep>
Outcome fit(Trainer& trainer, Loader& loader, std::uint32_t total_steps, const Options& options, OnStep&& on_step,
            Evaluate&& evaluate, OnEvaluation&& on_evaluation, Progress<typename Trainer::Number> from,
            typename Loader::Cursor next, Keep&& keep) {
  static_assert(detail::loader_contract<Trainer, Loader>());
  static_assert(detail::functions_contract<OnStep, Evaluate, OnEvaluation>());
  using Clock = std::chrono::steady_clock;
  Outcome out;
  Position& at = from.at;
  const typename Trainer::Schedule schedule(
      optim::Schedule{options.learning_rate, options.lr_scheduler_type, options.warmup_of(total_steps), total_steps});
  optim::Knobs knobs = options.knobs;
  if (options.head_learning_rate > 0) knobs.head_rate = options.head_learning_rate / options.learning_rate;
  trainer.shape_loss(options.label_smoothing_factor, options.focal_gamma, options.class_weights);
  const auto patience_is_over = [&] { return options.patience > 0 && at.worse >= options.patience; };
  bool stop = at.steps >= total_steps || (out.stopped_early = patience_is_over());
  auto mark = Clock::now(), kept = mark;
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
    ActivitySeconds spent;
  };
  const OnLane lane(options.timeline, Timeline::training);
  detail::StepTimes times(options.timeline);
  Asked asked[Trainer::under_way + 1];  // of the steps without a result so far
  const auto tell = [&](optim::Wait wait) {
    trainer.results(
        [&](const optim::StepResult& r) {
          at.seconds += seconds();
          at.skipped_steps += r.skipped;
          const Asked& a = asked[r.step % std::size(asked)];
          const device::TimeSpent spent = trainer.time_spent();
          on_step(StepReport{r.step, total_steps, a.epoch, r.mean_loss(), a.rate, r.grad_norm, a.tokens, at.seconds,
                             r.loss_scale, at.skipped_steps, spent, times.next(a.spent, spent)});
        },
        wait);
  };
  bool due = false;  // the resume state is to be saved
  const auto stop_is_wanted = [&] { return options.stop != nullptr && options.stop->load(std::memory_order_relaxed); };
  const auto look = [&] {
    if (stop_is_wanted()) return;  // a training that continues from here evaluates first
    out.gpu = trainer.device().reading();
    tell(optim::Wait::for_all);
    at.seconds += seconds();
    double score = 0;
    try {
      const Doing now(lane, Activity::evaluate);
      score = evaluate();
    } catch (const EvaluationStopped&) {
      return;
    }
    const bool better = score > at.best;
    if (better) {
      at.best = score;
      at.best_step = at.steps;
      from.best.assign(trainer.best_values(), trainer.best_values() + trainer.layout().size);
    }
    if (score >= 0) at.worse = better ? 0 : at.worse + 1;
    at.looked = at.steps;
    {
      const Doing now(lane, Activity::save);
      on_evaluation(at.steps, score, better);
    }
    if (patience_is_over()) stop = out.stopped_early = true;
    const std::chrono::duration<double> since = Clock::now() - kept;
    due = due || (options.save_steps == 0 && since.count() >= options.save_seconds);
    seconds();
  };
  /// Whether the training stops here.
  const auto keep_if_due = [&] {
    out.stopped = stop_is_wanted();
    if (!std::exchange(due, false) && !out.stopped) return false;
    tell(optim::Wait::for_all);
    at.seconds += seconds();
    const Doing now(lane, Activity::save);
    keep(std::as_const(from), loader.cursor());
    seconds();
    kept = Clock::now();
    return out.stopped;
  };
  const auto stopped = [&] {
    at.seconds += seconds();
    static_cast<Reached&>(out) = at;
    out.device = trainer.time_spent();
    return out;
  };
  const auto look_is_due = [&] { return options.eval_steps > 0 && at.steps % options.eval_steps == 0; };

  constexpr bool in_host_memory = Trainer::Device::in_host_memory;
  const auto from_loader = [&](auto&& ask) {
    const auto before = Clock::now();
    const Doing now(lane, Activity::wait);
    if (lane) options.timeline->starving(true);
    ask();
    if (lane) options.timeline->starving(false);
    out.waiting += std::chrono::duration<double>(Clock::now() - before).count();
  };
  typename Loader::Item item;
  if (at.steps > 0 && at.looked != at.steps && look_is_due()) {  // it was stopped before this evaluation
    look();
    if (at.looked != at.steps) {  // and is stopped again: the stored state is complete
      out.stopped = true;
      return stopped();
    }
  }
  for (; !stop; ++at.epoch, at.batch = 0, next = {}) {
    next.step = at.steps;
    next.made = at.made;
    from_loader([&] { loader.start(static_cast<std::uint32_t>(at.epoch), next); });
    for (bool ended = false; !stop && !ended;) {
      from_loader([&] { ended = !batch::next_from(loader, item, lane); });
      if (ended) break;
      ++at.batch, ++at.made;
      ended = item.last_of_epoch;
      {
        const Doing now(lane, in_host_memory ? Activity::compute : Activity::launch);
        at.tokens += static_cast<std::uint64_t>(detail::learn_from(trainer, item, static_cast<float>(options.dropout)));
      }
      if (!item.last_of_step) continue;
      const double rate = schedule(at.steps);
      {
        const Doing now(lane, in_host_memory ? Activity::update : Activity::launch);
        trainer.update(knobs, rate, options.max_grad_norm);
      }
      asked[++at.steps % std::size(asked)] = {at.epoch, rate, at.tokens, times.all()};
      tell(optim::Wait::for_none);
      due = options.save_steps > 0 && at.steps % options.save_steps == 0;
      if (look_is_due()) look();
      stop = stop || at.steps >= total_steps;
      if (!stop && !ended && keep_if_due()) return stopped();  // else after the evaluation that follows
    }
    if (at.batch == 0)
      throw Error("entrain.train.28", "training", "an epoch without sentences", "at least one sentence");
    if (options.eval_steps == 0 && !stop && at.looked != at.steps) look();
    if (!stop && keep_if_due()) return stopped();
    stop = stop || options.one_epoch;
  }
  if (at.looked != at.steps) look();
  if (keep_if_due()) return stopped();
  if (!from.best.empty()) {
    std::copy(from.best.begin(), from.best.end(), trainer.values());
    trainer.start_average();
  }
  at.seconds += seconds();
  static_cast<Reached&>(out) = at;
  out.device = trainer.time_spent();
  if (options.calibrate && out.best >= 0) {
    const Doing now(lane, Activity::evaluate);
    out.calibration = calibrate(trainer, evaluate, out.best);
    out.best = out.calibration.score;
  }
  return out;
}

/// The options of batch::Packed for a trainer. A sentence that is larger than a batch gets its memory when it comes.
template <class Trainer> batch::PackedOptions packed_options(const Trainer& trainer, const Options& options) {
  return {
      {options.batching(), options.gradient_accumulation_steps, static_cast<float>(options.word_dropout), options.seed},
      trainer.labels().count(),
      options.class_weights,
      options.batch_size > 0 ? trainer.rows() : std::min(trainer.rows(), options.token_budget)};
}

/// Trains on a corpus in memory. `keep(Progress)`, which is the whole position.
template <class Trainer, class OnStep, class Evaluate, class OnEvaluation, class Keep>
Outcome fit(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e, const Options& options,
            OnStep&& on_step, Evaluate&& evaluate, OnEvaluation&& on_evaluation,
            Progress<typename Trainer::Number> from, Keep&& keep) {
  using Features = typename Trainer::Features;
  const batch::PackedOptions packed = packed_options(trainer, options);
  const auto fit_from = [&](auto loader) {
    typename decltype(loader)::Cursor next;
    next.batch = static_cast<std::uint32_t>(from.at.batch);
    return fit(trainer, loader, total_steps(options, e), options, on_step, evaluate, on_evaluation, std::move(from),
               next, [&](const auto& progress, const auto&) { keep(progress); });
  };
  batch::Whole<Features> corpus(e, options.seed);
  if constexpr (Trainer::Batches::resident) {
    trainer.hold(e, options.class_weights);
    return fit_from(batch::Budgeted<batch::Whole<Features>>(std::move(corpus), packed));
  } else {
    return fit_from(
        batch::Workers(batch::Packed(std::move(corpus), packed), {options.loader_workers, 0, options.timeline}));
  }
}

/// Trains from the beginning on a loader, without saving a state.
template <class Trainer, class Loader, class OnStep, class Evaluate, class OnEvaluation>
Outcome fit(Trainer& trainer, Loader& loader, std::uint32_t total_steps, const Options& options, OnStep&& on_step,
            Evaluate&& evaluate, OnEvaluation&& on_evaluation) {
  static_assert(detail::loader_contract<Trainer, Loader>());
  return fit(trainer, loader, total_steps, options, on_step, evaluate, on_evaluation, {}, {},
             [](const auto&, const auto&) {});
}

/// Trains from the beginning, without saving a state.
template <class Trainer, class OnStep, class Evaluate, class OnEvaluation>
Outcome fit(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e, const Options& options,
            OnStep&& on_step, Evaluate&& evaluate, OnEvaluation&& on_evaluation) {
  return fit(trainer, e, options, on_step, evaluate, on_evaluation, {}, [](const auto&) {});
}

}  // namespace entrain::train
