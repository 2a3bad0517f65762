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

using Copies = device::Cpu<>::Buffer<std::byte>;

/// The copies of stacked factors [O, I].
template <int O, int I, int Factors> Copies copies_of(const std::vector<float>& w) {
  constexpr std::size_t one = std::size_t(O) * I;
  const kernel::detail::WeightCopy copy(O, I);
  Copies to(sizeof(float) * one * Factors);
  for (std::size_t factor = 0; factor < Factors; ++factor)
    for (int part = 0; part < copy.parts(); ++part)
      copy.make(part, w.data() + factor * one, to.data() + sizeof(float) * factor * one);
  return to;
}

/// An end of blocks.
struct Double {
  void operator()(kernel::Matrix<float> block, int) const {
    for (int r = 0; r < block.rows; ++r)
      for (int i = 0; i < block.cols; ++i) block.data[r * block.stride + i] *= 2;
  }
};

/// Products with a weight's copy are, to the bit, those that pack the weight; each factor's gradient is added to the
/// one before it.
template <int I, int O, int Factors, class D> void check_copies(const D& dev, int n, Write how) {
  CAPTURE(I);
  CAPTURE(O);
  CAPTURE(n);
  constexpr int all = Factors * O;
  const auto rows = static_cast<std::size_t>(n);
  const auto x = test::gemm_noise<float>(rows * I, 1), w = test::gemm_noise<float>(std::size_t(all) * I, 2),
             b = test::gemm_noise<float>(all, 3), dy = test::gemm_noise<float>(rows * all, 4);
  const Copies copies = copies_of<O, I, Factors>(w);
  const Weight<const float, all, I, Factors> plain{w.data()}, copied{w.data(), 0, {copies.data()}};
  const Rows<const float, I> in(x.data(), n);
  auto y = test::gemm_noise<float>(rows * all, 5), dx = test::gemm_noise<float>(rows * I, 6);
  auto of_y = y, of_dx = dx, ended = dx, sum = y, of_sum = y;
  kernel::gemm(dev, in, plain, Rows<float, all>(y.data(), n), how);
  kernel::gemm(dev, in, copied, Rows<float, all>(of_y.data(), n), how);
  CHECK(of_y == y);
  kernel::gemm_bias(dev, in, plain, Weight<const float, 1, all>{b.data()}, Rows<float, all>(sum.data(), n));
  kernel::gemm_bias(dev, in, copied, Weight<const float, 1, all>{b.data()}, Rows<float, all>(of_sum.data(), n));
  CHECK(of_sum == sum);

  kernel::gemm_dx(dev, Rows<const float, all>(dy.data(), n), copied, Rows<float, I>(of_dx.data(), n), how);
  kernel::Gemm<D>::template run<false, false>(dev, kernel::detail::constant(Rows<const float, all>(dy.data(), n)),
                                              kernel::detail::constant(copied),
                                              kernel::erase(Rows<float, I>(ended.data(), n)), how, Double{});
  std::vector<float> part(rows * O);
  for (std::size_t factor = 0; factor < Factors; ++factor, how = Write::add) {
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(dy.data() + r * all + factor * O, O, part.data() + r * O);
    kernel::gemm_dx(dev, Rows<const float, O>(part.data(), n),
                    MatmulWeight<const float, O, I>{w.data() + factor * std::size_t(O) * I},
                    Rows<float, I>(dx.data(), n), how);
  }
  CHECK(of_dx == dx);
  for (float& v : dx) v *= 2;
  CHECK(ended == dx);
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
    check_ends<24, 56>(dev, n);  // blocks that exceed the result on both sides
    check_ends<32, 96>(dev, n);
    check_ends<32, 40>(dev, n);  // whole tiles along the sum, and columns that end inside a tile
  }
  check_ends<1537, 33>(dev, 33);                    // two ranges of the sum
  check_ends<1536, 1100>(dev, SANITIZED ? 1 : 33);  // columns that are packed in parts
}

