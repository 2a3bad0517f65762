// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program made from a trainer type:
//
//   int main(int argc, char** argv) { return entrain::app::ner<Trainer>(argc, argv); }
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
#include "entrain/app/predict/predict.hpp"
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

template <class Trainer> [[gnu::cold]] int run(Settings& s) {
  using Model = typename Trainer::Model;
  using Policy = typename Trainer::Policy;
  using Device = typename Trainer::Device;
  if (s.command == Command::train || s.command == Command::evaluate) resolve(s.files, example_folder());
  refuse_to_write_over(s);
  switch (s.command) {
    case Command::train:
      return train_model<Trainer>(s);
    case Command::evaluate:
      return evaluate_model<Model, Policy, Device>(s);
    case Command::predict:
      return predict_entities<Model, Policy, Device>(s);
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

}  // namespace detail

/// train | evaluate | predict | check | convert | score. Data goes to standard output, everything else to standard
/// error. The exit code is 0; 1 after an error in files, device or numbers (one line states it); 2 for wrong usage; or
/// 128 + the signal for a training that a signal stopped. `defaults`: values of the options that the command line does
/// not name.
template <class Trainer>
[[gnu::cold]] int ner(int argc, const char* const* argv, train::Options defaults = train::default_options<Trainer>()) {
  open_standard_descriptors();
  const FileSizeLimit limit;
  try {
    Signals signals;
    Settings settings;
    settings.signals = &signals;
    settings.training = defaults;
    const std::optional<int> over = parse(argc, argv, settings, train::describe<typename Trainer::Model>());
    if (over) return *over;
    warn_of_no_optimisation(ENTRAIN_OPTIMISED, settings);
    return detail::run<Trainer>(settings);
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

/// For a trainer whose task the commands do not handle.
template <class Trainer>
requires(train::IsTrainer<Trainer> && !task::is_tagging<typename Trainer::Task>) int ner(int, const char* const*,
                                                                                         train::Options = {}) {
  static_assert(task::is_tagging<typename Trainer::Task>,
                "entrain: the commands of app::ner handle tags only, and the task of this trainer's head is another; "
                "call train::fit and train::evaluate; see docs/extending/head.md.");
  return 2;
}

/// For another type than a trainer.
template <class T>
requires(!train::IsTrainer<T>) int ner(int, const char* const*, train::Options = {}) {
  static_assert(
      train::is_trainer<T>,
      "entrain: app::ner takes a trainer, as in app::ner<train::Trainer<Model, precision::Fp32, device::Cpu<>, "
      "optim::AdamW>>(argc, argv), and this type is none.");
  return 2;
}

}  // namespace entrain::app
