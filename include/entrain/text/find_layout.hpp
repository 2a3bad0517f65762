// [text] > batch > embed > encode > head > optim > checkpoint
//
// Decides how a CoNLL file is laid out, once per file from its first lines, and says in words what it decided, so that
// a user sees a wrong guess at once and overrides it by an option. Read conll_layout.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/conll_layout.hpp"
#include "entrain/text/conll_options.hpp"

namespace entrain::text {

/// Decides the layout of a file from its first 5,000 lines; '#' is judged on the whole file.
///
/// separator   TAB where at least half of the lines have one, else blanks; commas or semicolons where they give a
///             column of tags, and TABs and blanks do not
/// columns     the count that most lines have
/// header      the first line, if it has no tag, and names columns, has words over columns of numbers, or has a name
/// that
///             the options say
/// token       the column that the header calls token, word or form; else column 0, or 1 where column 0 numbers the
///             words; else the first that holds words, where column 0 holds numbers, the same value on most lines, or
///             nothing on most lines
/// tag         a column where at least 3 of 4 values are tags (O, B-PER, ...), or where all are O or types alone; see
///             choose_tag_column for several; else key=value pairs with a key whose values are tags, as in CoNLL-U
/// sentences   blank lines; where there is none, a column that the header calls sentence, or column 0 if it counts
/// '#' lines   tokens where they have the columns of one, in wnut17; else comments, in UNER
/// no column   where no line holds a token: all are blank, -DOCSTART-, or start with '#' and have no tag
/// throws      entrain.text.7 for a column or name that is not there, entrain.text.8 for a file without tags
ENTRAIN_PART ConllLayout find_layout(std::string_view name, std::string_view bytes, const ConllOptions& options = {});

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/find_layout.ipp"
#endif
