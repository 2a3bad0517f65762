// tests > [ptx]
//
// What programs ask about the card.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"

namespace ptx {
namespace {

cudaDeviceProp properties(Card& card) {
  const Limits& limits = card.limits();
  cudaDeviceProp of{};
  std::snprintf(of.name, sizeof of.name, "PTX on a CPU");
  of.major = card.capability() / 10, of.minor = card.capability() % 10;
  of.multiProcessorCount = processors;
  of.totalGlobalMem = card_bytes;
  of.sharedMemPerBlock = usual_shared;
  of.sharedMemPerBlockOptin = limits.shared_of_block;
  of.sharedMemPerMultiprocessor = limits.shared_of_processor;
  of.reservedSharedMemPerBlock = card.reserved_shared();
  of.regsPerBlock = of.regsPerMultiprocessor = registers;
  of.warpSize = lanes_of_warp;
  of.maxThreadsPerBlock = of.maxThreadsDim[0] = of.maxThreadsDim[1] = most_threads;
  of.maxThreadsDim[2] = most_threads_z;
  of.maxGridSize[0] = most_blocks_x;
  of.maxGridSize[1] = of.maxGridSize[2] = most_blocks_yz;
  of.maxThreadsPerMultiProcessor = limits.threads;
  of.maxBlocksPerMultiProcessor = limits.blocks;
  of.totalConstMem = 64 * kib;
  of.l2CacheSize = 50 << 20;
  of.memoryBusWidth = 5120;
  of.memPitch = most_blocks_x;
  of.textureAlignment = 512;
  of.asyncEngineCount = 3;
  of.unifiedAddressing = of.concurrentKernels = of.streamPrioritiesSupported = of.canMapHostMemory = 1;
  return of;
}
std::optional<int> attribute_of(Card& card, cudaDeviceAttr which) {
  const cudaDeviceProp of = properties(card);
  const std::pair<cudaDeviceAttr, int> known[] = {
      {cudaDevAttrComputeCapabilityMajor, of.major},
      {cudaDevAttrComputeCapabilityMinor, of.minor},
      {cudaDevAttrMultiProcessorCount, of.multiProcessorCount},
      {cudaDevAttrMaxThreadsPerBlock, of.maxThreadsPerBlock},
      {cudaDevAttrMaxThreadsPerMultiProcessor, of.maxThreadsPerMultiProcessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, of.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxGridDimX, of.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, of.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, of.maxGridSize[2]},
      {cudaDevAttrWarpSize, of.warpSize},
      {cudaDevAttrMaxRegistersPerBlock, of.regsPerBlock},
      {cudaDevAttrL2CacheSize, of.l2CacheSize},
      {cudaDevAttrUnifiedAddressing, of.unifiedAddressing},
      {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(of.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(of.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(of.sharedMemPerMultiprocessor)},
      {cudaDevAttrReservedSharedMemoryPerBlock, static_cast<int>(of.reservedSharedMemPerBlock)},
  };
  for (const auto& [attribute, value] : known)
    if (attribute == which) return value;
  return std::nullopt;
}

}  // namespace
}  // namespace ptx

using namespace ptx;

cudaError_t cudaDriverGetVersion(int* number) { return *number = version, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* number) { return *number = version, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* number) { return *number = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* index) { return *index = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int index) { return said(index == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* of, int index) {
  return call([&](Card& card) {
    if (index != 0) return cudaErrorInvalidDevice;
    return *of = properties(card), cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int index) {
  return call([&](Card& card) {
    if (index != 0) return cudaErrorInvalidDevice;
    const std::optional<int> known = attribute_of(card, which);
    if (!known) return refuse(cudaErrorInvalidValue, "device attribute " + std::to_string(which));
    return *value = *known, cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int index) {
  if (index != 0) return said(cudaErrorInvalidDevice);
  constexpr std::string_view bus = "0000:00:00.0";
  if (bytes <= static_cast<int>(bus.size())) return said(cudaErrorInvalidValue);
  std::memcpy(id, bus.data(), bus.size());
  id[bus.size()] = '\0';
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return *least = least_priority, *greatest = greatest_priority, cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return call_that_waits([](Card& card) { return card.may_wait() ? cudaSuccess : cudaErrorStreamCaptureUnsupported; });
}
