// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of optimised.hpp.
#pragma once
#include <string>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/optimised.hpp"

namespace entrain::app {

ENTRAIN_INLINE void warn_of_no_optimisation(bool program, const Settings& s) {
  constexpr bool parts = ENTRAIN_OPTIMISED;  // of the file that compiles this one
  const bool computes = s.command == Command::train || s.command == Command::evaluate || s.command == Command::predict;
  const bool slow = computes && !program;
  if (parts && !slow) return;
  Console(s.quiet).warn(std::string(slow ? "this program" : "entrain::compiled") +
                        " was compiled without optimisation and is many times slower than necessary; compile " +
                        (slow ? "it" : "entrain") + " with -O2 (CMake: -DCMAKE_BUILD_TYPE=Release)");
}

}  // namespace entrain::app
