// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of session.hpp.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/class_splits.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/document.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/output/render.hpp"
#include "entrain/app/train/class_weights.hpp"
#include "entrain/app/train/loader_bottleneck.hpp"
#include "entrain/app/train/overwriting.hpp"
#include "entrain/app/train/result_words.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/core/version.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/task/tag_labels.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/train/folder/save.hpp"   // remember
#include "entrain/train/state/resume.hpp"  // identity_of

namespace entrain::app {
namespace detail {

/// PER, LOC: each label as messages show text from a file; of more than 50 labels, the first 50 and the number of
/// others.
inline std::string labels_listed(std::vector<std::string> labels) {
  constexpr std::size_t most = 50, longest = 80;
  const std::size_t more = labels.size() > most ? labels.size() - most : 0;
  labels.resize(labels.size() - more);
  for (std::string& label : labels) label = text::excerpt(label, longest);
  return listed(labels) + (more > 0 ? " and " + grouped(more) + " more" : "");
}

}  // namespace detail

ENTRAIN_INLINE const std::string& start_folder(const Settings& settings, bool by_words) {
  if (by_words && !settings.pretrained.empty()) {
    const std::string command = train::command_for(settings.pretrained);
    throw WrongUsage("entrain.app.16", "--pretrained " + settings.pretrained, "a model that reads words",
                     "one with a pretrained encoder",
                     command.empty() ? "omit the option, or run a program like examples/04_finetune_ner"
                                     : "omit the option, or build the program of this folder: " + command);
  }
  if (!settings.pretrained.empty() && !settings.init.empty())
    throw WrongUsage("entrain.app.18", "train", "both --init and --pretrained", "one of them",
                     "--init starts from an entrain model, --pretrained from a Hugging Face folder");
  if (!by_words && settings.pretrained.empty() && settings.init.empty())
    throw WrongUsage("entrain.app.17", "train", "neither --pretrained nor --init",
                     "a folder with weights and a tokenizer", "name a Hugging Face folder: --pretrained FOLDER");
  return settings.init.empty() ? settings.pretrained : settings.init;
}

ENTRAIN_INLINE void check_vectors(const Settings& settings, bool has_vectors) {
  if (!has_vectors && !settings.vectors.empty())
    throw WrongUsage("entrain.app.94", "--vectors " + settings.vectors, "a model without word vectors",
                     "one with embed::WithVectors",
                     "omit the option, or run a program like examples/08_tagger_with_vectors");
  if (has_vectors && settings.vectors.empty() && settings.init.empty())
    throw WrongUsage("entrain.app.95", "train", "neither --vectors nor --init", "word vectors",
                     "name a file of word2vec, GloVe or fastText: --vectors FILE");
  if (has_vectors && !settings.vectors.empty() && !settings.init.empty())
    throw WrongUsage("entrain.app.96", "train", "both --init and --vectors", "one of them",
                     "--init starts from an entrain model, with its words and vectors");
}

ENTRAIN_INLINE void say_vectors(Console& console, const std::string& file, std::size_t rows, std::size_t width,
                                std::size_t with, std::size_t words) {
  std::string fact = grouped(static_cast<std::int64_t>(rows)).c_str();
  fact += " of " + std::to_string(width) + " numbers";
  if (!file.empty()) fact += " from " + file;
  if (words > 0)
    fact += std::string("; ") + grouped(static_cast<std::int64_t>(with)).c_str() + " of " +
            grouped(static_cast<std::int64_t>(words)).c_str() + " different training words have one";
  console.fact("vectors", fact);
}

ENTRAIN_INLINE Session::~Session() = default;

ENTRAIN_INLINE Session::Session(const Settings& settings)
    : s_(settings),
      console_(settings.quiet),
      records_(settings.plan ? RecordFiles() : settings.records, settings.resume, console_, settings.signals),
      word_splitter_(predict::word_splitter(settings.splitter, "--splitter").name),
      sentence_splitter_(predict::sentence_splitter(settings.sentence_splitter, "--sentence-splitter").name) {
  if (s_.files.train.empty())
    throw WrongUsage("entrain.app.8", "--train", "no training file", "one, or a corpus that has one");
  if (s_.augment || !s_.cache.empty()) s_.stream = true;
  refuse_ways(s_);
  if (s_.shuffle_buffer != Settings{}.shuffle_buffer && (!s_.stream || !s_.cache.empty()))
    console_.warn(
        "--shuffle-buffer has no effect without --stream: the corpus is in memory and is shuffled as a whole");
  s_.training.timeline = &records_.timeline();
  if (s_.signals == nullptr || s_.plan) return;
  s_.training.stop = &s_.signals->wanted();
}

ENTRAIN_INLINE void refuse_unread(const Settings& s, std::string_view loss, LossReads reads) {
  const auto refuse = [&](const char* option, const char* wanted) {
    throw WrongUsage("entrain.app.21", option, "a head with the loss " + std::string(loss), wanted,
                     "build the program with that loss, or omit the option");
  };
  const train::Options plain;
  if (s.training.label_smoothing_factor != plain.label_smoothing_factor && !reads.label_smoothing_factor)
    refuse("--label-smoothing-factor", "smoothed");
  if (s.training.focal_gamma != plain.focal_gamma && !reads.focal_gamma) refuse("--focal-gamma", "focal");
  if (!s.class_weights.empty() && !reads.class_weights)
    throw WrongUsage("entrain.app.22", "--class-weights",
                     "a head with the loss " + std::string(loss) + ", which has no class weights",
                     "a loss with class weights, such as that of head::Softmax",
                     "build the program with one, or omit the option");
}

ENTRAIN_INLINE void refuse_unread(const Settings& s, std::string_view optimizer, std::string_view schedule,
                                  const optim::OptionsRead& reads) {
  const auto refuse = [&](const std::string& option, std::string_view what, std::string_view name) {
    throw WrongUsage("entrain.app.85", option,
                     "the " + std::string(what) + " " + std::string(name) + ", which does not read it",
                     (what == "optimizer" ? "an optimizer" : "a schedule") + std::string(" that reads it"),
                     "build the program with one, or omit the option");
  };
  for (const std::string& option : s.optimizer_options) {
    if ((option == "--adam-beta1" && !reads.beta1) || (option == "--adam-beta2" && !reads.beta2) ||
        (option == "--adam-epsilon" && !reads.epsilon) || (option == "--momentum" && !reads.momentum) ||
        (option == "--weight-decay" && !reads.weight_decay))
      refuse(option, "optimizer", optimizer);
    if (option == "--ema-decay" && !reads.ema_decay)
      throw WrongUsage("entrain.app.85", option, "the optimizer " + std::string(optimizer) + ", which keeps no average",
                       "optim::Averaged", "build the program with it, or omit the option");
    if ((option == "--lr-scheduler-type" && !reads.decay) || (option.starts_with("--warmup-") && !reads.warmup))
      refuse(option, "schedule", schedule);
  }
}

ENTRAIN_INLINE void Session::start(TrainerFacts facts, const StoredState& stored) {
  facts_ = std::move(facts);
  refuse_unread(s_, facts_.loss, facts_.loss_reads);
  refuse_unread(s_, facts_.optimizer, facts_.schedule, facts_.reads);
  if (facts_.learns != Learns::tags) refuse_for_classes();
  if (facts_.learns == Learns::one_class) now_.score_name = "accuracy";
  take_splitters();
  if (stored) refuse_other_splitters(*stored);
  console_.say(std::string("entrain ") + version);
  console_.fact("device", facts_.device + ", " + facts_.precision + "; compiled for " + facts_.compiled_for);
  if (s_.stream) {
    look_through();
  } else {
    train_ = read("train", s_.files.train);
    types_ = task::entity_types(*train_);
  }
  content_ = content_of();
  refuse_other_data(s_, train_->corpus.name, content_);
  dev_ = read("dev", s_.files.dev);
  test_ = read("test", s_.files.test);
  refuse_unsavable();
  if (!dev_) console_.warn("no dev file: the weights of the last step are saved, whatever their score");
}

/// Includes how the words of files were divided into blocks when they were summed.
ENTRAIN_INLINE std::string Session::content_of() const {
  if (!streams()) return train::identity_of(train_->corpus);
  return s_.files.train == "-" ? survey_->identity
                               : survey_->identity + ", read in blocks of " + std::to_string(block_bytes()) + " bytes";
}

ENTRAIN_INLINE std::optional<task::Tagged> Session::read(const std::string& name, const std::string& path) {
  if (path.empty()) return std::nullopt;
  if (facts_.learns != Learns::tags) {
    task::Tagged gold = read_classes(name, path, s_.reading, facts_.rows == "words", console_);
    warn_about_classes(gold, train_ ? types_ : gold.types.names(), console_);
    return gold;
  }
  task::Tagged gold = read_split(name, path, s_.reading, console_);
  if (name != "train") say_labels_not_utf8(gold.corpus, gold.types.names(), s_.reading.strict, console_);
  warn_about(gold, train_ ? types_ : gold.types.names(), s_.reading.repair, console_);
  return gold;
}

ENTRAIN_INLINE std::vector<std::int32_t> Session::targets() const {
  return targets_of(*train_, types(), facts_.scheme, s_.reading.repair);
}

ENTRAIN_INLINE std::vector<float> Session::class_weights(std::span<const std::uint64_t> rows) const {
  return app::class_weights(s_.class_weights,
                            facts_.learns == Learns::tags ? task::label_names(facts_.scheme, types_) : types_, rows);
}

ENTRAIN_INLINE void Session::take_batches(train::StepBatches batches) {
  train::Options& o = s_.training;
  const std::int64_t step = std::int64_t{o.token_budget} * o.gradient_accumulation_steps;
  o.token_budget = batches.token_budget;
  o.gradient_accumulation_steps = batches.gradient_accumulation_steps;
  console_.fact("budget",
                "auto: a step of " + grouped(step) + " " + std::string(facts_.rows) + " in " +
                    counted(static_cast<std::size_t>(batches.gradient_accumulation_steps), "batch", "batches") +
                    " of at most " + grouped(std::int64_t{batches.token_budget}));
}

ENTRAIN_INLINE void Session::refuse_oversize(const train::MemoryPlan& plan, const DeviceMemory& memory, int longest,
                                             const std::string& where) {
  const bool gpu = memory.total > 0;
  if (plan.total() < memory.free) {
    if (gpu && plan.total() > memory.room()) console_.warn(little_left(plan.total(), memory));
    return;
  }
  const std::string largest = grouped(std::int64_t{plan.rows}) + " " + std::string(facts_.rows);
  throw Error(
      "entrain.app.5", "memory", "a plan of " + mebibytes(plan.total()),
      "less than the " + mebibytes(memory.free) + (gpu ? " of free GPU memory" : " of free memory"),
      longest == plan.rows && !where.empty()
          ? "the largest batch is one sentence, the " + largest + " at " + where + ": split it"
          : "the largest batch has " + largest +
                (s_.training.batch_size > 0 ? ": lower --batch-size" : ": lower --token-budget, or set it to auto") +
                ", or split longer sentences");
}

ENTRAIN_INLINE void Session::say_survival(const train::Survival& survival) {
  for (const std::string& note : survival.notes) console_.warn(note);
  console_.fact("init", s_.init + ": labels that are kept: " + detail::labels_listed(survival.kept));
  console_.fact("", "new labels, which are initialised: " + detail::labels_listed(survival.fresh));
  console_.fact("", "labels of that model only, which are dropped: " + detail::labels_listed(survival.dropped));
}

/// `1,200 optimisation steps, batches of at most 256 words; AdamW, constant learning rate, seed 0`
ENTRAIN_INLINE std::string Session::steps_in_words(std::uint32_t steps) const {
  const train::Options& o = s_.training;
  return grouped(std::int64_t{steps}) + (steps == 1 ? " optimisation step, " : " optimisation steps, ") +
         batches_in_words(o, facts_.rows) +
         (o.gradient_accumulation_steps > 1 ? ", " + std::to_string(o.gradient_accumulation_steps) + " per step" : "") +
         "; " + facts_.optimizer + ", " +
         std::string(has_own_schedule() ? facts_.schedule : optim::name_of(o.lr_scheduler_type)) +
         " learning rate, seed " + std::to_string(o.seed);
}
ENTRAIN_INLINE void Session::print_steps(std::uint32_t steps) {
  Output out("-");
  out.write(steps_in_words(steps) + "\n");
}

ENTRAIN_INLINE void Session::say_plan(const PlanFacts& plan) {
  if (s_.overwrite && checkpoint::has_training_state(s_.output)) {
    checkpoint::remove_training_state(s_.output);
    console_.fact("overwrite",
                  checkpoint::training_state_path(s_.output) + ": the state of a stopped training is removed");
  }
  now_.total = plan.steps;
  bytes_ = bytes_read();
  console_.fact("labels", labels_in_words());
  console_.fact("model", facts_.model);
  console_.fact("parameters", grouped(plan.parameters));
  console_.fact("steps", steps_in_words(plan.steps));
  records_.settings(settings_told(plan.steps));
  const train::MemoryPlan& m = plan.memory;
  const std::size_t rest = m.total() - m.cost.arena - m.values - m.gradients - m.moments;
  console_.fact("memory", mebibytes(m.total()) + ": arena " + mebibytes(m.cost.arena) + " for " +
                              grouped(std::int64_t{m.rows}) + " " + std::string(facts_.rows) + " (" +
                              mebibytes(m.cost.saved) + " kept for backward), values " + mebibytes(m.values) +
                              ", gradients " + mebibytes(m.gradients) + ", moments " + mebibytes(m.moments) +
                              ", the rest " + mebibytes(rest) + "; --plan lists it");
  console_.fact("work", std::string(report::with_unit(m.cost.flops, "FLOP").view()) +
                            " for such a batch, forward and " + "backward, in " + std::to_string(m.cost.ops) + " ops");
}

/// The options of a training, for programs that compare several trainings.
ENTRAIN_INLINE checkpoint::Config Session::settings_told(std::uint32_t steps) const {
  checkpoint::Config told;
  train::remember(told, s_.training);
  told.set("version", version);
  told.set("model", facts_.model);
  told.set("device", facts_.device);
  told.set("precision", facts_.precision);
  told.set("optimizer", facts_.optimizer);
  if (has_own_schedule()) told.set("schedule", std::string(facts_.schedule));
  told.set("loss", std::string(facts_.loss));
  told.set("train", train_->corpus.name);
  if (dev_) told.set("dev", dev_->corpus.name);
  told.set("types", static_cast<std::int64_t>(types_.size()));
  told.set("total_steps", static_cast<std::int64_t>(steps));
  told.set("calibrate", s_.training.calibrate ? "true" : "false");
  if (!s_.class_weights.empty()) told.set("class_weights", s_.class_weights);
  if (!s_.init.empty()) told.set("init", s_.init);
  if (!s_.pretrained.empty()) told.set("pretrained", s_.pretrained);
  if (!s_.vectors.empty()) told.set("vectors", s_.vectors);
  return told;
}

ENTRAIN_INLINE void Session::step(const train::StepReport& report) {
  stage_ = report::Short("epoch %d", report.epoch + 1);
  now_.stage = stage_;
  now_.done = report.step;
  now_.items = static_cast<std::int64_t>(report.tokens);
  now_.loss = report.loss;
  now_.skipped = report.skipped_steps;
  now_.busy = report.device.busy;
  now_.idle = report.device.idle;
  now_.trained = report.seconds;
  now_.waited += report.spent[Activity::wait];
  console_.progress(now_);
  records_.step(report);
}

ENTRAIN_INLINE double Session::score_dev(score::Scores scores) {
  last_ = std::move(scores);
  return task::TagScores::score(last_);
}

ENTRAIN_INLINE void Session::say_evaluation(std::uint32_t step, bool best) {
  if (facts_.learns != Learns::tags) {
    if (best) now_.score = task::ClassScorer::score(last_classes_);
    console_.say(evaluation_line(step, now_.loss, last_classes_, best));
    records_.evaluation(step, last_classes_);
    return;
  }
  if (best) now_.score = last_.strict.micro().figures().f1;
  console_.say(evaluation_line(step, now_.loss, last_, best));
  records_.evaluation(step, last_);
}

ENTRAIN_INLINE checkpoint::Config Session::about(std::uint32_t step, double score) const {
  checkpoint::Config about;
  about.splitter = word_splitter_;
  about.sentence_splitter = sentence_splitter_;
  about.set("version", version);
  about.set("precision", facts_.precision);
  about.set("optimizer", facts_.optimizer);
  if (has_own_schedule()) about.set("schedule", std::string(facts_.schedule));
  about.set("train", train_->corpus.name);
  about.set(content_key, content_);
  if (dev_) {
    about.set("dev", dev_->corpus.name);
    about.set(std::string(score_name()), score);
  }
  about.set("step", static_cast<std::int64_t>(step));
  train::remember(about, s_.training);
  return about;
}

ENTRAIN_INLINE void Session::say_outcome(const train::Outcome& outcome) {
  console_.finish(now_);
  if (outcome.stopped_early)
    console_.fact("stopped", "after " + std::to_string(s_.training.patience) +
                                 (s_.training.patience == 1 ? " evaluation" : " evaluations") +
                                 " without a better score");
  else if (outcome.steps < now_.total)
    console_.warn("the training file ended after " + grouped(std::int64_t{outcome.steps}) + " of " +
                  grouped(now_.total) + (now_.total == 1 ? " step" : " steps"));
  if (facts_.learns != Learns::one_class && s_.training.calibrate && dev_ && !outcome.calibration.stopped)
    console_.fact("calibrated", calibration_in_words(outcome.calibration));
  if (outcome.calibration.at_end())
    console_.warn(
        "the best bias is the largest one tried: a larger one may score higher; the model predicts few entities, so "
        "train longer or check the data");
  console_.fact("saved",
                s_.output + ", the weights of step " + grouped(std::int64_t{dev_ ? outcome.best_step : outcome.steps}));
  const double rate = static_cast<double>(outcome.tokens) / std::max(outcome.seconds, 1e-9);
  console_.fact("speed", grouped(static_cast<std::int64_t>(rate)) + " words/s in training");
  if (outcome.device.known()) console_.fact("device", time_spent_line(outcome));
  if (outcome.gpu.known()) console_.fact("GPU", gpu_line(outcome.gpu));
  say_times(outcome);
  records_.end(true);
}

ENTRAIN_INLINE void Session::say_times(const train::Outcome& outcome) {
  const Times times = records_.timeline().times();
  bool first = true;
  for (const std::string& line : time_lines(times)) console_.fact(std::exchange(first, false) ? "time" : "", line);
  double reading = times.training[Activity::read];
  for (const StageTimes& stage : times.stages) reading += stage.in_turn[Activity::read] + stage.beside[Activity::read];
  const double rate = reading > 0 ? (bytes_read() - bytes_) / reading : 0;
  console_.fact("verdict",
                verdict(times, outcome.device,
                        {s_.training.loader_workers, static_cast<double>(threads_or_all(0)), !s_.cache.empty(), rate}));
}

ENTRAIN_INLINE void Session::demand_equal(std::span<const text::Tag> trained, std::span<const text::Tag> reloaded) {
  for (std::size_t i = 0; i < trained.size(); ++i)
    if (trained[i] != reloaded[i])
      throw Error("entrain.app.9", proof().corpus.where(i),
                  "the model read back from " + s_.output + " tags this word differently from the trained one",
                  "the same tags", "this is a bug in entrain: please report it");
  if (trained.empty()) {
    console_.fact("reloaded", s_.output + ": not compared, as there are no words to tag: name --dev or --test");
    return;
  }
  console_.fact("reloaded", s_.output + ": the same tags on all " + grouped(trained.size()) +
                                (trained.size() == 1 ? " word of " : " words of ") + proof().corpus.name);
}

ENTRAIN_INLINE void Session::report(std::span<const text::Tag> tags, const train::Outcome& outcome) {
  if (test_) {
    const score::Scores scores = score_tags(*test_, tags, types(), facts_.scheme);
    std::optional<score::Scores> names;
    if (!streams()) names = dictionary_scores(*train_, *test_, s_.reading.repair);
    const score::Scores* const dictionary = names ? &*names : nullptr;
    Output out("-");
    out.write(s_.json ? final_json(scores, dictionary, outcome) : final_table(test_->corpus.name, scores, dictionary));
  }
  show_examples(tags);
  console_.say_warnings();
}

/// Prints three sentences of the proof in which the model found entities.
ENTRAIN_INLINE void Session::show_examples(std::span<const text::Tag> tags) {
  constexpr std::size_t wanted = 3, shortest = 6, longest = 30;
  const text::Corpus& corpus = proof().corpus;
  Colours colours;
  std::size_t shown = 0;
  for (std::size_t s = 0; s < corpus.sentences() && shown < wanted; ++s) {
    const auto of = tags.subspan(corpus.sentence[s], corpus.length(s));
    if (of.size() < shortest || of.size() > longest || std::all_of(of.begin(), of.end(), [](auto t) { return t == 0; }))
      continue;
    std::string line = "  ";
    colours.append(line, document_of(corpus, s, of, types(), facts_.scheme), console_.terminal());
    line.pop_back();
    console_.say(line);
    ++shown;
  }
}

}  // namespace entrain::app
