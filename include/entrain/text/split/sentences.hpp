// [text] > batch > embed > encode > head > optim > checkpoint
//
// Sentence splitters: they divide a text's tokens into sentences, each a range of tokens. Like a word splitter, each is
// a type with a name that is saved with a model. Read splitter.hpp first.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/text/corpus/token.hpp"
#include "entrain/text/split/stop_rules.hpp"  // StopReader

namespace entrain::text {

/// A sentence splitter: a name, and a function that appends the sentences of tokens to a vector. Each token is in one
/// sentence, none is empty, and they are in order.
template <class S>
concept SentenceSplitter = requires(std::string_view text, std::span<const Token> tokens, std::vector<Sentence>& out) {
  { S::name } -> std::convertible_to<std::string_view>;
  S::split(text, tokens, out);
};

namespace detail {

/// Cuts the tokens after each i for which ends_after(i) is true.
template <class EndsAfter> void cut(std::size_t tokens, std::vector<Sentence>& out, EndsAfter ends_after) {
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < tokens; ++i) {
    if (i + 1 < tokens && !ends_after(i)) continue;
    out.push_back({begin, i + 1});
    begin = i + 1;
  }
}

}  // namespace detail

/// The whole text is one sentence.
struct WholeText {
  static constexpr std::string_view name = "whole-text";

  static void split(std::string_view, std::span<const Token> tokens, std::vector<Sentence>& out) {
    detail::cut(tokens.size(), out, [](auto) { return false; });
  }
};

/// A line is a sentence.
struct Lines {
  static constexpr std::string_view name = "lines";

  static void split(std::string_view text, std::span<const Token> tokens, std::vector<Sentence>& out) {
    detail::cut(tokens.size(), out,
                [&](std::size_t i) { return detail::line_ends(detail::space_behind(text, tokens, i)) > 0; });
  }
};

/// Sentences by rules.
///
///   ends      after . ! ? or an ellipsis, and the closing quotes and brackets there, if white space follows and then
///             anything but a word in lower case; after the full stops of Chinese and Japanese; at a blank line
///   continues after Mr., No. 5, J. (Smith), the 1. that begins an item; after U.S., etc. and similar ones unless a
///             word follows that hardly ever has a capital except at the begin of a sentence
///   tokens    of UnicodeWords, or of Whitespace, whose tokens include their punctuation; time linear in them
struct UnicodeSentences {
  static constexpr std::string_view name = "unicode-sentences-1";

  static void split(std::string_view text, std::span<const Token> tokens, std::vector<Sentence>& out) {
    const detail::StopReader read{text, tokens};
    std::uint32_t begin = 0;
    bool quoted = false;  // an odd number of " since the last blank line
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (read.goes_on_plainly(i)) continue;
      detail::Stop stop = read.stop(i, begin);
      quoted ^= read.word(i) == "\"";
      if (stop != detail::Stop::none) i = read.close(i, stop, quoted);
      const bool blank = detail::line_ends(detail::space_behind(text, tokens, i)) > 1;
      if (blank) quoted = false;
      if (i + 1 < tokens.size() && !blank && !read.ends(stop, i)) continue;
      const auto end = static_cast<std::uint32_t>(i + 1);
      out.push_back({begin, end});
      begin = end;
    }
  }
};

static_assert(SentenceSplitter<WholeText> && SentenceSplitter<Lines> && SentenceSplitter<UnicodeSentences>);

}  // namespace entrain::text
