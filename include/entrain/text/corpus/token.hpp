// [text] > batch > embed > encode > head > optim > checkpoint
//
// The places of the words and the sentences of a text.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace entrain::text {

/// A token's place: [begin, end) in bytes, and the same range in code points. An invalid byte counts as a code point.
struct Token {
  std::uint32_t begin, end;
  std::uint32_t begin_cp, end_cp;

  std::string_view in(std::string_view text) const noexcept { return text.substr(begin, end - begin); }
  friend bool operator==(const Token&, const Token&) = default;
};

/// Tokens [begin, end) of a text.
struct Sentence {
  std::uint32_t begin, end;

  std::span<const Token> in(std::span<const Token> tokens) const noexcept { return tokens.subspan(begin, end - begin); }
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

}  // namespace entrain::text
