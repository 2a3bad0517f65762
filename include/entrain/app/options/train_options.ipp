// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The options of `train`, with CLI11, and the values that depend on several of them.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/options/shared_options.ipp"
#include "entrain/app/train/auto_budget.hpp"   // most_rows
#include "entrain/batch/pipeline/workers.hpp"  // automatic

namespace entrain::app::detail {

/// The options of `train`. They and --config may be given in any order; settle() computes what depends on several.
class TrainOptions {
 public:
  explicit TrainOptions(Settings& settings) : s_(settings) {}

  void declare(CLI::App& sub) {
    files_options(sub, s_);
    if (s_.of_classes) {
      class_options(sub, s_);
    } else {
      reading_options(sub, s_);
      format_options(sub, s_);
    }
    model_options(sub);
    step_options(sub);
    loader_options(sub);
    optimizer_options(sub);
    add(sub, "Machine", "--algorithms", s_.algorithms,
        "On a GPU: file of matmul algorithms; missing ones are measured and added");
    machine_options(sub, s_);
    sub.add_flag("--plan", s_.plan, "Print the memory plan and the number of steps, and do not train")
        ->configurable(false)
        ->group("Machine");
    json_option(sub, s_, "Print the final scores as JSON");
    const char* const records = "Records";
    add(sub, records, "--trace", s_.records.trace, "File for a trace of all threads, for ui.perfetto.dev");
    add(sub, records, "--tensorboard", s_.records.tensorboard, "Folder for losses, scores and times, for TensorBoard");
    add(sub, records, "--log-steps", s_.records.log_steps, "File for the numbers of each step, as JSON Lines");
  }

  GivenSizes given_sizes(Given where) const {
    const auto of = [&](const CLI::Option* option) { return option->count() > 0 ? where : Given::nowhere; };
    return {of(token_budget_), of(batch_size_), of(compounding_)};
  }
  void note_options_of_line() {
    for (const CLI::Option* option : of_optimizer_)
      if (option->count() > 0) s_.optimizer_options.push_back(option->get_name());
  }
  /// A file of --dump-config has every option: one with the program's own value was not set by the user.
  void note_options_of_file() {
    for (const CLI::Option* option : of_optimizer_) {
      const std::string name = option->get_name();
      const bool noted =
          std::find(s_.optimizer_options.begin(), s_.optimizer_options.end(), name) != s_.optimizer_options.end();
      if (!noted && option->count() > 0 && option->as<std::string>() != option->get_default_str())
        s_.optimizer_options.push_back(name);
    }
  }
  /// Computes the batch size from all options that set it; --dump-config prints the result.
  void settle(const GivenSizes& on_the_line) {
    GivenSizes given = given_sizes(Given::in_the_file);
    given = {std::max(given.budget, on_the_line.budget), std::max(given.batch_size, on_the_line.batch_size),
             std::max(given.compounding, on_the_line.compounding)};
    settle_sizes(s_, given);
    settle_warmup();
    s_.reading.records.lenient = s_.reading.csv.lenient = s_.reading.conll.lenient;
    if (!s_.reading.scheme.empty()) s_.reading.records.annotations_as = text::scheme_by_name(s_.reading.scheme);
    s_.reading.conll.types_alone = s_.reading.records.types_alone =
        s_.reading.records.annotations_as == text::SchemeId::io;
    const train::Options& t = s_.training;
    const std::string budget = s_.auto_budget ? "auto" : t.batch_size > 0 ? "" : std::to_string(t.token_budget);
    token_budget_->default_str(budget)->clear();
    batch_size_->default_str(std::to_string(t.batch_size))->clear();
  }

 private:
  static constexpr int most_loader_workers = 256;

  void model_options(CLI::App& sub) {
    const char* const model = "Model";
    add(sub, model, "--output,--output-dir", s_.output, "Folder to save the model in");
    add(sub, model, "--pretrained", s_.pretrained,
        "Start from the encoder weights and the tokenizer of this Hugging Face folder");
    add(sub, model, "--vectors", s_.vectors,
        "Start from the word vectors of this file, of word2vec, GloVe or fastText; for programs with "
        "embed::WithVectors");
    add(sub, model, "--init", s_.init, "Start from this model folder: labels in both models keep their rows");
    splitter_options(sub, model, s_, "texts without words, in training and prediction; saved with the model");
  }

