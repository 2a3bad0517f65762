// bench: what the programs that take turns share: their clocks, their memory, and the loop that answers.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

namespace slices {

inline double peak_rss_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

/// Says that it is ready, then answers each line of standard input with a line of JSON: slice(line) does the work and
/// returns how many `unit` it did. Ends at 'quit'.
template <class Slice> void serve(const char* unit, std::size_t parameters, Slice&& slice) {
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
        "\"%s_per_cpu_second\": %.1f, \"peak_rss_mib\": %.1f}\n",
        line.c_str(), unit, count, wall, unit, count / wall, unit, count / cpu, peak_rss_mib());
    std::fflush(stdout);
  }
}

}  // namespace slices
