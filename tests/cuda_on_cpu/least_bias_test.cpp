// tests > [cuda_on_cpu]
//
// Parameters that moved by far less than the steps of bf16, at a sublayer's end: what they move is what they are, on
// the mean.
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
namespace {

using P = precision::Bf16Mixed;
using D = device::Cuda<device::Sm90>;
constexpr int rows = 512, width = 64;

/// y where channels have the bias +b and -b by turns: a norm takes away what they have alike.
std::vector<double> normalised(float b, float gain = 1) {
  Stage<D, P, bf16> stage(gpu<D>(), 4);
  const Step<D> at = stage.step(rows).evaluating();
  constexpr std::size_t count = std::size_t(rows) * width;
  const std::vector<float> gains(width, gain), shifts(width, 0.0f);
  std::vector<bf16> biases(width), small(count);
  Random random(7);
  for (bf16& x : small) x = bf16(random.uniform() - 0.5f);
  for (std::size_t c = 0; c < width; ++c) biases[c] = bf16(c % 2 == 0 ? b : -b);
  const Rows<const bf16, width> f(stage.put(small), rows), x(stage.random<bf16>(count), rows);
  const Rows<bf16, width> sum(stage.poison<bf16>(count), rows), y(stage.poison<bf16>(count), rows);
  const Rows<float, 2> stat(stage.poison<float>(std::size_t(2) * rows), rows);
  using Kept = Weight<const float, 1, width>;
  kernel::bias_dropout_add_norm(at, f, Weight<const bf16, 1, width>{stage.put(biases)}, x, Kept{stage.put(gains)},
                                Kept{stage.put(shifts)}, 1e-12, sum, stat, y);
  stage.result("y", y.data, count);
  return stage.results.back().values;
}

}  // namespace

TEST_CASE("a bias of 5e-5 moves a sublayer in bf16 by as much on the mean: no tie goes by it") {
  const double b = 5e-5;
  const std::vector<double> with = normalised(static_cast<float>(b)), without = normalised(0);
  double moved = 0;
  for (std::size_t i = 0; i < with.size(); ++i) moved += (i % 2 == 0 ? 1 : -1) * (with[i] - without[i]);
  moved /= static_cast<double>(with.size());
  CHECK(moved > 0.6 * b);  // divided by the deviation of the sums, about 1.04
  CHECK(moved < 1.4 * b);
}

TEST_CASE("a gain that moved by 5e-4 moves a sublayer in bf16 by as much on the mean: it is read as it is kept") {
  const double more = 5e-4;
  const std::vector<double> with = normalised(0, static_cast<float>(1 + more)), without = normalised(0);
  double moved = 0, whole = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    moved += (with[i] - without[i]) * without[i];
    whole += without[i] * without[i];
  }
  CHECK(moved / whole > 0.6 * more);
  CHECK(moved / whole < 1.4 * more);
}

}  // namespace entrain::test
