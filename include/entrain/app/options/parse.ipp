// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of parse.hpp: every option of every command, with CLI11.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/corpora.hpp"
#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/build_options.hpp"
#include "entrain/app/options/config_file.hpp"
#include "entrain/app/options/nearest.hpp"
#include "entrain/app/options/option_checks.ipp"
#include "entrain/app/options/parse.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/train/auto_budget.hpp"   // most_rows
#include "entrain/batch/pipeline/workers.hpp"  // automatic
#include "entrain/core/version.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/report/width.hpp"  // harmless
#include "entrain/text/check/repair_rules.hpp"

namespace entrain::app {
namespace detail {

inline CLI::Validator scheme_name() {
  return accepted_by([](const std::string& name) { text::scheme_by_name(name, ""); });
}

class CommandLine {
 public:
  CommandLine(Settings& settings, const std::string& composition) : s_(settings) {
    root_.require_subcommand(0, 1);
    root_.fallthrough();
    root_.set_version_flag("--version", std::string("entrain ") + version + "\n" + composition);
    config_option(root_);
    root_.get_formatter()->column_width(36);
    root_.footer(exit_codes);
    train_options(command(Command::train, "train", "Train a model, save it, and evaluate the saved model"));
    evaluate_options(command(Command::evaluate, "evaluate", "Score a saved model on tagged sentences"));
    predict_options(command(Command::predict, "predict", "Find entities in text with a saved model"));
    check_options(command(Command::check, "check", "List the problems in files; repair tagged files by named rules"));
    convert_options(command(Command::convert, "convert", "Rewrite files in another scheme or format"));
    score_options(command(Command::score, "score", "Score predicted tags against gold tags"));
  }

  std::optional<int> parse(int argc, const char* const* argv) {
    try {
      root_.parse(argc, argv);
      const GivenSizes on_the_line = given_sizes(Given::on_the_line);
      take_file();
      if (!s_.config.empty()) read_config();
      settle(on_the_line);
    } catch (const CLI::Success& e) {  // help, version
      std::ostringstream said, complained;
      root_.exit(e, said, complained);
      Output("-").write(said.str());
      return 0;
    } catch (const CLI::ExtrasError&) {
      return refuse_usage(why_left_over());
    } catch (const CLI::ParseError& e) {
      return refuse_usage(e.what());
    }
    const auto chosen = root_.get_subcommands();
    if (chosen.empty()) {
      std::fputs(root_.help().c_str(), stderr);
      return 2;
    }
    s_.command = commands_.at(chosen.front());
    if (!dump_) return std::nullopt;
    dump(*chosen.front());
    return 0;
  }

 private:
  static constexpr int most_loader_workers = 256;
  static constexpr const char* exit_codes =
      "Exit codes: 0: done. 1: an error in files, device or numbers, printed as one line; for check, also a file with "
      "errors. 2: wrong usage.";

  static int refuse_usage(const std::string& why) {
    std::fprintf(stderr, "error: %s; see --help\n", report::harmless(why).c_str());
    return 2;
  }

  static std::vector<std::string> names_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back(name);
    return names;
  }

  /// Why a command does not have an option. name: without dashes
  std::string why_no_option(const CLI::App* sub, const std::string& name, const std::string& shown,
                            std::string_view dashes) const {
    if (const std::string built = where_it_is_built(name); !built.empty()) return shown + ": " + built;
    if (sub && shown == "--" + name && sub->get_option_no_throw(shown))
      return shown + " goes after the command " + sub->get_name();
    std::vector<std::string> names = names_of(sub ? *sub : root_);
    for (const CLI::App* other : root_.get_subcommands({}))
      if (sub && other != sub && other->get_option_no_throw("--" + name))
        return shown + " is an option of " + other->get_name() + ", not of " + sub->get_name();
    for (const BuildOption& option : build_options) names.emplace_back(option.name);
    return "no option " + shown + did_you_mean(name, names, dashes);
  }

