// tests > [train]
#include "entrain/train/loop/memory_plan.hpp"

#include <doctest/doctest.h>

#include "entrain/train/loop/step_batches.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace memory_plan_test {
using namespace entrain;
using namespace test;

namespace {

/// A device that gives memory in pages; it only plans.
struct Paged {
  static constexpr std::size_t page_bytes = 1 << 20;
};

template <class... Bytes> std::size_t rounding_of(Bytes... bytes) {
  train::detail::Rounding<Paged> rounding;
  (rounding(static_cast<std::size_t>(bytes)), ...);
  return rounding.added();
}

template <class Model> std::size_t total(int rows) {
  return train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>::planned(3, rows).total();
}
using EachPiece =
    train::Trainer<Bert, precision::Fp32, device::Cpu<>, optim::LazyUpdate<optim::Averaged<optim::AdamW>>>;

}  // namespace

TEST_CASE("memory plan: large pieces fill pages of their own, small ones share them") {
  constexpr std::size_t page = Paged::page_bytes;
  CHECK(rounding_of() == 0);
  CHECK(rounding_of(0) == 0);
  CHECK(rounding_of(page) == 0);
  CHECK(rounding_of(page + 1) == page - 1);
  CHECK(rounding_of(page / 2) == page / 2);
  CHECK(rounding_of(1) == page - 1);
  CHECK(rounding_of(1, 512, 513) == page - 1026);
  CHECK(rounding_of(page / 2 - 1, page / 2 - 1) == 2);
  CHECK(rounding_of(page / 2 - 1, page / 2 - 1, 1) == page + 1);
  CHECK(rounding_of(3 * page - 5, 10) == 5 + page - 10);
}

TEST_CASE("memory plan: kinds that there are, and their sum") {
  const train::MemoryPlan plan = EachPiece::planned(3, 100);
  CHECK(plan.rows == 100);
  CHECK(plan.copies == 0);
  CHECK(plan.batch == 0);     // the CPU reads it where it was packed
  CHECK(plan.rounding == 0);  // and takes what it is given
  const Layout layout = layout_of<Bert>(3);
  CHECK(plan.values == layout.size * 4);
  CHECK(plan.gradients == layout.gradients * 4);
  CHECK(plan.moments == 3 * layout.size * 4);
  CHECK(plan.stamps > 2 * layout.stamps * 4);  // of steps, and of rows that wait; and 128 rules
  CHECK(plan.asked() ==
        plan.values + plan.gradients + plan.moments + plan.stamps + plan.steps + plan.results + plan.cost.arena);
  CHECK(plan.total() == plan.asked());
}

TEST_CASE("memory plan: grows with rows in proportion, up to the largest batch that may be asked for") {
  const auto grows = [](auto total) {
    const auto of = [&](int rows) { return static_cast<double>(total(rows)); };
    const double one = of(1 << 12) - of(1 << 11);
    for (int doublings = 1; doublings <= 12; ++doublings) {
      const int rows = 1 << (11 + doublings);
      CHECK((of(2 * rows > 1 << 24 ? 1 << 24 : 2 * rows) - of(rows)) / one ==
            doctest::Approx(1 << doublings).epsilon(0.01));
    }
  };
  grows([](int rows) { return total<Tiny>(rows); });
  grows([](int rows) { return total<Bert>(rows); });
}

TEST_CASE("memory plan: bytes of a row and of a sentence") {
  const auto tiny = train::bytes_per<Tiny, precision::Fp32, device::Cpu<>>(3);
  const auto arena = [](int rows, int sentences) {
    return train::cost_of<Tiny, precision::Fp32>({rows, sentences, 3}).arena;
  };
  CHECK(tiny.row > 8 * 4);
  CHECK(tiny.row < 4096);
  const auto close = [](std::size_t a, std::size_t b) { return a <= b + 1 && b <= a + 1; };  // the arena has lines
  CHECK(close((arena(9000, 1) - arena(3000, 1)) / 6000, tiny.row));
  CHECK(close((arena(9000, 9000) - arena(3000, 3000)) / 6000, tiny.row + tiny.sentence));
  // a chain's loss is of whole sentences, that of a softmax is not
  CHECK(tiny.sentence > 0);
  CHECK(train::bytes_per<Bert, precision::Fp32, device::Cpu<>>(3).sentence == 0);
}

TEST_CASE("memory plan: the most rows that fit") {
  const auto ten_each = [](int rows) { return 100 + 10 * static_cast<std::size_t>(rows); };
  const auto most = [&](std::size_t bytes, int enough) { return train::largest_rows(bytes, enough, ten_each); };
  CHECK(most(0, 50) == 0);
  CHECK(most(109, 50) == 0);
  CHECK(most(110, 50) == 1);
  CHECK(most(119, 50) == 1);
  CHECK(most(120, 50) == 2);
  for (int rows = 1; rows < 70; ++rows) {
    CHECK(most(ten_each(rows), 1000) == rows);
    CHECK(most(ten_each(rows + 1) - 1, 1000) == rows);
    CHECK(most(1'000'000, rows) == rows);
    CHECK(most(ten_each(rows), 64) == std::min(rows, 64));
  }
  CHECK(most(1'000'000, 0) == 0);
  CHECK(most(~std::size_t(0), 1 << 24) == 1 << 24);
}

TEST_CASE("step batches: as few as hold the step, and even") {
  const auto are = [](std::int64_t step, int largest, int budget, int batches) {
    const train::StepBatches b = train::step_batches(step, largest);
    CHECK(b.token_budget == budget);
    CHECK(b.gradient_accumulation_steps == batches);
  };
  are(1024, 1024, 1024, 1);
  are(1024, 5000, 1024, 1);
  are(1024, 1023, 512, 2);
  are(1024, 512, 512, 2);
  are(1024, 511, 342, 3);
  are(1024, 1, 1, 1024);
  are(1, 1, 1, 1);
  are(0, 7, 1, 1);
  are(std::int64_t(1) << 40, 1 << 24, 1 << 24, 1 << 16);
  for (int step = 1; step < 60; ++step)
    for (int largest = 1; largest < 70; ++largest) {
      const train::StepBatches b = train::step_batches(step, largest);
      CHECK(b.token_budget <= largest);
      CHECK(b.token_budget * b.gradient_accumulation_steps >= step);
      CHECK((b.gradient_accumulation_steps - 1) * largest < step);
    }
}

}  // namespace memory_plan_test
