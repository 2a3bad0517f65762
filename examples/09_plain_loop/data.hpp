// A data set as a program has it: samples by their numbers, each of which takes some time to prepare.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <entrain/batch/encode/sample.hpp>
#include <entrain/core/random.hpp>
#include <thread>
#include <vector>

namespace plain {
using namespace entrain;
constexpr int width = 2048;

class Data {
 public:
  Data(std::uint32_t samples, std::chrono::microseconds delay)
      : numbers_(std::size_t{samples} * width), labels_(samples), delay_(delay) {
    Random random(1);
    for (float& x : numbers_) x = 2 * random.uniform() - 1;
    for (std::int32_t& label : labels_) label = static_cast<std::int32_t>(random.below(2));
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(labels_.size()); }
  batch::Sample<float> operator[](std::uint32_t i) const {
    if (delay_.count() > 0) std::this_thread::sleep_for(delay_);
    const auto row = numbers_.begin() + static_cast<std::ptrdiff_t>(i) * width;
    return {{row, row + width}, labels_[i], i};
  }

 private:
  std::vector<float> numbers_;
  std::vector<std::int32_t> labels_;
  std::chrono::microseconds delay_;
};

// torch's __getitem__: threads call it.
struct Get {
  const Data* data;
  batch::Sample<float> operator()(std::uint32_t i) const { return (*data)[i]; }
};

}  // namespace plain