  /// Why the first argument that no option and no command accepted is wrong: an option, or else a word.
  std::string why_left_over() const {
    const auto chosen = root_.get_subcommands();
    const CLI::App* const sub = chosen.empty() ? nullptr : chosen.front();
    const auto left = root_.remaining(true);
    const auto at = std::find_if(left.begin(), left.end(),
                                 [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    if (at != left.end()) {
      const std::string shown = at->substr(0, at->find('='));
      const auto letters = shown.find_first_not_of('-');
      return why_no_option(sub, letters == shown.npos ? "" : shown.substr(letters), shown, "--");
    }
    const std::string word = left.empty() ? "" : left.front();
    if (!sub) {
      std::vector<std::string> commands;
      for (const CLI::App* other : root_.get_subcommands({})) commands.push_back(other->get_name());
      return "no command '" + word + "'" + did_you_mean(word, commands);
    }
    std::string why = "'" + word + "' was not expected";
    if (commands_.at(sub) == Command::train) why += ": train takes files by name, as in --train " + word;
    return why;
  }

  /// For evaluate: a file without an option is the file of --test.
  void take_file() {
    if (file_->count() == 0) return;
    if (s_.inputs.size() > 1)
      throw CLI::ValidationError("'" + s_.inputs[1] + "'", "evaluate takes one file, or a pattern of files in quotes");
    if (test_->count() > 0 || split_->count() > 0)
      throw CLI::ValidationError("'" + s_.inputs.front() + "'", std::string("a file, and ") +
                                                                    (test_->count() > 0 ? "--test" : "--split") +
                                                                    " names one too: use one of them");
    s_.files.test = s_.inputs.front();
  }

  CLI::App& command(Command which, const char* name, const char* what) {
    CLI::App& sub = *root_.add_subcommand(name, what);
    commands_[&sub] = which;
    config_option(sub);
    sub.add_flag("--quiet", s_.quiet, "Print only errors on standard error");
    sub.add_flag("--dump-config", dump_, "Print every option with its value, as a file for --config")
        ->configurable(false);
    return sub;
  }

  /// --config may be given before the command and after it.
  void config_option(CLI::App& app) {
    app.add_option("--config", s_.config, "Read options from an INI or TOML file; the command line takes precedence")
        ->configurable(false)
        ->check(not_empty())
        ->type_name("FILE");
  }

  template <class T>
  static CLI::Option* add(CLI::App& sub, const char* group, const char* name, T& value, const char* what) {
    CLI::Option* const option = sub.add_option(name, value, what)->capture_default_str()->group(group);
    if constexpr (std::is_unsigned_v<T>) option->transform(not_negative<T>());
    if constexpr (std::is_same_v<T, std::string>) option->check(not_empty());
    return option;
  }

  void train_options(CLI::App& sub) {
    files_options(sub);
    reading_options(sub);
    format_options(sub);
    train::Options& t = s_.training;
    const char* const model = "Model";
    add(sub, model, "--output,--output-dir", s_.output, "Folder to save the model in");
    add(sub, model, "--pretrained", s_.pretrained,
        "Start from the encoder weights and the tokenizer of this Hugging Face folder");
    add(sub, model, "--init", s_.init, "Start from this model folder: labels in both models keep their rows");
    add(sub, model, "--splitter", s_.splitter,
        "Word splitter for raw text in prediction: unicode-words-1 or whitespace")
        ->check(accepted_by([](const std::string& name) { predict::word_splitter(name, ""); }));
    add(sub, model, "--sentence-splitter", s_.sentence_splitter,
        "Sentence splitter for raw text in prediction: unicode-sentences-1, lines or whole-text")
        ->check(accepted_by([](const std::string& name) { predict::sentence_splitter(name, ""); }));

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
    sub.add_option("--labels", s_.labels, "Entity types of a training file that can be read only once: PER,LOC,...")
        ->delimiter(',')
        ->group(loader);
    const auto share = [&](const char* name, double& value, const char* what) {
      add(sub, loader, name, value, what)->transform(between(0.0, 1.0));
    };
    share("--augment-case", s_.augment.lower_case, "Share of sentences converted to lower case, drawn each epoch");
    share("--augment-swap", s_.augment.entity_swap,
          "Share of entities replaced by others of the same type, drawn each epoch");
    share("--augment-drop", s_.augment.token_drop,
          "Share of words outside entities that are dropped, drawn each epoch");

    const char* const optimizer = "Optimizer";
    add(sub, optimizer, "--learning-rate", t.learning_rate, "Learning rate of the first step after warm-up")
        ->transform(between(1e-12, 1e3));
    add(sub, optimizer, "--head-learning-rate", t.head_learning_rate, "Learning rate of the head; 0: the same")
        ->transform(between(0.0, 1e3));
    add(sub, optimizer, "--layerwise-lr-decay", t.knobs.layerwise_lr_decay,
        "Each block's learning rate is this times that of the block above it; the head has the full rate")
        ->transform(between(0.0, 1.0));
    sub.add_option_function<std::string>(
           "--lr-scheduler-type", [&t](const std::string& name) { t.lr_scheduler_type = optim::decay_by_name(name); },
           "Schedule of the learning rate: constant, linear or cosine")
        ->check(one_of({"constant", "linear", "cosine"}))
        ->default_str(std::string(optim::name_of(t.lr_scheduler_type)))
        ->group(optimizer);
    warmup_steps_ =
        add(sub, optimizer, "--warmup-steps", t.warmup_steps, "Steps over which the learning rate grows from 0");
    warmup_ratio_ = add(sub, optimizer, "--warmup-ratio", t.warmup_ratio,
                        "Warm-up as a share of all steps, instead of --warmup-steps")
                        ->transform(between(0.0, 1.0));
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
                 "At the end, tune the bias of the tags that open an entity on the dev file; applied if it gains a "
                 "point of F1")
        ->group(optimizer)
        ->default_str(t.calibrate ? "true" : "false");
    add(sub, optimizer, "--weight-decay", t.knobs.weight_decay, "Weight decay, not applied to biases and gains")
        ->transform(between(0.0, 1e3));
    add(sub, optimizer, "--adam-beta1", t.knobs.beta1, "Decay of the first moment")->transform(between(0.0, 0.9999999));
    add(sub, optimizer, "--adam-beta2", t.knobs.beta2, "Decay of the second moment")
        ->transform(between(0.0, 0.9999999));
    add(sub, optimizer, "--adam-epsilon", t.knobs.epsilon, "Added to the square root of the second moment")
        ->transform(between(1e-30, 1.0));
    add(sub, optimizer, "--momentum", t.knobs.momentum, "Momentum of SGD")->transform(between(0.0, 0.9999999));
    add(sub, optimizer, "--ema-decay", t.knobs.ema_decay, "Decay of the averaged weights, if the program keeps them")
        ->transform(between(0.0, 0.9999999));
    add(sub, "Machine", "--algorithms", s_.algorithms,
        "On a GPU: file of matmul algorithms; missing ones are measured and added");
    machine_options(sub);
    sub.add_flag("--plan", s_.plan, "Print the memory plan and the number of steps, and do not train")
        ->configurable(false)
        ->group("Machine");
    json_option(sub, "Print the final scores as JSON");
    const char* const records = "Records";
    add(sub, records, "--trace", s_.records.trace, "File for a trace of all threads, for ui.perfetto.dev");
    add(sub, records, "--tensorboard", s_.records.tensorboard, "Folder for losses, scores and times, for TensorBoard");
    add(sub, records, "--log-steps", s_.records.log_steps, "File for the numbers of each step, as JSON Lines");
  }

  void evaluate_options(CLI::App& sub) {
    model_option(sub);
    file_ = sub.add_option("file", s_.inputs, "The tagged file or pattern, instead of --test")
                ->configurable(false)
                ->check(not_empty())
                ->type_name("FILE");
    test_ = files_options(sub);
    split_ = add(sub, "Files", "--split", s_.split, "Split to score: train, dev or test")
                 ->check(one_of({"train", "dev", "test"}));
    reading_options(sub);
    format_options(sub);
    machine_options(sub);
    json_option(sub, "Print the scores as JSON");
  }

  void predict_options(CLI::App& sub) {
    model_option(sub);
    inputs(sub, "Files of text, or of sentences or texts in another format; - is standard input", 0);
    add(sub, "Files", "--input-format", s_.reading.format,
        "text (one text per line); the texts or words of conll, jsonl, annotated, labelled, csv or tsv; or auto: "
        "detected from the files, else text")
        ->check(one_of({"auto", "text", "conll", "jsonl", "annotated", "labelled", "csv", "tsv"}));
    add(sub, "Files", "--format", s_.format,
        "conll, jsonl, colour (unless NO_COLOR is set), or auto: colour on a terminal, else jsonl")
        ->check(one_of({"auto", "conll", "jsonl", "colour"}));
    add(sub, "Files", "--to", s_.to_scheme, "Scheme of the tags in conll; default: iob2")->check(scheme_name());
    destination(sub);
    column_options(sub);
    strict_option(sub);
    add(sub, "Reading", "--text-column", s_.reading.csv.text,
        "Text column of csv, tsv and labelled: name, or number from 1; default: text");
    machine_options(sub);
  }

  void check_options(CLI::App& sub) {
    inputs(sub, "Training file, then others of the same corpus", 1);
    reading_options(sub);
    format_options(sub, all_formats);
    table_options(sub);
    add(sub, "Files", "--fix", s_.fix, "Folder for repaired copies; every change is listed");
    add(sub, "Files", "--fix-rules", s_.fix_rules,
        "all, or some of bom,crlf,blank-separators,malformed,empty-tokens,form,case,scheme; JSON: form,case")
        ->check(accepted_by([](const std::string& list) { text::Rules::named(list, ""); }));
    sub.add_option_function<std::string>(
           "--list", [this](const std::string& text) { s_.listed = listed_lines(text); },
           "Lines to list per kind, or all; the rest are counted")
        ->default_str(std::to_string(text::listed_of_a_kind))
        ->group("Thresholds");
    add(sub, "Thresholds", "--rare", s_.rare, "A label with fewer mentions, or texts, is rare");
    add(sub, "Thresholds", "--long-sentence", s_.long_sentence, "Sentences, or texts, with more words are reported");
  }

  void convert_options(CLI::App& sub) {
    inputs(sub, "The file or pattern to rewrite; - is standard input", 0);
    reading_options(sub);
    format_options(sub, all_formats);
    table_options(sub);
    add(sub, "Files", "--to", s_.to_scheme, "Scheme to write; default: the scheme that was read")->check(scheme_name());
    add(sub, "Files", "--format", s_.format, "conll, jsonl, csv, tsv, or auto: from the extension of the output")
        ->check(one_of({"auto", "conll", "jsonl", "csv", "tsv"}));
    destination(sub);
  }

  void score_options(CLI::App& sub) {
    inputs(sub, "GOLD PREDICTED", 2)->expected(2)->type_name("FILE");
    reading_options(sub);
    json_option(sub, "Print the scores as JSON");
  }

  CLI::Option* files_options(CLI::App& sub) {
    const char* const group = "Files";
    add(sub, group, "--train", s_.files.train,
        "Training file, or a pattern of files, as in 'part-*.conll.gz'; - is standard input");
    add(sub, group, "--dev", s_.files.dev, "File or pattern for choosing the best model");
    CLI::Option* const test = add(sub, group, "--test", s_.files.test, "File or pattern for the final scores");
    std::vector<std::string> names;
    for (const NamedCorpus& c : corpora) names.emplace_back(c.name);
    add(sub, group, "--corpus", s_.files.corpus,
        ("Instead of files, a corpus in the folder ENTRAIN_DATA: " + listed(names)).c_str())
        ->check(one_of(names));
    add(sub, group, "--data", s_.files.data, "Instead of files, a folder with train.conll, dev.conll and test.conll");
    return test;
  }

  void reading_options(CLI::App& sub) {
    const char* const group = "Reading";
    add(sub, group, "--scheme", s_.reading.scheme,
        "Tag scheme: iob1, iob2, iobes, bilou, io or bmes; default: detected")
        ->check(scheme_name());
    add(sub, group, "--repair", s_.reading.repair,
        "Reading of tags that violate the scheme: conlleval (each in an entity) or drop")
        ->check(one_of({"conlleval", "drop"}));
    column_options(sub);
    sub.add_flag("--lenient", s_.reading.conll.lenient, "Skip malformed lines or records and count them")->group(group);
    strict_option(sub);
  }
  void strict_option(CLI::App& sub) {
    sub.add_flag("--strict", s_.reading.strict, "Refuse text that is not UTF-8, instead of warning")->group("Reading");
  }

  static constexpr const char* tagged_formats =
      "conll, jsonl (Hugging Face, Prodigy, doccano, GLiNER), annotated (text TAB [(start, end, label)]), or auto: "
      "detected from the files";
  static constexpr const char* all_formats =
      "conll, jsonl (Hugging Face, Prodigy, doccano, GLiNER), annotated (text TAB [(start, end, label)]); texts with "
      "one label each: csv, tsv, labelled (JSON lines); text; npy; or auto: detected from the files";

  /// Options for files that need not be in columns. A command that cannot use one refuses it itself, with a message
  /// that gives the reason.
  void format_options(CLI::App& sub, const char* formats = tagged_formats) {
    const char* const group = "Reading";
    text::RecordOptions& records = s_.reading.records;
    add(sub, group, "--input-format", s_.reading.format, formats)
        ->check(one_of({"auto", "conll", "jsonl", "annotated", "labelled", "csv", "tsv", "text", "npy"}));
    choice(sub, "--offsets", "Unit of offsets in texts: code-points, bytes or utf-16", records.unit,
           {{"code-points", text::OffsetUnit::code_points},
            {"bytes", text::OffsetUnit::bytes},
            {"utf-16", text::OffsetUnit::utf16}});
    choice(sub, "--misaligned",
           "Entities that cut words, or overlap: error, snap (to the words that they touch) or drop",
           records.misaligned,
           {{"error", text::Misaligned::error}, {"snap", text::Misaligned::snap}, {"drop", text::Misaligned::drop}});
    sub.add_option("--tag-names", records.tag_names, "Names of numeric tags: O,B-PER,I-PER,...")
        ->delimiter(',')
        ->group(group);
  }
  /// Options for files without tags.
  void table_options(CLI::App& sub) {
    const char* const group = "Texts";
    text::CsvOptions& csv = s_.reading.csv;
    add(sub, group, "--text-column", csv.text,
        "Text column of csv, tsv and labelled: name, or number from 1; default: text");
    add(sub, group, "--label-column", csv.label, "Label column of csv, tsv and labelled; default: label or category");
    sub.add_option_function<std::string>(
           "--delimiter", [&csv](const std::string& text) { csv.delimiter = delimiter(text); },
           "Column delimiter: one character or TAB; default: detected")
        ->group(group);
    const auto flag = [&](const char* names, bool& value, const char* what) {
      sub.add_flag(names, value, what)->group(group)->default_str(value ? "true" : "false");
    };
    flag("--header,!--no-header", csv.header, "The first record has the column names; else columns are numbered");
    flag("--has-labels,!--no-labels", csv.labels, "Read the label of each text");
    flag("--quotes,!--no-quotes", csv.quotes, "Quotes enclose fields; else they are ordinary characters");
    choice(sub, "--text-unit", "Unit of a text file that is split by itself: paragraph (up to a blank line) or line",
           s_.reading.text_unit, {{"paragraph", text::TextUnit::paragraph}, {"line", text::TextUnit::line}}, group);
  }
  static std::size_t listed_lines(const std::string& text) {
    if (text == "all") return text::all_of_a_kind;
    std::size_t value = 0;
    if (text.starts_with('-') || !CLI::detail::lexical_cast(text, value))
      throw CLI::ValidationError("--list", "'" + text + "' is neither a number from 0 nor all");
    return value;
  }
  static char delimiter(const std::string& text) {
    if (text == "TAB" || text == "tab" || text == "\\t") return '\t';
    if (text.size() != 1) throw CLI::ValidationError("--delimiter", "'" + text + "' is neither one character nor TAB");
    return text[0];
  }

  template <class Value> static void choice(CLI::App& sub, const char* name, const char* what, Value& value,
                                            std::map<std::string, Value> names, const char* group = "Reading") {
    std::string shown;
    std::vector<std::string> all;
    for (const auto& [word, one] : names) {
      all.push_back(word);
      if (one == value) shown = word;
    }
    sub.add_option_function<std::string>(
           name, [&value, names](const std::string& word) { value = names.at(word); }, what)
        ->check(one_of(std::move(all)))
        ->default_str(shown)
        ->group(group);
  }

  void column_options(CLI::App& sub) {
    text::ConllOptions& conll = s_.reading.conll;
    column_option(sub, "--token-column", conll.token_column, conll.token_name);
    column_option(sub, "--tag-column", conll.tag_column, conll.tag_name);
  }
  static void column_option(CLI::App& sub, const char* option, int& number, std::string& name) {
    sub.add_option_function<std::string>(
           option,
           [option, &number, &name](const std::string& text) {
             const auto column = column_number(text, option);
             number = column.value_or(text::ConllOptions::automatic);
             name = column ? "" : text;
           },
           "Number from 0, last, a name in the header, or auto")
        ->default_str("auto")
        ->group("Reading");
  }

  /// Empty: the text is a name.
  static std::optional<int> column_number(const std::string& text, const char* option) {
    if (text == "auto") return text::ConllOptions::automatic;
    if (text == "last") return text::ConllOptions::last;
    const auto value = number_in(text, 0, std::numeric_limits<int>::max());
    if (!value && text.find_first_not_of("+-.0123456789 ") == text.npos)
      throw CLI::ValidationError(option, "'" + text + "' is neither a number from 0, last, auto nor a column's name");
    return value;
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

  GivenSizes given_sizes(Given where) const {
    const auto of = [&](const CLI::Option* option) { return option->count() > 0 ? where : Given::nowhere; };
    return {of(token_budget_), of(batch_size_), of(compounding_)};
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

  void model_option(CLI::App& sub) { add(sub, "Files", "-m,--model", s_.model, "Folder of the model"); }
  CLI::Option* inputs(CLI::App& sub, const char* what, int least) {
    auto* const option =
        sub.add_option("files", s_.inputs, what)->configurable(false)->check(not_empty())->type_name("FILE ...");
    return least > 0 ? option->required() : option;
  }
  void destination(CLI::App& sub) {
    add(sub, "Files", "-o,--output", s_.destination, "File to write; - is standard output");
  }
  void machine_options(CLI::App& sub) {
    add(sub, "Machine", "--threads", s_.threads, "Number of threads; 0: as many as the machine has")
        ->transform(between(0, 1024));
  }
  void json_option(CLI::App& sub, const char* what) { sub.add_flag("--json", s_.json, what); }

  /// Keys outside of sections belong to the command that runs; a section belongs to the command of its name. Values
  /// from the command line stay.
  void read_config() {
    const auto running = root_.get_subcommands();
    std::map<const CLI::Option*, std::string> places;  // place of each option in the file
    for (const ConfigLine& line : app::read_config(s_.config)) {
      CLI::App* owner = running.empty() ? nullptr : running.front();
      if (!line.section.empty()) owner = command_named(line.section);
      CLI::Option* const option = owner ? owner->get_option_no_throw("--" + line.key) : nullptr;
      if (!option && owner) refuse(line, why_no_option(owner, line.key, line.name(), ""));
      if (!option || !option->get_configurable()) refuse(line, "no option " + line.name());
      const auto [first, is_first] = places.try_emplace(option, line.where);
      if (!is_first) refuse(line, line.name() + " is given twice, first in " + first->second);
      if (option->count() > 0 || running.empty() || owner != running.front()) continue;
      if (file_->count() > 0 && (option == test_ || option == split_)) continue;
      try {
        const bool flag = option->get_expected_max() == 0;
        option->add_result(flag ? option->get_flag_value(line.key, line.value) : line.value);
        option->run_callback();
      } catch (const CLI::ParseError& e) {
        refuse(line, e.what());
      }
    }
  }

  [[noreturn]] static void refuse(const ConfigLine& line, const std::string& why) {
    throw CLI::ConfigError(line.where + ": " + why, CLI::ExitCodes::ConfigError);
  }

  CLI::App* command_named(const std::string& name) {
    for (CLI::App* sub : root_.get_subcommands({}))
      if (sub->check_name(name)) return sub;
    return nullptr;
  }

  void dump(const CLI::App& sub) const {
    std::string out = "[" + sub.get_name() + "]\n";
    for (const CLI::Option* option : sub.get_options()) {
      if (!option->get_configurable() || option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
      const bool flag = option->get_expected_max() == 0, given = option->count() > 0;
      std::string value = given ? option->as<std::string>() : option->get_default_str();
      if (flag && value.empty()) value = "false";
      out += "# " + option->get_description() + "\n";
      if (!given && value.empty()) out += "# ";  // no value unless the user sets one
      out += option->get_lnames()[0] + " = " + (flag ? value : config_quoted(value)) + "\n";
    }
    Output("-").write(out);
  }

  Settings& s_;
  CLI::App root_{"entrain trains and runs models that find named entities in text."};
  std::map<const CLI::App*, Command> commands_;
  CLI::Option *token_budget_ = nullptr, *batch_size_ = nullptr, *compounding_ = nullptr;
  CLI::Option *warmup_steps_ = nullptr, *warmup_ratio_ = nullptr;
  CLI::Option *file_ = nullptr, *test_ = nullptr, *split_ = nullptr;  // for evaluate
  bool dump_ = false;
};

}  // namespace detail

ENTRAIN_INLINE std::optional<int> parse(int argc, const char* const* argv, Settings& settings,
                                        const std::string& composition) {
  settings.line.assign(argv, argv + argc);
  return detail::CommandLine(settings, composition).parse(argc, argv);
}

}  // namespace entrain::app
