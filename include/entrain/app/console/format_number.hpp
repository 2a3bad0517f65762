// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Numbers and lists formatted for a line of text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/report/number.hpp"

namespace entrain::app {

/// 1,234,567
inline std::string grouped(std::int64_t n) { return std::string(report::grouped(n).view()); }
inline std::string grouped(std::size_t n) { return grouped(static_cast<std::int64_t>(n)); }

/// 1 word; 1,234 words
inline std::string counted(std::size_t n, const char* one, const char* more) {
  return grouped(n) + " " + (n == 1 ? one : more);
}

/// 1.5 MiB
inline std::string mebibytes(std::size_t bytes) {
  return std::string(report::fixed(static_cast<double>(bytes) / (1 << 20), 1).view()) + " MiB";
}

/// PER, LOC
inline std::string listed(const std::vector<std::string>& names) {
  std::string s;
  for (const std::string& name : names) s.append(s.empty() ? "" : ", ").append(name);
  return s.empty() ? "none" : s;
}

}  // namespace entrain::app
