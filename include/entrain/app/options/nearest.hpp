// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A name that was mistyped, and the one that was meant: "did you mean --epochs?".
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace entrain::app {

/// Number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
/// source    optimal string alignment; Damerau 1964, DOI 10.1145/363958.363994
inline std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

/// The name nearest to the typed one, if at most one letter in three is wrong, or else the shortest name that begins
/// with it; empty if there is none. Case, and `_` for `-`, do not count as differences.
inline std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  const auto plain = [](std::string_view s) {
    std::string out;
    for (const char c : s) out += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
  };
  const std::string wanted = plain(typed.substr(0, 64));
  const std::string* best = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& name : names)
    if (const std::size_t n = edits(wanted, plain(name)); n < fewest) best = &name, fewest = n;
  if (best == nullptr && wanted.size() >= 3)
    for (const std::string& name : names)
      if (name.starts_with(wanted) && (best == nullptr || name.size() < best->size())) best = &name;
  return best == nullptr ? std::string() : *best;
}

/// " (did you mean --epochs?)", or nothing.
inline std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names,
                                std::string_view before = {}) {
  const std::string name = nearest(typed, names);
  return name.empty() ? name : " (did you mean " + std::string(before) + name + "?)";
}

}  // namespace entrain::app
