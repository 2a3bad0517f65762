// [text] > batch > embed > encode > head > optim > checkpoint
//
// The rate of an augmenter: a probability, and the error for a number that is not one.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"

namespace entrain::text {

/// throws    entrain.text.70: it is not in 0 to 1        where: its owner, as in "TokenDrop"
inline double probability(double value, std::string_view where) {
  if (!(value >= 0 && value <= 1))
    throw Error("entrain.text.70", where, "a probability of " + std::to_string(value), "0 to 1");
  return value;
}

}  // namespace entrain::text
