// [text] > batch > embed > encode > head > optim > checkpoint
//
// Word splitters: they turn a text into tokens, each a place in the text. A splitter is a type with a name. The name is
// saved with a model, so that prediction splits as training did. Read word_rules.hpp for the rules of UnicodeWords for
// each kind of word.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/split/address_rules.hpp"  // url, email, tagged, entity
#include "entrain/text/split/ascii_words.hpp"    // plain_word, plain_sign
#include "entrain/text/split/picture_rules.hpp"  // emoji, emoticon
#include "entrain/text/split/word_rules.hpp"     // word, clitic, run, signed_number
#include "entrain/text/unicode/unicode.hpp"      // is_space
#include "entrain/text/unicode/utf8.hpp"         // decode

namespace entrain::text {

/// A word splitter: a name, and a function that appends a text's tokens to a vector. Tokens are in order, none is
/// empty, none overlaps another, and there is only white space between them.
template <class S>
concept WordSplitter = requires(std::string_view text, std::vector<Token>& out) {
  { S::name } -> std::convertible_to<std::string_view>;
  S::split(text, out);
};

namespace detail {

inline void refuse_oversize(std::string_view text) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("entrain.text.62", "", "a text of " + std::to_string(text.size()) + " bytes", "at most 4294967295",
                "split it, for example at paragraphs, and pass each part on its own");
}

/// Appends tokens and counts code points.
class Appender {
 public:
  Appender(std::string_view text, std::vector<Token>& out) : text_(text), out_(out) {}

  void token(std::size_t end) {
    const std::uint32_t begin = at_, begin_cp = at_cp_;
    advance(end);
    out_.push_back({begin, at_, begin_cp, at_cp_});
  }
  void space(std::size_t end) { advance(end); }
  /// For bytes that are all ASCII.
  [[gnu::always_inline]] void ascii_token(std::size_t end) {
    const std::uint32_t begin = at_, begin_cp = at_cp_;
    ascii_space(end);
    out_.push_back({begin, at_, begin_cp, at_cp_});
  }
  void ascii_space(std::size_t end) noexcept {
    at_cp_ += static_cast<std::uint32_t>(end) - at_;
    at_ = static_cast<std::uint32_t>(end);
  }
  std::size_t at() const noexcept { return at_; }

 private:
  void advance(std::size_t end) noexcept {
    for (; at_ < end; ++at_cp_) at_ += static_cast<unsigned char>(text_[at_]) < 0x80 ? 1 : decode(text_, at_).bytes;
  }

  std::string_view text_;
  std::vector<Token>& out_;
  std::uint32_t at_ = 0, at_cp_ = 0;
};

}  // namespace detail

/// Tokens are separated by white space: for text that is already split, with a space between tokens.
struct Whitespace {
  static constexpr std::string_view name = "whitespace";

  /// throws    entrain.text.62 for a text of 4 GiB or more
  static void split(std::string_view text, std::vector<Token>& out) {
    detail::refuse_oversize(text);
    detail::Appender append(text, out);
    for (std::size_t end = 0; end < text.size();) {
      CodePoint p = decode(text, end);
      if (is_space(p.cp)) {
        append.space(end += p.bytes);
        continue;
      }
      for (; p.bytes > 0 && !is_space(p.cp); p = detail::peek(text, end)) end += p.bytes;
      append.token(end);
    }
  }
};

/// Words by rules over Unicode, for raw text in any script.
///
///   whole     addresses, @names, #tags, 1,000.50, 10:30, 1/2, -5, :-), <3, U.S., e.g., Mr., AT&T, A/S, US$,
///             well-known, one emoji with all its parts, runs of one sign (... -- == ''), runs of ! and ?
///   split     do n't, John 's, $ 5, 5 %, and/or; every other sign is a token of its own
///   scripts   without spaces between words (Han, kana, Thai, ...): a letter with its marks is a token
///   time      linear for any text; no memory but that of `out`
struct UnicodeWords {
  static constexpr std::string_view name =
      "unicode-words-1";  // the number changes with every rule: models depend on it

