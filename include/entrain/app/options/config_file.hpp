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

/// A value as written: "with \\ and \" inside", 'taken literally', or bare up to a remark.
inline std::string config_value(std::string_view s, const std::string& where) {
  std::string value;
  if (s.empty() || (s[0] != '"' && s[0] != '\'')) {
    std::size_t end = 0;
    while (end < s.size() && !((end == 0 || s[end - 1] == ' ' || s[end - 1] == '\t') && is_remark(s.substr(end))))
      ++end;
    return std::string(trimmed(s.substr(0, end)));
  }
  std::size_t at = 1;
  for (; at < s.size() && s[at] != s[0]; ++at) {
    const bool escaped = s[0] == '"' && s[at] == '\\' && at + 1 < s.size();
    if (escaped && s[at + 1] != '"' && s[at + 1] != '\\')
      throw Error("entrain.app.14", where, "\\" + std::string(1, s[at + 1]) + " in quotes", "\\\\ or \\\"",
                  "write it in single quotes");
    value += s[at += escaped];
  }
  if (at >= s.size() || !is_remark(trimmed(s.substr(at + 1))))
    throw Error("entrain.app.14", where, std::string(s), "a value that ends with its quote");
  return value;
}

}  // namespace detail

/// throws    entrain.app.14 for a line that is not a section, `key = value` or a remark (# or ;)
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
    lines.push_back({where, section + (section.empty() || inside.empty() ? "" : ".") + std::string(inside),
                     std::string(dot == key.npos ? key : key.substr(dot + 1)),
                     detail::config_value(detail::trimmed(line.substr(equals + 1)), where)});
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
