// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads tagged files in any format, whole, into memory: all files of a path or a pattern, one after the other.
#pragma once
#include <string>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"       // ENTRAIN_INLINE
#include "entrain/text/conll/conll.hpp"  // ConllFile

namespace entrain::app {

/// Also reads all problems: under Reading::records.lenient, and in columns, unusable lines are listed as Problems and
/// left out; in other formats the first such line is thrown. Problems name their file if there are several files. If
/// all lines were left out, refuse_wordless reports it.
///
/// throws    what file_list, format_of, inspect_conll and the format's reader throw    entrain.text.9: no token, and no
///           problem that would explain it
ENTRAIN_INLINE text::ConllFile read_whole(const std::string& path, const Reading& reading);

/// throws    entrain.text.9: no token in it; the message has what its lines are instead and the first of its problems
ENTRAIN_INLINE void refuse_wordless(const text::ConllFile& file);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/whole_file.ipp"
#endif
