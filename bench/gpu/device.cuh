// bench: the GPU that the programs of bench/gpu are compiled for, and whether they only rehearse.
#pragma once
#include "entrain/device/cuda.cuh"

namespace bench {

#if !defined(ENTRAIN_TARGET)
#define ENTRAIN_TARGET Sm90
#endif
using Gpu = entrain::device::Cuda<entrain::device::ENTRAIN_TARGET>;

/// On the host harness every kernel runs on just enough numbers to show that it works; the figures then mean nothing.
#if defined(ENTRAIN_BENCH_TINY)
inline constexpr bool tiny = true;
#else
inline constexpr bool tiny = false;
#endif

}  // namespace bench
