// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of align.hpp.
#pragma once
#include <algorithm>
#include <limits>
#include <numeric>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/align.hpp"
#include "entrain/text/records/own_text.hpp"

namespace entrain::text {

ENTRAIN_INLINE void Aligner::operator()(std::string_view text, std::span<const Token> words,
                                        const std::vector<Annotation>& annotations, OffsetUnit unit, Types& types,
                                        std::uint32_t line, Corpus& corpus, std::vector<Span>& spans) {
  spans.clear();
  if (annotations.empty()) return;
  text_ = text;
  words_ = words;
  counted_ = unit;
  edges_.read(text, words, unit);
  order_.resize(annotations.size());
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return annotations[a].begin != annotations[b].begin ? annotations[a].begin < annotations[b].begin : a < b;
  });
  text_end_ = words.empty() ? 0 : edges_.end(words.size() - 1);
  const auto by_end = [](const Annotation& a, const Annotation& b) { return a.end < b.end; };
  if (std::max_element(annotations.begin(), annotations.end(), by_end)->end > text_end_) text_end_ = edges_.text_end();
  const Annotation* before = nullptr;  // the annotation of spans.back()
  const std::uint64_t remarks = corpus.met.other_texts;
  const std::size_t problems = corpus.problems.size();
  for (const std::uint32_t number : order_) {
    const Annotation& a = annotations[number];
    Span touched{edges_.first_after(a.begin), edges_.first_from(a.end), 0};
    Fault fault = fault_of(a, touched, spans);
    if (fault != Fault::none && ends_in_empty_words(a, touched))
      fault = !spans.empty() && touched.begin < spans.back().end ? Fault::overlaps : Fault::none;
    if (fault != Fault::none && misaligned_ == Misaligned::error) forget_remarks(remarks, problems, corpus);
    if (fault != Fault::none) list(fault, a, touched, before, line, corpus);
    if (fault != Fault::none && !(fault == Fault::misaligned && misaligned_ == Misaligned::snap)) continue;
    if (!a.text.empty() && fault == Fault::none) {
      const std::size_t from = words_[touched.begin].begin;
      const std::string_view held = text_.substr(from, words_[touched.end - 1].end - from);
      if (held != a.text) compare_text(a, held, line, corpus);
    }
    touched.type = types.add(a.type);
    spans.push_back(touched);
    before = &a;
  }
  corpus.met.annotations += annotations.size();
}

ENTRAIN_INLINE Aligner::Fault Aligner::fault_of(const Annotation& a, const Span& touched,
                                                const std::vector<Span>& spans) const {
  if (a.begin >= a.end) return Fault::empty;
  if (a.begin < 0 || a.end > text_end_) return Fault::outside;
  if (touched.begin >= touched.end) return Fault::no_word;
  if (!spans.empty() && touched.begin < spans.back().end) return Fault::overlaps;
  return edges_.begin(touched.begin) == a.begin && edges_.end(touched.end - 1) == a.end ? Fault::none
                                                                                        : Fault::misaligned;
}

/// An annotation touches no empty word (CoNLL files have them). Checks whether the annotation covers whole words
/// together with the empty words at its ends. If so, `touched` includes them.
[[gnu::cold]] ENTRAIN_INLINE bool Aligner::ends_in_empty_words(const Annotation& a, Span& touched) const {
  const auto size = static_cast<std::uint32_t>(words_.size());
  const auto empty_at = [&](std::uint32_t word, std::int64_t place) {
    return words_[word].begin == words_[word].end && edges_.begin(word) == place;
  };
  if (a.begin > a.end || counted_ == OffsetUnit::words) return false;
  Span with = touched;
  if (a.begin == a.end) with.begin = with.end = edges_.first_from(a.begin);
  if (with.begin == size || edges_.begin(with.begin) != a.begin)
    while (with.begin > 0 && empty_at(with.begin - 1, a.begin)) --with.begin;
  if (with.begin >= with.end || edges_.end(with.end - 1) != a.end)
    while (with.end < size && empty_at(with.end, a.end)) ++with.end;
  if (with.begin >= with.end || edges_.begin(with.begin) != a.begin || edges_.end(with.end - 1) != a.end) return false;
  touched = with;
  return true;
}

/// [3, 8), or [1, 2] if positions count words.
ENTRAIN_INLINE std::string Aligner::place(std::int64_t begin, std::int64_t end) const {
  const bool closed = counted_ == OffsetUnit::words, least = end == std::numeric_limits<std::int64_t>::min();
  return "[" + std::to_string(begin) + ", " + std::to_string(closed && !least ? end - 1 : end) + (closed ? "]" : ")");
}
/// [3, 8) 'Alice'
ENTRAIN_INLINE std::string Aligner::word_at(std::uint32_t begin, std::uint32_t end) const {
  const std::size_t from = words_[begin].begin;
  return place(edges_.begin(begin), edges_.end(end - 1)) + " '" +
         excerpt(text_.substr(from, words_[end - 1].end - from)) + "'";
}

/// The words that the annotation touches; if there are none, the words before and after it.
ENTRAIN_INLINE std::string Aligner::near(const Span& touched) const {
  if (words_.empty()) return "no word";
  if (touched.begin < touched.end) return word_at(touched.begin, touched.end);
  const auto after = std::min(touched.begin, static_cast<std::uint32_t>(words_.size()));
  std::string s;
  if (after > 0) s = word_at(after - 1, after);
  if (after < words_.size()) s += (s.empty() ? "" : " and ") + word_at(after, after + 1);
  return s;
}

