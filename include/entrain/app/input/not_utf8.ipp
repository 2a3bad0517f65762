// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of not_utf8.hpp.
#pragma once
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/tags/tag_place.hpp"
#include "entrain/text/unicode/invalid_utf8.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {
namespace detail {

inline std::string and_becomes(std::string_view becomes) {
  return becomes.empty() ? std::string() : "; " + std::string(becomes);
}

}  // namespace detail

[[noreturn]] ENTRAIN_INLINE void refuse_not_utf8(const std::string& said) {
  const std::size_t colon = said.find(": ");
  text::refuse_invalid(said.substr(0, colon), said.substr(colon + 2));
}

ENTRAIN_INLINE void NotUtf8::line(std::string_view bytes, const text::Where& where) {
  const std::string what = text::invalid_in_line(bytes);
  if (strict_) text::refuse_invalid(where.words(), what);
  if (lines_++ == 0) first_ = where.words() + ": " + what;
  bytes_ += text::census(bytes).invalid;
}

ENTRAIN_INLINE void NotUtf8::surrogates(std::uint64_t halves, const text::Where& where) {
  if (strict_) text::refuse_invalid(where.words(), "half of a surrogate pair");
  if (halves_ == 0) first_half_ = where.words();
  halves_ += halves;
}

ENTRAIN_INLINE void NotUtf8::warn(std::string_view becomes, Console& console) {
  if (lines_ > 0)
    console.warn(first_ +
                 (bytes_ > 1
                      ? "; " + counted(bytes_, "such byte", "such bytes") + " in " + counted(lines_, "line", "lines")
                      : std::string()) +
                 detail::and_becomes(becomes));
  if (halves_ > 0)
    console.warn(first_half_ + ": half of a surrogate pair is read as U+FFFD" +
                 (halves_ > 1 ? "; one of " + grouped(halves_) + " such halves" : ""));
  lines_ = bytes_ = halves_ = 0;
}

ENTRAIN_INLINE void say_not_utf8(const text::Met& met, const std::string& first_invalid, const std::string& first_lone,
                                 bool strict, std::string_view becomes, Console& console) {
  if (!first_invalid.empty()) {
    if (strict) refuse_not_utf8(first_invalid);
    console.warn(first_invalid +
                 (met.invalid_tokens > 1 ? "; one of " + grouped(met.invalid_tokens) + " such words" : "") +
                 detail::and_becomes(becomes));
  }
  if (!first_lone.empty()) {
    if (strict) refuse_not_utf8(first_lone);
    console.warn(first_lone +
                 (met.lone_surrogates > 1 ? "; one of " + grouped(met.lone_surrogates) + " such halves" : ""));
  }
}

ENTRAIN_INLINE void say_not_utf8(const text::Corpus& corpus, bool strict, std::string_view becomes, Console& console) {
  say_not_utf8(corpus.met, text::first_invalid_word(corpus), text::first_lone_surrogate(corpus), strict, becomes,
               console);
}

ENTRAIN_INLINE void say_labels_not_utf8(const text::Corpus& corpus, const std::vector<std::string>& labels, bool strict,
                                        Console& console) {
  const std::string* first = nullptr;
  std::size_t all = 0;
  for (const std::string& label : labels)
    if (!text::is_valid_utf8(label) && all++ == 0) first = &label;
  if (all == 0) return;
  const std::string where = text::place_of_type(corpus, *first),
                    what = "label '" + text::excerpt(*first) + "' is not UTF-8";
  if (strict) text::refuse_invalid(where, what);
  console.warn(where + ": " + what + (all > 1 ? "; one of " + grouped(all) + " such labels" : ""));
}

}  // namespace entrain::app
