// tests > [cuda_on_cpu]
//
// Work that comes again is launched as a graph; what is sent meanwhile overtakes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entrain/cuda.cuh"
#include "entrain/device/backward_hooks.hpp"
#include "entrain/device/forward_updates.hpp"
#include "entrain/device/side_stream.hpp"
#include "tests/cuda/cases/trainer.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace graphs_test {
using namespace entrain;

namespace {

/// A queue with one number after it.
struct Queue {
  device::Cuda<> dev;
  device::Cuda<>::Buffer<int> there{4};
  int first() const {
    int x = 0;
    dev.download(&x, there.data(), 1);
    return x;
  }
  void set(int x) { dev.upload(there.data(), &x, 1); }
  void double_it() { dev.copy(there.data() + 1, there.data(), 1); }
};

/// Work as a device queues it: by its graph, if there is one.
template <bool Graphs = true> struct Replaying : device::Replay<Graphs> {
  void operator()(cudaStream_t stream, const std::vector<std::size_t>& key, auto&& work) {
    if (const device::Graph* const graph = this->graph(stream, key, work)) return graph->launch(stream);
    work();
  }
};

}  // namespace

TEST_CASE("a key that comes again is launched as a graph, another one is not") {
  Queue queue;
  Replaying<> replay;
  int made = 0;
  const auto run = [&](std::size_t key) {
    replay(queue.dev.stream(), {key, 7}, [&] {
      ++made;
      queue.double_it();
    });
  };
  const auto before = harness::Machine::now().graphs;
  run(1);
  CHECK(made == 1);
  CHECK(replay.graphs() == 0);
  run(1);
  CHECK(made == 2);
  CHECK(replay.graphs() == 1);
  run(1);
  run(1);
  CHECK(made == 2);
  run(2);
  CHECK(made == 3);
  CHECK(replay.graphs() == 1);
  CHECK(harness::Machine::now().graphs == before + 3);

  Replaying<false> never;
  for (int i = 0; i < 3; ++i) never(queue.dev.stream(), {1}, [&] { ++made; });
  CHECK(made == 6);
}

TEST_CASE("of more keys than are kept, those that have not come for longest are forgotten") {
  Queue queue;
  Replaying<> replay;
  std::vector<int> made(200);
  const auto run = [&](std::size_t key) { replay(queue.dev.stream(), {key}, [&] { ++made[key]; }); };
  for (std::size_t key = 0; key < replay.most; ++key) run(key);
  run(0);            // captured, and now the latest
  run(replay.most);  // takes the place of 1
  for (int i = 0; i < 3; ++i) run(0);
  CHECK(made[0] == 2);
  run(1);
  CHECK(made[1] == 2);
  CHECK(replay.graphs() == 1);  // 1 has come for the first time, as far as is known
  run(replay.most);
  CHECK(made[replay.most] == 2);
  CHECK(replay.graphs() == 2);
}

TEST_CASE("where the GPU has no memory for another graph half of them are kept, and what was asked for is done") {
  Queue queue;
  Replaying<> replay;
  auto& machine = harness::Machine::now();
  const harness::Machine before = machine;
  std::vector<int> made(9);
  const auto twice = [&](std::size_t key) {
    for (int i = 0; i < 2; ++i)
      replay(queue.dev.stream(), {key}, [&] {
        ++made[key];
        queue.double_it();
      });
  };
  machine.node_bytes = 1000, machine.bytes = machine.taken + 3500;
  for (std::size_t key = 0; key < 3; ++key) twice(key);
  CHECK(replay.graphs() == 3);
  twice(3);
  CHECK(made[3] == 3);  // as it was, captured, and as it was
  CHECK(replay.graphs() == 0);
  for (const std::size_t key : {3, 4, 5}) {
    twice(key);
    CHECK(replay.graphs() == 1);
  }
  CHECK(machine.taken == before.taken + 1000);

  machine.bytes = before.taken + 500;
  twice(6);
  for (int i = 0; i < 3; ++i) twice(7);
  CHECK(replay.graphs() == 0);
  CHECK(made[7] == 6);
  CHECK(machine.taken == before.taken);
  machine.node_bytes = before.node_bytes, machine.bytes = before.bytes;
}

