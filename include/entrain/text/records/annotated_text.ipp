// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of annotated_text.hpp.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/unread_keys.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// Reads Python literals from left to right: tuples, lists, strings and whole numbers.
class PythonLiteral {
 public:
  PythonLiteral(std::string_view line, std::size_t at, const Where& where) : line_(line), at_(at), where_(where) {}

  /// The kind of the next value: '(' for either bracket, '"' for either quote, '0' for a number, else the byte itself;
  /// 0 at the end.
  char peek() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
    const char c = byte(at_);
    if (c == '[') return '(';
    if (c == '\'' || ((c == 'u' || c == 'U') && (byte(at_ + 1) == '\'' || byte(at_ + 1) == '"'))) return '"';
    return (c >= '0' && c <= '9') || c == '-' || c == '+' ? '0' : c;
  }
  /// f() reads each value.
  template <class F> void sequence(F&& f) {
    if (peek() != '(') refuse("'[' or '('");
    const char close = line_[at_++] == '[' ? ']' : ')';
    while (peek() != close) {
      f();
      if (peek() == close) break;
      if (!take(',')) refuse(close == ']' ? "',' or ']'" : "',' or ')'");
    }
    ++at_;
  }
  /// throws    entrain.text.40: no number, or a number outside of -2^63 .. 2^63 - 1
  std::int64_t integer() {
    if (peek() != '0') refuse("a whole number");
    const std::size_t begin = at_, digits = at_ + (byte(at_) == '-' || byte(at_) == '+');
    std::int64_t value = 0;
    const char *from = line_.data() + begin + (byte(begin) == '+'), *end = line_.data() + line_.size();
    const auto [after, fault] = std::from_chars(from, end, value);
    const char next = after < end ? *after : '\0';
    const bool zeros = byte(digits) == '0' && value != 0;  // 03 is not a number in Python
    if (fault != std::errc() || zeros || byte(digits) == '-' || byte(digits) == '+' || next == '.' || next == '_' ||
        (next | 0x20) == 'e' || (next | 0x20) == 'x')
      refuse("a whole number below 2^63");
    at_ = static_cast<std::size_t>(after - line_.data());
    return value;
  }
  /// Number of escapes that are half of a surrogate pair; each is read as U+FFFD.
  std::uint64_t lone_surrogates() const { return lone_surrogates_; }
  /// Appends to `to`.
  void string(std::string& to) {
    if (peek() != '"') refuse("a string");
    if ((line_[at_] | 0x20) == 'u') ++at_;
    const char quote = line_[at_++];
    for (;;) {
      const std::size_t begin = at_;
      while (at_ < line_.size() && line_[at_] != quote && line_[at_] != '\\') ++at_;
      to += line_.substr(begin, at_ - begin);
      if (take(quote)) return;
      if (at_ + 1 >= line_.size()) refuse("the end of the string");
      escape(to);
    }
  }
  /// f(key) reads the value of each key that is a string, or returns false: then the value is skipped.
  template <class F> void dictionary(F&& f) {
    if (peek() != '{') refuse("'{'");
    ++at_;
    while (peek() != '}') {
      std::string key;
      const bool named = peek() == '"';
      named ? string(key) : skip();
      if (peek() != ':') refuse("':'");
      ++at_;
      peek();
      if (!named || !f(key)) skip();
      if (peek() == '}') break;
      if (!take(',')) refuse("',' or '}'");
    }
    ++at_;
  }
  /// Skips None, or null, if it is next; returns whether it was.
  bool none() {
    peek();
    return word("None") || word("null");
  }
  /// Skips one value of any kind.
  void skip(int depth = 0) {
    constexpr int deepest = 64;
    if (depth > deepest) refuse("at most 64 nested values");
    switch (peek()) {
      case '"':
        scratch_.clear();
        return string(scratch_);
      case '0':
        while (at_ < line_.size() && std::string_view("0123456789+-.eE_").find(line_[at_]) != std::string_view::npos)
          ++at_;
        return;
      case '(':
        return sequence([&] { skip(depth + 1); });
      case '{':
        return dictionary([&](const std::string&) {
          skip(depth + 1);
          return true;
        });
      default:
        for (const char* name : {"None", "null", "True", "False", "true", "false", "NaN", "nan"})
          if (word(name)) return;
        refuse("a value");
    }
  }
  std::size_t at() const { return at_; }
  void comma() { peek() == ',' && take(','); }
  void end() {
    if (peek() != '\0' || at_ < line_.size()) refuse("the end of the line");
  }

  /// throws    entrain.text.40
  [[noreturn, gnu::cold]] void refuse(std::string_view expected) const {
    const std::string_view found = line_.substr(std::min(at_, line_.size()));
    throw Error("entrain.text.40", where_.words(),
                found.empty() ? "the end of the line" : "'" + excerpt(found, 20) + "'", expected,
                "byte " + std::to_string(at_ + 1) + " of the line");
  }

 private:
  char byte(std::size_t at) const { return at < line_.size() ? line_[at] : '\0'; }
  bool take(char c) {
    const bool is = byte(at_) == c && at_ < line_.size();
    at_ += is;
    return is;
  }
  bool word(std::string_view name) {
    const bool is = line_.substr(at_, name.size()) == name;
    if (is) at_ += name.size();
    return is;
  }

  /// Reads the escape at a backslash that is not the last byte. An escape that Python does not know stays unchanged.
  void escape(std::string& to) {
    const char letter = line_[at_ + 1];
    constexpr std::string_view letters = "abfnrtv\\'\"", bytes = "\a\b\f\n\r\t\v\\'\"";
    if (const std::size_t known = letters.find(letter); known != letters.npos) {
      to += bytes[known];
      at_ += 2;
    } else if (letter == 'x' || letter == 'u' || letter == 'U') {
      number(to, at_ + 2, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, 16);
    } else if ('0' <= letter && letter <= '7') {
      std::size_t digits = 1;
      while (digits < 3 && '0' <= byte(at_ + 1 + digits) && byte(at_ + 1 + digits) <= '7') ++digits;
      number(to, at_ + 1, digits, 8);
    } else if (letter == 'N') {
      refuse("another escape than \\N");
    } else {
      to += '\\';
      ++at_;
    }
  }
  void number(std::string& to, std::size_t from, std::size_t digits, int base) {
    std::uint32_t value = 0;
    const std::string_view text = line_.substr(std::min(from, line_.size()), digits);
    const auto [after, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (fault != std::errc() || after != text.data() + digits || value > 0x10FFFF)
      refuse(base == 8 ? "up to three digits from 0 to 7" : std::to_string(digits) + " hexadecimal digits");
    at_ = from + digits;
    lone_surrogates_ += value >= 0xD800 && value < 0xE000;
    char written[4];
    to.append(written, encode(value, written));
  }

  std::string_view line_;
  std::size_t at_;
  const Where& where_;
  std::string scratch_;
  std::uint64_t lone_surrogates_ = 0;
};

