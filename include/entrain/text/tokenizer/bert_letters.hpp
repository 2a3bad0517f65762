// [text] > batch > embed > encode > head > optim > checkpoint
//
// BERT's basic tokenizer, one code point at a time: which code points are dropped, which are spaces, which are words by
// themselves, and how letters lose their accents and their case. Read text/unicode/utf8.hpp
// first.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// The switches of tokenizer.json's BertNormalizer, under its names.
struct BertNormalizer {
  bool clean_text = true;            // drops control and noncharacter code points, makes every space a space
  bool handle_chinese_chars = true;  // each Han character is a word
  bool strip_accents = true;         // canonical decomposition, without nonspacing marks
  bool lowercase = true;
};

/// A code point after normalization, and the code point of the text that it comes from.
struct BertLetter {
  char32_t cp;
  std::uint32_t from;
};

/// Appends the normalized letters of `text` to `out`; the first code point of the text has number `from`. Returns the
/// number after the last. An invalid byte counts as one code point, U+FFFD.
ENTRAIN_INLINE std::uint32_t bert_letters(std::string_view text, std::uint32_t from, const BertNormalizer& options,
                                          std::vector<BertLetter>& out);

/// Code points that split words after normalization: a space, which is removed, or a punctuation mark, which is a word.
ENTRAIN_INLINE bool is_bert_space(char32_t cp) noexcept;
ENTRAIN_INLINE bool is_bert_punctuation(char32_t cp) noexcept;

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/bert_letters.ipp"
#endif
