// tests > [kernel]
//
// Products in bf16 by blocks, with AMX or vector registers: exact for operands that bf16 holds, and for others those of
// the rounded operands. On a CPU without the instructions their twins multiply.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/kernel/gemm/bf16.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;
using kernel::detail::Pair;
using kernel::detail::Side;
using kernel::detail::SumAxis;

namespace {

/// The three products of one layer, one after the other.
template <class Policy, int I, int O> std::vector<float> products(const std::vector<float>& x,
                                                                  const std::vector<float>& w,
                                                                  const std::vector<float>& dy, int n) {
  const device::Cpu<Policy> dev(2);
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

template <SumAxis Stored, Side At> void check_packing() {
  const auto numbers = test::gemm_noise<float>(64 * 64, 1);
  for (const int lines : {1, 2, 15, 16})
    for (const int deep : {1, 2, 15, 16, 17, 31, 32}) {
      std::vector<Pair> found(256, Pair{7}), wanted(256, Pair{9});
      kernel::detail::pack_tile<Stored, At>(numbers.data(), 64, lines, deep, found.data());
      kernel::detail::pack_tile_by_numbers<Stored, At>(numbers.data(), 64, lines, deep, wanted.data());
      CHECK_MESSAGE(found == wanted, lines, " lines, ", deep, " deep");
      for (int line = 0; line < lines; ++line)
        for (int k = 0; k < deep; ++k) {
          const auto pair = static_cast<std::uint32_t>(
              found[static_cast<std::size_t>(At == Side::left ? line * 16 + k / 2 : k / 2 * 16 + line)]);
          const auto bits = static_cast<std::uint16_t>(k % 2 == 0 ? pair : pair >> 16);
          CHECK(bits ==
                bf16(numbers[static_cast<std::size_t>(Stored == SumAxis::along ? line * 64 + k : k * 64 + line)]).bits);
        }
    }
}

/// What a product does at the end of each block is, to the bit, the ops that it is made of.
template <int I, int O, class D> void check_ends(const D& dev, int n) {
  const auto inside = static_cast<std::size_t>(n) * O;
  const auto x = test::gemm_noise<float>(static_cast<std::size_t>(n) * I, 1), w = test::gemm_noise<float>(I * O, 2),
             b = test::gemm_noise<float>(O, 3);
  const Rows<const float, I> in(x.data(), n);
  const MatmulWeight<const float, O, I> inner{w.data()};
  const MatmulWeight<const float, I, O> outer{w.data()};
  const Weight<const float, 1, O> bias{b.data()};
  std::vector<float> plain(inside), slope(inside), y(inside), dx(inside), sum(inside), kept(inside), found(inside),
      back(inside);
  const auto rows = [&](std::vector<float>& of) { return Rows<float, O>(of.data(), n); };
  kernel::gemm(dev, in, inner, rows(plain));
  kernel::add_bias(dev, bias, rows(plain));
  kernel::gemm_bias(dev, in, inner, bias, rows(sum));
  kernel::gemm(dev, in, inner, rows(slope));
  kernel::bias_act<act::Gelu>(dev, bias, rows(slope), rows(y));
  kernel::gemm_bias_act<act::Gelu>(dev, in, inner, bias, rows(kept), rows(found));
  kernel::gemm_dx(dev, in, outer, rows(dx), Write::assign);
  kernel::act_back(dev, Rows<const float, O>(rows(dx)), Rows<const float, O>(rows(slope)), rows(dx));
  kernel::gemm_dact<act::Gelu>(dev, in, outer, Rows<const float, O>(rows(kept)), rows(back));
  CHECK(sum == plain);
  CHECK(kept == slope);
  CHECK(found == y);
  CHECK(back == dx);
}

}  // namespace

TEST_CASE_TEMPLATE("bf16 products: the three against loops, awkward sizes", Policy, kernel::AmxGemm, kernel::Bf16Gemm) {
  test::check_products<Policy, bf16>();
  const device::Cpu<Policy> dev(2);
  for (const int n : {7, 8, 9, 31, 32, 33, 64, 65, 1536, 1537})  // a part; a row of blocks; a strip; a range of the sum
    test::check_gemm<40, 5, float, bf16>(dev, n, 1e-6);
  test::check_gemm<1537, 33, float, bf16>(dev, 3, 1e-6);
  test::check_gemm<1536, 1100, float, bf16>(dev, SANITIZED ? 1 : 33, 1e-6);  // columns that are packed in three parts
}

TEST_CASE_TEMPLATE("bf16 products: bias and activation function at the end of each block, once", Policy,
                   kernel::AmxGemm, kernel::Bf16Gemm) {
  const device::Cpu<Policy> dev(2);
  for (const int n : {0, 1, 31, 32, 33, 127, 129}) {
    check_ends<24, 40>(dev, n);  // blocks that exceed the result on both sides
    check_ends<32, 96>(dev, n);
  }
  check_ends<1537, 33>(dev, 33);                    // two ranges of the sum
  check_ends<1536, 1100>(dev, SANITIZED ? 1 : 33);  // columns that are packed in parts
}

TEST_CASE_TEMPLATE("bf16 products: same bits for any number of threads", Policy, kernel::AmxGemm, kernel::Bf16Gemm) {
  test::check_threads<Policy>();
}

TEST_CASE_TEMPLATE("bf16 products: of any operands, those of the rounded ones", Policy, kernel::AmxGemm,
                   kernel::Bf16Gemm) {
  constexpr int I = 67, O = 35, n = 41;
  const auto x = test::gemm_noise<float>(std::size_t(n) * I, 1), w = test::gemm_noise<float>(std::size_t(I) * O, 2),
             dy = test::gemm_noise<float>(std::size_t(n) * O, 3);
  const auto found = products<Policy, I, O>(x, w, dy, n);
  const auto wanted =
      products<Policy, I, O>(test::as_stored<bf16>(x), test::as_stored<bf16>(w), test::as_stored<bf16>(dy), n);
  CHECK(std::memcmp(found.data(), wanted.data(), 4 * wanted.size()) == 0);
}

TEST_CASE_TEMPLATE("bf16 products: to the nearest, ties to even; what is no number stays none", Policy, kernel::AmxGemm,
                   kernel::Bf16Gemm) {
  test::check_rounding<Policy>();
}

TEST_CASE_TEMPLATE("bf16 products: fp64 is not rounded, and a layer has its gradients", Policy, kernel::AmxGemm,
                   kernel::Bf16Gemm) {
  const device::Cpu<Policy> dev(2);
  const auto report = test::check_gradients<layer::Linear<24, 40>>(dev, test::Sentences({3, 1, 127}));
  CHECK_MESSAGE(report.worst < 1e-7, report.text);
}

TEST_CASE_TEMPLATE("bf16 products: the workspace holds the shared operand, a row of blocks and a block", Policy,
                   kernel::AmxGemm, kernel::Bf16Gemm) {
  using ToPredict = typename device::Cpu<Policy>::ToPredict;
  CHECK(Policy::workspace(4) == Policy::shared_bytes + std::size_t(2 * 1536 * Policy::strip_rows + 4 * 32 * 32));
  CHECK(Policy::workspace(8) <= device::Cpu<Policy>::workspace_bytes);
  CHECK(kernel::AmxPanelGemm::workspace(8) <= ToPredict::workspace_bytes);
  CHECK(kernel::Bf16PanelGemm::workspace(8) <= ToPredict::workspace_bytes);
}

TEST_CASE("bf16 products: models predict by the products that they were trained with") {
  CHECK(std::is_same_v<device::Cpu<kernel::AmxGemm>::ToPredict, device::Cpu<kernel::AmxPanelGemm>>);
  using Predicts = std::conditional_t<ENTRAIN_BF16_PRODUCTS, kernel::Bf16PanelGemm, kernel::PanelGemm>;
  CHECK(std::is_same_v<device::Cpu<kernel::Bf16Gemm>::ToPredict, device::Cpu<Predicts>>);
}

TEST_CASE("bf16 products: a block has the sums of its operands, on as many lines as are asked for") {
  using test::gemm_noise;
  for (const int deep : {1, 3})
    for (const int lines : {1, 7, 8, 9, 16, 17, 31, 32})
      for (const Write how : {Write::assign, Write::add})
        for (const bool fetches : {false, true}) {
          const auto left = test::as_stored<bf16>(gemm_noise<float>(std::size_t(32 * 32 * deep), 1)),
                     right = test::as_stored<bf16>(gemm_noise<float>(std::size_t(32 * 32 * deep), 2));
          const std::ptrdiff_t step = 256 * deep + 256;  // more than the tiles of 16 columns
          std::vector<Pair> a(std::size_t(2 * 256 * deep)), b(std::size_t(2 * step));
          kernel::detail::pack_tiles<SumAxis::along, Side::left>(left.data(), 32 * deep, 2, 32, 32 * deep, a.data());
          for (int half = 0; half < 2; ++half)
            kernel::detail::pack_tiles<SumAxis::along, Side::right>(right.data() + half * 16 * 32 * deep, 32 * deep, 1,
                                                                    16, 32 * deep, b.data() + half * step);
          auto c = gemm_noise<float>(32 * 40, 3);
          const auto before = c;
          kernel::detail::PairBlock::multiply(a.data(), b.data(), step, deep, c.data(), 40, how,
                                              fetches ? b.data() : nullptr, lines);
          double worst = 0;
          for (std::size_t i = 0; i < 32; ++i)
            for (std::size_t j = 0; j < 40; ++j) {
              double sum = static_cast<double>(before[i * 40 + j]);
              if (j < 32 && i < static_cast<std::size_t>(lines)) {
                if (how == Write::assign) sum = 0;
                for (std::size_t k = 0; k < std::size_t(32 * deep); ++k)
                  sum += static_cast<double>(left[i * std::size_t(32 * deep) + k]) *
                         static_cast<double>(right[j * std::size_t(32 * deep) + k]);
              } else if (j < 32) {
                continue;  // lines after those that are needed
              }
              worst = std::max(worst, std::abs(static_cast<double>(c[i * 40 + j]) - sum));
            }
          CHECK_MESSAGE(worst < 1e-4, deep, " deep, ", lines, " lines");
        }
}

TEST_CASE("bf16 products: each kind of operand is packed as its block reads it") {
  check_packing<SumAxis::along, Side::left>();
  check_packing<SumAxis::along, Side::right>();
  check_packing<SumAxis::down, Side::left>();
  check_packing<SumAxis::down, Side::right>();
}
