// tests > [attempts]
//
// Tests of real time. Another program may take a core in the middle of a measurement, so a bound on time is a claim
// about the best of some attempts, never about one.
#pragma once

#include <functional>

namespace test {

/// What measure() returns, repeated until `holds` is true of it; after the last attempt, whatever it returned. The
/// caller then checks the bounds of what it gets, so that a failure names its figures.
template <class Measure, class Holds> auto best_of(int attempts, Measure measure, Holds holds) {
  auto measured = measure();
  for (int attempt = 1; attempt < attempts && !std::invoke(holds, measured); ++attempt) measured = measure();
  return measured;
}

}  // namespace test
