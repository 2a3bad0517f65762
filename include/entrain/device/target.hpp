// core > [device], precision > tensor > kernel > layer
//
// The NVIDIA GPUs that a program can be compiled for: what kernels may use there, known to the compiler.
#pragma once
#include <cstddef>
#include <string_view>

#include "entrain/core/tf32.hpp"

namespace entrain::device {

/// How the targets work.
struct Ways {
  static constexpr bool graphs = true;        // a step's kernels are launched as one graph
  static constexpr bool side_stream = true;   // gradients of weights are computed beside those of inputs
  static constexpr bool late_updates = true;  // and values follow them beside the next forward pass
};
/// Cuda<Eager<Sm90>>: one by one, for a debugger or a profiler. Same bits.
template <class Target> struct Eager : Target { static constexpr bool graphs = false; };
/// Cuda<OneQueue<Sm90>>: one behind the other, to see what the second queue brings. Same bits.
template <class Target> struct OneQueue : Target { static constexpr bool side_stream = false; };
/// Cuda<AtOnce<Sm90>>: values change at a step's end, to see what it brings that they do later. Same bits.
template <class Target> struct AtOnce : Target { static constexpr bool late_updates = false; };

/// Turing: the T4 of free clouds. Tensor cores multiply fp16; there is no bf16 and no asynchronous copy.
struct Sm75 : Ways {
  static constexpr std::string_view name = "sm_75";
  static constexpr int major = 7, minor = 5;
  static constexpr bool bf16 = false, tf32 = false, async_copy = false;
  static constexpr int mma_depth = 8;  // over which one product of 16-bit numbers on tensor cores sums
  static constexpr std::size_t shared_bytes = std::size_t(64) << 10;  // the most that a block may have
};

/// Ampere and Ada: A100; A10, A40, RTX 30 (8.6) and L4, L40, RTX 40 (8.9) run what is compiled for it.
struct Sm80 : Ways {
  static constexpr std::string_view name = "sm_80";
  static constexpr int major = 8, minor = 0;
  static constexpr bool bf16 = true, tf32 = true, async_copy = true;
  static constexpr int mma_depth = 16;
  static constexpr std::size_t shared_bytes = std::size_t(99) << 10;  // of 8.6 and 8.9; 163 on an A100
};

/// Hopper: H100, H200; what comes later compiles the same PTX once more.
struct Sm90 : Ways {
  static constexpr std::string_view name = "sm_90";
  static constexpr int major = 9, minor = 0;
  static constexpr bool bf16 = true, tf32 = true, async_copy = true;
  static constexpr int mma_depth = 16;
  static constexpr std::size_t shared_bytes = std::size_t(227) << 10;
};

/// Any of them, where products of fp32 are multiplied in TF32: what a trainer in precision::Tf32 makes of its device.
template <class Of> struct InTf32 : Of {};

/// The target for products that round their operands to T, core/tf32.hpp's or a type that is stored.
template <class Target, class T> struct TargetOf { using type = Target; };
template <class Target> struct TargetOf<Target, tf32> {
  static_assert(Target::tf32,
                "entrain: this GPU does not multiply in TF32, which begins with device::Sm80; use precision::Fp32 or "
                "precision::Fp16Mixed.");
  using type = InTf32<Target>;
};
template <class Target> struct TargetOf<InTf32<Target>, tf32> { using type = InTf32<Target>; };

template <class Target> inline constexpr bool multiplies_in_tf32 = false;
template <class Target> inline constexpr bool multiplies_in_tf32<InTf32<Target>> = true;

}  // namespace entrain::device
