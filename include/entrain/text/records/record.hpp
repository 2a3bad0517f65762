// [text] > batch > embed > encode > head > optim > checkpoint
//
// The content of one line of an annotated file: a text or its words, and entities or tags. A format fills it in, in any
// order of its keys; record_reader.hpp makes sentences from it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/records/align.hpp"
#include "entrain/text/split/named_splitters.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// User options for a file of records.
struct RecordOptions {
  OffsetUnit unit = OffsetUnit::code_points;  // unit of all places in texts
  Misaligned misaligned = Misaligned::error;
  std::vector<std::string> tag_names;  // for files with numbers as tags: the meanings of 0, 1, ...
  /// Scheme of the tags that annotations become, if it is known only at run time; else the reader's type determines it.
  std::optional<SchemeId> annotations_as = std::nullopt;
  /// Splitters of texts that come without words or sentences, if they are known only at run time; without a function,
  /// those of the reader's type are used.
  NamedWordSplitter split_words = {};
  NamedSentenceSplitter split_sentences = {};
  bool types_alone = false;        // tags that are types without a prefix are read as IO; set by --scheme io
  bool texts_only = false;         // only the text, words and sentences of a record are read, as by predict
  bool lenient = false;            // an unusable line is left out, counted in Met::malformed and listed
  std::size_t problem_cap = 1000;  // how many problems of a block are listed; all are counted
};

/// Strings back to back, so that they need no allocations of their own.
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
  /// Place to write a string; close() ends it.
  std::string& open() { return bytes_; }
  void close() {
    const std::size_t end = bytes_.size();  // a named variable: a temporary would call emplace_back
    end_.push_back(end);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::size_t> end_;
};

/// The token range of an annotation in its own token numbers, the last one inclusive.
struct TokenNumbers {
  std::size_t annotation = 0;
  std::int64_t first = -1, last = -1;
};

struct Record {
  /// How the words of a text are given: not at all, as text, or by their places.
  enum class WordsAre : std::uint8_t { unknown, text, places };

  std::string text;
  std::string apart;  // the words with blanks between, if annotations count them
  Strings words, tags;
  // texts given with the places of words, if any; valid as long as the texts below
  std::vector<std::string_view> word_texts;
  std::vector<Annotation> annotations;      // their texts are valid as long as the line and `unescaped`
  std::vector<TokenNumbers> token_numbers;  // of some of them
  std::deque<std::string> unescaped;
  // an unknown key that seems to contain entities, in addition to one that is read
  std::string unread;
  std::vector<std::int64_t> places;     // of words, begin and end alternating
  std::vector<std::int64_t> sentences;  // number of words of each
  WordsAre words_are = WordsAre::unknown;
  bool has_text = false;
  bool has_tags = false;         // one for each word, even if there are no words
  bool has_annotations = false;  // true even if the list is empty
  bool has_sentences = false;
  bool of_words = false;              // annotations count words, the last one inclusive
  bool accepted = true;               // by an annotator
  std::uint64_t lone_surrogates = 0;  // halves of pairs in it, read as U+FFFD

  /// If tags or annotations count the words, the words are taken as given, whatever the text.
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

/// The place of a record.
struct Where {
  std::string_view file;
  std::uint64_t line = 0;
  /// file:line
  std::string words() const { return std::string(file) + ":" + std::to_string(line); }
};

/// Refuses a record with an impossible value.
[[noreturn, gnu::cold]] inline void refuse_record(const Where& where, std::string_view found, std::string_view expected,
                                                  std::string_view remedy = {}) {
  throw Error("entrain.text.42", where.words(), found, expected, remedy);
}

/// Refuses a record that is not UTF-8; JSON and annotated text must be UTF-8.
[[noreturn, gnu::cold]] inline void refuse_record_not_utf8(const Where& where) {
  throw Error("entrain.text.43", where.words(), "bytes that are not UTF-8", "text in UTF-8",
              "convert it with iconv -t UTF-8");
}

}  // namespace entrain::text
