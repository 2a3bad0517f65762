// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of parse.hpp: the commands and their options, with CLI11. Options of several commands are in
// shared_options.ipp, those of train in train_options.ipp.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/build_options.hpp"
#include "entrain/app/options/config_file.hpp"
#include "entrain/app/options/nearest.hpp"
#include "entrain/app/options/option_checks.ipp"
#include "entrain/app/options/parse.hpp"
#include "entrain/app/options/shared_options.ipp"
#include "entrain/app/options/train_options.ipp"
#include "entrain/app/output/output.hpp"
#include "entrain/core/version.hpp"
#include "entrain/report/width.hpp"  // harmless
#include "entrain/text/check/repair_rules.hpp"

namespace entrain::app {
namespace detail {

class CommandLine {
 public:
  CommandLine(Settings& settings, const std::string& composition) : s_(settings), train_(settings) {
    if (s_.of_classes) root_.description("entrain trains and runs models that give texts their classes.");
    root_.require_subcommand(0, 1);
    root_.fallthrough();
    root_.set_version_flag("--version", std::string("entrain ") + version + "\n" + composition);
    config_option(root_);
    root_.get_formatter()->column_width(36);
    root_.footer(exit_codes);
    train_.declare(command(Command::train, "train", "Train a model, save it, and evaluate the saved model"));
    evaluate_options(command(
        Command::evaluate, "evaluate",
        s_.of_classes ? "Score a saved model on texts with classes" : "Score a saved model on tagged sentences"));
    predict_options(command(
        Command::predict, "predict",
        s_.of_classes ? "Give texts their classes with a saved model" : "Find entities in text with a saved model"));
    check_options(command(Command::check, "check", "List the problems in files; repair tagged files by named rules"));
    convert_options(command(Command::convert, "convert", "Rewrite files in another scheme or format"));
    score_options(command(Command::score, "score", "Score predicted tags against gold tags"));
  }

