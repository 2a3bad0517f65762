// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The instruction sets that this program was compiled for, and those that the machine has.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>

namespace entrain {
namespace kernel {
struct Bf16Gemm;
}

namespace app {

/// The instruction sets that the compiler flags of this translation unit allow: -march decides.
inline std::string compiled_for() {
  std::string s;
  const auto add = [&s](std::string_view name) { s.append(s.empty() ? "" : " ").append(name); };
#if defined(__AVX512F__)
  add("avx512");
#endif
#if defined(__AVX2__)
  add("avx2");
#elif defined(__AVX__)
  add("avx");
#endif
#if defined(__FMA__)
  add("fma");
#endif
#if defined(__x86_64__)
  if (s.empty()) add("sse2");
#elif defined(__ARM_NEON)
  add("neon");
#endif
  return s.empty() ? "the baseline instruction set" : s;
}

/// Those of these sets that the CPU has; empty where the program cannot ask.
inline std::string processor_has() {
  std::string s;
#if defined(__x86_64__)
  const auto add = [&s](std::string_view name) { s.append(s.empty() ? "" : " ").append(name); };
  if (__builtin_cpu_supports("avx512f")) add("avx512");
  if (__builtin_cpu_supports("avx2")) add("avx2");
  if (__builtin_cpu_supports("fma")) add("fma");
  if (s.empty()) add("sse2");
#endif
  return s;
}

/// For a GPU its target; for the CPU also what its products need, and the sets that it has.
template <class D> std::string compiled_for() {
  if constexpr (requires { D::Target::name; }) {
    return std::string(D::Target::name);
  } else {
    const std::string has = processor_has();
    std::string needs;
    if constexpr (requires { D::Gemm::instructions; })
      if (!D::Gemm::instructions.empty()) needs.append(" ").append(D::Gemm::instructions);
    return compiled_for() + needs + (has.empty() ? "" : ", the CPU has " + has);
  }
}

/// The program for the CPU next to one for a GPU: ner_light for ner_light_cuda, my-ner for my-ner-cuda; empty if
/// there is none.
inline std::string cpu_program(std::string program) {
  for (const std::string_view ending : {"_cuda", "-cuda", "_gpu", "-gpu"})
    if (std::string_view(program).ends_with(ending)) {
      program.resize(program.size() - ending.size());
      return ::access(program.c_str(), X_OK) == 0 ? program : std::string();
    }
  return {};
}

/// Advice for a GPU that cannot be used: one line.
inline std::string on_the_cpu(const std::string& program) {
  const std::string other = cpu_program(program);
  return other.empty() ? "to run on the CPU: build with device::Cpu instead of device::Cuda (DEVICE cpu, --device cpu)"
                       : "to run on the CPU: " + other;
}

/// A remark on products in bf16 that are slower than those in fp32: without AMX, Intel's CPUs do half as many of them a
/// cycle. On an Emerald Rapids Xeon kernel::Bf16Gemm trained MiniLM at 0.67 of fp32's speed. Empty for other devices
/// and CPUs.
template <class D> std::string_view remark_on_products() {
#if defined(__x86_64__)
  if constexpr (requires { requires std::is_same_v<typename D::Gemm, kernel::Bf16Gemm>; })
    if (__builtin_cpu_is("intel"))
      return "bf16 without AMX is slower than fp32 on this CPU; --precision fp32 is faster";
#endif
  return {};
}

inline int threads_or_all(int asked) {
  if (asked > 0) return asked;
  const unsigned n = std::thread::hardware_concurrency();
  return n == 0 ? 1 : static_cast<int>(n);
}

}  // namespace app
}  // namespace entrain
