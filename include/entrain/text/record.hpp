// [text] > batch > embed > encode > head > optim > checkpoint
//
// What one line of an annotated file says: a text or its words, and entities or tags. A format fills it in, whatever
// the order of its keys; record_reader.hpp makes sentences of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/align.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::text {

/// What a user may say about a file of records.
struct RecordOptions {
  OffsetUnit unit = OffsetUnit::code_points;  // of all places in texts
  Misaligned misaligned = Misaligned::error;
  std::vector<std::string> tag_names;  // of files whose tags are numbers: what 0, 1, ... mean
  /// Of the tags that annotations become, where it is known only when the program runs; else the reader's type says it.
  std::optional<SchemeId> annotations_as = std::nullopt;
  bool types_alone = false;        // tags that are types without a letter are read as IO: as --scheme io says
  bool texts_only = false;         // of a record only its text, words and sentences are read, as predict does
  bool lenient = false;            // a line that cannot be used is left out, counted in Met::malformed and listed
  std::size_t problem_cap = 1000;  // so many problems of a block are listed; all are counted
};

/// Strings back to back, so that they cost no memory of their own.
class Strings {
 public:
  void clear() {
    bytes_.clear();
    end_.clear();
  }
  std::size_t size() const { return end_.size(); }
  bool empty() const { return end_.empty(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : end_[i - 1];
    return std::string_view(bytes_).substr(begin, end_[i] - begin);
  }
  void push_back(std::string_view s) { bytes_ += s, close(); }
  /// Where one may be written that close() ends.
  std::string& open() { return bytes_; }
  void close() {
    const std::size_t end = bytes_.size();  // by its name: a temporary one takes a call of emplace_back
    end_.push_back(end);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::size_t> end_;
};

/// The tokens of an annotation as it counts them itself, the last one inclusive.
struct TokenNumbers {
  std::size_t annotation = 0;
  std::int64_t first = -1, last = -1;
};

struct Record {
  /// How the words of a text were given: not at all, as text, or by their places.
  enum class WordsAre : std::uint8_t { unknown, text, places };

  std::string text;
  std::string apart;  // the words with blanks between, where annotations count them
  Strings words, tags;
  std::vector<std::string_view> word_texts;  // as the places of words repeat them, if they do; valid as texts below
  std::vector<Annotation> annotations;       // whose texts are valid as long as the line and `unescaped`
  std::vector<TokenNumbers> token_numbers;   // of some of them
  std::deque<std::string> unescaped;
  std::string unread;                   // a key that is not read and seems to hold entities, next to one that is
  std::vector<std::int64_t> places;     // of words, begin and end in turn
  std::vector<std::int64_t> sentences;  // words of each
  WordsAre words_are = WordsAre::unknown;
  bool has_text = false;
  bool has_tags = false;         // one a word, even if there are none
  bool has_annotations = false;  // even if there are none
  bool has_sentences = false;
  bool of_words = false;              // annotations count words, the last one inclusive
  bool accepted = true;               // by an annotator
  std::uint64_t lone_surrogates = 0;  // halves of pairs in it, read as U+FFFD

  /// Words that tags or annotations count are taken as they are given, whatever the text.
  bool counts_words() const { return words_are == WordsAre::text && (has_tags || of_words); }

  void clear() {
    text.clear();
    apart.clear();
    words.clear();
    tags.clear();
    annotations.clear();
    token_numbers.clear();
    word_texts.clear();
    unescaped.clear();
    unread.clear();
    places.clear();
    sentences.clear();
    words_are = WordsAre::unknown;
    has_text = has_tags = has_annotations = has_sentences = of_words = false;
    accepted = true;
    lone_surrogates = 0;
  }
};

/// Where a record stands.
struct Where {
  std::string_view file;
  std::uint64_t line = 0;
  /// file:line
  std::string words() const { return std::string(file) + ":" + std::to_string(line); }
};

/// A record that says what cannot be.
[[noreturn, gnu::cold]] inline void refuse_record(const Where& where, std::string_view found, std::string_view expected,
                                                  std::string_view remedy = {}) {
  throw Error("entrain.text.42", where.words(), found, expected, remedy);
}

/// A record that is not UTF-8, as JSON and annotated text have to be.
[[noreturn, gnu::cold]] inline void refuse_record_not_utf8(const Where& where) {
  throw Error("entrain.text.43", where.words(), "bytes that are not UTF-8", "text in UTF-8",
              "convert it with iconv -t UTF-8");
}

}  // namespace entrain::text
