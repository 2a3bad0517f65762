// core > device, precision > tensor > [kernel] > layer
//
// GELU for 16-bit numbers: without a branch and without a division, as exact as such numbers can represent.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <type_traits>

#include "entrain/core/activation.hpp"
#include "entrain/device/ptx.cuh"

namespace entrain::kernel::detail {

/// act::Gelu: x Phi(x), and Phi(x) + x phi(x)
///
/// With a = |x|, e = e^(-a^2 / 2) and P(X > a) = e q(t), t = 1 / (1 + 0.36 a), q of degree 5 by
/// scripts/generate/fit_gelu.py: the value is max(x, 0) - a e q(t); with m = e (a / sqrt(2 pi) - q(t)) the slope is 1 +
/// m, below 0 it is -m. From 14 on, where e is 0, a is no larger than 16: else infinity would be multiplied by 0.
///
/// Worst errors over all numbers of bf16 and of fp16, measured on the host version
/// (tests/cuda_on_cpu/fast_gelu_test.cpp): of the value 1.51e-5 relative, where it is above 2^-100; of the slope
/// 4.95e-6. Rounding to fp16 has a relative error of up to 2^-11, 4.9e-4.
__device__ inline act::Point<float> fast_gelu(float x) {
  const float a = fminf(fabsf(x), 16.0f);
  const float e = device::fast_exp2(x * -0.72134752f * x);  // log2(e) / 2; keeps NaN, which fminf drops
  const float t = device::fast_inverse(1.0f + 0.36f * a);
  // A local array, because device code cannot read a static array of the host.
  constexpr float c[] = {0.0002050619265f, 0.1399493633f, 0.1695141482f,
                         0.03334257799f,   0.2561770374f, -0.09919301107f};
  const float q = math::detail::polynomial<5>(c, t);
  const float m = e * (a * 0.39894228f - q);
  return {fmaxf(x, 0.0f) - a * (e * q), x < 0 ? -m : 1.0f + m};  // mutant 20
}

/// Value and slope of Act at x, a number of type A.
template <class Act, class A> __device__ act::Point<float> point(float x) {
  if constexpr (std::is_same_v<Act, act::Gelu> && sizeof(A) == 2) {
    return fast_gelu(x);
  } else {
    return Act::at(x);
  }
}

}  // namespace entrain::kernel::detail
