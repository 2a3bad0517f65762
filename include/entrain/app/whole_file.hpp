// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Tagged files in any format, whole, in memory: what a path or a pattern means, one behind the other.
#pragma once
#include <string>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/conll.hpp"   // ConllFile

namespace entrain::app {

/// With all that is wrong: lines that cannot be used are listed as Problems and left out, under
/// Reading::records.lenient or in columns; in other formats the first such line is thrown. Problems name their file
/// where there are several. Where lines are left out, none may be left: refuse_wordless says so.
///
/// throws    what file_list, format_of, inspect_conll and the format's reader throw    entrain.text.9: no token, and no
///           problem that would say why
ENTRAIN_PART text::ConllFile read_whole(const std::string& path, const Reading& reading);

/// throws    entrain.text.9: no token in it, with what its lines are instead and the first of its problems
ENTRAIN_PART void refuse_wordless(const text::ConllFile& file);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/whole_file.ipp"
#endif
