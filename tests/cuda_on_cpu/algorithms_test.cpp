// tests > [cuda_on_cpu]
//
// Products go by the library's first guess; where algorithms are kept, by the fastest, and by the same ever after.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "entrain/app/train/kept_algorithms.hpp"
#include "entrain/cuda.cuh"
#include "tests/scratch.hpp"

namespace algorithms_test {
using namespace entrain;

namespace {

/// The library's algorithms as they are told to be, for as long as this lives.
struct Pretend {
  harness::Algorithms before = harness::Algorithms::now();
  explicit Pretend(harness::Algorithms now) { harness::Algorithms::now() = now; }
  ~Pretend() { harness::Algorithms::now() = before; }
};

/// y (+)= x w' of ones: 2 rows, 3 inputs, 4 outputs.
struct Ones {
  const device::Cuda<>& dev;
  device::Cuda<>::Buffer<float> x{6}, w{12}, y{8};
  explicit Ones(const device::Cuda<>& device) : dev(device) {
    const std::vector<float> ones(12, 1.0f);
    dev.upload(x.data(), ones.data(), 6);
    dev.upload(w.data(), ones.data(), 12);
  }
  /// How long it takes on the harness's clock.
  double milliseconds(Write how = Write::assign) {
    dev.finish();
    const double before = harness::Machine::now().milliseconds;
    kernel::gemm(dev, Rows<const float, 3>(x.data(), 2), Weight<const float, 4, 3>{w.data()},
                 Rows<float, 4>(y.data(), 2), how);
    dev.finish();
    return harness::Machine::now().milliseconds - before;
  }
  std::vector<float> result() const {
    std::vector<float> host(8);
    dev.download(host.data(), y.data(), 8);
    return host;
  }
};

std::string refusal(const std::string& text) {
  try {
    device::Algorithms::read(text, "file");
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a product uses the library's first guess, and no algorithm is measured") {
  const Pretend three({{5, 2, 9}, 7});
  const device::Cuda<> dev;
  Ones ones(dev);
  CHECK(ones.milliseconds() == 5);
  CHECK(ones.milliseconds() == 5);
  CHECK(!dev.products().kept());
}

TEST_CASE("where algorithms are kept, a product is measured once, and goes by the fastest") {
  const Pretend three({{5, 2, 9}, 7});
  const device::Cuda<> dev;
  Ones ones(dev);
  CHECK(!dev.products().go_by(device::Algorithms()));
  CHECK(ones.milliseconds() == 7 * (5 + 2 + 9) + 2);
  CHECK(ones.result() == std::vector<float>(8, 3.0f));
  CHECK(ones.milliseconds(Write::add) == 2);
  CHECK(ones.result() == std::vector<float>(8, 6.0f));
  CHECK(dev.products().kept()->size() == 1);

  const std::string text = dev.products().kept()->text();
  CHECK(text.starts_with("entrain algorithms 3, host harness, cuBLASLt 130100\n"));
  const Pretend otherwise({{1, 8, 3}, 7});
  {
    const device::Cuda<> again;
    Ones same(again);
    CHECK(again.products().go_by(device::Algorithms::read(text, "file")));
    CHECK(same.milliseconds() == 2);  // what it took when it was measured: the same algorithm
    CHECK(again.products().kept()->text() == text);
  }
  const Pretend another({{4, 8, 3}, 99});  // of a library that does not know the kept one
  const device::Cuda<> newer;
  Ones measured(newer);
  CHECK(newer.products().go_by(device::Algorithms::read(text, "file")));
  CHECK(measured.milliseconds() == 7 * (4 + 8 + 3) + 3);
  CHECK(newer.products().kept()->text() != text);
}

TEST_CASE("short products are measured many at a time, as they follow each other in a step") {
  constexpr int each = 1 + 1 + 5 * 16;  // one that loads it, one that tells that it is short, five launches of a graph
  const Pretend three({{0.0625, 0.03125, 0.125}, 7});
  const device::Cuda<> dev;
  Ones ones(dev);
  dev.products().go_by(device::Algorithms());
  CHECK(ones.milliseconds() == each * (0.0625 + 0.03125) + 7 * 0.125 + 0.03125);
  CHECK(ones.result() == std::vector<float>(8, 3.0f));
  CHECK(ones.milliseconds(Write::add) == 0.03125);
  CHECK(ones.result() == std::vector<float>(8, 6.0f));
}

TEST_CASE("of a product that is late when it is asked for alone, what it takes among others counts") {
  harness::Algorithms some{{0.0625, 0.03125, 0.125}, 7};
  some.late[1] = 0.0625;
  const Pretend late(some);
  const device::Cuda<> dev;
  Ones ones(dev);
  dev.products().go_by(device::Algorithms());
  ones.milliseconds();
  CHECK(ones.milliseconds() == 0.03125);
}

TEST_CASE("a kept algorithm is taken again where the workspace is as large as it needs now, to the byte") {
  std::string text;
  {
    const Pretend three({{5, 2, 9}, 7});
    const device::Cuda<> dev;
    Ones ones(dev);
    dev.products().go_by(device::Algorithms());
    ones.milliseconds();
    text = dev.products().kept()->text();
  }
  for (const bool more : {false, true}) {
    const Pretend three({{5, 2, 9}, 7, 0, device::Cuda<>::workspace_bytes + more});
    const device::Cuda<> dev;
    Ones ones(dev);
    CHECK(dev.products().go_by(device::Algorithms::read(text, "file")));
    CHECK(ones.milliseconds() == (more ? 7 * (5 + 2 + 9) + 2 : 2));  // measured again, or not
  }
}

TEST_CASE("a guess that is none, and an algorithm that does not run after all, are passed over") {
  for (const bool runs : {false, true}) {
    harness::Algorithms some{{5, 2, 9}, 7};
    (runs ? some.none : some.fails) = 1;
    const Pretend two(some);
    const device::Cuda<> dev;
    Ones ones(dev);
    dev.products().go_by(device::Algorithms());
    CHECK(ones.milliseconds() == 7 * (5 + 9) + 5);
    CHECK(ones.milliseconds() == 5);
    CHECK(ones.result() == std::vector<float>(8, 3.0f));
    CHECK(harness::Algorithms::now().used[1] == 0);
  }
}

TEST_CASE("where there is no memory to measure in, a product that adds goes by the first guess ever after") {
  const Pretend three({{5, 2, 9}, 7});
  std::string text;
  for (const Write how : {Write::add, Write::assign}) {
    const device::Cuda<> dev;
    Ones ones(dev);
    const std::vector<float> tens(8, 10.0f);
    dev.upload(ones.y.data(), tens.data(), 8);
    dev.products().go_by(device::Algorithms());
    auto& machine = harness::Machine::now();
    const std::size_t bytes = std::exchange(machine.bytes, machine.taken);
    const bool adds = how == Write::add;
    CHECK(ones.milliseconds(how) == (adds ? 5 : 7 * (5 + 2 + 9) + 2));  // one that assigns is measured in its place
    machine.bytes = bytes;
    CHECK(ones.milliseconds(how) == (adds ? 5 : 2));
    CHECK(ones.result() == std::vector<float>(8, adds ? 16.0f : 3.0f));
    REQUIRE(dev.products().kept()->size() == 1);
    if (adds) text = dev.products().kept()->text();
  }
  const device::Cuda<> later;
  Ones same(later);
  CHECK(later.products().go_by(device::Algorithms::read(text, "file")));
  CHECK(same.milliseconds(Write::add) == 5);  // as before, though there is memory now
}

TEST_CASE("a product that fails because of what came before says what came before") {
  const device::Cuda<> dev;
  Ones ones(dev);
  ones.milliseconds();
  const std::size_t lost_after = std::exchange(harness::Machine::now().lost_after, 0);
  std::string said;
  try {
    kernel::gemm(dev, Rows<const float, 3>(ones.x.data(), 2), Weight<const float, 4, 3>{ones.w.data()},
                 Rows<float, 4>(ones.y.data(), 2), Write::assign);
  } catch (const Error& e) {
    said = e.what();
  }
  harness::Machine::now().lost_after = lost_after;
  CHECK(said.starts_with("entrain.device.2: cublasLtMatmul: cudaErrorLaunchFailure"));
}

TEST_CASE("a product that fails while a capture is broken says its own status, not the capture's") {
  const device::Cuda<> dev;
  Ones ones(dev);
  ones.milliseconds();
  harness::Algorithms none = harness::Algorithms::now();
  none.fails = 0;
  const Pretend fails(none);
  for (const bool broken : {false, true}) {
    std::string said;
    REQUIRE(cudaStreamBeginCapture(dev.stream(), cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    if (broken) CHECK(cudaStreamSynchronize(dev.stream()) == cudaErrorStreamCaptureUnsupported);
    try {
      kernel::gemm(dev, Rows<const float, 3>(ones.x.data(), 2), Weight<const float, 4, 3>{ones.w.data()},
                   Rows<float, 4>(ones.y.data(), 2), Write::assign);
    } catch (const Error& e) {
      said = e.what();
    }
    cudaGraph_t captured = nullptr;
    CHECK(cudaStreamEndCapture(dev.stream(), &captured) == cudaErrorStreamCaptureInvalidated);
    CHECK(said.starts_with("entrain.device.4: cublasLtMatmul: status 15"));
  }
}

TEST_CASE("a product that adds is measured on other memory, and adds once") {
  const Pretend three({{5, 2, 9}, 7});
  const device::Cuda<> dev;
  Ones ones(dev);
  const std::vector<float> tens(8, 10.0f);
  dev.upload(ones.y.data(), tens.data(), 8);
  dev.products().go_by(device::Algorithms());
  ones.milliseconds(Write::add);
  CHECK(ones.result() == std::vector<float>(8, 13.0f));
}

TEST_CASE("a product is asked for with the alignment that its operands have") {
  const device::Cuda<> dev;
  device::Cuda<>::Buffer<float> numbers(64);
  for (int odd = 0; odd < 3; ++odd) {
    const auto at = [&](int which) { return numbers.data() + 16 * which + (which == odd ? 1 : 0); };
    kernel::gemm(dev, Rows<const float, 3>(at(0), 2), Weight<const float, 4, 3>{at(1)}, Rows<float, 4>(at(2), 2),
                 Write::assign);
  }
  CHECK_NOTHROW(dev.finish());
}

TEST_CASE("algorithms of another card, or another version of the library, are not taken") {
  const device::Cuda<> dev;
  device::Algorithms others("another card, cuBLASLt 130100");
  others.keep({}, {});
  CHECK(!dev.products().go_by(others));
  CHECK(dev.products().kept()->size() == 0);
  CHECK(dev.products().kept()->machine() == "host harness, cuBLASLt 130100");
}

TEST_CASE("a file of algorithms is read back as it was written, and what is wrong with it is said") {
  device::Algorithms some("a card, cuBLASLt 1");
  const device::Product p{CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, true, false, 1, 2, 3, 4, 5,
                          6,           16,         CUBLASLT_EPILOGUE_BIAS};
  some.keep(p, {{1, 0xABCDEF, 3, 4, 5, 6, 7, ~std::uint64_t(0)}});
  some.keep({}, {{9}});
  const std::string text = some.text();
  const device::Algorithms back = device::Algorithms::read(text, "file");
  CHECK(back.text() == text);
  CHECK(back.size() == 2);
  REQUIRE(back.of(p) != nullptr);
  CHECK(back.of(p)->data[1] == 0xABCDEF);
  CHECK(back.of(p)->data[7] == ~std::uint64_t(0));
  CHECK(device::Algorithms::read("entrain algorithms 3, x", "file").size() == 0);

  CHECK(refusal("{}") ==
        "entrain.device.6: file:1: '{}', expected a file that begins with 'entrain algorithms 3, '; name another file, "
        "or remove this one to measure again");
  CHECK(refusal("entrain algorithms 1, a card, cuBLASLt 130100\n")
            .starts_with("entrain.device.6: file:1: 'entrain algorithms 1, a card, cuBLASLt 130100', expected"));
  const std::string head = "entrain algorithms 3, x\n", good = "1 1 0 1 0 1 2 3 4 5 6 16 4 1 abcdef 3 4 5 6 7 ff\n";
  CHECK(refusal(head + good).empty());
  CHECK(refusal(head + good + "1 2\n") ==
        "entrain.device.6: file:3: '1 2', expected 13 whole numbers and 8 in hexadecimal; name another file, or remove "
        "this one to measure again");
  for (const std::string bad :
       {"1 1 0 1 0 1 2 3 4 5 6 16 4 1 abcdeg 3 4 5 6 7 ff\n", "1 1 0 1 0 1 2 3 4 5 6 16 4 1 2 3 4 5 6 7 ff 9\n",
        "x 1 0 1 0 1 2 3 4 5 6 16 4 1 2 3 4 5 6 7 ff\n", "1 1 0 1 0 1 2 3 4 5 6 99999999999 4 1 2 3 4 5 6 7 ff\n",
        "1,1 0 1 0 1 2 3 4 5 6 16 4 1 2 3 4 5 6 7 ff\n", "1 1 0 1 0 1 2 3 4 5 6 16 1 abcdef 3 4 5 6 7 ff\n", "\n"})
    CHECK_MESSAGE(refusal(head + bad).find("file:2: ") != std::string::npos, bad);
}

TEST_CASE("--algorithms: a run takes what an earlier one has measured, and adds to it") {
  const ::test::Scratch folder;
  const std::string file = folder / "products";
  app::Console console(true);
  {
    const device::Cuda<> dev;
    app::take_algorithms(dev, file, console);
    Ones(dev).milliseconds();
    app::keep_algorithms(dev, file, console, nullptr);
  }
  const std::string first = text::read_file(file);
  CHECK(device::Algorithms::read(first, file).size() == 1);
  {
    const device::Cuda<> dev;
    app::take_algorithms(dev, file, console);
    CHECK(dev.products().kept()->size() == 1);
    Ones(dev).milliseconds();
    app::keep_algorithms(dev, file, console, nullptr);
    CHECK(text::read_file(file) == first);
  }
  const device::Cuda<> dev;
  app::take_algorithms(dev, "", console);
  CHECK(!dev.products().kept());
  app::keep_algorithms(dev, "", console, nullptr);
  CHECK(folder.names() == std::set<std::string>{"products"});
  ::test::put(file, "x");
  CHECK_THROWS_AS(app::take_algorithms(dev, file, console), Error);
}

TEST_CASE("a device goes by the same algorithms as another, or by none where that has none") {
  const Pretend three({{5, 2, 9}, 7});
  const device::Cuda<> measured, same, first, guesses;
  measured.products().go_by(device::Algorithms());
  Ones(measured).milliseconds();
  app::go_by_the_same(same, measured);
  CHECK(Ones(same).milliseconds() == 2);
  app::go_by_the_same(guesses, first);
  CHECK(Ones(guesses).milliseconds() == 5);
}

}  // namespace algorithms_test
