// tests > [kernel]
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/packed.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;

TEST_CASE("gemm: the three products against loops, awkward sizes") { test::check_products<kernel::EigenGemm>(); }

TEST_CASE("gemm: same bits for any number of threads") { test::check_threads<kernel::EigenGemm>(); }

TEST_CASE("gemm: parts of as many rows as a batch may have") {
  constexpr int most = 16'777'216, n = 65'536;
  using kernel::detail::cut;
  for (const int unit : {1, 8, 32})
    for (const int i : {0, 1, 2, n / 2 + 1, n - 1, n}) {
      const std::int64_t first = std::int64_t{most / unit} * i / n * unit;
      CHECK(cut(most, unit, i, n) == first);
      CHECK(cut(most - 1, unit, i, n) ==
            std::min<std::int64_t>(std::int64_t{most / unit - (unit == 1)} * i / n * unit, most - 1));
    }
}

TEST_CASE("gemm: operands put in another order, the three products against loops") {
  test::check_products<kernel::PackedGemm>();
}

TEST_CASE("gemm: operands put in another order, same bits for any number of threads") {
  test::check_threads<kernel::PackedGemm>();
}

TEST_CASE("gemm: a layer on device::Cpu<kernel::PackedGemm>") {
  const device::Cpu<kernel::PackedGemm> dev(2);
  const auto report = test::check_gradients<layer::Linear<24, 40>>(dev, test::Sentences({3, 1, 127}));
  CHECK_MESSAGE(report.worst < 1e-7, report.text);
}

TEST_CASE("gemm: labels are a run-time width, and padding between rows stays untouched") {
  constexpr int C = 24, n = 130, K = 33;
  const device::Cpu<> dev(2);
  const auto x = test::gemm_noise<double>(std::size_t(n) * C, 1), w = test::gemm_noise<double>(std::size_t(K) * C, 2);
  std::vector<double> y(std::size_t(n) * 48, 7.0);
  const LabelMatrix<double> wide(y.data(), n, K);
  CHECK(wide.stride == 48);
  kernel::gemm(dev, Rows<const double, C>(x.data(), n), Weight<const double, dynamic_labels, C>{w.data(), K}, wide);
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int i = 0; i < C; ++i) sum += x[std::size_t(r * C + i)] * w[std::size_t(32 * C + i)];
    CHECK(wide(r, 32) == doctest::Approx(sum));
    CHECK(wide.row_at(r)[33] == 7.0);
  }
}

TEST_CASE("gemm: the plan counts") {
  device::Plan plan;
  kernel::gemm(plan, Rows<const float, 4>(nullptr, 10), Weight<const float, 3, 4>{}, Rows<float, 3>(nullptr, 10));
  CHECK(plan.flops == 2 * 10 * 3 * 4);
  CHECK(plan.bytes == 4 * (10 * 4 + 12 + 30));
  CHECK(plan.ops == 1);
}

TEST_CASE("gemm: the workspace holds both packed operands") {
  CHECK(kernel::EigenGemm::workspace(1) == (192 + 1024) * 384);
  CHECK(kernel::EigenGemm::workspace(8) == 8 * kernel::EigenGemm::workspace(1));
  for (const std::size_t number : {4u, 8u})  // bytes of a range of a panel, whatever the scalar
    CHECK(kernel::PackedGemm::workspace(number) == 192 * 3 * (ENTRAIN_VECTOR_BYTES / number) * number);
}
