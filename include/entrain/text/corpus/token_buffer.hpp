// [text] > batch > embed > encode > head > optim > checkpoint
//
// Buffers tokens between a text and a corpus, which allocates for many at once. Read corpus.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "entrain/text/corpus/corpus.hpp"

namespace entrain::text {

/// Pushed tokens are in the corpus after flush().
class TokenBuffer {
 public:
  /// text: the tokens are parts of it
  TokenBuffer(Corpus& to, std::string_view text) noexcept : to_(to), end_(text.data() + text.size()) {}

  /// tag: as numbered by Corpus::intern
  void push(std::string_view token, std::int32_t tag, std::uint32_t line) {
    if (count_ == tokens_.size()) flush();
    tokens_[count_++] = {token, tag, line};
  }

  void flush() {
    if (count_ == 0) return;
    const std::size_t before = to_.size(), used = to_.bytes.size();
    std::size_t at = used, room = used + usual;
    for (std::size_t i = 0; i < count_; ++i) room += tokens_[i].text.size();
    to_.bytes.resize(room);
    to_.begin.resize(before + count_ + 1);
    to_.line.resize(before + count_);
    to_.tag.resize(before + count_);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& [text, tag, line] = tokens_[i];
      copy(text, to_.bytes.data() + at);
      to_.begin[before + i + 1] = at += text.size();
      to_.line[before + i] = line;
      to_.tag[before + i] = tag;
    }
    to_.bytes.resize(at);
    count_ = 0;
  }

 private:
  struct Token {
    std::string_view text;
    std::int32_t tag;
    std::uint32_t line;
  };

  /// Most tokens are copied with this many bytes, whatever their size; the next one overwrites the excess.
  static constexpr std::size_t usual = 24;
  void copy(std::string_view token, char* to) const noexcept {
    const bool whole = token.size() <= usual && token.data() + usual <= end_;
    if (whole)
      std::memcpy(to, token.data(), usual);
    else
      std::memcpy(to, token.data(), token.size());
  }

  Corpus& to_;
  const char* end_;
  std::array<Token, 64> tokens_;
  std::size_t count_ = 0;
};

}  // namespace entrain::text
