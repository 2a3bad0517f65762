// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// No command writes over what it reads, nor two things into one file.
#pragma once
#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// Before anything is opened to be written. A file is known by its number in the file system, whatever names and links
/// lead to it. Standard output and standard error are outputs, and standard input is an input, where they are files.
///
/// throws    entrain.app.81: an output is an input             .38: two outputs are one file
ENTRAIN_PART void refuse_to_write_over(const Settings& settings);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/outputs.ipp"
#endif