  void step_options(CLI::App& sub) {
    train::Options& t = s_.training;
    const char* const steps = "Steps";
    add(sub, steps, "--epochs,--num-train-epochs", t.epochs, "Passes over the training sentences")
        ->transform(between(1, 1'000'000));
    add(sub, steps, "--max-steps", t.max_steps, "Optimisation steps, instead of epochs");
    token_budget_ = sub.add_option_function<std::string>(
                           "--token-budget,--batch-tokens", [this](const std::string& text) { token_budget(text); },
                           "Words per batch, or pieces if the encoder reads pieces; auto: split a step of the default "
                           "size into batches that fit in memory")
                        ->default_str(std::to_string(t.token_budget))
                        ->group(steps);
    batch_size_ = add(sub, steps, "--batch-size,--per-device-train-batch-size", t.batch_size,
                      "Sentences per batch, instead of a budget; 0: as many as the budget allows")
                      ->transform(between(0, most_rows));
    sub.add_flag("--group-by-length,!--no-group-by-length", t.group_by_length,
                 "Batches of sentences of similar length: sorted within groups of 50 batches")
        ->group(steps)
        ->default_str(t.group_by_length ? "true" : "false");
    compounding_ = sub.add_option_function<std::string>(
                          "--compounding", [this](const std::string& text) { compounding(text); },
                          "Batches that grow from START words to STOP, each by FACTOR, as in spaCy's compounding; in "
                          "sentences with --batch-size")
                       ->type_name("START,STOP,FACTOR")
                       ->default_str(text_of(t.compounding))
                       ->group(steps);
    add(sub, steps, "--gradient-accumulation-steps", t.gradient_accumulation_steps, "Batches per step")
        ->transform(between(1, 1 << 20));
    add(sub, steps, "--eval-steps", t.eval_steps, "Evaluate every N steps; 0: after every epoch");
    add(sub, steps, "--patience", t.patience, "Stop after N evaluations without a better score; 0: never");
    add(sub, steps, "--save-steps", t.save_steps,
        "Store the state for --resume next to the model every N steps; 0: at evaluations, at most once a minute");
    sub.add_flag("--resume", s_.resume, "Resume the stopped training with this --output and these options")
        ->configurable(false)
        ->group(steps);
    sub.add_flag("--overwrite", s_.overwrite,
                 "Discard the stored state of a training in --output, or a model of other data or another composition")
        ->configurable(false)
        ->group(steps);
    add(sub, steps, "--seed", t.seed, "Same seed, same bits, for any number of threads");
  }

  void loader_options(CLI::App& sub) {
    train::Options& t = s_.training;
    const char* const loader = "Loader";
    sub.add_option_function<std::string>(
           "--loader-workers,--dataloader-num-workers,--num-workers",
           [this](const std::string& text) { loader_workers(text); },
           "Threads that prepare batches ahead; 0: none, the training thread does it between steps; auto: as many as "
           "are useful")
        ->default_str(t.loader_workers == batch::automatic ? "auto" : std::to_string(t.loader_workers))
        ->group(loader);
    sub.add_flag("--stream", s_.stream, "Read the training file again each epoch instead of keeping it in memory")
        ->group(loader);
    add(sub, loader, "--shuffle-buffer", s_.shuffle_buffer, "With --stream: number of sentences in the shuffle buffer")
        ->transform(between(std::size_t{1}, std::size_t{1} << 31));

    add(sub, loader, "--cache", s_.cache,
        "Folder of encoded corpora: each is written once, then memory-mapped by any number of programs");
    list(sub, loader, "--labels", s_.labels, "Entity types of a training file that can be read only once: PER,LOC,...");
    const auto share = [&](const char* name, double& value, const char* what) {
      add(sub, loader, name, value, what)->transform(between(0.0, 1.0));
    };
    share("--augment-case", s_.augment.lower_case, "Share of sentences converted to lower case, drawn each epoch");
    share("--augment-swap", s_.augment.entity_swap,
          "Share of entities replaced by others of the same type, drawn each epoch");
    share("--augment-drop", s_.augment.token_drop,
          "Share of words outside entities that are dropped, drawn each epoch");
  }

