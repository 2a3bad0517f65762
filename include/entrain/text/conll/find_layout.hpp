// [text] > batch > embed > encode > head > optim > checkpoint
//
// Detects the layout of a CoNLL file, once per file from its first lines, and describes the result in words, so that a
// user notices a wrong guess at once and overrides it by an option. Read conll_layout.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/conll/conll_options.hpp"

namespace entrain::text {

/// Detects the layout of a file from its first 5,000 lines; '#' is judged on the whole file.
///
/// separator   TAB if at least half of the lines have one, else blanks; commas or semicolons if they give a column of
///             tags, and TABs and blanks do not
/// columns     the count that most lines have
/// header      the first line, if it has no tag, and names columns, has words over columns of numbers, or has a name
///             that the options give
/// token       the column that the header calls token, word or form; else column 0, or 1 if column 0 numbers the words;
///             else the first that holds words, if column 0 holds numbers, the same value on most lines, or nothing on
///             most lines
/// tag         a column with at least 3 of 4 values that are tags (O, B-PER, ...), or with all values O or types alone;
///             see choose_tag_column for several; else key=value pairs with a key whose values are tags, as in CoNLL-U
/// sentences   blank lines; if there is none, a column that the header calls sentence, or column 0 if it counts
/// '#' lines   tokens if they have the columns of one, as in wnut17; else comments, as in UNER
/// no column   if no line holds a token: all are blank, -DOCSTART-, or start with '#' and have no tag
/// throws      entrain.text.7 for a column or name that is not there, entrain.text.8 for a file without tags
ENTRAIN_INLINE ConllLayout find_layout(std::string_view name, std::string_view bytes, const ConllOptions& options = {});

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/conll/find_layout.ipp"
#endif
