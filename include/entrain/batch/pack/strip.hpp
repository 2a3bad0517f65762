// text > [batch] > embed > encode > head > optim > checkpoint
//
// Numbers written a strip at a time. The next sentence overwrites the excess at the end of a sentence. Most sentences
// take one strip, so the CPU need not predict how often a loop runs, nor how long a copy is.
#pragma once
#include <array>
#include <cstddef>
#include <cstring>

namespace entrain::batch {

/// Fewer than this many numbers are written, and read, after an end: arrays have this much extra space there.
inline constexpr std::size_t strip = 32;

template <class T> void fill_strips(T* to, std::size_t n, T number) {
  std::array<T, strip> all;
  for (T& one : all) one = number;
  for (std::size_t i = 0; i == 0 || i < n; i += strip) std::memcpy(to + i, all.data(), sizeof all);
}
template <class T> void copy_strips(const T* from, std::size_t n, T* to) {
  for (std::size_t i = 0; i == 0 || i < n; i += strip) std::memcpy(to + i, from + i, strip * sizeof(T));
}
/// to[i] = from[i] + more. Through registers, so that the compiler need not test whether the two overlap.
template <class T> void add_strips(const T* from, std::size_t n, T more, T* to) {
  for (std::size_t i = 0; i == 0 || i < n; i += strip) {
    std::array<T, strip> some;
    std::memcpy(some.data(), from + i, sizeof some);
    for (T& one : some) one = static_cast<T>(one + more);
    std::memcpy(to + i, some.data(), sizeof some);
  }
}

}  // namespace entrain::batch
