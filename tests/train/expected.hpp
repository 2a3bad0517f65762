// tests > [train]: the numbers of a golden file of tensors in fp64, how far others are from them, and all gradients of
// a model against them.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "entrain/checkpoint/read_file.hpp"
#include "entrain/checkpoint/safetensors.hpp"

namespace test {
namespace checkpoint = entrain::checkpoint;

inline checkpoint::Safetensors file(const std::string& path) { return {checkpoint::read_file(path, 1 << 24), path}; }
template <class T> std::vector<T> numbers(const checkpoint::Safetensors& f, const std::string& name) {
  const auto* const tensor = f.find(name);
  REQUIRE_MESSAGE(tensor != nullptr, name);
  std::vector<double> read(tensor->bytes.size() / sizeof(double));
  std::memcpy(read.data(), tensor->bytes.data(), tensor->bytes.size());
  return {read.begin(), read.end()};
}
/// |found - expected| / |expected|
template <class T> double off(const T* found, const std::vector<double>& expected) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(static_cast<double>(found[i]) - expected[i], 2);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

/// The gradients of all parameters are those of the file, `prefix` before their names there. Rows of a table that no
/// sample has touched are 0, whatever is in their place.
///
/// theirs(name) -> the name of a parameter in the file
template <class Layout, class T> void gradients_equal(const Layout& layout, std::vector<T>& gradients,
                                                      const std::vector<std::uint32_t>& stamps,
                                                      const checkpoint::Safetensors& expected,
                                                      const std::string& prefix, auto&& theirs, double tolerance) {
  double whole = 0;
  for (const auto& s : layout.spans)
    for (const double g : numbers<double>(expected, prefix + theirs(s.name))) whole += g * g;
  for (const auto& s : layout.spans) {
    CAPTURE(s.name);
    T* const g = gradients.data() + s.offset;
    if (s.sparse)
      for (int r = 0; r < s.rows; ++r)
        if (stamps[s.stamp_offset + static_cast<std::size_t>(r)] == 0)
          std::fill_n(g + static_cast<std::size_t>(r) * static_cast<std::size_t>(s.cols), s.cols, T(0));
    const auto is = numbers<double>(expected, prefix + theirs(s.name));
    double norm = 0;
    for (const double x : is) norm += x * x;
    if (norm < 1e-16 * whole) {  // the key's bias moves no probability: what is left is rounding
      for (std::size_t i = 0; i < is.size(); ++i)
        CHECK(std::abs(static_cast<double>(g[i]) - is[i]) < tolerance * std::sqrt(whole));
    } else {
      CHECK(off(g, is) < tolerance);
    }
  }
}

}  // namespace test