  void optimizer_options(CLI::App& sub) {
    train::Options& t = s_.training;
    const char* const optimizer = "Optimizer";
    const auto of_rule = [this](const CLI::Option* option) { of_optimizer_.push_back(option); };
    add(sub, optimizer, "--learning-rate", t.learning_rate, "Learning rate of the first step after warm-up")
        ->transform(between(1e-12, 1e3));
    add(sub, optimizer, "--head-learning-rate", t.head_learning_rate, "Learning rate of the head; 0: the same")
        ->transform(between(0.0, 1e3));
    add(sub, optimizer, "--layerwise-lr-decay", t.knobs.layerwise_lr_decay,
        "Each block's learning rate is this times that of the block above it; the head has the full rate")
        ->transform(between(0.0, 1.0));
    of_rule(sub.add_option_function<std::string>(
                   "--lr-scheduler-type",
                   [&t](const std::string& name) { t.lr_scheduler_type = optim::decay_by_name(name); },
                   "Schedule of the learning rate: constant, linear or cosine")
                ->check(one_of({"constant", "linear", "cosine"}))
                ->default_str(std::string(optim::name_of(t.lr_scheduler_type)))
                ->group(optimizer));
    warmup_steps_ =
        add(sub, optimizer, "--warmup-steps", t.warmup_steps, "Steps over which the learning rate grows from 0");
    warmup_ratio_ = add(sub, optimizer, "--warmup-ratio", t.warmup_ratio,
                        "Warm-up as a share of all steps, instead of --warmup-steps")
                        ->transform(between(0.0, 1.0));
    of_rule(warmup_steps_);
    of_rule(warmup_ratio_);
    add(sub, optimizer, "--max-grad-norm", t.max_grad_norm, "Clip the norm of all gradients to this; 0: no clipping")
        ->transform(between(0.0, 1e9));
    add(sub, optimizer, "--dropout", t.dropout, "Share of values that are dropped in training")
        ->transform(between(0.0, 0.99));
    add(sub, optimizer, "--label-smoothing-factor", t.label_smoothing_factor,
        "Label smoothing: share of a target spread over all tags, if the head's loss is smoothed")
        ->transform(between(0.0, 1.0));
    add(sub, optimizer, "--focal-gamma", t.focal_gamma,
        "Gamma of the focal loss: larger values reduce the weight of well-classified rows; needs a focal loss")
        ->transform(between(0.0, 100.0));
    add(sub, optimizer, "--class-weights", s_.class_weights,
        "Loss weight per type, with a softmax head: balanced, or a list such as PER=2,O=0.5");
    add(sub, optimizer, "--word-dropout", t.word_dropout, "Share of words replaced by the unknown word in training")
        ->transform(between(0.0, 0.99));
    sub.add_flag("--calibrate,!--no-calibrate", t.calibrate,
                 s_.of_classes
                     ? "At the end, tune the threshold of each class on the dev file, where a text has any "
                       "number of classes; applied if it gains a point of F1"
                     : "At the end, tune the bias of the tags that open an entity on the dev file; applied if "
                       "it gains a point of F1")
        ->group(optimizer)
        ->default_str(t.calibrate ? "true" : "false");
    of_rule(add(sub, optimizer, "--weight-decay", t.knobs.weight_decay, "Weight decay, not applied to biases and gains")
                ->transform(between(0.0, 1e3)));
    of_rule(add(sub, optimizer, "--adam-beta1", t.knobs.beta1, "Decay of the first moment")
                ->transform(between(0.0, 0.9999999)));
    of_rule(add(sub, optimizer, "--adam-beta2", t.knobs.beta2, "Decay of the second moment")
                ->transform(between(0.0, 0.9999999)));
    of_rule(add(sub, optimizer, "--adam-epsilon", t.knobs.epsilon, "Added to the square root of the second moment")
                ->transform(between(1e-30, 1.0)));
    of_rule(add(sub, optimizer, "--momentum", t.knobs.momentum, "Momentum of SGD")->transform(between(0.0, 0.9999999)));
    of_rule(add(sub, optimizer, "--ema-decay", t.knobs.ema_decay,
                "Decay of the averaged weights, if the program keeps them")
                ->transform(between(0.0, 0.9999999)));
  }

  void token_budget(const std::string& text) {
    s_.auto_budget = text == "auto";
    if (s_.auto_budget) return;
    const auto value = number_in<int>(text, 1, most_rows);
    if (!value)
      throw CLI::ValidationError("--token-budget",
                                 "'" + text + "' is neither auto nor a number from 1 to " + std::to_string(most_rows));
    s_.training.token_budget = *value;
  }

  void loader_workers(const std::string& text) {
    const std::optional<int> value = text == "auto" ? batch::automatic : number_in(text, 0, most_loader_workers);
    if (!value)
      throw CLI::ValidationError("--loader-workers", "'" + text + "' is neither auto nor a number from 0 to " +
                                                         std::to_string(most_loader_workers));
    s_.training.loader_workers = *value;
  }

  void compounding(const std::string& text) {
    const auto sizes = compounding_of(text);
    if (!sizes)
      throw CLI::ValidationError("--compounding",
                                 "'" + text + "' is not START,STOP,FACTOR, as in 100,1000,1.001: sizes from 1 to " +
                                     std::to_string(most_rows) + ", and a factor that leads from one to the other");
    s_.training.compounding = *sizes;
  }

  /// Keeps the number of steps or the share of them, whichever was given; the program's default may have been the
  /// other.
  void settle_warmup() {
    train::Options& t = s_.training;
    if (t.warmup_steps == 0 || t.warmup_ratio == 0) return;
    const bool steps = warmup_steps_->count() > 0, ratio = warmup_ratio_->count() > 0;
    if (steps && ratio) throw CLI::ValidationError("--warmup-ratio", "and --warmup-steps: use one of them");
    if (steps) t.warmup_ratio = 0;
    if (ratio) t.warmup_steps = 0;
  }

  Settings& s_;
  CLI::Option *token_budget_ = nullptr, *batch_size_ = nullptr, *compounding_ = nullptr;
  std::vector<const CLI::Option*> of_optimizer_;  // the options of optim::OptionsRead
  CLI::Option *warmup_steps_ = nullptr, *warmup_ratio_ = nullptr;
};

}  // namespace entrain::app::detail