  std::optional<int> parse(int argc, const char* const* argv) {
    try {
      root_.parse(argc, argv);
      const GivenSizes on_the_line = train_.given_sizes(Given::on_the_line);
      train_.note_options_of_line();
      take_file();
      if (!s_.config.empty()) read_config();
      train_.note_options_of_file();
      train_.settle(on_the_line);
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
  static constexpr const char* exit_codes =
      "Exit codes: 0: done. 1: an error in files, device or numbers, printed as one line; for check, also a file with "
      "errors; for train, also a model that was saved without a file of --trace, --tensorboard or --log-steps. 2: "
      "wrong usage.";

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

  void evaluate_options(CLI::App& sub) {
    model_option(sub, s_);
    file_ =
        sub.add_option(
               "file", s_.inputs,
               "The tagged file or pattern, instead of --test; if no option names a file, that of the examples, if the "
               "program has them")
            ->configurable(false)
            ->check(not_empty())
            ->type_name("FILE");
    test_ = files_options(sub, s_);
    split_ = add(sub, "Files", "--split", s_.split, "Split to score: train, dev or test")
                 ->check(one_of({"train", "dev", "test"}));
    if (s_.of_classes) {
      class_options(sub, s_);
    } else {
      reading_options(sub, s_);
      format_options(sub, s_);
    }
    machine_options(sub, s_);
    json_option(sub, s_, "Print the scores as JSON");
  }

  void predict_options(CLI::App& sub) {
    model_option(sub, s_);
    if (s_.of_classes) return predict_class_options(sub);
    inputs(sub, s_, "Files of text, or of sentences or texts in another format; - is standard input", 0);
    add(sub, "Files", "--input-format", s_.reading.format,
        "text (one text per line); the texts or words of conll, jsonl, annotated, labelled, csv or tsv; or auto: "
        "detected from the files, else text")
        ->check(one_of({"auto", "text", "conll", "jsonl", "annotated", "labelled", "csv", "tsv"}));
    add(sub, "Files", "--format", s_.format,
        "conll, jsonl, colour (unless NO_COLOR is set), or auto: colour on a terminal, else jsonl")
        ->check(one_of({"auto", "conll", "jsonl", "colour"}));
    add(sub, "Files", "--to", s_.to_scheme, "Scheme of the tags in conll; default: iob2")->check(scheme_name());
    destination(sub, s_);
    column_options(sub, s_);
    lenient_option(sub, s_, "Skip malformed lines or records and count them: they have no line in the output");
    strict_option(sub, s_);
    add(sub, "Reading", "--text-column", s_.reading.csv.text,
        "Text column of csv, tsv and labelled: name, or number from 1; default: text");
    machine_options(sub, s_);
  }
  void predict_class_options(CLI::App& sub) {
    inputs(sub, s_, "Files of texts; - is standard input", 0);
    add(sub, "Files", "--input-format", s_.reading.format,
        "text (one text per line), csv, tsv, jsonl or labelled, or auto: detected from the files, else text")
        ->check(one_of({"auto", "text", "csv", "tsv", "jsonl", "labelled"}));
    add(sub, "Files", "--format", s_.format, "tsv (class, TAB, probability), jsonl, or auto: tsv")
        ->check(one_of({"auto", "tsv", "jsonl"}));
    destination(sub, s_);
    table_options(sub, s_);
    lenient_option(sub, s_, "Skip malformed records and count them: they have no line in the output");
    strict_option(sub, s_);
    machine_options(sub, s_);
  }

  static std::size_t listed_lines(const std::string& text) {
    if (text == "all") return text::all_of_a_kind;
    std::size_t value = 0;
    if (text.starts_with('-') || !CLI::detail::lexical_cast(text, value))
      throw CLI::ValidationError("--list", "'" + text + "' is neither a number from 0 nor all");
    return value;
  }

  void check_options(CLI::App& sub) {
    inputs(sub, s_, "Training file, then others of the same corpus", 1);
    reading_options(sub, s_);
    splitter_options(sub, "Reading", s_, "texts without words; name the model's");
    format_options(sub, s_, all_formats);
    table_options(sub, s_);
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
    inputs(sub, s_, "The file or pattern to rewrite; - is standard input", 0);
    reading_options(sub, s_);
    splitter_options(sub, "Reading", s_, "texts without words");
    format_options(sub, s_, all_formats);
    table_options(sub, s_);
    add(sub, "Files", "--to", s_.to_scheme, "Scheme to write; default: the scheme that was read")->check(scheme_name());
    add(sub, "Files", "--format", s_.format, "conll, jsonl, csv, tsv, or auto: from the extension of the output")
        ->check(one_of({"auto", "conll", "jsonl", "csv", "tsv"}));
    destination(sub, s_);
  }

  void score_options(CLI::App& sub) {
    inputs(sub, s_, "GOLD PREDICTED", 2)->expected(2)->type_name("FILE");
    reading_options(sub, s_);
    misaligned_option(sub, s_);
    splitter_options(sub, "Reading", s_, "texts without words; name the model's");
    json_option(sub, s_, "Print the scores as JSON");
  }

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
      if (line.is_array) add_items(line, *option);
      try {
        const bool flag = option->get_expected_max() == 0;
        if (!line.is_array) option->add_result(flag ? option->get_flag_value(line.key, line.value) : line.value);
        if (option->count() > 0) option->run_callback();
      } catch (const CLI::ParseError& e) {
        refuse(line, e.what());
      }
    }
  }

  static void add_items(const ConfigLine& line, CLI::Option& option) {
    if (!is_list(option))
      refuse(line, line.name() + ": an array, expected one value; write a text that begins with [ in quotes");
    for (const std::string& item : line.items) {
      if (item.find(option.get_delimiter()) != item.npos)
        refuse(line, line.name() + ": '" + item + "', expected a value without a comma");
      option.add_result(item);
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

  static bool is_list(const CLI::Option& option) { return option.get_delimiter() != '\0'; }
  /// The value of an option as the command line accepts it.
  static std::string given_value(const CLI::Option& option) {
    if (!is_list(option)) return option.as<std::string>();
    std::string all;
    for (const std::string& value : option.results())
      all.append(all.empty() ? "" : std::string(1, option.get_delimiter())).append(value);
    return all;
  }

  void dump(const CLI::App& sub) const {
    std::string out = "[" + sub.get_name() + "]\n";
    for (const CLI::Option* option : sub.get_options()) {
      if (!option->get_configurable() || option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
      const bool flag = option->get_expected_max() == 0, given = option->count() > 0;
      std::string value = given ? given_value(*option) : option->get_default_str();
      if (flag && value.empty()) value = "false";
      out += "# " + option->get_description() + "\n";
      if (!given && value.empty()) out += "# ";  // no value unless the user sets one
      out += option->get_lnames()[0] + " = " + (flag ? value : config_quoted(value)) + "\n";
    }
    Output("-").write(out);
  }

  Settings& s_;
  TrainOptions train_;
  CLI::App root_{"entrain trains and runs models that find named entities in text."};
  std::map<const CLI::App*, Command> commands_;
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
