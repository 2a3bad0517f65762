// tests > [cuda]
//
// Where the cases of a .cu file are made for the GPU.
#pragma once
#include "entrain/device/cuda.cuh"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

#if !defined(ENTRAIN_TEST_TARGET)
#define ENTRAIN_TEST_TARGET Sm90
#endif
using Gpu = device::Cuda<device::ENTRAIN_TEST_TARGET>;

/// One for all cases: it takes long to get, and a case finds in its workspace what another one has left there.
inline const Gpu& gpu() {
  static const Gpu dev;
  return dev;
}

template <class Case, class P> Results on_gpu(int rows, std::uint64_t seed) {
  Stage<Gpu, P, typename P::Activation> stage(gpu(), seed);
  Case::run(stage, rows);
  return std::move(stage.results);
}

}  // namespace entrain::test
