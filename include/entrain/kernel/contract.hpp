// core > device, precision > tensor > [kernel] > layer
//
// The compile error for a kernel that no included header implements for a device: it names the header to include.
#pragma once
#include <type_traits>

#include "entrain/device/plan.hpp"

namespace entrain::kernel {

/// Declared and never defined: after the sentence of a missing implementation no error follows for each call of it.
struct NoImplementation {
  template <auto...> static void forward(auto&&...);
  template <class> static void forward(auto&&...);
  template <auto...> static void backward(auto&&...);
  template <class> static void backward(auto&&...);
};

/// A kernel's primary template derives from one of these, and each device specialises it. device::Plan needs no
/// specialisation, because ops only count there.
///
/// InTagger        for kernels of entrain/cpu.hpp and entrain/cuda.cuh
/// InTransformer   for kernels of entrain/cpu_transformer.hpp and entrain/cuda_transformer.cuh
/// InClassifier    for kernels of entrain/cpu_classifier.hpp and entrain/cuda_classifier.cuh
template <class D> struct InTagger : NoImplementation {
  static_assert(std::is_same_v<D, device::Plan>,
                "entrain: no included header implements this kernel for this device: include entrain/cpu.hpp, or for a "
                "GPU entrain/cuda.cuh; for a device of your own, specialise the kernel, see docs/extending/device.md.");
};
template <class D> struct InTransformer : NoImplementation {
  static_assert(
      std::is_same_v<D, device::Plan>,
      "entrain: no included header implements this kernel for this device: include entrain/cpu_transformer.hpp, or "
      "for a GPU entrain/cuda_transformer.cuh; for a device of your own, specialise the kernel, see "
      "docs/extending/device.md.");
};
template <class D> struct InClassifier : NoImplementation {
  static_assert(
      std::is_same_v<D, device::Plan>,
      "entrain: no included header implements this kernel for this device: include entrain/cpu_classifier.hpp, or for "
      "a GPU entrain/cuda_classifier.cuh; for a device of your own, specialise the kernel, see "
      "docs/extending/device.md.");
};

}  // namespace entrain::kernel
