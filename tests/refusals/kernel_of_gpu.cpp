// entrain: no included header implements this kernel for this device: include entrain/cpu_transformer.hpp, or
// nvcc only
#include "entrain/device/cuda.cuh"
#include "entrain/encode/feed_forward.hpp"
#if !defined(WRONG)
#include "entrain/kernel/activation/cuda.cuh"
#endif
using namespace entrain;
void backward(const device::Cuda<>& gpu, Rows<const float, 8> dy, Rows<float, 8> dx) {
  kernel::act_back(gpu, dy, dy, dx);
}
