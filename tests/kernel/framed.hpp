// tests > [kernel]
//
// Numbers in a frame: a kernel that writes beyond them is seen, and what it reads beyond them is NaN.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/gradient.hpp"

namespace entrain::test {

/// `size` numbers, NaN (all bits set) until they are written, between two margins that must not be written.
template <class T> class Framed {
 public:
  explicit Framed(std::size_t size) : size_(size), all_(size + 2 * margin) {
    std::memset(all_.data(), 0xFF, all_.size() * sizeof(T));
  }
  Framed(const std::vector<T>& numbers) : Framed(numbers.size()) { std::copy(numbers.begin(), numbers.end(), data()); }

  T* data() { return all_.data() + margin; }
  const T* data() const { return all_.data() + margin; }
  std::size_t size() const { return size_; }
  T operator[](std::size_t i) const { return data()[i]; }

  bool whole() const {
    Framed fresh(size_);
    std::copy_n(data(), size_, fresh.data());
    return std::memcmp(fresh.all_.data(), all_.data(), all_.size() * sizeof(T)) == 0;
  }

 private:
  static constexpr std::size_t margin = 80;  // more than any pack
  std::size_t size_;
  std::vector<T> all_;
};

/// Noise in a frame.
template <class T> Framed<T> framed_noise(std::size_t size, std::uint64_t seed) {
  const auto v = noise(size, seed);
  return Framed<T>(std::vector<T>(v.begin(), v.end()));
}

/// The largest difference between found numbers and expected(i), infinite where one is NaN or the frame is broken.
template <class T, class F> double off(const Framed<T>& found, F&& expected) {
  double worst = found.whole() ? 0 : INFINITY;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double e = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected(i)));
    worst = e <= worst ? worst : std::isnan(e) ? INFINITY : e;
  }
  return worst;
}

}  // namespace entrain::test
