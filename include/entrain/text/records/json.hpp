// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads one JSON value from left to right without a tree: the caller takes the values that it needs, and the rest is
// skipped. For corpora, where each line is read once; checkpoint/ reads files that need look-ups.
#pragma once
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/unicode/utf8.hpp"  // encode

namespace entrain::text {

/// source    RFC 8259
class Json {
 public:
  enum class Kind { object, array, string, number, boolean, null, nothing };

  /// name, line: the place in messages
  Json(std::string_view bytes, std::string_view name, std::uint64_t line) : bytes_(bytes), name_(name), line_(line) {}

  /// The kind of the next value, by its first letter.
  Kind peek() {
    blanks();
    switch (at_ < bytes_.size() ? bytes_[at_] : '\0') {
      case '{':
        return Kind::object;
      case '[':
        return Kind::array;
      case '"':
        return Kind::string;
      case 't':
      case 'f':
        return Kind::boolean;
      case 'n':
        return Kind::null;
      case '-':
        return Kind::number;
      default:
        return at_ < bytes_.size() && digit(bytes_[at_]) ? Kind::number : Kind::nothing;
    }
  }

  /// f(key) -> bool: whether it took the value; if not, the value is skipped. The key is valid until the next one is
  /// read.
  template <class F> void object(F&& f) {
    open('{', "an object");
    if (closes('}')) return;
    std::string own;
    do {
      if (peek() != Kind::string) refuse("a key");
      own.clear();
      const std::string_view last = text(own), key = own.empty() ? last : std::string_view(own += last);
      blanks();
      if (!take(':')) refuse("':'");
      if (!f(key)) skip();
    } while (goes_on('}'));
  }
  /// f() reads each value.
  template <class F> void array(F&& f) {
    open('[', "an array");
    if (closes(']')) return;
    do f();
    while (goes_on(']'));
  }
  /// Appends a string, without its escapes, to `to`.
  void string(std::string& to) {
    if (peek() != Kind::string) refuse("a string");
    to += text(to);
  }
  /// A whole number without fraction and exponent.
  std::int64_t integer() {
    if (peek() != Kind::number) refuse("a whole number");
    const std::size_t begin = at_;
    // Most numbers have a few digits: one pass reads them, which saves 9 % of the instructions of converting JSON to
    // columns.
    std::int64_t few = 0;
    while (at_ < bytes_.size() && digit(bytes_[at_]) && at_ - begin < 18) few = 10 * few + (bytes_[at_++] - '0');
    const char next = at_ < bytes_.size() ? bytes_[at_] : '\0';
    const bool whole = at_ > begin && !digit(next) && next != '.' && next != 'e' && next != 'E';
    if (whole && (bytes_[begin] != '0' || at_ == begin + 1)) return few;
    at_ = begin;
    pass_number();
    const std::string_view number = bytes_.substr(begin, at_ - begin);
    std::int64_t value = 0;
    const auto [after, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (fault != std::errc() || after != number.data() + number.size()) {
      at_ = begin;
      refuse("a whole number below 2^63");
    }
    return value;
  }
  /// The same, as a view of the line; a string with escapes is put into `to`, which must be empty.
  std::string_view string_in_place(std::string& to) {
    if (peek() != Kind::string) refuse("a string");
    const std::string_view last = text(to);
    return to.empty() ? last : std::string_view(to += last);
  }
  bool boolean() {
    if (peek() != Kind::boolean) refuse("true or false");
    const bool value = bytes_[at_] == 't';
    word(value ? "true" : "false");
    return value;
  }
  /// Skips any value.
  void skip() {
    std::string inside;  // the open brackets
    do {
      switch (peek()) {
        case Kind::object:
        case Kind::array:
          inside += bytes_[at_++];
          if (inside.size() > 512) refuse("at most 512 nested arrays and objects");
          if (closes(closing(inside))) {
            inside.pop_back();
            break;
          }
          if (inside.back() == '{') key();
          continue;
        case Kind::string:
          pass_string();
          break;
        case Kind::number:
          pass_number();
          break;
        case Kind::boolean:
          word(bytes_[at_] == 't' ? "true" : "false");
          break;
        case Kind::null:
          word("null");
          break;
        case Kind::nothing:
          refuse("a value");
      }
      while (!inside.empty()) {
        if (goes_on(closing(inside))) {
          if (inside.back() == '{') key();
          break;
        }
        inside.pop_back();
      }
    } while (!inside.empty());
  }
  /// throws    entrain.text.40 if more text follows
  void end() {
    if (blanks(); at_ < bytes_.size()) refuse("the end of the line");
  }

  /// throws    entrain.text.40
  [[noreturn, gnu::cold]] void refuse(std::string_view expected) const {
    const std::string_view found = bytes_.substr(at_ < bytes_.size() ? at_ : bytes_.size());
    throw Error("entrain.text.40", where(), found.empty() ? "the end of the line" : "'" + excerpt(found, 20) + "'",
                expected, "byte " + std::to_string(at_ + 1) + " of the line");
  }
  /// Number of halves of surrogate pairs in strings and keys that were read: each becomes U+FFFD.
  std::uint64_t lone_surrogates() const { return lone_surrogates_; }
  /// The position in the line of the next byte.
  std::size_t at() const { return at_; }
  std::string where() const { return std::string(name_) + ":" + std::to_string(line_); }

 private:
  static bool digit(char c) { return '0' <= c && c <= '9'; }
  static char closing(const std::string& inside) { return inside.back() == '{' ? '}' : ']'; }

  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  void blanks() {
    while (at_ < bytes_.size() && blank(bytes_[at_])) ++at_;
  }
  bool take(char c) {
    const bool is = at_ < bytes_.size() && bytes_[at_] == c;
    at_ += is;
    return is;
  }
  void open(char c, std::string_view expected) {
    blanks();
    if (!take(c)) refuse(expected);
  }
  bool closes(char c) {
    blanks();
    return take(c);
  }
  /// After a value: whether another one follows.
  [[gnu::always_inline]] bool goes_on(char close) {
    blanks();
    if (take(',')) return true;
    if (!take(close)) refuse(close == '}' ? "',' or '}'" : "',' or ']'");
    return false;
  }
  void key() {
    if (peek() != Kind::string) refuse("a key");
    pass_string();
    blanks();
    if (!take(':')) refuse("':'");
  }
  void word(std::string_view expected) {
    if (bytes_.substr(at_, expected.size()) != expected) refuse(expected);
    at_ += expected.size();
  }

  /// For each of eight bytes, the top bit: whether the byte ends a run of plain text. Bits after the first one may be
  /// wrong.
  static std::uint64_t specials(std::uint64_t eight) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    const std::uint64_t quote = eight ^ ones * '"', backslash = eight ^ ones * '\\';
    const std::uint64_t below = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash);  // 0 borrows
    return (below | ((eight - ones * 0x20) & ~eight)) & (ones * 0x80);
  }
  /// The next character that ends a run of plain text: a quote, a backslash, or one below U+0020.
  std::size_t special(std::size_t from) const {
    if constexpr (std::endian::native == std::endian::little)
      for (std::uint64_t eight; from + 8 <= bytes_.size(); from += 8) {
        std::memcpy(&eight, bytes_.data() + from, 8);
        if (const std::uint64_t found = specials(eight); found != 0)
          return from + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      }
    while (from < bytes_.size() && bytes_[from] != '"' && bytes_[from] != '\\' &&
           static_cast<unsigned char>(bytes_[from]) >= 0x20)
      ++from;
    return from;
  }
  void pass_string() {
    ++at_;
    for (;;) {
      at_ = special(at_);
      if (take('"')) return;
      escaped();
      if (bytes_[at_++] == 'u') hex();
    }
  }
  /// Reads the letter after a backslash.
  void escaped() {
    if (at_ + 1 >= bytes_.size() || !take('\\')) refuse("the end of the string");
    if (std::string_view("\"\\/bfnrtu").find(bytes_[at_]) == std::string_view::npos)
      refuse("one of \"\\/bfnrtu after the backslash");
  }
  void pass_number() {
    take('-');
    const auto digits = [&] {
      const std::size_t begin = at_;
      while (at_ < bytes_.size() && digit(bytes_[at_])) ++at_;
      if (at_ == begin) refuse("a digit");
    };
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
  }

