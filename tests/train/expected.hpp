// tests > [train]: the numbers of a golden file of tensors in fp64, and how far others are from them.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
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

}  // namespace test
