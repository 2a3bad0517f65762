// [text] > batch > embed > encode > head > optim > checkpoint
//
// Finds the problems of texts that have labels, and describes their content. It does for classification what
// check.hpp does for tagged sentences.
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
#include "entrain/text/corpus/lengths.hpp"
#include "entrain/text/corpus/texts.hpp"
#include "entrain/text/corpus/token.hpp"

namespace entrain::text {

enum class TextKind : std::uint8_t {
  malformed_record,
  no_text,  // no record is usable
  empty_text,
  odd_text,
  long_text,
  other_label,
  repeated_text,
  shared_text,
  label_case,
  unseen_label,
  rare_label,
  one_label
};
inline constexpr std::size_t text_kinds = 12;

/// The name of a kind of finding, in the singular and the plural.
ENTRAIN_INLINE std::string_view finding_name(TextKind kind, bool many);

struct TextsOptions {
  std::size_t rare = 10;                           // a label with fewer texts in the first file is rare
  std::size_t long_text = 256;                     // words; longer texts are reported
  std::size_t listed = listed_of_a_kind;           // findings of each kind; all are counted
  std::size_t most_labels = std::size_t{1} << 16;  // with more, the column is not one of labels
  std::size_t shown_labels = 200;                  // with their counts, the most frequent ones
  bool labels = true;                              // false: the user wants no labels
};

/// Checks files of texts: train first, then dev, test, each a block at a time. Texts that differ only by case and white
/// space count as one; unseen and rare labels are judged by the first file.
///
/// memory    32 to 64 bytes a distinct text of each file; the paths of a folder's files
class TextsChecker {
 public:
  explicit TextsChecker(const TextsOptions& options = {}) : options_(options), findings_(options.listed) {}

  /// Begins a file; its blocks follow. layout: as text for people
  ENTRAIN_INLINE void file(const std::string& name);
  void layout(const std::string& words) { files_.back().layout = words; }
  /// The file is a folder, and the next block is this file of it.
  void member(const std::string& path) { findings_.member(path); }
  /// throws    entrain.text.71: the label column holds no labels
  ENTRAIN_INLINE void add(const Texts& texts);
  /// The whole report, one line a problem, then the numbers. Call it once.
  ENTRAIN_INLINE std::string describe();
  std::uint64_t errors() const { return findings_.errors_found(); }
  /// All labels, in order of first occurrence, and the number of texts that have each. Call it after describe().
  const std::vector<std::string>& labels() const { return labels_.names(); }
  ENTRAIN_INLINE std::vector<std::uint64_t> texts_of_labels() const;

 private:
  struct First {
    std::uint64_t hash = 0;   // of the folded text, equal for all spellings
    std::uint32_t exact = 0;  // of the bytes
    std::uint32_t line = 0;
    std::int32_t label = 0;
  };
  struct File {
    std::string name, layout;
    Met met;
    Lengths words, letters;
    std::uint64_t empty = 0, repeated = 0, other_label = 0;
    std::vector<std::uint64_t> texts;       // per label
    std::vector<std::uint32_t> first_line;  // per label
    // per earlier file: shared texts, and those with another label there
    std::vector<std::uint64_t> shared, shared_otherwise;
    HashTable<First> seen;
  };

  void take(const Texts& texts, std::size_t i);
  std::uint32_t line_of(std::uint64_t line) const;
  std::string lengths(const File& file, const Lengths& of) const;
  std::int32_t answer();
  void sighted(std::string_view text, std::uint32_t line, std::int32_t label);
  void report(std::uint64_t line, TextKind kind, auto&& reason) {
    findings_.add(files_.size() - 1, line, kind, reason);
  }
  std::string shown(std::int32_t label) const;
  std::uint64_t total(std::size_t label) const;
  void judge_labels();
  std::string summary(const File& file) const;
  std::string label_table() const;
  std::string comparisons() const;

  TextsOptions options_;
  Findings<TextKind, text_kinds, TextKind::empty_text> findings_;
  std::vector<File> files_;
  Types labels_, sets_;               // sets_: of the labels of texts that have several
  std::vector<std::int32_t> number_;  // maps a block's labels to labels_
  std::vector<std::int32_t> here_;    // the labels of the current text
  std::vector<Token> words_;
  std::string folded_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/check/check_texts.ipp"
#endif
