// [text] > batch > embed > encode > head > optim > checkpoint
//
// Sentences of tokens with tags, packed: all bytes back to back, with arrays of offsets. There is no string per token,
// so a corpus of a hundred million tokens is seven arrays. Readers and splitters build it with push and end_sentence.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/token.hpp"

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

/// A corpus of N tokens in S sentences.
///
/// Token i is bytes[begin[i], begin[i+1]); sentence s is tokens [sentence[s], sentence[s+1]), the `cu_seqlens` of
/// packed batches; a document extends from its first sentence to the first sentence of the next document. Tag -1 means
/// untagged.
struct Corpus {
  std::string name;                        // of the file, for messages; of several files, their common name
  std::string bytes;                       // of all tokens, back to back
  std::vector<std::uint64_t> begin{0};     // [N+1]
  std::vector<std::uint32_t> line;         // [N], from 1
  std::vector<std::int32_t> tag;           // [N], index into tags, or -1
  std::vector<std::string> tags;           // distinct, in order of first occurrence
  std::vector<std::uint32_t> sentence{0};  // [S+1], token offsets
  std::vector<std::uint32_t> document;     // first sentence of each document
  Met met;
  std::vector<Problem> problems;  // left out or changed by a reader that continued
  struct SentenceRange {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<SentenceRange> annotated;  // sentences whose tags a reader made from annotations
  struct Part {
    std::uint32_t token = 0;  // its first token
    std::string name;
  };
  std::vector<Part> files;  // if there are several files (append)

  std::size_t size() const noexcept { return tag.size(); }
  std::size_t sentences() const noexcept { return sentence.size() - 1; }
  std::size_t length(std::size_t s) const noexcept { return sentence[s + 1] - sentence[s]; }

  std::string_view token(std::size_t i) const noexcept {
    return std::string_view(bytes).substr(begin[i], begin[i + 1] - begin[i]);
  }
  /// The tag as in the file; empty when untagged.
  std::string_view tag_name(std::size_t i) const noexcept {
    return tag[i] < 0 ? std::string_view{} : std::string_view(tags[static_cast<std::size_t>(tag[i])]);
  }
  /// `file:line` of a token, the first half of every message about it.
  std::string where(std::size_t i) const { return file_of(i) + ":" + std::to_string(line[i]); }
  const std::string& file_of(std::size_t i) const {
    const auto after =
        std::upper_bound(files.begin(), files.end(), i, [](std::size_t t, const Part& p) { return t < p.token; });
    return after == files.begin() ? name : std::prev(after)->name;
  }

  std::size_t annotated_sentences() const {
    std::size_t n = 0;
    for (const SentenceRange& s : annotated) n += s.end - s.begin;
    return n;
  }
  /// f(sentence) for each sentence whose tags are as in the file.
  template <class F> void each_unannotated(F&& f) const {
    auto next = annotated.begin();
    for (std::size_t s = 0; s < sentences(); ++s) {
      while (next != annotated.end() && next->end <= s) ++next;
      if (next == annotated.end() || s < next->begin) f(s);
    }
  }

  // building

  void push(std::string_view token, std::string_view tag_text, std::uint32_t line_number) {
    put(token, intern(tag_text), line_number);
  }
  void push(std::string_view token, std::uint32_t line_number) { put(token, -1, line_number); }
  /// Appends the words of a text that occupies one line. tag_index: the tag of all of them, as numbered by intern().
  void push(std::string_view text, std::span<const Token> words, std::int32_t tag_index, std::uint32_t line_number) {
    constexpr std::size_t step = 16;  // most words fit: a whole step is copied, and the next word overwrites the excess
    const std::size_t tokens = size(), used = bytes.size();
    std::size_t room = step;
    for (const Token& w : words) room += w.end - w.begin;
    bytes.resize(used + room);
    line.resize(tokens + words.size(), line_number);
    tag.resize(tokens + words.size(), tag_index);
    begin.resize(tokens + words.size() + 1);
    std::size_t at = used;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t length = words[i].end - words[i].begin;
      if (length <= step && words[i].begin + step <= text.size())
        std::memcpy(bytes.data() + at, text.data() + words[i].begin, step);
      else
        std::memcpy(bytes.data() + at, text.data() + words[i].begin, length);
      begin[tokens + i + 1] = at += length;
    }
    bytes.resize(at);
  }

  /// Ends the sentence of the tokens pushed since the last call; does nothing if there are none.
  ///
  /// throws    entrain.text.6 beyond 4,294,967,295 tokens, the range of a sentence offset
  void end_sentence() {
    if (size() == sentence.back()) return;
    if (size() > std::numeric_limits<std::uint32_t>::max()) refuse_size();
    if (document_starts || document.empty()) document.push_back(static_cast<std::uint32_t>(sentences()));
    document_starts = false;
    sentence.push_back(static_cast<std::uint32_t>(size()));
  }

