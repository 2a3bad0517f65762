// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of program.hpp.
#pragma once
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "entrain/app/console/optimised.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/input/corpora.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/parse.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/descriptors.hpp"
#include "entrain/app/output/outputs.hpp"
#include "entrain/app/output/signals.hpp"
#include "entrain/app/program.hpp"
#include "entrain/core/error.hpp"
#include "entrain/report/width.hpp"

namespace entrain::app {
namespace detail {

inline int run_command(const Program& program, Settings& s) {
  if (s.command == Command::train || s.command == Command::evaluate)
    resolve(s.files, s.of_classes ? std::string() : std::string(program.example_folder));
  refuse_to_write_over(s);
  switch (s.command) {
    case Command::train:
      return program.train(s);
    case Command::evaluate:
      return program.evaluate(s);
    case Command::predict:
      return program.predict(s);
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
inline void say_no_memory() noexcept {
  std::fputs(
      "error: entrain.app.6: memory: allocation failed; lower --token-budget, --threads or --loader-workers, "
      "split longer sentences, or read smaller files\n",
      stderr);
}
/// after: a second line; may be empty
inline void say_error(const char* sentence, const std::string& after = {}) noexcept {
  try {
    const std::string line = "error: " + report::harmless(sentence) + "\n" + report::harmless(after);
    std::fprintf(stderr, "%s%s", line.c_str(), after.empty() ? "" : "\n");
  } catch (const std::exception&) {
    say_no_memory();
  }
}

}  // namespace detail

ENTRAIN_INLINE int run(const Program& program, int argc, const char* const* argv) {
  open_standard_descriptors();
  const FileSizeLimit limit;
  try {
    Signals signals;
    Settings settings;
    settings.signals = &signals;
    settings.training = program.defaults;
    settings.of_classes = program.of_classes;
    settings.reading.csv.many = program.many_classes;
    const std::optional<int> over = parse(argc, argv, settings, program.composition());
    if (over) return *over;
    warn_of_no_optimisation(program.optimised, settings);
    return detail::run_command(program, settings);
  } catch (const WrongUsage& e) {
    detail::say_error(e.what());
    return 2;
  } catch (const Error& e) {
    const bool of_device = e.id().starts_with("entrain.device.") && e.id() != "entrain.device.8";
    detail::say_error(e.what(), program.on_gpu && of_device ? on_the_cpu(argv[0]) : std::string());
  } catch (const std::bad_alloc&) {
    detail::say_no_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    detail::say_no_memory();
  } catch (const std::exception& e) {
    detail::say_error(e.what());
  }
  return 1;
}

}  // namespace entrain::app
