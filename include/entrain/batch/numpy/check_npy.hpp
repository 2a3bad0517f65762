// text > [batch] > embed > encode > head > optim > checkpoint
//
// Checks arrays in NumPy's files, and describes their content.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/check/findings.hpp"
#include "entrain/text/check/sightings.hpp"

namespace entrain::batch {

enum class ArrayKind : std::uint8_t { unreadable, not_a_number, infinite, constant_column, repeated_row };
inline constexpr std::size_t array_kinds = 5;

/// The name of a kind of finding, in the singular and the plural.
ENTRAIN_INLINE std::string_view finding_name(ArrayKind kind, bool many);

struct ArrayOptions {
  std::size_t rows_kept = std::size_t{1} << 20;  // distinct rows of a file whose hashes are kept
  std::size_t shown = 10;                        // columns that hold one value each
  std::size_t most_values = 20;                  // different numbers of an array of labels, with their counts
};

/// Checks files of arrays. Each file is read once from its beginning to its end. Places are counted from 0, as NumPy
/// does.
///
/// memory    at most 128 MiB a file, and two numbers a column
class ArrayChecker {
 public:
  explicit ArrayChecker(const ArrayOptions& options = {}) : options_(options), findings_(1000) {}

  /// The reason why a file cannot be read is a finding.
  ENTRAIN_INLINE void file(const std::string& path);
  /// Describes all files, one line a problem, then the numbers. Call it once.
  ENTRAIN_INLINE std::string describe();
  std::uint64_t errors() const { return findings_.errors_found(); }

 private:
  struct File {
    explicit File(std::size_t rows_kept) : rows(rows_kept) {}
    std::string name, type, summary;
    std::uint64_t columns = 0;
    text::Repeats rows;
  };

  template <class Array> void look_through(Array& array, File& file);
  void report(ArrayKind kind, const std::string& reason) {
    findings_.add(files_.size() - 1, 0, kind, [&] { return reason; });
  }

  ArrayOptions options_;
  text::Findings<ArrayKind, array_kinds, ArrayKind::constant_column> findings_;
  std::vector<File> files_;
};

}  // namespace entrain::batch

#if !defined(ENTRAIN_COMPILED)
#include "entrain/batch/numpy/check_npy.ipp"
#endif
