// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads the CoNLL files that need more than columns of tokens and tags: a line that names the columns, fields between
// commas, tags among key=value pairs, types without a prefix, sentences that do not end with blank lines. For other
// files conll.hpp has a faster path.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/conll/conll_options.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::text {

struct Problems {
  std::vector<Problem> list;  // the first ones, up to ConllOptions::problem_cap
  std::uint64_t total = 0;
  std::uint64_t annotations = 0;  // of these, about one entity only, as Concern::annotation
};

namespace detail {

/// Describes a wrong number of columns.
ENTRAIN_INLINE std::string wrong_count(std::string_view line, int found, int enough, const ConllLayout& layout,
                                       bool strict);

/// The cells of a line that holds a word.
struct TableRow {
  std::string_view token, tag, sentence, number;
  std::string wrong;  // why the line holds no word; empty: it does
};

/// The cells of a line that the layout names. The tag is unchanged, as in the file.
ENTRAIN_INLINE void read_row(std::string_view line, const ConllLayout& layout, bool strict, Columns& columns,
                             TableRow& row);

/// As ConllReader::read. lines_before: number of lines of the file before these bytes.
ENTRAIN_INLINE void read_table(Corpus& corpus, const ConllLayout& layout, Problems& problems,
                               const ConllOptions& options, std::string_view bytes, bool check_utf8,
                               std::uint64_t lines_before);

}  // namespace detail
}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/conll/conll_table.ipp"
#endif
