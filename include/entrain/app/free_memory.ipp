// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of free_memory.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

#include "entrain/app/free_memory.hpp"

namespace entrain::app {
namespace detail {

/// The number behind `key` in a file of `key number` lines; `fallback` where there is none.
inline std::size_t number_behind(const std::string& path, const std::string& key, std::size_t fallback) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::size_t number = 0;
    if (word == key) return file >> number ? number : fallback;
  }
  return fallback;
}

/// The number that a file holds; `fallback` where it does not, as in `max`.
inline std::size_t number_in(const std::string& path, std::size_t fallback) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : fallback;
}

/// What a limit leaves: file pages that nobody has read for long are given back when memory is asked for.
inline std::size_t left_of(std::size_t limit, std::size_t used, std::size_t given_back) {
  used -= std::min(used, given_back);
  return limit > used ? limit - used : 0;
}

}  // namespace detail

ENTRAIN_PART std::size_t free_memory(const std::string& root) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const std::size_t kib = detail::number_behind(root + "/proc/meminfo", "MemAvailable:", none);
  std::size_t free = kib == none ? none : kib * 1024;

  // Version 2: a group's limit holds for all groups below it.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string path = line.substr(3);; path.resize(path.rfind('/'))) {
      const std::string group = root + "/sys/fs/cgroup" + path + "/memory.";
      const std::size_t limit = detail::number_in(group + "max", none);
      if (limit != none)
        free = std::min(free, detail::left_of(limit, detail::number_in(group + "current", 0),
                                              detail::number_behind(group + "stat", "inactive_file", 0)));
      if (path.empty()) break;
    }
  }
  // Version 1, as a container sees it. A limit that is none is a very large number.
  const std::string group = root + "/sys/fs/cgroup/memory/memory.";
  const std::size_t limit = detail::number_in(group + "limit_in_bytes", none);
  if (limit != none)
    free = std::min(free, detail::left_of(limit, detail::number_in(group + "usage_in_bytes", 0),
                                          detail::number_behind(group + "stat", "total_inactive_file", 0)));
  return free == none ? 0 : free;
}

}  // namespace entrain::app