  /// Marks the sentences from this one on as annotated.
  void annotated_from(std::size_t first) {
    const auto from = static_cast<std::uint32_t>(first), to = static_cast<std::uint32_t>(sentences());
    if (from == to) return;
    if (!annotated.empty() && annotated.back().end == from)
      annotated.back().end = to;
    else
      annotated.push_back({from, to});
  }

  /// Makes the next sentence the first of a document.
  void start_document() {
    end_sentence();
    document_starts = true;
  }

  /// Appends the sentences of another corpus and its reader's counters; messages about them name its file.
  ///
  /// throws    entrain.text.6 as end_sentence
  void append(const Corpus& other) {
    end_sentence();
    document_starts = true;
    const auto first = static_cast<std::uint32_t>(size());
    const std::uint64_t before = bytes.size();
    if (other.size() > 0 && other.name != file_of(size())) files.push_back({first, other.name});
    std::vector<std::int32_t> index;
    for (const std::string& one : other.tags) index.push_back(intern(one));
    bytes += other.bytes;
    for (std::size_t i = 0; i < other.size(); ++i) {
      begin.push_back(before + other.begin[i + 1]);
      tag.push_back(other.tag[i] < 0 ? -1 : index[static_cast<std::size_t>(other.tag[i])]);
    }
    line.insert(line.end(), other.line.begin(), other.line.end());
    const auto first_sentence = static_cast<std::uint32_t>(sentences());
    for (const std::uint32_t s : other.document) document.push_back(first_sentence + s);
    for (const SentenceRange& s : other.annotated) {
      if (!annotated.empty() && annotated.back().end == first_sentence + s.begin)
        annotated.back().end = first_sentence + s.end;
      else
        annotated.push_back({first_sentence + s.begin, first_sentence + s.end});
    }
    if (size() > std::numeric_limits<std::uint32_t>::max()) refuse_size();
    for (std::size_t s = 1; s < other.sentence.size(); ++s) sentence.push_back(first + other.sentence[s]);
    met += other.met;
    for (const Problem& p : other.problems)
      problems.push_back({p.line, p.reason, p.file.empty() && other.name != name ? other.name : p.file, p.of});
  }

  /// Empties the corpus and keeps its memory.
  void clear() {
    bytes.clear();
    line.clear();
    tag.clear();
    tags.clear();
    document.clear();
    begin.assign(1, 0);
    sentence.assign(1, 0);
    slots.assign(slots.size(), -1);
    met = {};
    problems.clear();
    annotated.clear();
    files.clear();
    document_starts = false;
  }

  void reserve(std::size_t tokens, std::size_t token_bytes) {
    bytes.reserve(token_bytes);
    begin.reserve(tokens + 1);
    line.reserve(tokens);
    tag.reserve(tokens);
  }

  /// The index of a tag, added when new.
  std::int32_t intern(std::string_view text) {
    if (!tag.empty() && tag.back() >= 0 && tags[static_cast<std::size_t>(tag.back())] == text) return tag.back();
    if (slots.size() < 2 * (tags.size() + 1)) grow();
    for (std::size_t at = hash(text);; ++at) {
      std::int32_t& slot = slots[at & (slots.size() - 1)];
      if (slot < 0) {
        tags.emplace_back(text);
        return slot = static_cast<std::int32_t>(tags.size() - 1);
      }
      if (tags[static_cast<std::size_t>(slot)] == text) return slot;
    }
  }

  /// Renames the tags; the new names must be distinct too. renamed(tag): the new name.
  template <class Renamed> void rename_tags(Renamed&& renamed) {
    for (std::string& one : tags) one = renamed(one);
    slots.assign(slots.size(), -1);
    place_tags();
  }

 private:
  [[noreturn, gnu::cold]] void refuse_size() const {
    throw Error("entrain.text.6", name, std::to_string(size()) + " tokens", "at most 4294967295",
                "split the corpus into several files");
  }

  void put(std::string_view token, std::int32_t tag_index, std::uint32_t line_number) {
    bytes.append(token);
    begin.push_back(bytes.size());
    line.push_back(line_number);
    tag.push_back(tag_index);
  }

  static std::size_t hash(std::string_view text) noexcept {  // FNV-1a
    std::uint64_t h = 14695981039346656037u;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    slots.assign(slots.empty() ? 64 : 2 * slots.size(), -1);
    place_tags();
  }
  void place_tags() {
    for (std::size_t i = 0; i < tags.size(); ++i) {
      std::size_t at = hash(tags[i]);
      while (slots[at & (slots.size() - 1)] >= 0) ++at;
      slots[at & (slots.size() - 1)] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<std::int32_t> slots;  // open addressing over tags, a power of two long
  bool document_starts = false;
};

}  // namespace entrain::text
