// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The memory of the device that trains: what is there, what is free, what a plan leaves alone.
#pragma once
#include <cstddef>
#include <limits>
#include <string>

#include "entrain/app/figures.hpp"
#include "entrain/core/free_memory.hpp"

namespace entrain::app {

/// Bytes, as they are when the device has been made and the trainer has not.
struct DeviceMemory {
  std::size_t total = 0;      // of a GPU; else 0
  std::size_t workspace = 0;  // that products have taken
  std::size_t free = 0;
  std::size_t reserve = 0;  // of what is free, not planned with

  /// For a plan that is made to fit.
  std::size_t room() const { return free > reserve ? free - reserve : 0; }
};

/// The reserve: of a GPU's memory what the device says; of a machine's a quarter, for corpora, packed batches and
/// whatever else runs.
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

/// Of a plan that goes into the reserve of a GPU.
inline std::string little_left(std::size_t planned, const DeviceMemory& memory) {
  return "a plan of " + mebibytes(planned) + " leaves " + mebibytes(memory.free - planned) +
         " of the GPU's memory for kernels and graphs, where " + mebibytes(memory.reserve) +
         " are sure to be enough: if it runs out, lower --token-budget, or let it be auto";
}

}  // namespace entrain::app
