// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of record_words.hpp.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/own_text.hpp"
#include "entrain/text/records/record_words.hpp"
#include "entrain/text/unicode/unicode.hpp"

namespace entrain::text {
namespace detail {

inline std::size_t skip_space(std::string_view s, std::size_t at) {
  while (at < s.size()) {
    const CodePoint p = decode(s, at);
    if (!is_space(p.cp)) break;
    at += p.bytes;
  }
  return at;
}

/// Words without their text: back to back, or with a blank between. Their places in code points are their numbers,
/// which annotations count.
inline std::string_view words_alone(Record& record, std::vector<Token>& words) {
  std::uint32_t at = 0, number = 0;
  if (!record.of_words) {
    for (std::size_t i = 0; i < record.words.size(); ++i) {
      const auto end = at + static_cast<std::uint32_t>(record.words[i].size());
      words.push_back({at, end, number, number + 1});
      at = end, ++number;
    }
    return record.words.bytes();
  }
  std::string& text = record.apart;
  for (std::size_t i = 0; i < record.words.size(); ++i) {
    if (i > 0) text += ' ';
    at = static_cast<std::uint32_t>(text.size());
    text += record.words[i];
    words.push_back({at, static_cast<std::uint32_t>(text.size()), number, number + 1});
    ++number;
  }
  return text;
}

inline bool all_space(std::string_view s) { return skip_space(s, 0) == s.size(); }

/// Finds words in a text from left to right, with only white space between.
class WordsOfText {
 public:
  explicit WordsOfText(std::string_view text) : text_(text), walk_(text) {}

  /// The text after the latest word and its white space.
  std::string_view rest() { return text_.substr(at_ = skip_space(text_, at_)); }
  /// Whether the rest begins with this word; if so, it becomes the latest word.
  bool take(std::string_view given, Token& word) {
    if (!rest().starts_with(given)) return false;
    walk_.to(static_cast<std::int64_t>(at_), OffsetUnit::bytes);
    word.begin = walk_.byte(), word.begin_cp = walk_.code_point();
    walk_.to(static_cast<std::int64_t>(at_ += given.size()), OffsetUnit::bytes);
    word.end = walk_.byte(), word.end_cp = walk_.code_point();
    return true;
  }

