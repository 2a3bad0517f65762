// tests > [cuda_on_cpu]
//
// What the GPU's time went to. On the harness a kernel takes a millisecond, and nothing else takes time.
#include <doctest/doctest.h>

#include <cmath>

#include "entrain/cuda.cuh"
#include "entrain/device/clock.cuh"

namespace clock_test {
using namespace entrain;

namespace {

struct Worked {
  device::Cuda<> dev;
  device::Cuda<>::Buffer<float> numbers{8};
  device::Clock clock;
  void kernels(int count) {
    for (int i = 0; i < count; ++i) kernel::convert(dev, numbers.data(), numbers.data() + 4, 4);
  }
  void piece(int count) {
    clock.begin(dev.stream());
    kernels(count);
    clock.end(dev.stream());
  }
};

}  // namespace

TEST_CASE("the clock counts pieces of work, and gaps between them") {
  Worked w;
  w.piece(3);
  CHECK(w.clock.busy() == 0);  // no thread has waited yet
  w.dev.finish();
  CHECK(w.clock.busy() == doctest::Approx(0.003));
  CHECK(w.clock.idle() == 0);
  w.kernels(2);  // as if it had nothing to do
  w.piece(1);
  w.dev.finish();
  CHECK(w.clock.busy() == doctest::Approx(0.004));
  CHECK(w.clock.idle() == doctest::Approx(0.002));
  w.kernels(7);
  w.clock.pause();
  w.piece(4);
  w.kernels(1);
  w.piece(1);
  w.dev.finish();
  CHECK(w.clock.busy() == doctest::Approx(0.009));
  CHECK(w.clock.idle() == doctest::Approx(0.003));
}

TEST_CASE("the clock has events for 63 pieces, and of none twice") {
  Worked w;
  w.piece(5000);  // so that none is over while the others come
  for (int i = 1; i < 80; ++i) {
    w.kernels(3);
    w.piece(i);
  }
  w.dev.finish();
  CHECK(w.clock.busy() == doctest::Approx(5 + 62 * 63 / 2 * 0.001));
  CHECK(w.clock.idle() == doctest::Approx(62 * 3 * 0.001));
}

TEST_CASE("pieces for which the clock has no events left are not counted, nor the gaps next to them") {
  Worked w;
  for (int i = 0; i < 100; ++i) {  // more than is done by and by
    w.piece(50);
    w.kernels(50);
  }
  w.dev.finish();
  const double busy = w.clock.busy() / 0.05, idle = w.clock.idle() / 0.05;
  CHECK(busy >= 63);
  CHECK(busy < 90);
  CHECK(idle <= busy - 1);  // gaps between pieces that were counted
  CHECK(idle == doctest::Approx(std::round(idle)));
  w.piece(50);
  w.piece(50);
  w.dev.finish();
  CHECK(w.clock.busy() / 0.05 == doctest::Approx(busy + 2));
  CHECK(w.clock.idle() / 0.05 == doctest::Approx(idle));
}

}  // namespace clock_test
