// tests > [cuda]
//
// Where the cases of a .cu file are made for the GPU.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "entrain/device/cuda.cuh"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

#if !defined(ENTRAIN_TEST_TARGET)
#define ENTRAIN_TEST_TARGET Sm90
#endif
struct LittleMemory : device::ENTRAIN_TEST_TARGET {
  static constexpr std::size_t shared_bytes = device::Sm75::shared_bytes;
  static constexpr bool async_copy = device::Sm75::async_copy;
};
/// How a case wants its GPU to work.
template <class Case> struct Way { using Target = device::ENTRAIN_TEST_TARGET; };
template <class Case> struct Way<Eagerly<Case>> { using Target = device::Eager<device::ENTRAIN_TEST_TARGET>; };
template <class Case> struct Way<InOneQueue<Case>> { using Target = device::OneQueue<device::ENTRAIN_TEST_TARGET>; };
template <class Case> struct Way<AtOnce<Case>> { using Target = device::AtOnce<device::ENTRAIN_TEST_TARGET>; };
template <class Case> struct Way<InLittleMemory<Case>> { using Target = LittleMemory; };
/// The GPU whose products are P's.
template <class P, class Case> using Gpu =
    typename device::Cuda<typename Way<Case>::Target>::template Multiplying<typename P::Product>;

/// One for all cases: it takes long to get, and a case finds in its workspace what another one has left there.
template <class D> const D& gpu() {
  static const D dev;
  return dev;
}

template <class Case, class P> Results on_gpu(int rows, std::uint64_t seed) {
  using D = Gpu<P, Case>;
  Stage<D, P, typename P::Activation> stage(gpu<D>(), seed);
  Case::run(stage, rows);
  return std::move(stage.results);
}

using OnGpu = Results (*)(int, std::uint64_t);
/// A case in each precision that check_in_all_precisions asks for: an explicit instantiation makes them. It is of a
/// function, as nvcc makes no kernel for what a member of a class refers to.
template <class Case> std::vector<OnGpu> in_all_precisions() {
  std::vector<OnGpu> made{&on_gpu<Case, precision::Fp32>, &on_gpu<Case, precision::Fp16Mixed>};
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  made.push_back(&on_gpu<Case, precision::Bf16Mixed>);
#endif
  return made;
}

}  // namespace entrain::test
