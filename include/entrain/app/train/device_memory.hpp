// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The memory of the training device: how much there is, how much is free, and how much a plan leaves free.
#pragma once
#include <cstddef>
#include <limits>
#include <string>

#include "entrain/app/console/format_number.hpp"
#include "entrain/core/free_memory.hpp"

namespace entrain::app {

/// Bytes, measured after the device is made and before the trainer is.
struct DeviceMemory {
  std::size_t total = 0;      // of a GPU; else 0
  std::size_t workspace = 0;  // taken by matrix products
  std::size_t free = 0;
  std::size_t reserve = 0;  // of what is free, left out of the plan

  /// The bytes that a plan has to fit in.
  std::size_t room() const { return free > reserve ? free - reserve : 0; }
};

/// The reserve: on a GPU the bytes that the device names; on a CPU a quarter of the machine's memory, for
/// corpora, packed batches and other programs.
template <class D> DeviceMemory memory_of(const D& dev) {
  DeviceMemory memory;
  memory.workspace = D::workspace_bytes * static_cast<std::size_t>(dev.workspaces());
  if constexpr (requires { dev.memory(); }) {
    memory.total = dev.memory().total;
    memory.free = dev.memory().free;
    memory.reserve = D::reserve_bytes;
  } else {
    memory.free = free_memory();
    memory.reserve = memory.free / 4;
  }
  return memory;
}

/// The message for a plan that needs part of a GPU's reserve.
inline std::string little_left(std::size_t planned, const DeviceMemory& memory) {
  return "a memory plan of " + mebibytes(planned) + " leaves " + mebibytes(memory.free - planned) +
         " of GPU memory for kernels and graphs, and " + mebibytes(memory.reserve) +
         " are recommended: if memory runs out, lower --token-budget, or set it to auto";
}

}  // namespace entrain::app
