// core > [device], precision > tensor > kernel > layer
//
// A float whose quotients and roots cost one or two instructions, for formulas that a thread applies to many numbers at
// once.
#pragma once
#include "entrain/device/ptx.cuh"

namespace entrain::device {

/// Like float, except that a / b and sqrt(a) are within 2 units in the last place, and subnormal numbers count as 0
/// there. A float's division and root are rounded correctly and have branches for subnormal numbers, so a thread's
/// numbers go through them one after the other.
struct FastFloat {
  float number;

  FastFloat() = default;
  __device__ explicit FastFloat(float x) : number(x) {}
  __device__ explicit operator float() const { return number; }

  __device__ friend FastFloat operator+(FastFloat a, FastFloat b) { return FastFloat(a.number + b.number); }
  __device__ friend FastFloat operator-(FastFloat a, FastFloat b) { return FastFloat(a.number - b.number); }
  __device__ friend FastFloat operator*(FastFloat a, FastFloat b) { return FastFloat(a.number * b.number); }
  __device__ friend FastFloat operator/(FastFloat a, FastFloat b) {
    return FastFloat(a.number * fast_inverse(b.number));
  }
  __device__ friend FastFloat sqrt(FastFloat a) { return FastFloat(fast_root(a.number)); }
};

}  // namespace entrain::device
