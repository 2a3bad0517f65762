// [text] > batch > embed > encode > head > optim > checkpoint
//
// The result of check: problems with their lines, and the numbers of each split. check.hpp fills it, check_words.hpp
// writes it as text.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"  // Met
#include "entrain/text/tags/detect.hpp"    // Detection

namespace entrain::text {

enum class Kind : std::uint8_t {
  malformed_line,
  bad_entity,
  other_text,
  unlabelled_text,
  odd_name,
  bad_tag,
  broken_scheme,
  other_scheme,
  odd_layout,
  token_fault,
  label_case,
  unseen_label,
  rare_label,
  one_label,
  no_entities,
  unread_list,
  long_sentence,
  repeated_sentence,
  shared_sentence
};
inline constexpr std::size_t kinds = 19;

/// Errors are lines that training would read with another meaning than intended, or files that training refuses. All
/// other kinds are warnings.
constexpr bool is_error(Kind kind) noexcept { return kind <= Kind::broken_scheme; }

/// How many lines are listed of a kind that may occur any number of times; all are counted.
inline constexpr std::size_t listed_of_a_kind = 20;
inline constexpr std::size_t all_of_a_kind = static_cast<std::size_t>(-1);

/// One problem. line 0: it concerns the whole file.
struct Finding {
  std::size_t split = 0;
  std::uint32_t line = 0;
  Kind kind = Kind::malformed_line;
  std::string reason;
  bool of_many = false;  // true: its text gives the number of findings of its kind that are not listed
};

struct CheckOptions {
  std::optional<SchemeId> scheme = std::nullopt;  // taken from the splits together if not given
  std::size_t rare = 10;                          // a label with fewer mentions in the first split is rare
  std::size_t long_sentence = 256;                // tokens; longer sentences are reported
  std::size_t repeat_tokens = 6;                  // shorter sentences that repeat are counted, and not listed
};

/// One file. Lengths are in tokens; p99 is the smallest length that 99 of 100 sentences do not exceed.
struct SplitSummary {
  std::string name, layout;
  std::size_t tokens = 0, sentences = 0, documents = 0, entities = 0;
  std::size_t repeated = 0, short_repeated = 0;  // sentences that occur earlier in it; with fewer than repeat_tokens
  std::size_t shortest = 0, median = 0, p99 = 0, longest = 0;
  std::vector<std::uint64_t> mentions;  // per label of Check::labels
  Detection scheme;                     // of this file alone
  Met met;
};

/// What the later of two splits has in common with the earlier. An entity is its label and its text.
struct Overlap {
  std::size_t a = 0, b = 0;
  std::size_t sentences = 0;         // distinct sentences of b that occur in a
  std::size_t short_sentences = 0;   // the same for sentences of fewer than CheckOptions::repeat_tokens
  std::size_t entities = 0, of = 0;  // distinct entities of b that occur in a, and all of b
  std::size_t mentions_seen = 0;     // mentions of b whose entity occurs in a
};

struct Check {
  std::vector<SplitSummary> splits;
  std::vector<std::string> labels;  // in order of first occurrence
  Detection scheme;                 // of all splits together
  SchemeId taken = SchemeId::bio;   // the scheme that broken_scheme was judged by
  std::vector<Overlap> overlaps;    // for every pair of splits
  std::vector<Finding> findings;    // ordered by split and line
  std::array<std::size_t, kinds> counts{};
  std::size_t repeat_tokens = 0;  // as in CheckOptions

  std::size_t count(Kind kind) const { return counts[static_cast<std::size_t>(kind)]; }
  std::size_t errors() const {
    std::size_t n = 0;
    for (std::size_t k = 0; k < kinds; ++k) n += is_error(static_cast<Kind>(k)) ? counts[k] : 0;
    return n;
  }
};

}  // namespace entrain::text
