// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The commands that work on files only and need no model.
#pragma once
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// `check TRAIN [DEV TEST ...]`: prints every problem as `file:line: reason`, then the sizes of the splits, on standard
/// output. With --fix, it writes repaired copies of CoNLL files and JSON Lines to a folder, and prints every change as
/// `file:line: rule: before -> after`.
/// Returns 1 if a file has errors (not only warnings) that --fix did not repair.
///
/// throws    entrain.app.15 if a copy would be written over another or over its original    .36: --fix of other files
///           .42: files that hold different kinds of data
ENTRAIN_INLINE int check(const Settings& s);

/// `convert FILE --to SCHEME`: writes the same sentences in another scheme, or as JSON lines; the same texts with
/// labels as JSON lines or a table; text as its words and sentences; an array of numbers as a table.
///
/// throws    entrain.app.13: several files    .43: formats that cannot be converted into each other
ENTRAIN_INLINE int convert(const Settings& s);

/// `score GOLD PREDICTED`: both readings of the entity scores, for any two files with the same words.
ENTRAIN_INLINE int score_files(const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/check/check.ipp"
#include "entrain/app/convert/convert.ipp"
#include "entrain/app/score/score.ipp"
#endif
