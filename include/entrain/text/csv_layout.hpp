// [text] > batch > embed > encode > head > optim > checkpoint
//
// How a file of comma-separated values is laid out: what separates its fields, and which of them are the text and the
// label. Its first records say.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/csv_record.hpp"

namespace entrain::text {

/// What a user may say about such a file. All of it has a default that finds out.
struct CsvOptions {
  std::string text, label;  // columns: names in the first record, or numbers from 1; empty: text; label or category
  char delimiter = '\0';    // one of ',' ';' TAB when it is found out
  bool header = true;       // the first record names the columns; false: they have numbers
  bool labels = true;       // false: nobody asks for labels
  bool quotes = true;       // false: a quote is a letter like others, as many TSV files have it
  bool lenient = false;     // what is wrong with a record leaves it out and is counted
};

struct CsvLayout {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  CsvForm form;
  std::size_t columns = 0, text = 0, label = none;  // label: none where nobody asks
  std::uint64_t header_line = 0;                    // 0: no record names the columns
};

/// From the first bytes of a file; false: they are too few. whole: there are no more.
///
/// throws    entrain.text.10  line ends are CR alone    .51  no such column    .52  more than one delimiter may be
/// meant
ENTRAIN_PART bool find_csv_layout(const std::string& name, std::string_view head, bool whole, const CsvOptions& options,
                                  CsvLayout& layout);

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/csv_layout.ipp"
#endif
