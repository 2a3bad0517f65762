// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Warns of a program that was compiled without optimisation: it is many times slower, and nothing else shows why.
#pragma once
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_OPTIMISED, ENTRAIN_INLINE

namespace entrain::app {

/// Prints a warning as the first line of a command that runs code compiled without optimisation.
///
/// program    whether the code of the trainer's type was optimised: ENTRAIN_OPTIMISED of the program's own source
ENTRAIN_INLINE void warn_of_no_optimisation(bool program, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/console/optimised.ipp"
#endif
