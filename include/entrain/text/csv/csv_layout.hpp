// [text] > batch > embed > encode > head > optim > checkpoint
//
// The layout of a file of comma-separated values: the delimiter of its fields, and the columns of the text and the
// label. It is detected from the first records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/csv/csv_options.hpp"
#include "entrain/text/csv/csv_record.hpp"

namespace entrain::text {

struct CsvLayout {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  CsvForm form;
  std::size_t columns = 0, text = 0, label = none;  // label: none if no caller needs it
  std::uint64_t header_line = 0;                    // 0: no record names the columns
  std::vector<std::string> names = {};              // the names in that record
  std::uint64_t delimiter_line = 0;                 // line of sep=; as Excel writes it, which is no record; 0: none
};

/// Detects the layout from the first bytes of a file; false: they are too few. whole: there are no more.
///
/// throws    entrain.text.10  lines end in CR only    .51  no such column, or two    .52  more than one delimiter is
///           possible    .54  text and label are one column
ENTRAIN_INLINE bool find_csv_layout(const std::string& name, std::string_view head, bool whole,
                                    const CsvOptions& options, CsvLayout& layout);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/csv/csv_layout.ipp"
#endif