TEST_CASE("what cannot be captured is an error, and the queue continues") {
  Queue queue;
  queue.set(5);
  Replaying<> replay;
  const auto waits = [&] { replay(queue.dev.stream(), {1}, [&] { queue.first(); }); };
  waits();
  std::string said;
  try {
    waits();
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(said.find("entrain.device.2: cudaMemcpyAsync: cudaErrorStreamCaptureUnsupported") == 0);
  CHECK(queue.first() == 5);
}

TEST_CASE("a side stream works at the same time as what is queued, after the fork and before what follows the join") {
  for (const bool ahead : {false, true}) {
    Queue queue;
    harness::Machine::now().others_run_ahead = ahead;
    Replaying<> replay;
    const auto at = [&](int i) { return queue.there.data() + i; };
    for (int turn = 0; turn < 8; ++turn) {
      CAPTURE(turn);
      queue.set(turn);
      replay(queue.dev.stream(), {1}, [&] {
        device::SideStream lane(queue.dev);
        queue.dev.copy(at(1), at(0), 1);
        lane([&](const device::Cuda<>& dev) { dev.copy(at(2), at(1), 1); });
        queue.dev.copy(at(3), at(0), 1);
        lane([&](const device::Cuda<>& dev) { dev.copy(at(3), at(2), 1); });
        lane.join();
        queue.dev.copy(at(1), at(3), 1);
        queue.dev.copy(at(2), at(3), 1);
        lane.join();  // of nothing
      });
      int is[4] = {};
      queue.dev.download(is, queue.there.data(), 4);
      for (const int x : is) CHECK(x == turn);
      const int others[4] = {-1, -1, -1, -1};
      queue.dev.upload(queue.there.data(), others, 4);
    }
    harness::Machine::now().others_run_ahead = false;
  }
}

TEST_CASE("a side stream that is not joined is an error, and the queue continues") {
  Queue queue;
  queue.set(5);
  Replaying<> replay;
  const auto left_alone = [&] {
    replay(queue.dev.stream(), {1}, [&] {
      device::SideStream lane(queue.dev);
      lane([&](const device::Cuda<>& dev) { dev.copy(queue.there.data() + 1, queue.there.data(), 1); });
    });
  };
  left_alone();
  CHECK_THROWS_WITH_AS(left_alone(), doctest::Contains("cudaStreamEndCapture: cudaErrorStreamCaptureUnjoined"), Error);
  CHECK(queue.first() == 5);
}

TEST_CASE("values change at the same time as what is queued: each wait finds one height more, arrive finds all") {
  for (const bool ahead : {false, true}) {
    Queue queue;
    harness::Machine::now().others_run_ahead = ahead;
    Replaying<> replay;
    device::ForwardUpdates<device::Cuda<>> updates(queue.dev, 2);
    const auto at = [&](int i) { return queue.there.data() + i; };
    const auto number = [&](int i) {
      int x = 0;
      queue.dev.download(&x, at(i), 1);
      return x;
    };
    for (const bool waits : {true, false})
      for (int turn = 1; turn < 8; ++turn) {
        CAPTURE(turn);
        queue.set(turn);
        replay(queue.dev.stream(), {std::size_t(waits)}, [&] {
          updates.start([&](const device::Cuda<>& beside, int height) { beside.copy(at(height), at(0), 1); });
          if (waits) {
            updates.wait_for_block();
            queue.dev.copy(at(3), at(1), 1);  // finds the first
            updates.after([&](const device::Cuda<>& beside) { beside.copy(at(1), at(2), 1); });
          }
          updates.arrive();
          queue.dev.copy(at(3), at(waits ? 3 : 2), 1);
          queue.dev.copy(at(2), at(3), 1);
          updates.wait_for_block();  // there is nothing to wait for
        });
        CHECK(number(2) == turn);
        CHECK(number(1) == turn);
      }
  }
  harness::Machine::now().others_run_ahead = false;
}

TEST_CASE("work of the backward hooks comes after what a block wrote and before what follows, once for a height") {
  for (const bool ahead : {false, true}) {
    Queue queue;
    harness::Machine::now().others_run_ahead = ahead;
    Replaying<> replay;
    device::BackwardHooks<device::Cuda<>> hooks(queue.dev, 2);
    const auto at = [&](int i) { return queue.there.data() + i; };
    for (const int blocks : {2, 1, 0, 3})  // of which the third is the embedding, for which nothing is done
      for (int turn = 1; turn < 8; ++turn) {
        CAPTURE(blocks);
        CAPTURE(turn);
        const int before[4] = {turn, -1, -2, -3};
        queue.dev.upload(queue.there.data(), before, 4);
        replay(queue.dev.stream(), {std::size_t(blocks)}, [&] {
          auto work = [&](const device::Cuda<>& beside, int height) { beside.copy(at(height), at(3), 1); };
          hooks.start(work);
          queue.dev.copy(at(3), at(0), 1);
          for (int i = 0; i < blocks; ++i) hooks.block_gradients_ready();
          CHECK(hooks.arrive() == std::max(0, 2 - blocks));
          queue.dev.copy(at(0), at(2), 1);
          queue.dev.copy(at(3), at(1), 1);
        });
        int after[4] = {};
        queue.dev.download(after, queue.there.data(), 4);
        CHECK(after[0] == (blocks > 0 ? turn : -2));
        CHECK(after[3] == (blocks > 1 ? turn : -1));
      }
  }
  harness::Machine::now().others_run_ahead = false;
}

namespace {

/// A small trainer and batches of one size.
template <class Optimizer> struct SmallOf {
  using Case = entrain::test::TrainerCase<entrain::test::LightTagger, Optimizer>;
  using Trainer = train::Trainer<typename Case::Model, precision::Fp32, device::Cuda<>, Optimizer>;
  device::Cuda<> dev;
  typename Trainer::Labels labels{std::vector<std::string>{"LOC", "PER"}};
  batch::Encoded<typename Case::Words> encoded = [this] {
    const train::Tagged split = train::tagged(Case::corpus(12), {});
    auto e = batch::encode<typename Case::Words>(split.corpus);
    train::set_targets(e, split, labels, "conlleval");
    return e;
  }();
  Trainer trainer{dev, labels, static_cast<int>(encoded.word.size()), 1};
  batch::Packer<typename Case::Words> packer{trainer.rows()};

  void accumulate(int i) {  // other sentences, filled to the same size
    const std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    trainer.accumulate(packer.pack(encoded, std::span(order).subspan(static_cast<std::size_t>(i % 3)), 3), 0.1f);
  }
  void steps(int count, int micro_batches) {
    for (int i = 0; i < count; ++i) {
      for (int micro_batch = 0; micro_batch < micro_batches; ++micro_batch) accumulate(i);
      trainer.update({}, 0.01, 1);
    }
  }
  /// Graphs that f launches.
  static std::size_t launched(auto&& f) {
    const auto before = harness::Machine::now().graphs;
    f();
    return harness::Machine::now().graphs - before;
  }
};
using Small = SmallOf<optim::AdamW>;

}  // namespace

TEST_CASE("a trainer's steps are graphs: one a micro-batch, the last one's with the update") {
  Small s;
  s.steps(5, 1);  // two pieces of memory, each seen twice after another step
  CHECK(s.trainer.graphs() == 2);
  CHECK(s.launched([&] { s.steps(10, 1); }) == 10);
  s.steps(4, 3);
  CHECK(s.launched([&] { s.steps(10, 3); }) == 30);
  CHECK(s.trainer.graphs() == 8);
  CHECK(s.launched([&] { s.accumulate(0); }) == 0);  // it waits for what comes
  CHECK(s.launched([&] { s.trainer.values(); }) == 1);
  const device::TimeSpent u = s.trainer.time_spent();
  CHECK(u.busy > 0.1);  // a kernel takes a millisecond here, and there is no time between
  CHECK(u.idle == 0);
  CHECK(u.launching > 0);
}

TEST_CASE("values that are read between steps are those of the last one, and graphs after it are others") {
  Small s, read;
  for (const int steps : {5, 1, 4, 1, 1}) {
    s.steps(steps, 1);
    read.steps(steps, 1);
    read.trainer.values();
  }
  CHECK(read.trainer.graphs() >= 2);
  const std::size_t size = s.trainer.layout().size;
  CHECK(std::vector<float>(s.trainer.values(), s.trainer.values() + size) ==
        std::vector<float>(read.trainer.values(), read.trainer.values() + size));
}

TEST_CASE("rows that no batch reads for more steps than rules are kept have had each of them") {
  Small dense;
  SmallOf<optim::LazyUpdate<optim::AdamW>> waits;
  const auto train = [](auto& s) {
    optim::Knobs knobs;
    knobs.weight_decay = 0.5;
    for (int i = 0; i < 40; ++i) {
      s.accumulate(0);
      s.trainer.update(knobs, 0.001 * (i + 1), 1);
    }
    return std::vector<float>(s.trainer.values(), s.trainer.values() + s.trainer.layout().size);
  };
  CHECK(train(dense) == train(waits));
}

TEST_CASE("a micro-batch that was asked for before its update is not done twice") {
  Small s, asked;
  for (int i = 0; i < 12; ++i) {
    s.accumulate(i);
    asked.accumulate(i);
    if (i % 4 < 2) asked.trainer.values();
    s.trainer.update({}, 0.01, 1);
    asked.trainer.update({}, 0.01, 1);
  }
  const std::vector<float> values(s.trainer.values(), s.trainer.values() + s.trainer.layout().size);
  CHECK(values == std::vector<float>(asked.trainer.values(), asked.trainer.values() + values.size()));
}

TEST_CASE("copies that run ahead of the kernels change nothing") {
  using Case = entrain::test::TrainerCase<entrain::test::LightTagger, optim::LazyUpdate<optim::Averaged<optim::AdamW>>>;
  const auto first = entrain::test::on_gpu<Case, precision::Fp32>(40, 3);
  harness::Machine::now().others_run_ahead = true;
  const auto again = entrain::test::on_gpu<Case, precision::Fp32>(40, 3);
  harness::Machine::now().others_run_ahead = false;
  REQUIRE(first.size() == again.size());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK_MESSAGE(first[i].values == again[i].values, first[i].name);
}

}  // namespace graphs_test
