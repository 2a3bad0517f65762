// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program of a trainer type, whatever its task: ner.hpp and classify.hpp give it the command `predict`.
#pragma once
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "entrain/app/console/optimised.hpp"
#include "entrain/app/evaluate/evaluate.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/input/corpora.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/parse.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/output/descriptors.hpp"
#include "entrain/app/output/outputs.hpp"
#include "entrain/app/output/signals.hpp"
#include "entrain/app/train/train.hpp"
#include "entrain/report/width.hpp"
#include "entrain/task/contract.hpp"  // is_tagging
#include "entrain/train/folder/describe.hpp"
#include "entrain/train/loop/contract.hpp"  // IsTrainer

namespace entrain::app {
namespace detail {

/// The folder of the corpus that is used if no file is named; set by the build.
inline std::string example_folder() {
#if defined(ENTRAIN_EXAMPLE_DATA)
  return ENTRAIN_EXAMPLE_DATA;
#else
  return {};
#endif
}

template <class Trainer, class Predict> [[gnu::cold]] int run(Settings& s, Predict predict) {
  using Model = typename Trainer::Model;
  using Policy = typename Trainer::Policy;
  using Device = typename Trainer::Device;
  if (s.command == Command::train || s.command == Command::evaluate)
    resolve(s.files, s.of_classes ? std::string() : example_folder());
  refuse_to_write_over(s);
  switch (s.command) {
    case Command::train:
      return train_model<Trainer>(s);
    case Command::evaluate:
      return evaluate_model<Model, Policy, Device>(s);
    case Command::predict:
      return predict(s);
    case Command::check:
      return check(s);
    case Command::convert:
      return convert(s);
    case Command::score:
      return score_files(s);
  }
  return 2;
}

/// Prints on standard error, in a line of its own; works without memory for the line.
[[gnu::cold]] inline void say_no_memory() noexcept {
  std::fputs(
      "error: entrain.app.6: memory: allocation failed; lower --token-budget, --threads or --loader-workers, "
      "split longer sentences, or read smaller files\n",
      stderr);
}
/// after: a second line; may be empty
[[gnu::cold]] inline void say_error(const char* sentence, const std::string& after = {}) noexcept {
  try {
    const std::string line = "error: " + report::harmless(sentence) + "\n" + report::harmless(after);
    std::fprintf(stderr, "%s%s", line.c_str(), after.empty() ? "" : "\n");
  } catch (const std::exception&) {
    say_no_memory();
  }
}

/// Parses the command line and runs a command. Predict: a function object that is called as (const Settings&) for
/// `predict`, and returns the exit code.
template <class Trainer, class Predict>
[[gnu::cold]] int program(int argc, const char* const* argv, const train::Options& defaults, Predict predict) {
  open_standard_descriptors();
  const FileSizeLimit limit;
  try {
    Signals signals;
    Settings settings;
    settings.signals = &signals;
    settings.training = defaults;
    settings.of_classes = !task::is_tagging<typename Trainer::Task>;
    if constexpr (requires { Trainer::Task::exclusive; }) settings.reading.csv.many = !Trainer::Task::exclusive;
    const std::optional<int> over = parse(argc, argv, settings, train::describe<typename Trainer::Model>());
    if (over) return *over;
    warn_of_no_optimisation(ENTRAIN_OPTIMISED, settings);
    return detail::run<Trainer>(settings, predict);
  } catch (const Error& e) {
    if constexpr (!Trainer::Device::in_host_memory) {
      const bool of_device = e.id().starts_with("entrain.device.") && e.id() != "entrain.device.8";
      detail::say_error(e.what(), of_device ? on_the_cpu(argv[0]) : std::string());
    } else {
      detail::say_error(e.what());
    }
  } catch (const std::bad_alloc&) {
    detail::say_no_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    detail::say_no_memory();
  } catch (const std::exception& e) {
    detail::say_error(e.what());
  }
  return 1;
}

}  // namespace detail
}  // namespace entrain::app
