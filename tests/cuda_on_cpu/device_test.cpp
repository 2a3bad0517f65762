// tests > [cuda_on_cpu]
//
// What a program for a GPU says where there is none, or another one than it was compiled for.
#include <doctest/doctest.h>

#include <string>

#include "entrain/device/cuda.cuh"

namespace device_test {
using namespace entrain;

namespace {

/// The machine as it is told to be, for as long as this lives.
struct Pretend {
  harness::Machine before = harness::Machine::now();
  template <class F> explicit Pretend(F&& change) { change(harness::Machine::now()); }
  ~Pretend() { harness::Machine::now() = before; }
};
template <class F> std::string sentence(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a GPU is reported, and why there is none") {
  {
    const Pretend empty([](auto& m) { m.taken = 0; });  // other tests' devices stay
    CHECK(device::Cuda<>().describe() == "cuda, host harness, 1.0 of 1.0 GiB free, driver 13.0, runtime 13.0");
  }
  {
    const Pretend none([](auto& m) { m.driver = 0; });
    CHECK(sentence([] { device::Cuda<>(); }) ==
          "entrain.device.5: the GPU: no NVIDIA driver is installed here; install one, or use the program that was "
          "compiled for the CPU");
  }
  for (const int driver : {11080, 12040, 12090}) {
    const Pretend old([&](auto& m) { m.driver = driver; });
    CHECK(sentence([] { device::Cuda<>(); }) ==
          "entrain.device.2: cudaSetDevice: cudaErrorInsufficientDriver: as the host harness plays it, expected "
          "cudaSuccess; the driver is older than the CUDA runtime that this program was built with: update the driver, "
          "or build with an older toolkit");
  }
  for (const int driver : {13000, 13010, 14000}) {
    const Pretend other([&](auto& m) { m.driver = driver; });
    CHECK(sentence([] { device::Cuda<>(); }).empty());
  }
  {
    const Pretend none([](auto& m) { m.gpus = 0; });
    const std::string said = sentence([] { device::Cuda<>(); });
    CHECK(said.find("entrain.device.2: cudaSetDevice: cudaErrorNoDevice") == 0);
    CHECK(said.find("check nvidia-smi and CUDA_VISIBLE_DEVICES") != said.npos);
  }
  CHECK(sentence([] {
          device::check(cudaErrorInvalidConfiguration, "cudaLaunchKernelEx");
        }).find("exceeds the grid of a GPU: lower --token-budget") != std::string::npos);
  {
    const Pretend old([](auto& m) { m.major = 8, m.minor = 6; });
    CHECK(sentence([] { device::Cuda<device::Sm80>(); }).empty());
    CHECK(sentence([] { device::Cuda<device::Sm90>(); }) ==
          "entrain.device.3: host harness: compute capability 8.6, expected at least 9.0, which the program was "
          "compiled for; compile it with an older device::Cuda<Sm...>");
  }
  {
    const Pretend turing([](auto& m) { m.major = 7, m.minor = 5; });
    CHECK(sentence([] { device::Cuda<device::Sm75>(); }).empty());
  }
  {
    const Pretend older([](auto& m) { m.major = 7, m.minor = 0; });
    CHECK(sentence([] { device::Cuda<device::Sm75>(); }).starts_with("entrain.device.3: "));
  }
  {
    const Pretend newer([](auto& m) { m.major = 12, m.shared_bytes = std::size_t(99) << 10; });
    CHECK(sentence([] { device::Cuda<device::Sm80>(); }).empty());
    CHECK(sentence([] { device::Cuda<device::Sm90>(); }) ==
          "entrain.device.3: host harness: 101376 bytes of shared memory per block, expected at least 232448, which "
          "the program was compiled for; compile it for device::Cuda<device::Sm80>");
  }
  {
    const Pretend small([](auto& m) { m.bytes = m.taken + 1000; });
    const std::string said = sentence([] { device::Cuda<>(); });
    CHECK(said.find("entrain.device.2: cudaMalloc of 33554432 bytes: cudaErrorMemoryAllocation") == 0);
    CHECK(said.find("lower --token-budget") != said.npos);
  }
}

TEST_CASE("what was uploaded may change, even where the GPU reads the host's memory by itself") {
  for (const bool coherent : {false, true}) {
    const Pretend machine([&](auto& m) { m.coherent = coherent; });
    const device::Cuda<> dev;
    device::Cuda<>::Buffer<int> there(1);
    int x = 5, y = 0;
    dev.upload(there.data(), &x, 1);
    x = 6;
    dev.download(&y, there.data(), 1);
    CHECK(y == 5);
  }
}

}  // namespace device_test
