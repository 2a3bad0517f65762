// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The command line of a program for word vectors. Only parse.ipp includes the library that parses it.
#pragma once
#include <optional>
#include <span>

#include "entrain/app/vectors/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Parses `train FILE ... --output vectors.txt`. Help goes to standard output, errors to standard error. Returns the
/// exit code if the program should end (0: help; 2: wrong usage).
///
/// compiled  the trainers to choose from by --sg and --vector-size; the first one is the default
ENTRAIN_INLINE std::optional<int> parse_vectors(int argc, const char* const* argv, VectorSettings& settings,
                                                std::span<const CompiledVectors> compiled);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/vectors/parse.ipp"
#endif
