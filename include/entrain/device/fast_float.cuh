// core > [device], precision > tensor > kernel > layer
//
// A float whose quotients and roots cost an instruction or two, for formulas that many numbers go through side by side.
#pragma once
#include "entrain/device/ptx.cuh"

namespace entrain::device {

/// A float, but that a / b and sqrt(a) are within 2 units in the last place, and numbers below the normal ones are 0
/// there. Those of a float are rounded correctly, and have branches for such numbers: a thread's numbers then go
/// through them one after the other.
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
