// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `convert` of files that hold no tagged sentences. convert.ipp converts tagged sentences.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// The formats that can be written.
enum class Written : std::uint8_t { conll, jsonl, csv, tsv };

/// `conll`, `jsonl`, `csv`, `tsv`: as in --format
ENTRAIN_INLINE std::string written_name(Written to);

/// The format of --format; under auto: by the ending of the destination, or the usual one for the kind of input.
///
///   sentences   conll, jsonl      texts     jsonl, csv, tsv
///   raw         jsonl, conll      numbers   csv, tsv
///
/// throws    entrain.app.43: another pair    .45: a destination whose name ends as that of a compressed file
ENTRAIN_INLINE Written written_as(const std::vector<std::string>& files, Format from, const Settings& s);

/// Writes to the destination, in bounded memory whatever the size of the files.
///
/// throws    what the formats' readers throw    entrain.app.44: a NUL, which no table can hold
ENTRAIN_INLINE void rewrite_texts(const std::vector<std::string>& files, Format from, Written to, const Settings& s,
                                  Console& console);
/// throws    entrain.text.43: to jsonl, a text that is not UTF-8. Under Reading's lenient it is left out, counted and
///           reported. Columns keep such bytes, and the words that have them are counted
ENTRAIN_INLINE void rewrite_raw(const std::vector<std::string>& files, Written to, const Settings& s, Console& console);
/// throws    entrain.batch.30 to .33 as NpyArray
ENTRAIN_INLINE void rewrite_numbers(const std::vector<std::string>& files, Written to, const Settings& s,
                                    Console& console);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/convert/rewrites.ipp"
#endif
