// [core] > device, precision > tensor > kernel > layer
//
// Includes the CPU's intrinsics before any other header does. g++ 12 warns of registers that its own AVX-512
// header leaves undefined on purpose (GCC bug 105593, fixed in g++ 13), once for each product of Eigen. Users who treat
// warnings as errors could not compile at all. A warning can be disabled only where its text is included, so this
// header does it.
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
