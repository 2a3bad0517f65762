// tests > [cuda_on_cpu]
//
// A product ends with its epilogue where cuBLASLt has an algorithm that does it, else a kernel follows: which of the
// two is found once.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "entrain/encode/feed_forward.hpp"
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/bias/cuda.cuh"
#include "entrain/kernel/gemm/cuda.cuh"
#include "entrain/tensor/flat.hpp"

namespace epilogues_test {
using namespace entrain;

namespace {

/// The library's algorithms as they are told to be, for as long as this lives.
struct Pretend {
  harness::Algorithms before = harness::Algorithms::now();
  explicit Pretend(harness::Algorithms now) { harness::Algorithms::now() = now; }
  ~Pretend() { harness::Algorithms::now() = before; }
};
harness::Algorithms all_but(std::uint32_t epilogue, cublasStatus_t refusal = CUBLAS_STATUS_NOT_SUPPORTED) {
  return {{5, 2, 9}, 7, epilogue, 0, refusal};
}

/// 2 rows, 3 inputs of 1, 8 outputs with biases 0, 1, 2 ...
struct Biased {
  const device::Cuda<>& dev;
  device::Cuda<>::Buffer<float> x{6}, w{24}, b{12}, y{16};
  explicit Biased(const device::Cuda<>& device) : dev(device) {
    const std::vector<float> ones(24, 1.0f);
    dev.upload(x.data(), ones.data(), 6);
    dev.upload(w.data(), ones.data(), 24);
  }
  /// How long it takes on the harness's clock, where a kernel of ours takes one. offset: of the bias, in numbers
  double milliseconds(int offset = 0) {
    const std::vector<float> biases{0, 1, 2, 3, 4, 5, 6, 7};
    dev.upload(b.data() + offset, biases.data(), 8);
    dev.finish();
    const double before = harness::Machine::now().milliseconds;
    kernel::gemm_bias(dev, Rows<const float, 3>(x.data(), 2), Weight<const float, 8, 3>{w.data()},
                      Weight<const float, 1, 8>{b.data() + offset}, Rows<float, 8>(y.data(), 2));
    dev.finish();
    return harness::Machine::now().milliseconds - before;
  }
  void check_result() {
    std::vector<float> host(16);
    dev.download(host.data(), y.data(), 16);
    CHECK(host == std::vector<float>{3, 4, 5, 6, 7, 8, 9, 10, 3, 4, 5, 6, 7, 8, 9, 10});
  }
};

/// A feed-forward layer's two products and what is between them, in numbers of T: 3 rows, 8 channels, 16 inside.
template <class Act, class T> struct Inner {
  using Buffer = device::Cuda<>::Buffer<T>;
  const device::Cuda<>& dev;
  Buffer x{24}, w{128}, b{16}, aux{48}, y{48}, alone{48}, dx{48};
  explicit Inner(const device::Cuda<>& device) : dev(device) { fill(x), fill(w), fill(b); }
  void fill(Buffer& to) {
    std::vector<T> numbers;
    for (std::size_t i = 0; i < to.size(); ++i)
      numbers.push_back(static_cast<T>(static_cast<float>(i * 37 % 19) / 8 - 1));
    dev.upload(to.data(), numbers.data(), numbers.size());
  }
  static std::vector<T> host(const device::Cuda<>& dev, const Buffer& from) {
    std::vector<T> numbers(from.size());
    dev.download(numbers.data(), from.data(), numbers.size());
    return numbers;
  }
  /// Two rounds, and of the second what each op takes on the harness's clock.
  std::vector<double> milliseconds() {
    std::vector<double> took;
    const auto time = [&](auto&& op) {
      dev.finish();
      const double before = harness::Machine::now().milliseconds;
      op();
      dev.finish();
      took.push_back(harness::Machine::now().milliseconds - before);
    };
    const Rows<const T, 8> in(x.data(), 3);
    const MatmulWeight<const T, 16, 8> inner{w.data()};
    const MatmulWeight<const T, 8, 16> outer{w.data()};
    const Weight<const T, 1, 16> bias{b.data()};
    for (int round = 0; round < 2; ++round) {
      took.clear();
      time([&] {
        kernel::gemm_bias_act<Act>(dev, in, inner, bias, Rows<T, 16>(aux.data(), 3), Rows<T, 16>(y.data(), 3));
      });
      time([&] { kernel::gemm_bias_act<Act>(dev, in, inner, bias, Rows<T, 16>(alone.data(), 3)); });
      time(
          [&] { kernel::gemm_dact<Act>(dev, in, outer, Rows<const T, 16>(aux.data(), 3), Rows<T, 16>(dx.data(), 3)); });
    }
    return took;
  }
  std::vector<float> results() const {
    std::vector<float> all;
    for (const auto* of : {&aux, &y, &alone, &dx}) {
      const std::vector<T> numbers = host(dev, *of);
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
  }
};
using InnerTanh = Inner<act::GeluTanh, bf16>;

}  // namespace

TEST_CASE("a bias is the epilogue of its product") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  Biased biased(dev);
  for (int i = 0; i < 3; ++i) CHECK(biased.milliseconds() == 5);
  biased.check_result();
  CHECK(harness::Algorithms::now().asked == 1);
  CHECK(harness::Algorithms::now().reductions ==
        CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);  // sums over parts, too, in fp32
}

TEST_CASE("where no algorithm adds a bias, a kernel follows the product, and the library is not asked again") {
  for (const auto refusal : {CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_INVALID_VALUE}) {
    const Pretend here(all_but(CUBLASLT_EPILOGUE_BIAS, refusal));
    const device::Cuda<> dev;
    Biased biased(dev);
    for (int i = 0; i < 3; ++i) CHECK(biased.milliseconds() == 5 + 1);
    biased.check_result();
    CHECK(harness::Algorithms::now().asked == 1);
  }
}

TEST_CASE("a bias that no epilogue can read is added by a kernel") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  Biased biased(dev);
  CHECK(biased.milliseconds(1) == 5 + 1);
  biased.check_result();
  CHECK(harness::Algorithms::now().asked == 0);
  CHECK(biased.milliseconds(4) == 5);  // 16 bytes on: one that it can read, with an algorithm of its own
  biased.check_result();
  CHECK(biased.milliseconds(0) == 5);
  biased.check_result();
}