 private:
  std::string_view text_;
  OffsetWalk walk_;
  std::size_t at_ = 0;
};

inline void words_in_text(const Record& record, const Where& where, std::vector<Token>& words, std::uint64_t& blank) {
  WordsOfText text(record.text);
  for (std::size_t i = 0; i < record.words.size(); ++i) {
    const std::string_view given = record.words[i];
    if (all_space(given)) {
      ++blank;
      continue;
    }
    Token word{};
    if (!text.take(given, word))
      refuse_record(where, "'" + excerpt(text.rest(), 20) + "' in the text",
                    "the word '" + excerpt(given, 20) + "' there");
    words.push_back(word);
  }
  if (const std::string_view rest = text.rest(); !rest.empty())
    refuse_record(where, "'" + excerpt(rest, 20) + "' in the text", "nothing after its last word");
}

/// Describes the word at places i and i + 1 if its own text differs from the text there.
[[gnu::cold]] inline std::string odd_word(const Record& record, std::size_t i, const Token& word, OffsetUnit unit) {
  const std::string_view own = record.word_texts[i / 2], held = word.in(record.text);
  if (own.empty() || same_text(own, held)) return {};
  const std::string hint = unit_that_fits(record.text, {}, record.places[i], record.places[i + 1], own, unit);
  return "token [" + std::to_string(record.places[i]) + ", " + std::to_string(record.places[i + 1]) + ") covers '" +
         excerpt(held) + "', but its text is given as '" + excerpt(own) + "'" + (hint.empty() ? "" : "; " + hint);
}

inline bool all_ascii(std::string_view s) {
  return std::none_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

inline std::string unit_may_be_another(std::string_view text) {
  return all_ascii(text) ? "" : "set what offsets count: --offsets code-points, bytes or utf-16";
}

inline void words_by_places(const Record& record, const Where& where, OffsetUnit unit, std::vector<Token>& words,
                            std::uint64_t& blank, std::string& odd) {
  OffsetWalk walk(record.text);
  const bool counted = record.has_tags || record.has_sentences;
  std::string_view outside;  // the first part of the text that is in no token
  const auto leave_out = [&](std::size_t from, std::size_t to) {
    const std::string_view part = std::string_view(record.text).substr(from, to - from);
    if (outside.empty()) outside = part.substr(skip_space(part, 0));
  };
  std::size_t after = 0;  // the end of the latest token
  for (std::size_t i = 0; i + 1 < record.places.size(); i += 2) {
    const std::int64_t begin = record.places[i], end = record.places[i + 1];
    Token word{};
    bool there = (begin < end || (counted && begin == end)) && walk.to(begin, unit);  // the walk only moves forwards
    word.begin = walk.byte(), word.begin_cp = walk.code_point();
    there = there && walk.to(end, unit);
    word.end = walk.byte(), word.end_cp = walk.code_point();
    if (!there)
      refuse_record(where, "token [" + std::to_string(begin) + ", " + std::to_string(end) + ")",
                    "tokens from left to right inside the text", unit_may_be_another(record.text));
    leave_out(std::exchange(after, word.end), word.begin);
    if (i / 2 < record.word_texts.size() && record.word_texts[i / 2] != word.in(record.text) && odd.empty())
      odd = odd_word(record, i, word, unit);
    if (!counted && all_space(word.in(record.text)))
      ++blank;
    else
      words.push_back(word);
  }
  leave_out(after, record.text.size());
  if (!outside.empty())
    refuse_record(where, "'" + excerpt(outside, 20) + "' in the text", "only white space outside its tokens",
                  odd.empty() ? unit_may_be_another(record.text) : odd);
}

}  // namespace detail

ENTRAIN_INLINE void refuse_contradictions(const Record& record, const Where& where) {
  using Are = Record::WordsAre;
  if (record.has_tags) {
    if (!record.annotations.empty()) refuse_record(where, "tags and entities", "one of them");
    if (record.words_are == Are::unknown) refuse_record(where, "tags without words", "both");
  }
  if (!record.has_text && record.words_are == Are::places)
    refuse_record(where, "offsets of words without a text", "both");
  if (record.of_words && record.words_are != Are::text)
    refuse_record(where, "entities of words, without words", "both tokenized_text and ner");
  if (record.has_text) return;
  if (record.words_are == Are::text && (record.has_tags || record.of_words)) return;
  refuse_record(where, record.words_are == Are::text ? "words without tags" : "neither text nor words",
                "text and entities, spans or label; or tokens and ner_tags; or tokenized_text and ner");
}

ENTRAIN_INLINE std::string_view given_words(Record& record, const Where& where, OffsetUnit unit,
                                            std::vector<Token>& words, std::uint64_t& blank, std::string& odd) {
  if (record.words_are == Record::WordsAre::places) {
    detail::words_by_places(record, where, unit, words, blank, odd);
    return record.text;
  }
  if (record.counts_words()) return detail::words_alone(record, words);
  detail::words_in_text(record, where, words, blank);
  return record.text;
}

ENTRAIN_INLINE bool find_words(const Record& record, std::vector<Token>& words) {
  if (!record.has_text) return false;
  words.clear();
  detail::WordsOfText text(record.text);
  for (std::size_t i = 0; i < record.words.size(); ++i) {
    const std::string_view given = record.words[i];
    Token word{};
    if (detail::all_space(given) || !text.take(given, word)) return false;
    words.push_back(word);
  }
  return text.rest().empty();
}

ENTRAIN_INLINE void given_sentences(const Record& record, const Where& where, std::size_t words,
                                    std::vector<Sentence>& sentences) {
  std::uint32_t begin = 0;
  const auto refuse = [&] { refuse_record(where, "sentence lengths", "a sum of " + std::to_string(words) + " words"); };
  for (const std::int64_t length : record.sentences) {
    if (length < 1 || length > static_cast<std::int64_t>(words - begin)) refuse();
    sentences.push_back({begin, begin + static_cast<std::uint32_t>(length)});
    begin = sentences.back().end;
  }
  if (begin != words) refuse();
}

}  // namespace entrain::text
