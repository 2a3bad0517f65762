// [core] > device, precision > tensor > kernel > layer
//
// Definitions of free_memory.hpp.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "entrain/core/free_memory.hpp"

namespace entrain {
namespace detail {

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The number after `key` in a file of `key number` lines; `fallback` where there is none.
inline std::size_t number_after(const std::string& path, const std::string& key, std::size_t fallback) {
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

/// What a limit leaves. File pages that were not read for long count as free: the system gives them back on demand.
inline std::size_t left_of(std::size_t limit, std::size_t used, std::size_t given_back) {
  if (limit == no_limit) return no_limit;
  used -= std::min(used, given_back);
  return limit > used ? limit - used : 0;
}

/// A hierarchy of control groups: where it is mounted, and the group at that place.
struct GroupMount {
  std::string place, group;
};

/// Whether a comma-separated list has this part.
inline bool lists(std::string_view list, std::string_view part) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (list.substr(at, end - at) == part) return true;
    at = end + 1;
  }
  return false;
}

/// Where the groups that limit memory are mounted; `version` is 1 or 2. The usual place, if the system does not list
/// it.
/// source    proc_pid_mountinfo(5): id parent device root place options [tags] - type source options
inline GroupMount mount_of_groups(const std::string& root, int version) {
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string word, group, place, type, source, options;
    words >> word >> word >> word >> group >> place;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> options;
    if (version == 2 ? type == "cgroup2" : type == "cgroup" && lists(options, "memory")) return {place, group};
  }
  return {version == 2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory", "/"};
}

/// What the limits of the group `path` and of those above it leave.
inline std::size_t left_of_groups(const std::string& root, int version, std::string path) {
  const GroupMount mount = mount_of_groups(root, version);
  if (const std::string& top = mount.group; top != "/") {  // a container sees a part of the hierarchy
    if (path == top || path.starts_with(top + "/"))
      path.erase(0, top.size());
    else
      path.clear();
  }
  while (path.ends_with('/')) path.pop_back();
  std::size_t left = no_limit;
  for (;; path.resize(path.rfind('/'))) {
    const std::string group = root + mount.place + path + "/memory.";
    if (version == 2) {
      left = std::min(left, left_of(number_in(group + "max", no_limit), number_in(group + "current", 0),
                                    number_after(group + "stat", "inactive_file", 0)));
    } else {  // no limit is a very large number; limits of groups above the mount are in `stat` alone
      const std::size_t limit = std::min(number_in(group + "limit_in_bytes", no_limit),
                                         number_after(group + "stat", "hierarchical_memory_limit", no_limit));
      left = std::min(left, left_of(limit, number_in(group + "usage_in_bytes", 0),
                                    number_after(group + "stat", "total_inactive_file", 0)));
    }
    if (path.empty()) return left;
  }
}

/// What `ulimit -v` leaves.
inline std::size_t left_of_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  const std::size_t page = static_cast<std::size_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
  return left_of(limit.rlim_cur, number_in("/proc/self/statm", 0) * page, 0);
}

}  // namespace detail

ENTRAIN_INLINE std::size_t free_memory(const std::string& root) {
  const std::size_t kib = detail::number_after(root + "/proc/meminfo", "MemAvailable:", detail::no_limit);
  std::size_t free = kib == detail::no_limit ? kib : kib * 1024;
  // `4:memory:/a/b` of version 1, whose mount may hold other controllers too; `0::/a/b` of version 2.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    if (const bool newer = line.starts_with("0::"); newer || detail::lists(controllers, "memory"))
      free = std::min(free, detail::left_of_groups(root, newer ? 2 : 1, line.substr(second + 1)));
  }
  return std::min(free, detail::left_of_addresses());
}

}  // namespace entrain
