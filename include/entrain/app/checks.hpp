// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What `check` says of files that hold no tagged sentences. Of those that do, check.ipp does.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/format.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// What has been found, on standard output. Gives the exit code: 1 if a file has errors. Of texts with --fix also
/// mended copies, and 1 if these have errors.
///
/// formats   of each path
/// throws    what the formats' readers throw of files that are none
ENTRAIN_PART int check_texts(const std::vector<std::string>& paths, const std::vector<Format>& formats,
                             const Settings& s, Talk& talk);
ENTRAIN_PART int check_raw(const std::vector<std::string>& paths, const Settings& s);
ENTRAIN_PART int check_arrays(const std::vector<std::string>& paths);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/checks.ipp"
#endif
