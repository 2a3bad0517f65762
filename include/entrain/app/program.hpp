// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program of a trainer type, whatever its task. program_of.hpp makes it from the type.
#pragma once
#include <string>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/train/loop/options.hpp"

namespace entrain::app {

/// The facts about a trainer's type that the commands need, and the commands that depend on the type.
struct Program {
  train::Options defaults;          // of options that the command line does not name
  bool optimised = true;            // ENTRAIN_OPTIMISED of the program's own source
  bool of_classes = false;          // it learns classes of texts, not tags
  bool many_classes = false;        // a text may have several
  bool on_gpu = false;              // after an error of the device, a second line tells how to run on the CPU
  const char* example_folder = "";  // of the corpus that is used if no file is named; set by the build

  std::string (*composition)();  // what --version prints next to the version
  int (*train)(const Settings& s);
  int (*evaluate)(const Settings& s);
  int (*predict)(const Settings& s);
};

/// Parses the command line, runs a command, and prints an error as one line. Returns the exit code.
ENTRAIN_INLINE int run(const Program& program, int argc, const char* const* argv);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/program.ipp"
#endif
