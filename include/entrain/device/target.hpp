// core > [device], precision > tensor > kernel > layer
//
// The NVIDIA GPUs that a program can be compiled for: what kernels may use there, as compile-time constants.
#pragma once
#include <cstddef>
#include <string_view>

#include "entrain/core/tf32.hpp"

namespace entrain::device {

/// Options that all targets share.
struct Ways {
  static constexpr bool graphs = true;        // a step's kernels are launched as one graph
  static constexpr bool side_stream = true;   // gradients of weights run at the same time as those of inputs
  static constexpr bool late_updates = true;  // updates run at the same time as the next forward pass
};
/// Cuda<Eager<Sm90>>: kernels are launched one by one, for a debugger or a profiler. Same bits.
template <class Target> struct Eager : Target { static constexpr bool graphs = false; };
/// Cuda<OneQueue<Sm90>>: kernels run one after the other, to measure the gain of the side stream. Same bits.
template <class Target> struct OneQueue : Target { static constexpr bool side_stream = false; };
/// Cuda<AtOnce<Sm90>>: values change at a step's end, to measure the gain of late updates. Same bits.
template <class Target> struct AtOnce : Target { static constexpr bool late_updates = false; };

/// Turing: the T4 of free clouds. Tensor cores multiply fp16; there is no bf16 and no asynchronous copy.
struct Sm75 : Ways {
  static constexpr std::string_view name = "sm_75";
  static constexpr int major = 7, minor = 5;
  static constexpr bool bf16 = false, tf32 = false, async_copy = false;
  static constexpr int mma_depth = 8;  // depth of one tensor-core product of 16-bit numbers
  static constexpr std::size_t shared_bytes = std::size_t(64) << 10;  // the most that a block may have
};

/// Ampere and Ada: A100; A10, A40, RTX 30 (8.6) and L4, L40, RTX 40 (8.9) run code that is compiled for it.
struct Sm80 : Ways {
  static constexpr std::string_view name = "sm_80";
  static constexpr int major = 8, minor = 0;
  static constexpr bool bf16 = true, tf32 = true, async_copy = true;
  static constexpr int mma_depth = 16;
  static constexpr std::size_t shared_bytes = std::size_t(99) << 10;  // of 8.6 and 8.9; 163 on an A100
};

/// Hopper: H100, H200. Later GPUs compile the same PTX again.
struct Sm90 : Ways {
  static constexpr std::string_view name = "sm_90";
  static constexpr int major = 9, minor = 0;
  static constexpr bool bf16 = true, tf32 = true, async_copy = true;
  static constexpr int mma_depth = 16;
  static constexpr std::size_t shared_bytes = std::size_t(227) << 10;
};

/// Any of them, with products of fp32 in TF32: the device that a trainer in precision::Tf32 uses.
template <class Of> struct InTf32 : Of {};

/// The target for products that round their operands to T: core/tf32.hpp's type or a stored type.
template <class Target, class T> struct TargetOf { using type = Target; };
template <class Target> struct TargetOf<Target, tf32> {
  static_assert(
      Target::tf32,
      "entrain: this GPU does not multiply in TF32, which needs device::Sm80 or newer; use precision::Fp32 or "
      "precision::Fp16Mixed.");
  using type = InTf32<Target>;
};
template <class Target> struct TargetOf<InTf32<Target>, tf32> { using type = InTf32<Target>; };

template <class Target> inline constexpr bool multiplies_in_tf32 = false;
template <class Target> inline constexpr bool multiplies_in_tf32<InTf32<Target>> = true;

}  // namespace entrain::device
