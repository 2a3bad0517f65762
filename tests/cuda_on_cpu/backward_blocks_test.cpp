// tests > [cuda_on_cpu]
//
// Blocks whose side streams run during the next block, in two places in turn.
#include "entrain/device/backward_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "entrain/device/plan.hpp"
#include "tests/cuda/cases/trainer.hpp"

namespace backward_blocks_test {
using namespace entrain;

namespace {

using Gpu = device::Cuda<>;
constexpr int parts = 6, count = 3 * parts + 3;
constexpr std::size_t place = Arena::alignment;

/// Part k takes a number of scratch, puts in[k] there, and has a lane copy it to out[k]; and reads out[k + 1], of the
/// part before, which lanes may have written by then or not. When all are through, who joined reads out[0], and what a
/// lane was given since.
struct Parts {
  Gpu dev;
  Gpu::Buffer<int> numbers{count};
  Gpu::Buffer<std::byte> memory{4 * place};
  Arena arena{memory.data(), memory.size()};
  device::Replay<true> replay;

  int* in(int k) { return numbers.data() + k; }
  int* out(int k) { return numbers.data() + parts + k; }
  int* seen(int k) { return numbers.data() + 2 * parts + k; }
  int* since() { return numbers.data() + 3 * parts; }
  int* joined() { return since() + 1; }
  int* seen_since() { return since() + 2; }

