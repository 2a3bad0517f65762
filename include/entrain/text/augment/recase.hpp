// [text] > batch > embed > encode > head > optim > checkpoint
//
// The augmenter that writes sentences in another case, so that a model does not depend on capital letters alone. Read
// augment.hpp first.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/random.hpp"
#include "entrain/text/augment/rate.hpp"
#include "entrain/text/corpus/draft.hpp"
#include "entrain/text/unicode/unicode.hpp"

namespace entrain::text {

/// title: the first letter of each word is upper case, the rest lower.
enum class LetterCase { lower, upper, title };

/// Appends a word in another case: each code point by its simple mapping (text/unicode/unicode.hpp) to one other. So
/// U+00DF stays in upper case, a sigma is never final, and if Unicode has a letter for titles, as U+01C5, the one in
/// upper case is used instead. A byte that is not UTF-8 stays.
inline void append_in_case(std::string_view word, LetterCase to, std::string& out) {
  bool upper_next = to != LetterCase::lower;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint p = decode(word, at);
    if (p.valid) {
      char bytes[4];
      out.append(bytes, encode(upper_next ? upper(p.cp) : lower(p.cp), bytes));
    } else {
      out.push_back(word[at]);
    }
    if (to == LetterCase::title && is_letter(p.cp)) upper_next = false;
    at += p.bytes;
  }
}

/// Changes this share of the sentences, words and entities alike. A sentence that is in this case already stays.
/// source    spaCy's spacy.lower_case.v1, whose `level` is this one
class Recase {
 public:
  static constexpr std::uint32_t kind = 0x63617365;  // "case"

  /// throws    entrain.text.70: level is not in 0 to 1
  explicit Recase(double level, LetterCase to = LetterCase::lower) : level_(probability(level, "Recase")), to_(to) {}

  bool operator()(Draft& sentence, Random& random) const {
    if (random.uniform() >= level_) return false;
    const std::uint64_t before = sentence.recased_words;
    for (Draft::Word& word : sentence.words) {
      std::string& other = sentence.fresh();
      append_in_case(word.text, to_, other);
      if (other == word.text) continue;
      word.text = other;
      ++sentence.recased_words;
    }
    return sentence.recased_words != before;
  }

 private:
  double level_;
  LetterCase to_;
};

}  // namespace entrain::text
