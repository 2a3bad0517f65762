// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A file of options: `key = value` lines, with or without sections. The common subset of INI and TOML.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/files/file.hpp"

namespace entrain::app {

/// `epochs = 20` in section [train], or `train.epochs = 20`.
struct ConfigLine {
  std::string where;  // file:line
  std::string section, key, value;
  std::vector<std::string> items;  // of an array, as TOML has it: [a, "b"]
  bool is_array = false;           // then it has no value

  std::string name() const { return section.empty() ? key : section + "." + key; }
};

namespace detail {

inline std::string_view trimmed(std::string_view s) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = s.find_first_not_of(blanks);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

/// Whether only a remark is left.
inline bool is_remark(std::string_view rest) { return rest.empty() || rest[0] == '#' || rest[0] == ';'; }

/// The text in quotes at `at`: "with \\ and \" inside", or 'taken literally'. Moves `at` after its last quote.
inline std::string config_text(std::string_view s, std::size_t& at, const std::string& where) {
  std::string value;
  const char quote = s[at++];
  for (; at < s.size() && s[at] != quote; ++at) {
    const bool escaped = quote == '"' && s[at] == '\\' && at + 1 < s.size();
    if (escaped && s[at + 1] != '"' && s[at + 1] != '\\')
      throw Error("entrain.app.14", where, "\\" + std::string(1, s[at + 1]) + " in quotes", "\\\\ or \\\"",
                  "write it in single quotes");
    value += s[at += escaped];
  }
  if (at++ >= s.size()) throw Error("entrain.app.14", where, std::string(s), "a value that ends with its quote");
  return value;
}

inline bool is_quote(char c) { return c == '"' || c == '\''; }

/// A value as written: in quotes, or bare up to a remark.
inline std::string config_value(std::string_view s, const std::string& where) {
  std::size_t at = 0;
  if (s.empty() || !is_quote(s[0])) {
    while (at < s.size() && !((at == 0 || s[at - 1] == ' ' || s[at - 1] == '\t') && is_remark(s.substr(at)))) ++at;
    return std::string(trimmed(s.substr(0, at)));
  }
  std::string value = config_text(s, at, where);
  if (!is_remark(trimmed(s.substr(at))))
    throw Error("entrain.app.14", where, std::string(s), "a value that ends with its quote");
  return value;
}

/// The items of an array as written on one line: [PER, "with , inside", 'LOC'], each in quotes or bare up to a comma.
inline std::vector<std::string> config_array(std::string_view s, const std::string& where) {
  const auto refuse = [&](const char* expected) {
    throw Error("entrain.app.14", where, std::string(s), expected, "write a text that begins with [ in quotes");
  };
  std::vector<std::string> items;
  for (std::size_t at = 1;; ++at) {
    at = std::min(s.find_first_not_of(" \t", at), s.size());
    if (at < s.size() && is_quote(s[at])) {
      items.push_back(config_text(s, at, where));
      at = std::min(s.find_first_not_of(" \t", at), s.size());
    } else {
      const std::size_t end = std::min(s.find_first_of(",]", at), s.size());
      const std::string_view item = trimmed(s.substr(at, end - at));
      const bool more = end < s.size() && s[end] == ',';  // TOML allows a comma after the last item
      if (item.empty() ? more : item.find_first_of("[{\"'") != item.npos)
        refuse("items between commas, each in quotes or bare");
      if (!item.empty()) items.emplace_back(item);
      at = end;
    }
    if (at >= s.size() || (s[at] != ',' && s[at] != ']') || (s[at] == ']' && !is_remark(trimmed(s.substr(at + 1)))))
      refuse("an array that ends with ] on its line");
    if (s[at] == ']') return items;
  }
}

}  // namespace detail

/// throws    entrain.app.14 for a line that is not a section, `key = value` or a remark (# or ;), and for an array that
///           does not end on its line
///           what text::read_file throws
inline std::vector<ConfigLine> read_config(const std::string& path) {
  const std::string name = text::name_of(path), bytes = text::read_file(path);
  std::vector<ConfigLine> lines;
  std::string section;
  std::size_t number = 0;
  for (std::size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = detail::trimmed(std::string_view(bytes).substr(at, end - at));
    at = end + 1;
    const std::string where = name + ":" + std::to_string(++number);
    const auto equals = line.find('=');
    if (detail::is_remark(line)) continue;
    if (const auto close = line.find(']');
        line[0] == '[' && close != line.npos && detail::is_remark(detail::trimmed(line.substr(close + 1)))) {
      section = detail::trimmed(line.substr(1, close - 1));
      continue;
    }
    const std::string_view key = detail::trimmed(line.substr(0, equals == line.npos ? 0 : equals));
    if (key.empty()) throw Error("entrain.app.14", where, std::string(line), "[section] or key = value");
    const auto dot = key.rfind('.');
    const std::string_view inside = dot == key.npos ? std::string_view() : key.substr(0, dot);
    ConfigLine& read = lines.emplace_back();
    read.where = where;
    read.section = section + (section.empty() || inside.empty() ? "" : ".") + std::string(inside);
    read.key = dot == key.npos ? key : key.substr(dot + 1);
    const std::string_view value = detail::trimmed(line.substr(equals + 1));
    read.is_array = value.starts_with('[');
    if (read.is_array)
      read.items = detail::config_array(value, where);
    else
      read.value = detail::config_value(value, where);
  }
  return lines;
}

/// A value in the syntax of a file of options.
inline std::string config_quoted(std::string_view value) {
  std::string s = "\"";
  for (const char c : value) s.append(c == '"' || c == '\\' ? "\\" : "").append(1, c);
  return s + "\"";
}

}  // namespace entrain::app