/// entity [3, 8) PER ends inside a word: 'so |Alic|e went'
ENTRAIN_INLINE std::string Aligner::in_words(Fault fault, const Annotation& a, const Span& touched,
                                             const Annotation* before) const {
  constexpr std::size_t around = 20;
  std::string s = "entity " + place(a.begin, a.end) + " " + excerpt(a.type) + " ";
  switch (fault) {
    case Fault::empty:
      s += a.begin == a.end ? "is empty" : "ends before it begins";
      break;
    case Fault::outside:
      s += "extends beyond the text, " + place(0, edges_.text_end());
      break;
    case Fault::no_word:
      s += "contains no word";
      break;
    case Fault::overlaps:
      if (a.begin == before->begin && a.end == before->end && a.type == before->type)
        s += "occurs twice";
      else
        s += "overlaps " + place(before->begin, before->end) + " " + excerpt(before->type);
      break;
    case Fault::misaligned: {
      const std::int64_t first = edges_.begin(touched.begin), last = edges_.end(touched.end - 1);
      if (a.begin != first) s += a.begin > first ? "begins inside a word" : "begins before its first word";
      if (a.begin != first && a.end != last) s += " and ";
      if (a.end != last) s += a.end < last ? "ends inside a word" : "ends after its last word";
      break;
    }
    case Fault::none:
      break;
  }
  const std::size_t begin = edges_.byte(a.begin);
  std::size_t end = std::max(begin, edges_.byte(a.end));
  if (counted_ == OffsetUnit::words && begin < end)  // the end of the last word, not of the next one
    end = words_[std::min(static_cast<std::size_t>(a.end), words_.size()) - 1].end;
  return s + ": '" + excerpt_of_end(text_.substr(0, begin), around) + "|" + excerpt(text_.substr(begin, end - begin)) +
         "|" + excerpt(text_.substr(end), around) + "'";
}

/// `, but its text is given as 'Bo', which is at [0, 2)`; empty if its place holds that text, or if the texts cannot be
/// compared.
[[gnu::cold]] ENTRAIN_INLINE std::string Aligner::own_text(const Annotation& a, std::string_view held) const {
  if (a.text.empty() || same_text(a.text, held)) return {};
  if (a.vague && text_.find(a.text) == text_.npos) return {};
  return ", but its text is given as '" + excerpt(a.text) + "', which is" +
         place_of_text(text_, words_, a.text, counted_);
}

/// Removes the remarks on this text's annotations, because the whole text is refused.
[[gnu::cold]] ENTRAIN_INLINE void Aligner::forget_remarks(std::uint64_t remarks, std::size_t problems, Corpus& corpus) {
  corpus.met.other_texts = remarks;
  corpus.problems.resize(problems);
}

/// For an annotation that covers whole words.
[[gnu::cold]] ENTRAIN_INLINE void Aligner::compare_text(const Annotation& a, std::string_view held, std::uint32_t line,
                                                        Corpus& corpus) const {
  const std::string own = own_text(a, held);
  if (own.empty() || ++corpus.met.other_texts > problem_cap_) return;
  const std::string unit = unit_that_fits(text_, words_, a.begin, a.end, a.text, counted_);
  corpus.problems.push_back({line,
                             "entity " + place(a.begin, a.end) + " " + excerpt(a.type) + " covers '" + excerpt(held) +
                                 "'" + own + (unit.empty() ? "" : "; " + unit),
                             {},
                             Concern::other_text});
}

[[gnu::cold]] ENTRAIN_INLINE void Aligner::list(Fault fault, const Annotation& a, const Span& touched,
                                                const Annotation* before, std::uint32_t line, Corpus& corpus) const {
  const std::size_t begin = edges_.byte(a.begin);
  const std::string_view held = text_.substr(begin, std::max(begin, edges_.byte(a.end)) - begin);
  const std::string what = in_words(fault, a, touched, before) + own_text(a, held);
  std::string unit;
  if (fault == Fault::outside || fault == Fault::misaligned || fault == Fault::no_word)
    unit = unit_that_fits(text_, words_, a.begin, a.end, a.vague ? std::string_view() : a.text, counted_);
  if (misaligned_ == Misaligned::error)
    throw Error("entrain.text.41", corpus.name + ":" + std::to_string(line), what,
                fault == Fault::misaligned ? near(touched) : "whole words, without overlap",
                unit.empty() && fault == Fault::outside ? "check whether offsets count bytes or UTF-16 units" : unit);
  Met& met = corpus.met;
  met.empty_annotations += fault == Fault::empty || fault == Fault::no_word;
  met.outside += fault == Fault::outside;
  met.overlapping += fault == Fault::overlaps;
  met.misaligned += fault == Fault::misaligned;
  if (met.problems() > problem_cap_) return;
  const bool taken = fault == Fault::misaligned && misaligned_ == Misaligned::snap;
  corpus.problems.push_back(
      {line,
       what + (taken ? "; read as " : "; dropped, near ") + near(touched) + (unit.empty() ? "" : "; " + unit),
       {},
       Concern::annotation});
}

}  // namespace entrain::text
