// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What `check` reports about files that hold no tagged sentences. check.ipp handles tagged sentences.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Prints the findings on standard output. Returns the exit code: 1 if a file has errors. With --fix it also writes
/// repaired copies of texts, and returns 1 if these have errors.
///
/// formats   of each path
/// throws    what the readers of the formats throw for files that are not in that format
ENTRAIN_INLINE int check_texts(const std::vector<std::string>& paths, const std::vector<Format>& formats,
                               const Settings& s, Console& console);
ENTRAIN_INLINE int check_raw(const std::vector<std::string>& paths, const Settings& s);
ENTRAIN_INLINE int check_arrays(const std::vector<std::string>& paths);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/check/checks.ipp"
#endif
