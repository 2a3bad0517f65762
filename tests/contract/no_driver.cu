// tests > [contract]
//
// What a CUDA program says first: which GPU there is, or why there is none. scripts/check/nvcc.sh runs it.
#include <cstdio>

#include "entrain/device/cuda.cuh"

int main() {
  try {
    std::puts(entrain::device::Cuda<entrain::device::Sm75>().describe().c_str());
  } catch (const entrain::Error& e) {
    std::puts(e.what());
  }
}
