// [text] > batch > embed > encode > head > optim > checkpoint
//
// From places in a text, as annotators have them, to words. What does not begin and end with words is never dropped in
// silence: it is an error with its line, or by choice the words that it touches, or left out, counted and listed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/corpus.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/offsets.hpp"
#include "entrain/text/spans.hpp"
#include "entrain/text/token.hpp"

namespace entrain::text {

/// What becomes of an annotation that is not made of whole words, or overlaps another.
///
/// error     the file is refused
/// drop      it is left out
/// snap      it is taken as all words that it touches. One that overlaps an earlier one, touches no word or reaches
///           outside of the text is left out
enum class Misaligned { error, snap, drop };

/// A stretch of a text, [begin, end), with a type.
struct Annotation {
  std::int64_t begin = 0, end = 0;
  std::string type;
  std::string_view text = {};  // what it says to hold; empty: nothing
  bool vague = false;          // others use such a text for something else, too
};

/// Annotations of a text become spans of its words, from left to right and apart from each other; their types are
/// numbers of `types`. An empty word at an end of an annotation belongs to it if the annotation is not of whole words
/// otherwise.
///
/// Of two that overlap, the one that begins first is taken, or the first in the file where both begin at one place.
/// Each one that is not as it should be is counted once in Corpus::met and is a line of Corpus::problems: what is wrong
/// with it, the text around it with bars where it begins and ends, what it was taken as or which words are near. One
/// that says another text than is at its place is read by its place, counted and listed.
class Aligner {
 public:
  /// problem_cap: so many problems a corpus lists; all are counted
  Aligner(Misaligned misaligned, OffsetUnit unit, std::size_t problem_cap)
      : misaligned_(misaligned), unit_(unit), problem_cap_(problem_cap) {}

  /// text      of unit `words`: what messages show; annotations then name the word behind their last one as their end,
  ///           and messages the last one
  /// words     from left to right
  /// throws    entrain.text.41 under Misaligned::error, the first annotation that is not of whole words, overlaps
  ///           another, is empty or reaches outside of the text; corpus and its counts are then as before
  ENTRAIN_PART void operator()(std::string_view text, std::span<const Token> words,
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
  // of the text at hand
  std::vector<std::uint32_t> order_;  // of its annotations
  Edges edges_;
  std::string_view text_;
  std::span<const Token> words_;
  OffsetUnit counted_ = OffsetUnit::code_points;
  std::int64_t text_end_ = 0;  // or that of the last word, where nothing reaches behind it
};

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/align.ipp"
#endif
