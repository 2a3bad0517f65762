// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// No command overwrites its own input, and no command writes two outputs to one file.
#pragma once
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Call it before any file is opened to be written. A file is identified by its number in the file system, whatever
/// names and links lead to it. Standard output and standard error are outputs, and standard input is an input, if they
/// are files.
///
/// throws    entrain.app.81: an output is an input             .38: two outputs are one file
ENTRAIN_INLINE void refuse_to_write_over(const Settings& settings);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/output/outputs.ipp"
#endif
