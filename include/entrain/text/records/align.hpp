// [text] > batch > embed > encode > head > optim > checkpoint
//
// Converts annotations from positions in a text, as annotators write them, to words. An annotation that does not begin
// and end with words is never dropped silently. By default it is an error with its line. By choice it is extended to
// the words that it touches, or left out, counted and listed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/records/offsets.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

/// The treatment of an annotation that does not cover whole words, or that overlaps another.
///
/// error     the file is refused
/// drop      the annotation is left out
/// snap      the annotation is extended to all words that it touches. An annotation that overlaps an earlier one,
///           touches no word or extends beyond the text is left out
enum class Misaligned { error, snap, drop };

/// A range of a text, [begin, end), with a type.
struct Annotation {
  std::int64_t begin = 0, end = 0;
  std::string type;
  std::string_view text = {};  // the text that the annotation claims to cover; empty: no claim
  bool vague = false;          // true: other formats use such a text for something else
};

/// Converts the annotations of a text to spans of its words, ordered from left to right and without overlap. The types
/// of the spans are numbers of `types`. An empty word at an end of an annotation belongs to it only if the annotation
/// does not cover whole words otherwise.
///
/// Of two annotations that overlap, the aligner takes the one that begins first. If both begin at one place, it takes
/// the first in the file. Each faulty annotation is counted once in Corpus::met and is a line of Corpus::problems. The
/// line gives the fault, the text around the annotation with bars where it begins and ends, and the words that it was
/// extended to or the words near it. If the claimed text differs from the text at its place, the place is used, and the
/// difference is counted and listed.
class Aligner {
 public:
  /// problem_cap: how many problems a corpus lists; all are counted
  Aligner(Misaligned misaligned, OffsetUnit unit, std::size_t problem_cap)
      : misaligned_(misaligned), unit_(unit), problem_cap_(problem_cap) {}

  /// text      of unit `words`: the text that messages show; the end of an annotation is then the word after its last
  ///           one, and messages name the last one
  /// words     from left to right
  /// throws    entrain.text.41 under Misaligned::error, the first annotation that does not cover whole words, overlaps
  ///           another, is empty or extends beyond the text; corpus and its counts are then as before
  ENTRAIN_INLINE void operator()(std::string_view text, std::span<const Token> words,
                                 const std::vector<Annotation>& annotations, OffsetUnit unit, Types& types,
                                 std::uint32_t line, Corpus& corpus, std::vector<Span>& spans);
  void operator()(std::string_view text, std::span<const Token> words, const std::vector<Annotation>& annotations,
                  Types& types, std::uint32_t line, Corpus& corpus, std::vector<Span>& spans) {
    (*this)(text, words, annotations, unit_, types, line, corpus, spans);
  }

 private:
  enum class Fault : std::uint8_t { none, empty, outside, no_word, overlaps, misaligned };
  Fault fault_of(const Annotation& a, const Span& touched, const std::vector<Span>& spans) const;
  bool ends_in_empty_words(const Annotation& a, Span& touched) const;
  std::string in_words(Fault fault, const Annotation& a, const Span& touched, const Annotation* before) const;
  std::string near(const Span& touched) const;
  std::string place(std::int64_t begin, std::int64_t end) const;
  std::string word_at(std::uint32_t begin, std::uint32_t end) const;
  std::string own_text(const Annotation& a, std::string_view held) const;
  static void forget_remarks(std::uint64_t remarks, std::size_t problems, Corpus& corpus);
  void compare_text(const Annotation& a, std::string_view held, std::uint32_t line, Corpus& corpus) const;
  void list(Fault fault, const Annotation& a, const Span& touched, const Annotation* before, std::uint32_t line,
            Corpus& corpus) const;

  Misaligned misaligned_;
  OffsetUnit unit_;
  std::size_t problem_cap_;
  // of the current text
  std::vector<std::uint32_t> order_;  // order of its annotations
  Edges edges_;
  std::string_view text_;
  std::span<const Token> words_;
  OffsetUnit counted_ = OffsetUnit::code_points;
  std::int64_t text_end_ = 0;  // or the end of the last word if no annotation ends after it
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/align.ipp"
#endif
