// [text] > batch > embed > encode > head > optim > checkpoint
//
// Finds the problems of text without annotations, and describes its content.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"              // ENTRAIN_INLINE
#include "entrain/text/check/check_result.hpp"  // listed_of_a_kind
#include "entrain/text/check/findings.hpp"
#include "entrain/text/check/sightings.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/lengths.hpp"

namespace entrain::text {

enum class RawKind : std::uint8_t { not_utf8, no_word, odd_line, long_sentence };
inline constexpr std::size_t raw_kinds = 4;

/// The name of a kind of finding, in the singular and the plural.
ENTRAIN_INLINE std::string_view finding_name(RawKind kind, bool many);

struct RawOptions {
  std::size_t long_sentence = 256;                // words; longer sentences are reported
  std::size_t listed = listed_of_a_kind;          // findings of each kind; all are counted
  std::size_t lines_kept = std::size_t{1} << 20;  // distinct lines of a file that are remembered, as hashes
};

/// Checks files of text, one block at a time: the bytes of the block, and the corpus that RawText made from it.
///
/// memory    at most 128 MiB a file, whatever its size
class RawChecker {
 public:
  explicit RawChecker(const RawOptions& options = {}) : options_(options), findings_(options.listed) {}

  /// Begins a file; its blocks follow. unit: the name of its texts: `paragraph`, `line`
  ENTRAIN_INLINE void file(const std::string& name, const std::string& unit);
  /// line: number of the block's first line
  ENTRAIN_INLINE void add(std::string_view bytes, std::uint64_t line, const Corpus& corpus);
  /// The whole report, one line a problem, then the numbers. Call it once.
  ENTRAIN_INLINE std::string describe();
  std::uint64_t errors() const { return findings_.errors_found(); }

 private:
  struct File {
    explicit File(std::size_t lines_kept) : lines(lines_kept) {}
    std::string name, unit;
    Met met;
    Lengths sentences;  // in words
    Repeats lines;      // lines that are not blank
    std::uint64_t texts = 0, characters = 0, invalid = 0;
  };

  void look_at(std::string_view line, std::uint64_t number);
  std::string summary(const File& file) const;

  RawOptions options_;
  Findings<RawKind, raw_kinds, RawKind::odd_line> findings_;
  std::vector<File> files_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/check/check_raw.ipp"
#endif