  /// apart     the part that has a place of its own, if there is one of that number
  void run(int apart) {
    const Scratch give_back{arena};
    const Step<Gpu> at{dev, {}, {}, true, Write::assign, arena};
    device::BackwardBlocks<Gpu> turns(at, true);
    for (int k = parts - 1; k >= 0; --k) {
      const auto part = [&](const Step<Gpu>& of_part) {
        CHECK(of_part.schedule.deferred_join);
        const BackwardStep backward(of_part);
        int* const mine = backward.scratch.take<int>(1);
        dev.copy(mine, in(k), 1);
        backward.side([&](const Gpu& beside) { beside.copy(out(k), mine, 1); });
        if (k + 1 < parts) dev.copy(seen(k), out(k + 1), 1);
      };
      if (k == apart) {
        turns.apart(at, part);
      } else {
        turns(at, part);
      }
    }
    device::SideStream lane(dev);
    lane([&](const Gpu& beside) { beside.copy(since(), in(0), 1); });
    turns.finish(at);
    dev.copy(joined(), out(0), 1);
    dev.copy(seen_since(), since(), 1);
    lane.join();
  }
};

}  // namespace

TEST_CASE("a part's scratch stays until lanes are through with it; only the last but one is waited for") {
  for (const int apart : {-1, parts - 1, 0})
    for (const bool ahead : {false, true}) {
      Parts p;
      harness::Machine::now().others_run_ahead = ahead;
      bool lagged = false, not_since = false;
      for (int turn = 0; turn < 40; ++turn) {
        CAPTURE(turn);
        std::vector<int> numbers(count, -1);
        const auto at = [&](int* place) -> int& { return numbers[static_cast<std::size_t>(place - p.numbers.data())]; };
        for (int k = 0; k < parts; ++k) at(p.in(k)) = 100 * turn + k;
        p.dev.upload(p.numbers.data(), numbers.data(), numbers.size());
        const device::Graph* const graph = p.replay.graph(p.dev.stream(), {1}, [&] { p.run(apart); });
        if (graph != nullptr) {
          graph->launch(p.dev.stream());
        } else {
          p.run(apart);
        }
        p.dev.download(numbers.data(), p.numbers.data(), numbers.size());
        for (int k = 0; k < parts; ++k) CHECK(at(p.out(k)) == 100 * turn + k);
        CHECK(at(p.joined()) == 100 * turn);
        CHECK(at(p.since()) == 100 * turn);
        for (int k = 0; k + 1 < parts; ++k) lagged |= at(p.seen(k)) == -1;
        not_since |= at(p.seen_since()) == -1;
      }
      CHECK(lagged);
      CHECK(not_since);
      CHECK(p.arena.used == 0);
      CHECK(p.arena.peak == (apart < 0 ? 2 : 3) * place);
    }
  harness::Machine::now().others_run_ahead = false;
}

TEST_CASE("a plan counts two places with a side stream, and one without") {
  for (const bool beside : {false, true})
    for (const bool lanes : {false, true}) {
      Arena arena;
      const device::Plan plan{beside};
      const Step<device::Plan> at{plan, {}, {}, true, Write::assign, arena};
      device::BackwardBlocks<device::Plan> turns(at, lanes);
      CHECK(device::BackwardBlocks<device::Plan>::results(at, lanes) == (beside && lanes ? 3 : 2));
      const auto part = [&](const Step<device::Plan>& of_part) {
        CHECK(of_part.schedule.deferred_join == (beside && lanes));
        of_part.scratch.take<std::byte>(place);
      };
      turns(at, part);
      CHECK(arena.peak == place);
      turns.apart(at, part);
      for (int k = 0; k < 4; ++k) turns(at, part);
      CHECK(arena.peak == (beside && lanes ? 3 : 1) * place);
      turns.apart(at, part);
      CHECK(arena.peak == (beside && lanes ? 4 : 1) * place);
    }
}

TEST_CASE("parts of many rows do not take turns, and a plan has room for what fewer rows want") {
  using Case = entrain::test::TrainerCase<entrain::test::DeepTransformer, optim::AdamW>;
  using Trainer = train::Trainer<Case::Model, precision::Fp32, Gpu, optim::AdamW>;
  constexpr int most = device::most_rows_deferred;
  const auto arena = [](int rows) { return Trainer::planned(3, rows).cost.arena; };
  const auto alone = [](int rows) { return train::cost_of<Case::Model, precision::Fp32>({rows, rows, 3}).arena; };
  const auto beside = [](int rows) { return train::cost_of<Case::Model, precision::Fp32, Gpu>({rows, rows, 3}).arena; };
  CHECK(arena(most) == beside(most));
  CHECK(beside(most) > alone(most));
  CHECK(beside(most + 1) < beside(most));
  CHECK(beside(2 * most) > beside(most));
  CHECK(arena(most + 1) == beside(most));
  CHECK(arena(4 * most) == beside(4 * most));
}

TEST_CASE("who holds all parts finds their scratch as it is, and joins lanes alone") {
  const Gpu dev;
  Gpu::Buffer<std::byte> memory(4 * place);
  Arena arena{memory.data(), memory.size()};
  const Step<Gpu> at{dev, {}, {}, true, Write::assign, arena, nullptr, 0, {nullptr, nullptr, true}};
  device::BackwardBlocks<Gpu> turns(at, true);
  const auto part = [&](const Step<Gpu>& of_part) { of_part.scratch.take<std::byte>(place); };
  for (int k = 0; k < 3; ++k) turns(at, part);
  CHECK(arena.used == place);
  turns.finish(at);
  CHECK(arena.used == 2 * place);
  const Step<Gpu> many{dev, {1 << 20, 1, 1}, {}, true, Write::assign, arena, nullptr, 0, {nullptr, nullptr, true}};
  device::BackwardBlocks<Gpu>(many, true)(many, part);
  CHECK(arena.used == 3 * place);
}

TEST_CASE("a part that wants more than the first is refused") {
  Arena arena;
  const device::Plan plan{true};
  const Step<device::Plan> at{plan, {}, {}, true, Write::assign, arena};
  device::BackwardBlocks<device::Plan> turns(at, true);
  const auto take = [&](std::size_t bytes) {
    turns(at, [&](const Step<device::Plan>& of_part) { of_part.scratch.take<std::byte>(bytes); });
  };
  take(place);
  take(place / 2);  // less is no harm
  CHECK_THROWS_WITH_AS(
      take(2 * place),
      "entrain.device.7: scratch of a block: 128 bytes, expected at most 64, the bytes of the first block", Error);
}

}  // namespace backward_blocks_test
