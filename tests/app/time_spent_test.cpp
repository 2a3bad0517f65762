// tests > [app]
#include <doctest/doctest.h>

#include "entrain/app/train/result_words.hpp"

namespace time_spent_test {
using namespace entrain;

TEST_CASE("how a GPU ran, in words, as far as it is known") {
  CHECK(app::gpu_line({1980, 3201, 611.6, 700, std::size_t(38) << 30, std::size_t(140) << 30}) ==
        "1,980 MHz, memory 3,201 MHz, 612 of 700 W, 38.0 of 140.0 GiB");
  CHECK(app::gpu_line({0, 0, 70.2, 0, 0, 0}) == "70 W");
  CHECK(!device::GpuReading().known());
}

TEST_CASE("what a device's time went to, in words") {
  train::Outcome outcome;
  outcome.device = {9.7, 0.3, 1, 0.5};
  outcome.waiting = 2;
  CHECK(app::time_spent_line(outcome) ==
        "computed 97.0 % of the time, idle 3.0 %, copying in parallel 10.0 %; the training thread waited for batches "
        "20.0 %, launched kernels 5.0 %");
  CHECK(!train::Outcome().device.known());
}

}  // namespace time_spent_test
