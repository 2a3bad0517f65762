// tests > [cuda]
//
// Where the cases of a .cu file are made for the GPU.
#pragma once
#include <type_traits>

#include "entrain/device/cuda.cuh"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

#if !defined(ENTRAIN_TEST_TARGET)
#define ENTRAIN_TEST_TARGET Sm90
#endif
/// The GPU whose products are P's; Eager: its kernels are launched one by one.
template <class P, bool Eager> using Gpu =
    typename device::Cuda<std::conditional_t<Eager, device::Eager<device::ENTRAIN_TEST_TARGET>,
                                             device::ENTRAIN_TEST_TARGET>>::template Multiplying<typename P::Product>;

/// One for all cases: it takes long to get, and a case finds in its workspace what another one has left there.
template <class D> const D& gpu() {
  static const D dev;
  return dev;
}

template <class Case, class P> Results on_gpu(int rows, std::uint64_t seed) {
  using D = Gpu<P, eagerly<Case>>;
  Stage<D, P, typename P::Activation> stage(gpu<D>(), seed);
  Case::run(stage, rows);
  return std::move(stage.results);
}

}  // namespace entrain::test
