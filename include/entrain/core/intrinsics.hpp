// [core] > device, precision > tensor > kernel > layer
//
// The processor's intrinsics, before anything else includes them: g++ 12 warns of registers that its own AVX-512 header
// leaves undefined on purpose (GCC bug 105593, gone in g++ 13), once for each product of Eigen, and a user who treats
// warnings as errors could not compile at all. A diagnostic is silenced where its text stands, so it must be here.
#pragma once
#include "entrain/core/config.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
