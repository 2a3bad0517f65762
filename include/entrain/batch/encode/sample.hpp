// text > [batch] > embed > encode > head > optim > checkpoint
//
// A sample that is numbers already, and what can be wrong with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/tensor/targets.hpp"

namespace entrain::batch {

/// Number    std::int32_t for ids (ids.hpp), float for a row of numbers (floats.hpp)
template <class Number> struct Sample {
  std::vector<Number> numbers;
  std::int32_t label = no_target<std::int32_t>();
  std::uint64_t number = 0;  // among all samples, for messages
};

/// The parts of an Error about a sample.
struct SampleFault {
  std::string found, expected, remedy;
};

}  // namespace entrain::batch
