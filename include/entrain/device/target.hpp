// core > [device], precision > tensor > kernel > layer
//
// The NVIDIA GPUs that a program can be compiled for: what kernels may use there, known to the compiler.
#pragma once
#include <cstddef>
#include <string_view>

namespace entrain::device {

/// A step's kernels are launched as one graph.
struct WithGraphs {
  static constexpr bool graphs = true;
};
/// Cuda<Eager<Sm90>>: one by one, for a debugger or a profiler. Same bits.
template <class Target> struct Eager : Target { static constexpr bool graphs = false; };

/// Turing: the T4 of free clouds. Tensor cores multiply fp16; there is no bf16 and no asynchronous copy.
struct Sm75 : WithGraphs {
  static constexpr std::string_view name = "sm_75";
  static constexpr int major = 7, minor = 5;
  static constexpr bool bf16 = false, async_copy = false;
  static constexpr std::size_t shared_bytes = std::size_t(64) << 10;  // the most that a block may have
};

/// Ampere and Ada: A100; A10, A40, RTX 30 (8.6) and L4, L40, RTX 40 (8.9) run what is compiled for it.
struct Sm80 : WithGraphs {
  static constexpr std::string_view name = "sm_80";
  static constexpr int major = 8, minor = 0;
  static constexpr bool bf16 = true, async_copy = true;
  static constexpr std::size_t shared_bytes = std::size_t(99) << 10;  // of 8.6 and 8.9; 163 on an A100
};

/// Hopper: H100, H200; what comes later compiles the same PTX once more.
struct Sm90 : WithGraphs {
  static constexpr std::string_view name = "sm_90";
  static constexpr int major = 9, minor = 0;
  static constexpr bool bf16 = true, async_copy = true;
  static constexpr std::size_t shared_bytes = std::size_t(227) << 10;
};

}  // namespace entrain::device
