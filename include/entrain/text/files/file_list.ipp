// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of file_list.hpp.
#pragma once
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/text/files/byte_stream.hpp"  // refuse_no_file
#include "entrain/text/files/file_list.hpp"

namespace entrain::text {

namespace detail {

constexpr bool digit(char c) { return c >= '0' && c <= '9'; }

inline std::string_view digits_at(std::string_view s, std::size_t at) {
  std::size_t end = at;
  while (end < s.size() && digit(s[end])) ++end;
  return s.substr(at, end - at);
}

/// a{b,c}d: abd, acd. Braces without a comma between them are literal.
inline void expand_braces(const std::string& pattern, std::vector<std::string>& to) {
  for (std::size_t open = 0; open < pattern.size(); ++open) {
    if (pattern[open] == '\\') {
      ++open;  // and the character that it escapes
      continue;
    }
    if (pattern[open] != '{') continue;
    std::vector<std::size_t> cuts{open};
    int depth = 0;
    std::size_t at = open;
    for (; at < pattern.size(); ++at) {
      if (pattern[at] == '\\')
        ++at;
      else if (pattern[at] == '{')
        ++depth;
      else if (pattern[at] == ',' && depth == 1)
        cuts.push_back(at);
      else if (pattern[at] == '}' && --depth == 0)
        break;
    }
    if (at >= pattern.size() || cuts.size() == 1) continue;
    cuts.push_back(at);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      expand_braces(
          pattern.substr(0, open) + pattern.substr(cuts[i] + 1, cuts[i + 1] - cuts[i] - 1) + pattern.substr(at + 1),
          to);
    return;
  }
  to.push_back(pattern);
}

struct Globbed {
  glob_t list{};
  Globbed() = default;
  Globbed(const Globbed&) = delete;
  Globbed& operator=(const Globbed&) = delete;
  ~Globbed() { ::globfree(&list); }
};

/// The matches of a pattern without braces.
inline std::vector<std::string> matches_of(const std::string& pattern) {
  Globbed found;
  const auto stop = [](const char*, int why) { return int{why != ENOENT && why != ENOTDIR}; };
  const int said = ::glob(pattern.c_str(), GLOB_NOSORT, stop, &found.list);
  if (said != 0 && said != GLOB_NOMATCH)
    throw Error("entrain.text.3", pattern, "a folder that cannot be read", {}, "check its permissions");
  std::vector<std::string> files;
  if (said == 0) files.assign(found.list.gl_pathv, found.list.gl_pathv + found.list.gl_pathc);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return in_natural_order(a, b); });
  return files;
}

/// The matches of a pattern; each must exist.
inline std::vector<std::string> files_of(const std::string& pattern) {
  std::error_code ignored;
  if (pattern == "-" || std::filesystem::exists(pattern, ignored)) return {pattern};
  std::vector<std::string> parts, files;
  expand_braces(pattern, parts);
  for (const std::string& part : parts) {
    if (part.find_first_of("*?[\\") == part.npos) {
      files.push_back(part);
      continue;
    }
    const std::vector<std::string> found = matches_of(part);
    if (found.empty())
      throw Error("entrain.text.36", part, "no file matches this pattern", {},
                  part == pattern ? "check the folder and the pattern" : "it is part of the pattern '" + pattern + "'");
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// An identity that is the same for all names of one file: its canonical path, or for a pipe its device and file
/// numbers.
inline std::string place_of(const std::string& file) {
  if (can_be_read_once(file)) {
    struct stat about {};
    const int failed = file == "-" ? ::fstat(STDIN_FILENO, &about) : ::stat(file.c_str(), &about);
    if (failed != 0 || S_ISREG(about.st_mode)) return file;
    return "device " + std::to_string(about.st_dev) + ", file " + std::to_string(about.st_ino);
  }
  std::error_code failed;
  const auto one = std::filesystem::canonical(file, failed);
  return failed ? file : one.string();
}

}  // namespace detail

ENTRAIN_INLINE bool can_be_read_once(const std::string& file) {
  if (file == "-") return true;
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::is_fifo(status) || std::filesystem::is_socket(status) ||
         std::filesystem::is_character_file(status);
}

ENTRAIN_INLINE void refuse_read_twice(std::span<const std::pair<std::string, std::string>> named) {
  std::map<std::string, const std::string*> readers;
  for (const auto& [purpose, pattern] : named) {
    if (pattern.empty()) continue;
    for (const std::string& file : detail::files_of(pattern)) {
      if (!can_be_read_once(file)) continue;
      if (const auto [at, fresh] = readers.emplace(detail::place_of(file), &purpose); !fresh && *at->second != purpose)
        throw Error("entrain.text.39", name_of(file), "named twice, by " + *at->second + " and by " + purpose,
                    "only one of them, as it can be read only once", "save it in a file");
    }
  }
}

ENTRAIN_INLINE bool in_natural_order(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!detail::digit(a[i]) || !detail::digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    const std::string_view x = detail::digits_at(a, i), y = detail::digits_at(b, j);
    const auto number = [](std::string_view s) { return s.substr(std::min(s.find_first_not_of('0'), s.size())); };
    const std::string_view m = number(x), n = number(y);
    if (m.size() != n.size()) return m.size() < n.size();
    if (m != n) return m < n;
    i += x.size(), j += y.size();
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // 01 and 1
}

ENTRAIN_INLINE std::vector<std::string> file_list(std::span<const std::string> patterns, Folders folders) {
  if (patterns.empty())
    throw Error("entrain.text.38", "", "no files", "at least one", "name files, or - for standard input");
  std::vector<std::string> all;
  std::map<std::string, const std::string*> named;  // the pattern by canonical path
  for (const std::string& pattern : patterns)
    for (std::string& file : detail::files_of(pattern)) {
      if (file != "-") {
        std::error_code ignored;
        const bool folder = std::filesystem::is_directory(file, ignored);
        if (folder && folders == Folders::refused)
          throw Error("entrain.text.2", file, "a directory", "files",
                      file == pattern
                          ? "name the files in it, as in '" + (file.ends_with('/') ? file : file + "/") + "*.conll'"
                          : "'" + pattern + "' matches it too: make the pattern more specific");
        if (!folder) refuse_no_file(file);
      }
      if (const auto [at, fresh] = named.emplace(detail::place_of(file), &pattern); !fresh)
        throw Error("entrain.text.37", name_of(file), "named twice, by '" + *at->second + "' and by '" + pattern + "'",
                    "each file once", "remove one of them");
      all.push_back(std::move(file));
    }
  return all;
}

}  // namespace entrain::text