TEST_CASE("each product reads the bias that it is given") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  Biased first(dev), second(dev);
  first.milliseconds(4), second.milliseconds(4), first.milliseconds(4);
  const std::vector<float> tens(8, 10.0f);
  dev.upload(second.b.data() + 4, tens.data(), 8);
  kernel::gemm_bias(dev, Rows<const float, 3>(first.x.data(), 2), Weight<const float, 8, 3>{first.w.data()},
                    Weight<const float, 1, 8>{second.b.data() + 4}, Rows<float, 8>(second.y.data(), 2));
  std::vector<float> host(16);
  dev.download(host.data(), second.y.data(), 16);
  CHECK(host == std::vector<float>(16, 13.0f));
  first.check_result();
}

TEST_CASE("a product without an epilogue that no algorithm does is an error") {
  for (const auto refusal : {CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_INVALID_VALUE}) {
    const Pretend here(all_but(CUBLASLT_EPILOGUE_DEFAULT, refusal));
    const device::Cuda<> dev;
    Biased biased(dev);
    CHECK(biased.milliseconds() == 5);
    for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(biased.milliseconds(1), Error);
  }
}

TEST_CASE("a product with an epilogue is measured and stored with the one without") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  Biased biased(dev);
  dev.products().go_by(device::Algorithms());
  CHECK(biased.milliseconds() == 7 * (5 + 2 + 9) + 2);
  CHECK(biased.milliseconds() == 2);
  biased.check_result();
  kernel::gemm(dev, Rows<const float, 3>(biased.x.data(), 2), Weight<const float, 8, 3>{biased.w.data()},
               Rows<float, 8>(biased.y.data(), 2));
  dev.finish();
  CHECK(dev.products().kept()->size() == 2);

  const std::string text = dev.products().kept()->text();
  const Pretend otherwise({{1, 8, 3}, 7});
  const device::Cuda<> again;
  Biased same(again);
  CHECK(again.products().go_by(device::Algorithms::read(text, "file")));
  CHECK(same.milliseconds() == 2);
  same.check_result();
}

TEST_CASE("a product whose epilogue no algorithm has is measured without it") {
  const Pretend here(all_but(CUBLASLT_EPILOGUE_BIAS));
  const device::Cuda<> dev;
  Biased biased(dev);
  dev.products().go_by(device::Algorithms());
  CHECK(biased.milliseconds() == 7 * (5 + 2 + 9) + 2 + 1);
  CHECK(biased.milliseconds() == 2 + 1);
  biased.check_result();
  CHECK(dev.products().kept()->size() == 1);
}