inline void refuse_missing_value(const Where& where, std::size_t values) {
  refuse_record(where, "an entity of " + std::to_string(values) + " values", "start, end and label");
}

/// (0, 3, "PER") or {"start": 0, "end": 3, "label": "PER"}
inline void read_entity(PythonLiteral& from, const Where& where, Record& record) {
  Annotation& a = record.annotations.emplace_back();
  std::size_t values = 0;
  const auto text = [&](bool vague) {
    from.string(record.unescaped.emplace_back());
    a.text = record.unescaped.back();
    a.vague = vague;
  };
  if (from.peek() == '{') {
    from.dictionary([&](const std::string& key) {
      if (key == "start" || key == "start_offset") return a.begin = from.integer(), ++values, true;
      if (key == "end" || key == "end_offset") return a.end = from.integer(), ++values, true;
      if (key == "label") return from.string(a.type), ++values, true;
      if (key == "text" && from.peek() == '"') return text(false), true;
      return false;
    });
  } else {
    from.sequence([&] {
      switch (values++) {
        case 0:
          a.begin = from.integer();
          break;
        case 1:
          a.end = from.integer();
          break;
        case 2:
          from.string(a.type);
          break;
        case 3:
          if (from.peek() == '"') {
            text(true);
            break;
          }
          [[fallthrough]];
        default:
          from.skip();
      }
    });
  }
  if (values < 3) refuse_missing_value(where, values);
  if (a.type.empty()) refuse_record(where, "an entity whose label is empty", "its type");
}

