// core > device, precision > tensor > [kernel] > layer
//
// What the compiler says of a kernel that no included header implements for a device: the header to include.
#pragma once
#include <type_traits>

#include "entrain/device/plan.hpp"

namespace entrain::kernel {

/// A kernel's primary template has one of these as its base, and each device a specialisation. device::Plan needs none,
/// as verbs count there.
///
/// InTagger        of entrain/cpu.hpp and entrain/cuda.cuh
/// InTransformer   of entrain/cpu_transformer.hpp and entrain/cuda_transformer.cuh
template <class D> struct InTagger {
  static_assert(std::is_same_v<D, device::Plan>,
                "entrain: no included header implements this kernel for this device: include entrain/cpu.hpp, or for a "
                "GPU entrain/cuda.cuh; for a device of your own, specialise the kernel as in kernel/*/cpu.hpp.");
};
template <class D> struct InTransformer {
  static_assert(
      std::is_same_v<D, device::Plan>,
      "entrain: no included header implements this kernel for this device: include entrain/cpu_transformer.hpp, or "
      "for a GPU entrain/cuda_transformer.cuh; for a device of your own, specialise the kernel as in "
      "kernel/*/cpu.hpp.");
};

}  // namespace entrain::kernel