TEST_CASE_TEMPLATE("bf16 products: a weight's copy gives the bits of the weight", Policy, kernel::AmxGemm,
                   kernel::Bf16Gemm) {
  for (const int threads : {1, 3}) {
    const device::Cpu<Policy> dev(threads);
    for (const Write how : {Write::assign, Write::add})
      for (const int n : {0, 1, 33, 65, 129}) {
        check_copies<32, 32, 1>(dev, n, how);
        check_copies<96, 64, 3>(dev, n, how);
      }
  }
  const device::Cpu<Policy> dev(2);
  const int n = SANITIZED ? 1 : 70;
  check_copies<1568, 32, 1>(dev, n, Write::add);     // two ranges of the sum
  check_copies<32, 1568, 2>(dev, n, Write::assign);  // the same backward, of each factor
  check_copies<1536, 576, 2>(dev, n, Write::add);    // columns that are shared in parts
  check_copies<576, 1536, 1>(dev, n, Write::assign);
}

TEST_CASE_TEMPLATE("bf16 products: at the end of each block, also with a weight's copy", Policy, kernel::AmxGemm,
                   kernel::Bf16Gemm) {
  constexpr int I = 32, O = 1568, n = 33;  // backward in two ranges
  const device::Cpu<Policy> dev(2);
  const auto x = test::gemm_noise<float>(n * O, 1), w = test::gemm_noise<float>(O * I, 2),
             b = test::gemm_noise<float>(O, 3), slope = test::gemm_noise<float>(n * O, 4);
  const Copies copies = copies_of<O, I, 1>(w);
  const MatmulWeight<const float, O, I> plain{w.data()}, copied{w.data(), 0, {copies.data()}};
  const Weight<const float, 1, O> bias{b.data()};
  const Rows<const float, I> in(x.data(), n), aux(slope.data(), n);
  std::vector<float> kept(n * O), of_kept(n * O), y(n * O), of_y(n * O), dx(n * I), of_dx(n * I);
  kernel::gemm_bias_act<act::Gelu>(dev, in, plain, bias, Rows<float, O>(kept.data(), n), Rows<float, O>(y.data(), n));
  kernel::gemm_bias_act<act::Gelu>(dev, in, copied, bias, Rows<float, O>(of_kept.data(), n),
                                   Rows<float, O>(of_y.data(), n));
  CHECK(of_kept == kept);
  CHECK(of_y == y);
  const Rows<const float, O> dy(x.data(), n);
  kernel::gemm_dact<act::Gelu>(dev, dy, plain, aux, Rows<float, I>(dx.data(), n));
  kernel::gemm_dact<act::Gelu>(dev, dy, copied, aux, Rows<float, I>(of_dx.data(), n));
  CHECK(of_dx == dx);
}

TEST_CASE("bf16 products: only weights of whole blocks have copies") {
  using kernel::detail::WeightCopy;
  CHECK(WeightCopy(32, 64).is_made());
  CHECK_FALSE(WeightCopy(32, 48).is_made());
  CHECK_FALSE(WeightCopy(48, 32).is_made());
  CHECK_FALSE(WeightCopy(0, 32).is_made());
  CHECK_FALSE(WeightCopy(32, 0).is_made());
  const device::Cpu<kernel::Bf16Gemm> dev(1);
  const auto x = test::gemm_noise<float>(48, 1), w = test::gemm_noise<float>(48 * 48, 2);
  std::vector<float> y(48), of_y(48);
  const MatmulWeight<const float, 48, 48> plain{w.data()}, other{w.data(), 0, {reinterpret_cast<const std::byte*>(1)}};
  kernel::gemm(dev, Rows<const float, 48>(x.data(), 1), plain, Rows<float, 48>(y.data(), 1));
  kernel::gemm(dev, Rows<const float, 48>(x.data(), 1), other, Rows<float, 48>(of_y.data(), 1));
  CHECK(of_y == y);
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
