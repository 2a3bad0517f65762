// tests > [kernel]
//
// Products in bf16: exact for operands that bf16 holds, and for others those of the rounded operands.
#include <doctest/doctest.h>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/bf16.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;

namespace {

/// The three products of one layer, one after the other.
template <int I, int O> std::vector<float> products(const std::vector<float>& x, const std::vector<float>& w,
                                                    const std::vector<float>& dy, int n) {
  const device::Cpu<kernel::Bf16Gemm> dev(2);
  std::vector<float> out(std::size_t(n) * (I + O) + std::size_t(I) * O);
  float* const y = out.data();
  float* const dx = y + std::size_t(n) * O;
  kernel::gemm(dev, Rows<const float, I>(x.data(), n), Weight<const float, O, I>{w.data()}, Rows<float, O>(y, n));
  kernel::gemm_dx(dev, Rows<const float, O>(dy.data(), n), Weight<const float, O, I>{w.data()}, Rows<float, I>(dx, n),
                  Write::assign);
  kernel::gemm_dw(dev, Rows<const float, O>(dy.data(), n), Rows<const float, I>(x.data(), n),
                  Weight<float, O, I>{dx + std::size_t(n) * I}, Write::assign);
  return out;
}

}  // namespace

TEST_CASE("bf16 products: the three against loops, awkward sizes") { test::check_products<kernel::Bf16Gemm, bf16>(); }

TEST_CASE("bf16 products: same bits for any number of threads") { test::check_threads<kernel::Bf16Gemm>(); }

TEST_CASE("bf16 products: of any operands, those of the rounded ones") {
  constexpr int I = 67, O = 35, n = 41;
  const auto x = test::gemm_noise<float>(std::size_t(n) * I, 1), w = test::gemm_noise<float>(std::size_t(I) * O, 2),
             dy = test::gemm_noise<float>(std::size_t(n) * O, 3);
  const auto found = products<I, O>(x, w, dy, n);
  const auto wanted = products<I, O>(test::as_stored<bf16>(x), test::as_stored<bf16>(w), test::as_stored<bf16>(dy), n);
  CHECK(std::memcmp(found.data(), wanted.data(), 4 * wanted.size()) == 0);
}

TEST_CASE("bf16 products: to the nearest, ties to even; what is no number stays none") {
  test::check_rounding<kernel::Bf16Gemm>();
}

TEST_CASE("bf16 products: fp64 is not rounded, and a layer has its gradients") {
  const device::Cpu<kernel::Bf16Gemm> dev(2);
  const auto report = test::check_gradients<layer::Linear<24, 40>>(dev, test::Sentences({3, 1, 127}));
  CHECK_MESSAGE(report.worst < 1e-7, report.text);
}

TEST_CASE("bf16 products: the workspace holds a range of a tile, one of a panel, and what is turned") {
  const std::size_t panel = 3 * ENTRAIN_VECTOR_BYTES / 4;
  CHECK(kernel::Bf16Gemm::workspace(4) == 4 * (192 * (kernel::Bf16Gemm::most_rows + panel) + 64 * panel));
  CHECK(kernel::Bf16Gemm::most_rows % kernel::detail::panel_rows == 0);
  CHECK(kernel::Bf16Gemm::workspace(8) <= device::Cpu<kernel::Bf16Gemm>::workspace_bytes);
}
