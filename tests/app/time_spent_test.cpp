// tests > [app]
#include <doctest/doctest.h>

#include "entrain/app/result_words.hpp"

using namespace entrain;

TEST_CASE("what a device's time went to, in words, and why it was idle") {
  train::Outcome outcome;
  outcome.device = {9.7, 0.3, 1, 0.5};
  outcome.packing = 2;
  CHECK(app::time_spent_line(outcome) ==
        "computed 97.0 % of the time, idle 3.0 %, beside it copies 10.0 %; the host packed batches 20.0 %, launched "
        "5.0 %");
  outcome.device = {6.9, 3.1, 0, 1};
  CHECK(app::time_spent_line(outcome).ends_with("launched 10.0 %; it waited for batches, which one thread packs"));
  outcome.device.launching = 3;
  CHECK(app::time_spent_line(outcome).ends_with("; it waited to be told what to do: raise --token-budget"));
  CHECK(!train::Outcome().device.known());
}
