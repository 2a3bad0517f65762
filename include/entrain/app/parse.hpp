// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The command line, read once. The library that reads it is seen by parse.ipp alone.
#pragma once
#include <optional>
#include <string>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// Reads `train --epochs 20 ...`. A file given with --config holds the same names, in sections by command; the command
/// line goes before it. Help goes to standard output, complaints to standard error. Gives the exit code if everything
/// is said (0: help; 2: wrong usage).
///
/// settings      the program's defaults, then what the program goes on with
/// composition   what --version says beside the version
ENTRAIN_PART std::optional<int> parse(int argc, const char* const* argv, Settings& settings,
                                      const std::string& composition);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/parse.ipp"
#endif