  /// throws    entrain.text.62 for a text of 4 GiB or more
  static void split(std::string_view text, std::vector<Token>& out) { split_by<true>(text, out); }

  /// The same tokens. short_way: plain text bypasses the rules (see ascii_words.hpp).
  template <bool short_way> static void split_by(std::string_view text, std::vector<Token>& out) {
    detail::refuse_oversize(text);
    detail::Appender append(text, out);
    std::size_t hopeless = 0;  // see detail::email
    bool glued = false;        // a word is directly before
    bool fresh = true;         // white space or an opening bracket is directly before
    while (append.at() < text.size()) {
      const std::size_t at = append.at();
      if (short_way && plain(text, glued, fresh, append)) continue;
      const CodePoint p = decode(text, at);
      const Class c = class_of(p.cp);
      if (c == Class::space) {
        append.space(at + p.bytes);
        fresh = true, glued = false;
      } else if (detail::is_word(p.cp)) {
        word(text, glued, hopeless, append);
        fresh = false, glued = true;
      } else {
        const std::size_t end = sign(text, at, glued, fresh);
        append.token(end > at ? end : detail::skip_extenders(text, at + p.bytes));
        fresh = c == Class::open, glued = p.cp == '@' || p.cp == '#';
      }
    }
  }

 private:
  /// One token, or one byte of white space, that needs no rule.
  static bool plain(std::string_view text, bool& glued, bool& fresh, detail::Appender& append) {
    const std::size_t at = append.at();
    const detail::PlainByte& byte = detail::plain_byte(text, at);
    switch (byte.begin) {
      case detail::PlainByte::Begin::by_rules:
        return false;
      case detail::PlainByte::Begin::space:
        append.ascii_space(at + 1);
        fresh = true, glued = false;
        return true;
      case detail::PlainByte::Begin::word: {
        const std::size_t end = detail::plain_word(text, at);
        if (end == at) return false;
        append.ascii_token(end);
        fresh = false, glued = true;
        return true;
      }
      case detail::PlainByte::Begin::sign:
      case detail::PlainByte::Begin::sign_in_gap:
      case detail::PlainByte::Begin::sign_before:
        break;
    }
    if (!detail::plain_sign(text, at)) return false;
    append.ascii_token(at + 1);
    fresh = byte.opens, glued = false;
    return true;
  }

  /// Text that begins with a letter or digit: an address, an emoticon, or a word, which may be split into a stem and
  /// two clitics.
  static void word(std::string_view text, bool glued, std::size_t& hopeless, detail::Appender& append) {
    const std::size_t at = append.at();
    std::size_t end = detail::url(text, at);
    if (end == at) end = detail::email(text, at, hopeless);
    if (end == at) end = detail::emoticon(text, at, glued);
    if (end == at) {
      end = detail::word(text, at);
      const std::size_t last = detail::clitic(text, at, end), first = detail::clitic(text, at, last);
      if (first < last) append.token(first);
      if (last < end) append.token(last);
    }
    append.token(end);
  }

  /// Text that begins with anything else; `at` if no rule matches.
  static std::size_t sign(std::string_view text, std::size_t at, bool glued, bool fresh) {
    const auto first = static_cast<unsigned char>(text[at]);
    std::size_t end = at;
    if (first == '@' || first == '#') end = detail::tagged(text, at);
    if (end == at && first == '&') end = detail::entity(text, at);
    if (end == at) end = detail::emoticon(text, at, glued);
    if (end == at) end = detail::lone_clitic(text, at);
    if (end == at) end = detail::run(text, at);
    if (end == at && !glued) end = detail::signed_number(text, at, fresh);
    if (end == at && first >= 0x80) end = detail::emoji(text, at);
    return end;
  }
};

static_assert(WordSplitter<Whitespace> && WordSplitter<UnicodeWords>);

}  // namespace entrain::text
