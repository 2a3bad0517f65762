// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A program that was compiled without optimisation is many times as slow, and nothing else about it looks wrong.
#pragma once
#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_OPTIMISED, ENTRAIN_PART

namespace entrain::app {

/// A warning as the first line that a command says, where it runs code that was compiled without optimisation.
///
/// program    whether what the trainer's type shapes was optimised: ENTRAIN_OPTIMISED of the program's own source
ENTRAIN_PART void warn_of_no_optimisation(bool program, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/optimised.ipp"
#endif
