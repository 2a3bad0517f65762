// core > [device], precision > tensor > kernel > layer
//
// Every call of the CUDA runtime is checked. An error becomes an exception that names the call and the likely cause.
#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "entrain/core/error.hpp"

namespace entrain::device {
namespace detail {

[[gnu::cold]] inline std::string_view likely_cause(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "the GPU's memory is full: lower --token-budget, or stop other programs on it (nvidia-smi lists them)";
    case cudaErrorInsufficientDriver:
      return "the driver is older than the CUDA runtime that this program was built with: update the driver, or build "
             "with an older toolkit";
    case cudaErrorNoDevice:
      return "no GPU is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES";
    case cudaErrorNoKernelImageForDevice:
      return "the program was built for another GPU: build it for this one";
    case cudaErrorIllegalAddress:
      return "a kernel accessed memory out of bounds: this is a bug in entrain, please report it";
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidValue:
      return "a kernel was launched with a configuration that this GPU does not support: this is a bug in entrain, "
             "please report it";
    case cudaErrorInvalidConfiguration:
      return "a batch of four million rows or more exceeds the grid of a GPU: lower --token-budget; with fewer rows, "
             "this is a bug in entrain, please report it";
    default:
      return "an earlier kernel may have failed; if the GPU was lost (nvidia-smi, dmesg), the last checkpoint is "
             "intact";
  }
}

}  // namespace detail

/// For callers that can continue with less memory.
struct OutOfMemory : Error {
  using Error::Error;
};

/// throws    entrain.device.2 unless code is cudaSuccess, OutOfMemory if that is the reason; call: as it is written in
///           the source
inline void check(cudaError_t code, std::string_view call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // or the next check finds this error again
  const auto found = std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
  if (code == cudaErrorMemoryAllocation)
    throw OutOfMemory("entrain.device.2", call, found, "cudaSuccess", detail::likely_cause(code));
  throw Error("entrain.device.2", call, found, "cudaSuccess", detail::likely_cause(code));
}

struct EndsEvent {
  void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using OwnEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EndsEvent>;

inline OwnEvent make_event(unsigned flags) {
  cudaEvent_t made = nullptr;
  check(cudaEventCreateWithFlags(&made, flags), "cudaEventCreateWithFlags");
  return OwnEvent(made);
}

/// Whether all work that was queued before an event was recorded is done.
inline bool is_over(cudaEvent_t event) {
  const cudaError_t code = cudaEventQuery(event);
  if (code == cudaErrorNotReady) return false;
  check(code, "cudaEventQuery");
  return true;
}

}  // namespace entrain::device
