// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The command line, read once. The library that reads it is seen by parse.ipp alone.
#pragma once
#include <optional>
#include <string>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// What the program goes on with: settings, or an exit code when everything is said (0: help; 2: wrong usage).
struct Parsed {
  Settings settings;
  std::optional<int> exit;
};

/// Reads `train --epochs 20 ...`. A file given with --config holds the same names, in sections by command; the command
/// line goes before it. Help goes to standard output, complaints to standard error.
///
/// settings      the program's defaults        composition   what --version says beside the version
ENTRAIN_PART Parsed parse(int argc, const char* const* argv, Settings settings, const std::string& composition);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/parse.ipp"
#endif