TEST_CASE(
    "GELU's tanh form is the epilogue of its product, forward and back, and a kernel where no algorithm does it") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  InnerTanh fused(dev);
  CHECK(fused.milliseconds() == std::vector<double>{5, 5, 5});
  CHECK(harness::Algorithms::now().asked == 3);
  const std::vector<float> expected = fused.results();

  const std::vector<std::uint32_t> epilogues{CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_GELU_BIAS,
                                             CUBLASLT_EPILOGUE_DGELU};
  for (std::size_t without = 0; without < 3; ++without) {
    const Pretend refusing(all_but(epilogues[without]));
    const device::Cuda<> other;
    InnerTanh inner(other);
    std::vector<double> times{5, 5, 5};
    times[without] += 1;
    CHECK(inner.milliseconds() == times);
    CHECK(harness::Algorithms::now().asked == 3);
    const std::vector<float> found = inner.results();
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(std::abs(found[i] - expected[i]) < 1e-2f * (1 + std::abs(expected[i])));
  }
}

TEST_CASE("an epilogue that keeps a matrix is measured, and what it keeps is right") {
  const Pretend here(all_but(0));
  const device::Cuda<> dev, plain;
  InnerTanh inner(dev), guessed(plain);
  dev.products().go_by(device::Algorithms());
  CHECK(inner.milliseconds() == std::vector<double>{2, 2, 2});
  CHECK(guessed.milliseconds() == std::vector<double>{5, 5, 5});
  CHECK(inner.results() == guessed.results());
  CHECK(dev.products().kept()->size() == 3);
}

TEST_CASE(
    "GELU by erf in 16 bits keeps its input, the product with its bias; where no algorithm adds that, a kernel does") {
  using InnerErf = Inner<act::Gelu, fp16>;
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  InnerErf inner(dev);
  CHECK(inner.milliseconds() == std::vector<double>{5 + 1, 5 + 1, 5 + 1});
  CHECK(harness::Algorithms::now().asked == 1);
  const std::vector<float> expected = inner.results();
  float far = 0;  // of the input from the output
  for (std::size_t i = 0; i < 48; ++i) {
    const float input = expected[i];
    CHECK(std::abs(expected[48 + i] - act::Gelu::at(input).value) <= std::abs(input) * 1e-3f);
    far = std::max(far, std::abs(input - expected[48 + i]));
  }
  CHECK(far > 0.1f);

  const Pretend refusing(all_but(CUBLASLT_EPILOGUE_BIAS));
  const device::Cuda<> other;
  InnerErf apart(other);
  CHECK(apart.milliseconds() == std::vector<double>{5 + 1, 5 + 1, 5 + 1});
  CHECK(harness::Algorithms::now().asked == 1);
  const std::vector<float> found = apart.results();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-2f);
}

TEST_CASE("a feed-forward layer that is frozen sums no gradient of its bias, nor has memory for it") {
  static constexpr encode::TransformerConfig width{.width = 8, .heads = 1, .intermediate = 16, .eps = 1e-3};
  using Layer = encode::FeedForward<width>;
  using P = precision::Fp16Mixed;
  constexpr int n = 3;
  const Pretend here(all_but(0));
  const device::Cuda<> dev;
  device::Cuda<>::Buffer<std::byte> memory(1 << 16);
  device::Cuda<>::Buffer<fp16> values(layout_of<Layer>(0).size), x(n * 8), y(n * 8);
  device::Cuda<>::Buffer<float> gradients(layout_of<Layer>(0).size);
  const auto milliseconds = [&]<Needs G>(std::size_t& scratch_bytes) {
    using Real = Impl<Layer, P, device::Cuda<>, G>;
    Arena arena{memory.data(), 1 << 15}, scratch{arena.base + (1 << 15), 1 << 15};
    const Step<device::Cuda<>> at{dev, {n, 1, 0}, {}, true, Write::assign, scratch};
    const auto w = bind<Layer>(Values<fp16>{values.data()}, 0);
    const auto g = bind<Layer, float>(gradients.data(), 0);
    auto saved = Real::allocate_saved(arena, at.shape);
    const Rows<fp16, 8> out(y.data(), n);
    Real::forward(at, w, Rows<const fp16, 8>(x.data(), n), out, saved);
    dev.finish();
    const double before = harness::Machine::now().milliseconds;
    Real::backward(at, w, saved, Rows<const fp16, 8>(x.data(), n), out, Write::assign, g);
    dev.finish();
    scratch_bytes = scratch.peak;
    return harness::Machine::now().milliseconds - before;
  };
  std::size_t frozen = 0, trained = 0;
  CHECK(milliseconds.operator()<Needs{false, true}>(frozen) == 5 + 1 + 5);
  milliseconds.operator()<Needs{}>(trained);
  CHECK(frozen == 2 * n * 16);
  CHECK(trained == 128 + 4 * 16);  // one range after the rows
}

}  // namespace epilogues_test
