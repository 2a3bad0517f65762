// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Parses the command line, once. Only parse.ipp includes the library that parses it.
#pragma once
#include <optional>
#include <string>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Parses `train --epochs 20 ...`. A file given with --config holds the same names, in sections by command; the command
/// line overrides it. Help goes to standard output, errors to standard error. Returns the exit code if the program
/// should end (0: help; 2: wrong usage).
///
/// settings      in: the program's defaults; out: the values to run with
/// composition   what --version prints next to the version
ENTRAIN_INLINE std::optional<int> parse(int argc, const char* const* argv, Settings& settings,
                                        const std::string& composition);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/options/parse.ipp"
#endif
