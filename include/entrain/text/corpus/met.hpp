// [text] > batch > embed > encode > head > optim > checkpoint
//
// What a reader met in a file besides its words: counters, and problems of lines. Nothing is dropped silently.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace entrain::text {

/// Counters of a reader. Nothing is dropped silently: every line is a token, a separator or counted here.
struct Met {
  std::uint64_t lines = 0;             // all lines of the file
  std::uint64_t comments = 0;          // '#' lines that are not tokens
  std::uint64_t docstarts = 0;         // -DOCSTART- lines
  std::uint64_t word_ranges = 0;       // numbered files: lines numbered 3-4 or 3.1, which repeat or lack a surface word
  std::uint64_t headers = 0;           // lines that name the columns
  std::uint64_t keyless = 0;           // words without the key whose value is the tag, read as O
  std::uint64_t malformed = 0;         // lines skipped by a lenient reader
  std::uint64_t separators = 0;        // lines between sentences, empty or blank
  std::uint64_t blank_separators = 0;  // of these, lines that hold blanks
  std::uint64_t crlf = 0;              // lines that end in CR LF
  std::uint64_t bom = 0;               // 1 when the file starts with a byte order mark
  std::uint64_t ragged = 0;            // lines with more than one blank between columns, or blanks at an end
  std::uint64_t empty_tokens = 0;      // kept as tokens
  std::uint64_t invalid_tokens = 0;    // tokens that are not UTF-8, kept
  std::uint64_t lone_surrogates = 0;   // halves of surrogate pairs in JSON, read as U+FFFD
  // of formats that annotate ranges of a text (text/records/align.hpp); each faulty annotation counts once
  std::uint64_t annotations = 0;        // all annotations
  std::uint64_t misaligned = 0;         // that do not cover whole words
  std::uint64_t overlapping = 0;        // that overlap an earlier one
  std::uint64_t empty_annotations = 0;  // that touch no word
  std::uint64_t outside = 0;            // that reach outside of their text
  // entities, and words, whose own text or tokens differ from those at their place
  std::uint64_t other_texts = 0;
  // of formats with a record a line (text/records/records.hpp)
  std::uint64_t unaccepted = 0;        // records that an annotator did not accept, left out
  std::uint64_t labelled = 0;          // records that give their entities or tags
  std::uint64_t unlabelled = 0;        // texts that do not state whether they have entities, read as without
  std::uint64_t unread_lists = 0;      // labelled records with a list under another key that seems to hold entities
  std::uint64_t wordless = 0;          // records without a word, which are not sentences
  std::uint64_t blank_words = 0;       // words given by their places that are white space, left out
  std::uint64_t joined_sentences = 0;  // ends of sentences inside of entities, which are ignored
  std::uint64_t merged_entities = 0;   // that became one with the entity before, because IO cannot separate them
  // of augmenters (text/augment/augment.hpp)
  std::uint64_t variants = 0;          // sentences that differ from the file
  std::uint64_t recased_words = 0;     // in the variants
  std::uint64_t dropped_words = 0;     // from the variants
  std::uint64_t swapped_entities = 0;  // in the variants

  /// Of formats with a record a line: the number of annotations that were left out or changed; Corpus::problems lists
  /// the first ones.
  std::uint64_t bad_annotations() const { return misaligned + overlapping + empty_annotations + outside; }
  std::uint64_t problems() const { return malformed + bad_annotations(); }

  Met& operator+=(const Met& other) {
    const auto add = [&](auto... count) { ((this->*count += other.*count), ...); };
    add(&Met::lines, &Met::comments, &Met::docstarts, &Met::word_ranges, &Met::malformed, &Met::separators,
        &Met::blank_separators, &Met::crlf, &Met::bom, &Met::ragged, &Met::empty_tokens, &Met::invalid_tokens,
        &Met::lone_surrogates, &Met::headers, &Met::keyless);
    add(&Met::annotations, &Met::misaligned, &Met::overlapping, &Met::empty_annotations, &Met::outside,
        &Met::other_texts);
    add(&Met::unaccepted, &Met::labelled, &Met::unlabelled, &Met::unread_lists, &Met::wordless, &Met::blank_words,
        &Met::joined_sentences, &Met::merged_entities);
    add(&Met::variants, &Met::recased_words, &Met::dropped_words, &Met::swapped_entities);
    return *this;
  }
};

/// The subject of a problem.
enum class Concern : std::uint8_t {
  line,         // the line is left out
  annotation,   // an entity: the other entities of the line are read
  other_text,   // an entity or a word whose own text or tokens differ from those at its place: its place is used
  unlabelled,   // a record that gives no entities in a file where others do: read as one without
  unread_list,  // a list of a labelled record that is not read, and seems to hold entities
};
inline constexpr std::size_t concerns = 5;

/// A problem of a line. Shown as `file:line: reason`.
struct Problem {
  std::uint32_t line = 0;
  std::string reason;
  std::string file = {};  // if it is not the corpus's name
  Concern of = Concern::line;
};

/// For messages about a file without any usable record: `the first of 3 problems (check lists them) is a.jsonl:1:
/// reason`; empty if none is listed.
///
/// name      of the file, for problems that do not name theirs
inline std::string first_problem(std::string_view name, const std::vector<Problem>& listed, std::uint64_t total) {
  if (listed.empty()) return {};
  const Problem& first = listed.front();
  return (total == 1 ? "the only problem is "
                     : "the first of " + std::to_string(total) + " problems (check lists them) is ") +
         (first.file.empty() ? std::string(name) : first.file) + ":" + std::to_string(first.line) + ": " + first.reason;
}

/// For messages about a file without a word, what its lines are instead: ` in 3 lines (2 -DOCSTART- lines, 1 blank
/// line)`; empty if the file has no lines.
inline std::string in_lines(const Met& met) {
  if (met.lines == 0) return {};
  std::string what;
  const auto add = [&](std::uint64_t n, std::string_view one, std::string_view many) {
    if (n > 0) what.append(what.empty() ? "" : ", ").append(std::to_string(n)).append(" ").append(n == 1 ? one : many);
  };
  add(met.comments, "comment", "comments");
  add(met.docstarts, "-DOCSTART- line", "-DOCSTART- lines");
  add(met.word_ranges, "line for several words or none", "lines for several words or none");
  add(met.headers, "line of column names", "lines of column names");
  add(met.separators, "blank line", "blank lines");
  add(met.malformed, "malformed line", "malformed lines");
  add(met.unaccepted, "record not accepted", "records not accepted");
  add(met.wordless, "record without a word", "records without a word");
  return " in " + std::to_string(met.lines) + (met.lines == 1 ? " line" : " lines") +
         (what.empty() ? "" : " (" + what + ")");
}

/// The remedy for such a file. listed, total: its problems
inline std::string remedy_for_no_word(std::string_view name, const Met& met, const std::vector<Problem>& listed,
                                      std::uint64_t total) {
  if (total > 0) return first_problem(name, listed, total);
  if (met.lines == 0) return {};
  return std::string("check that this is the intended file") +
         (met.comments > 0 ? " lines that start with # and have no tag are comments" : "");
}

}  // namespace entrain::text
