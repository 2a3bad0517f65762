// [text] > batch > embed > encode > head > optim > checkpoint
//
// Describes the place where text is not UTF-8: one rule for all readers. Only error paths call it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/token_fault.hpp"  // code_point_name
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// `byte 0xFF, number 9 of the line, is not UTF-8`; the caller knows that the line is not UTF-8.
inline std::string invalid_in_line(std::string_view line) {
  const std::size_t at = census(line).first_invalid;
  return "byte 0x" + code_point_name(static_cast<unsigned char>(line[at])).substr(4) + ", number " +
         std::to_string(at + 1) + " of the line, is not UTF-8";
}

/// `a.conll:3: byte 0xFF in the word 'f<FF>o' is not UTF-8`, of the first such word; empty: all are UTF-8.
inline std::string first_invalid_word(const Corpus& corpus) {
  if (corpus.met.invalid_tokens == 0) return {};
  for (std::size_t i = 0; i < corpus.size(); ++i)
    if (const Census found = census(corpus.token(i)); !found.valid())
      return corpus.where(i) + ": byte 0x" +
             code_point_name(static_cast<unsigned char>(corpus.token(i)[found.first_invalid])).substr(4) +
             " in the word '" + excerpt(corpus.token(i)) + "' is not UTF-8";
  return {};
}

/// `a.jsonl:3: a word has U+FFFD for half of a surrogate pair`, of the first word that may; empty: there is none.
inline std::string first_lone_surrogate(const Corpus& corpus) {
  if (corpus.met.lone_surrogates == 0) return {};
  for (std::size_t i = 0; i < corpus.size(); ++i)
    if (corpus.token(i).find("\xEF\xBF\xBD") != std::string_view::npos)
      return corpus.where(i) + ": half of a surrogate pair in the word '" + excerpt(corpus.token(i)) +
             "' is read as U+FFFD";
  return corpus.name + ": half of a surrogate pair, which is in no word, is read as U+FFFD";
}

/// Throws the error for readers that need UTF-8.
[[noreturn, gnu::cold]] inline void refuse_invalid(std::string_view where, std::string_view found) {
  throw Error("entrain.text.43", where, found, "text in UTF-8", "convert it with iconv -t UTF-8, or omit --strict");
}

}  // namespace entrain::text
