// tests > [ptx]
//
// Launches of kernels, and what programs ask about a kernel before: its shared memory, how many blocks run at once.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"
#include "tests/ptx/kernels.hpp"

namespace ptx {
namespace {

std::string in_words(dim3 d) { return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z); }
std::uint64_t count(dim3 d) { return std::uint64_t(d.x) * d.y * d.z; }

/// What CUDA looks at before a launch.
cudaError_t check_launch(const CUkern_st& function, dim3 grid, dim3 block, std::size_t shared) {
  const Kernel& kernel = *function.kernel;
  const auto no = [&](cudaError_t code, const std::string& why) {
    return refuse(code, readable(kernel.name) + ": " + why);
  };
  if (count(grid) == 0 || grid.x > most_blocks_x || grid.y > most_blocks_yz || grid.z > most_blocks_yz)
    return no(cudaErrorInvalidConfiguration, "a grid of " + in_words(grid) + " blocks");
  if (count(block) == 0 || count(block) > most_threads || block.z > most_threads_z)
    return no(cudaErrorInvalidConfiguration, "blocks of " + in_words(block) + " threads");
  if (kernel.max_threads != 0 && count(block) > kernel.max_threads)
    return no(cudaErrorLaunchOutOfResources, "blocks of " + in_words(block) +
                                                 " threads, where its __launch_bounds__ say " +
                                                 std::to_string(kernel.max_threads));
  if (shared > function.dynamic_shared)
    return no(cudaErrorInvalidValue, std::to_string(shared) + " bytes of shared memory behind " +
                                         std::to_string(kernel.static_shared) +
                                         " of its own, and no cudaFuncSetAttribute that allows for it");
  return cudaSuccess;
}

/// A kernel's arguments as they were when it was launched.
class Arguments {
 public:
  Arguments(const Kernel& kernel, const void* const* from) : kernel_(&kernel) {
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const Param& param = kernel.params[i];
      bytes_.resize(std::max(bytes_.size(), param.offset + param.bytes));
      std::memcpy(bytes_.data() + param.offset, from[i], param.bytes);
    }
  }
  std::vector<const void*> addresses() const {
    std::vector<const void*> all;
    for (const Param& param : kernel_->params) all.push_back(bytes_.data() + param.offset);
    return all;
  }

 private:
  const Kernel* kernel_;
  std::vector<std::byte> bytes_;
};

cudaError_t launch(Card& card, CUkern_st& function, dim3 grid, dim3 block, const void* const* from, std::size_t shared,
                   cudaStream_t stream) {
  if (const cudaError_t code = check_launch(function, grid, block, shared); code != cudaSuccess) return code;
  return card.queue(stream, [&module = *function.binary->module, &kernel = *function.kernel, grid, block, shared,
                             arguments = Arguments(*function.kernel, from)] {
    module.launch(kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments.addresses().data());
  });
}

/// What kernel<<<...>>> says until the kernel's host function asks for it.
struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

int blocks_at_once(Card& card, const Kernel& kernel, int threads, std::size_t shared) {
  if (threads <= 0 || threads > most_threads) return 0;
  if (kernel.max_threads != 0 && static_cast<unsigned>(threads) > kernel.max_threads) return 0;
  const Limits& limits = card.limits();
  const int warps = (threads + lanes_of_warp - 1) / lanes_of_warp;
  const std::size_t bytes = shared + kernel.static_shared + card.reserved_shared();
  const int by_shared =
      bytes == 0 ? limits.blocks : static_cast<int>(std::min<std::size_t>(limits.shared_of_processor / bytes, 1024));
  const int by_registers = registers / (std::max(kernel.registers, 1) * lanes_of_warp * warps);
  return std::min({limits.blocks, limits.threads / (warps * lanes_of_warp), by_shared, by_registers});
}

}  // namespace
}  // namespace ptx

using namespace ptx;

// what nvcc adds to kernels

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return said(cudaErrorInvalidConfiguration);
  const Configuration now = configurations.back();
  configurations.pop_back();
  *grid = now.grid, *block = now.block, *shared = now.shared;
  *static_cast<cudaStream_t*>(stream) = now.stream;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return call([&](Card& card) {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (const cudaError_t code = load(card, *kernel); code != cudaSuccess) return code;
    return launch(card, *kernel, grid, block, arguments, shared, stream);
  });
}

}  // extern "C"

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    return launch(card, *kernel, grid, block, arguments, shared, stream);
  });
}
/// Of the attributes, one that lets a kernel begin early asks for nothing here; others change what a kernel does.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization)
      return said(refuse(cudaErrorNotSupported, "launch attribute " + std::to_string(config->attrs[i].id)));
  return cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                          config->stream);
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    if (which == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
    const auto bytes = static_cast<std::size_t>(value);
    if (bytes + kernel->kernel->static_shared > card.limits().shared_of_block)
      return refuse(cudaErrorInvalidValue,
                    readable(kernel->name) + ": more shared memory is asked for than a block may have");
    return kernel->dynamic_shared = bytes, cudaSuccess;
  });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    cudaFuncAttributes of{};
    of.sharedSizeBytes = kernel->kernel->static_shared;
    of.maxThreadsPerBlock =
        kernel->kernel->max_threads != 0 ? static_cast<int>(kernel->kernel->max_threads) : most_threads;
    of.numRegs = kernel->kernel->registers;
    of.ptxVersion = kernel->binary->target;
    of.binaryVersion = card.capability();
    of.maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared);
    of.preferredShmemCarveout = -1;
    return *attributes = of, cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared, unsigned) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    return *blocks = blocks_at_once(card, *kernel->kernel, threads, shared), cudaSuccess;
  });
}
