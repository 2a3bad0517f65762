// [text] > batch > embed > encode > head > optim > checkpoint
//
// Positions in a text in several units: bytes, code points or units of UTF-16, or words.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/text/corpus/token.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The unit of offsets. Python and most tools count code points; C++, Go and Rust count bytes of UTF-8; JavaScript,
/// Java and C# count units of UTF-16. In a text that is given as words, offsets may count words.
enum class OffsetUnit { code_points, bytes, utf16, words };

/// Moves through a text from left to right and counts. source    UTF-16 as in Unicode 14.0, section 3.9
class OffsetWalk {
 public:
  explicit OffsetWalk(std::string_view text) : text_(text) {}

  /// Moves to the first code point that begins at `offset` or after it; returns whether one begins (or the text ends)
  /// exactly there.
  bool to(std::int64_t offset, OffsetUnit unit) {
    while (at_ < text_.size() && in(unit) < offset) step();
    return in(unit) == offset;
  }
  std::int64_t to_end(OffsetUnit unit) {
    while (at_ < text_.size()) step();
    return in(unit);
  }
  std::uint32_t byte() const { return static_cast<std::uint32_t>(at_); }
  std::uint32_t code_point() const { return static_cast<std::uint32_t>(code_points_); }

 private:
  std::int64_t in(OffsetUnit unit) const {
    const std::size_t place = unit == OffsetUnit::bytes   ? at_
                              : unit == OffsetUnit::utf16 ? code_points_ + pairs_
                                                          : code_points_;
    return static_cast<std::int64_t>(place);
  }
  void step() {
    const std::uint32_t bytes = static_cast<unsigned char>(text_[at_]) < 0x80 ? 1 : decode(text_, at_).bytes;
    at_ += bytes;
    ++code_points_;
    pairs_ += bytes == 4;
  }

  std::string_view text_;
  std::size_t at_ = 0, code_points_ = 0;
  std::size_t pairs_ = 0;  // code points that take two units of UTF-16
};

/// The begins and ends of the words of a text, in some unit. Words of unit `words` are their own numbers.
class Edges {
 public:
  void read(std::string_view text, std::span<const Token> words, OffsetUnit unit) {
    text_ = text;
    words_ = words;
    unit_ = unit;
    pairs_.clear();
    if (unit == OffsetUnit::utf16 && !words.empty() && words.back().end != words.back().end_cp) count_pairs();
  }

  std::size_t size() const { return words_.size(); }
  std::int64_t begin(std::size_t word) const { return place(word, words_[word].begin, words_[word].begin_cp, 0); }
  std::int64_t end(std::size_t word) const { return place(word, words_[word].end, words_[word].end_cp, 1); }

  /// The first word that ends after a place, and the first that begins there or after it: between them are the words
  /// that a range touches.
  std::uint32_t first_after(std::int64_t place) const {
    return first([&](std::uint32_t word) { return end(word) > place; });
  }
  std::uint32_t first_from(std::int64_t place) const {
    return first([&](std::uint32_t word) { return begin(word) >= place; });
  }

  /// The end of the text.
  std::int64_t text_end() const {
    if (unit_ == OffsetUnit::words) return static_cast<std::int64_t>(words_.size());
    return OffsetWalk(text_).to_end(unit_);
  }
  /// The byte of a place; for a place inside a code point, the byte after that code point.
  std::size_t byte(std::int64_t offset) const {
    if (unit_ == OffsetUnit::words)
      return offset < 0 || words_.empty()                        ? 0
             : offset < static_cast<std::int64_t>(words_.size()) ? words_[static_cast<std::size_t>(offset)].begin
                                                                 : words_.back().end;
    OffsetWalk walk(text_);
    walk.to(offset, unit_);
    return walk.byte();
  }

 private:
  std::int64_t place(std::size_t word, std::uint32_t byte, std::uint32_t code_point, std::size_t edge) const {
    switch (unit_) {
      case OffsetUnit::bytes:
        return byte;
      case OffsetUnit::words:
        return static_cast<std::int64_t>(word + edge);
      case OffsetUnit::utf16:
        return code_point + (pairs_.empty() ? std::int64_t{0} : std::int64_t{pairs_[2 * word + edge]});
      case OffsetUnit::code_points:
        break;
    }
    return code_point;
  }
  void count_pairs() {
    std::uint32_t at = 0, pairs = 0;
    for (const Token& word : words_)
      for (const std::uint32_t edge : {word.begin, word.end}) {
        for (; at < edge; ++at) pairs += static_cast<unsigned char>(text_[at]) >= 0xF0;
        pairs_.push_back(pairs);
      }
  }
  template <class Is> std::uint32_t first(Is is) const {
    std::uint32_t low = 0, high = static_cast<std::uint32_t>(words_.size());
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      is(middle) ? high = middle : low = middle + 1;
    }
    return low;
  }

  std::string_view text_;
  std::span<const Token> words_;
  OffsetUnit unit_ = OffsetUnit::code_points;
  std::vector<std::uint32_t> pairs_;  // [2 words] before each word's begin and end; empty: none
};

}  // namespace entrain::text
