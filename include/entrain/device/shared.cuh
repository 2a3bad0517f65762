// core > [device], precision > tensor > kernel > layer
//
// Shared memory of a block, as one struct for each kernel. On the host its twin is tests/cuda_on_cpu/shim.
#pragma once

namespace entrain::device {

/// The block's S; the kernel was launched with sizeof(S) bytes for each block. Nothing is constructed.
template <class S> __device__ inline S& shared() {
  extern __shared__ __align__(128) unsigned char entrain_shared[];
  return *reinterpret_cast<S*>(entrain_shared);
}

}  // namespace entrain::device