  /// Reads the string that begins here. Without escapes, the result is a view of the line; with escapes, it is the last
  /// run of the string, and the earlier part is in `to`.
  [[gnu::always_inline]] std::string_view text(std::string& to) {
    const std::size_t begin = ++at_;
    at_ = special(at_);
    if (at_ == bytes_.size() || bytes_[at_] != '"') return text_with_escapes(begin, to);
    return {bytes_.data() + begin, at_++ - begin};
  }
  [[gnu::noinline]] std::string_view text_with_escapes(std::size_t begin, std::string& to) {
    for (;; begin = at_, at_ = special(at_)) {
      const std::string_view plain = bytes_.substr(begin, at_ - begin);
      if (take('"')) return plain;
      to += plain;
      escape(to);
    }
  }
  void escape(std::string& to) {
    escaped();
    switch (const char letter = bytes_[at_++]) {
      case 'b':
        to += '\b';
        return;
      case 'f':
        to += '\f';
        return;
      case 'n':
        to += '\n';
        return;
      case 'r':
        to += '\r';
        return;
      case 't':
        to += '\t';
        return;
      case 'u':
        break;
      default:
        to += letter;
        return;
    }
    char32_t cp = hex();
    if (0xDC00 <= cp && cp < 0xE000) cp = lone();  // the second half of a pair
    if (0xD800 <= cp && cp < 0xDC00) {
      const std::size_t after = at_;
      char32_t low = 0;
      if (bytes_.substr(at_, 2) == "\\u") at_ += 2, low = hex();
      if (0xDC00 <= low && low < 0xE000) {
        cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = after;
        cp = lone();
      }
    }
    char bytes[4];
    to.append(bytes, encode(cp, bytes));
  }
  [[gnu::cold]] char32_t lone() {
    ++lone_surrogates_;
    return 0xFFFD;
  }
  char32_t hex() {
    std::uint32_t value = 0;
    const std::string_view four = bytes_.substr(at_, 4);
    const auto [after, fault] = std::from_chars(four.data(), four.data() + four.size(), value, 16);
    if (fault != std::errc() || after != four.data() + 4) refuse("four hexadecimal digits");
    at_ += 4;
    return value;
  }

  std::string_view bytes_, name_;
  std::uint64_t line_;
  std::size_t at_ = 0;
  std::uint64_t lone_surrogates_ = 0;
};

}  // namespace entrain::text
