// tests > cuda_on_cpu > [shim]
//
// The host's version of device/shared.cuh: the block's own piece of memory, poisoned before each block.
#pragma once
#include "tests/cuda_on_cpu/harness/grid.hpp"

namespace entrain::device {

template <class S> S& shared() { return *reinterpret_cast<S*>(harness::Grid::now().shared(sizeof(S))); }

}  // namespace entrain::device
