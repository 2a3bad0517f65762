// bench: the common parts of programs that take turns: their clocks, their memory, and the loop that answers.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace slices {

inline double peak_rss_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

/// The times of many calls.
class Times {
 public:
  explicit Times(std::size_t calls) : calls_(calls) { seconds_.reserve(calls); }
  std::size_t size() const { return seconds_.size(); }
  void clear() { seconds_.clear(); }
  void each(auto&& call) {
    for (std::size_t i = 0; i < calls_; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      call();
      seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(seconds_.begin(), seconds_.end());
  }
  /// Fields of a line of JSON; none if no call was timed. Nearest ranks.
  std::string json() const {
    if (seconds_.empty()) return "";
    const auto rank = [&](std::size_t percent) { return 1e3 * seconds_[(seconds_.size() * percent + 99) / 100 - 1]; };
    char fields[80];
    std::snprintf(fields, sizeof fields, ", \"p50_ms\": %.4f, \"p99_ms\": %.4f", rank(50), rank(99));
    return fields;
  }

 private:
  std::size_t calls_;
  std::vector<double> seconds_;
};

/// Prints that it is ready, then answers each line of standard input with a line of JSON: slice(line) does the work and
/// returns the number of `unit` that it did; more() returns more fields. Ends at 'quit'.
template <class Slice, class More> void serve(const char* unit, std::size_t parameters, Slice&& slice, More&& more) {
  std::printf("{\"what\": \"ready\", \"system\": \"entrain\", \"parameters\": %zu}\n", parameters);
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line) && line != "quit";) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    const std::uint64_t done = slice(line);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double cpu = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    const double count = static_cast<double>(done);
    std::printf(
        "{\"system\": \"entrain\", \"what\": \"%s\", \"%s\": %.0f, \"seconds\": %.4f, \"%s_per_second\": %.1f, "
        "\"%s_per_cpu_second\": %.1f, \"peak_rss_mib\": %.1f%s}\n",
        line.c_str(), unit, count, wall, unit, count / wall, unit, count / cpu, peak_rss_mib(),
        std::string(more()).c_str());
    std::fflush(stdout);
  }
}

template <class Slice> void serve(const char* unit, std::size_t parameters, Slice&& slice) {
  serve(unit, parameters, slice, [] { return ""; });
}

}  // namespace slices
