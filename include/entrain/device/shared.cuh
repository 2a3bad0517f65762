// core > [device], precision > tensor > kernel > layer
//
// Shared memory of a block, as one struct for each kernel. The host's counterpart is tests/cuda_on_cpu/shim.
#pragma once

namespace entrain::device {

/// The block's S; the kernel must be launched with sizeof(S) bytes for each block. No constructor is called.
template <class S> __device__ inline S& shared() {
  extern __shared__ __align__(128) unsigned char entrain_shared[];
  return *reinterpret_cast<S*>(entrain_shared);
}

}  // namespace entrain::device