/// [(0, 3, "PER"), ...]
inline void read_list(PythonLiteral& from, const Where& where, Record& record) {
  record.has_annotations = true;
  from.sequence([&] { read_entity(from, where, record); });
}

/// {"entities": [...], ...}
inline void read_dictionary(PythonLiteral& from, std::string_view line, const Where& where, Record& record) {
  std::string unread;
  from.dictionary([&](const std::string& key) {
    if (key == "entities" || key == "spans" || key == "label" || key == "labels") {
      record.has_annotations = true;
      if (from.none()) return true;
      const bool first = record.annotations.empty();
      from.sequence([&] {
        if (!first) refuse_record(where, "two lists of entities", "one: \"" + key + "\" is the second");
        read_entity(from, where, record);
      });
      return true;
    }
    const std::size_t begin = from.at();
    from.skip();
    std::string value(line.substr(begin, from.at() - begin));  // as JSON
    for (char& c : value) c = c == '(' ? '[' : c == ')' ? ']' : c == '\'' ? '"' : c;
    try {
      if (unread.empty() && value.starts_with('[') && seems_to_hold_entities(value, true)) unread = key;
    } catch (const Error&) {  // it is not JSON
    }
    return true;
  });
  if (!unread.empty() && !record.has_annotations) refuse_unread_entities(where, unread);
  record.unread = unread;
}

/// Reads a list or a dictionary.
inline void read_annotations(PythonLiteral& from, std::string_view line, const Where& where, Record& record) {
  from.peek() == '{' ? read_dictionary(from, line, where, record) : read_list(from, where, record);
}

/// Whether the line begins with a bracket and a quote.
inline bool begins_pair(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first + 1 < line.size() && (line[first] == '(' || line[first] == '[') &&
         (line[first + 1] == '"' || line[first + 1] == '\'');
}

/// ("text", {"entities": [...]}), with or without the comma of the list around it.
inline void read_pair(std::string_view line, const Where& where, Record& record) {
  PythonLiteral from(line, 0, where);
  int values = 0;
  from.sequence([&] {
    if (values == 0)
      from.string(record.text);
    else if (values == 1)
      read_annotations(from, line, where, record);
    else
      from.skip();
    ++values;
  });
  if (values < 2) refuse_record(where, "a text without annotations", "a pair: (\"text\", {\"entities\": [...]})");
  from.comma();
  from.end();
  record.lone_surrogates = from.lone_surrogates();
}

}  // namespace detail

ENTRAIN_INLINE void AnnotatedLine::read(std::string_view bytes, const Where& where, const RecordOptions& options,
                                        Record& record) {
  const std::size_t tab = bytes.rfind('\t');
  record.has_text = true;
  record.has_annotations = options.texts_only;  // whatever the line contains
  if (tab == bytes.npos && detail::begins_pair(bytes)) return detail::read_pair(bytes, where, record);
  if (tab == bytes.npos)
    refuse_record(where, "no TAB in the line", "a text, a TAB and a list of entities: [(0, 3, \"PER\"), ...]");
  record.text = bytes.substr(0, tab);
  detail::PythonLiteral list(bytes, tab + 1, where);
  detail::read_annotations(list, bytes, where, record);
  list.end();
  record.lone_surrogates = list.lone_surrogates();
}

}  // namespace entrain::text
