// A device that borrows its members from device::Cpu. WRONG says which of them it lacks.
#pragma once
#include "entrain/cpu.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif

namespace own {
using namespace entrain;
using Cpu = device::Cpu<>;

struct Device {
  static constexpr std::string_view name = "own";
  static constexpr bool in_host_memory = true;
#if WRONG != 1
  template <class T> using Buffer = Cpu::Buffer<T>;
#endif
#if WRONG != 2
  template <class T> void upload(T*, const T*, std::size_t) const {}
#endif
  template <class T> void download(T*, const T*, std::size_t) const {}
  template <class T> void copy(T*, const T*, std::size_t) const {}
  struct Replay {
#if WRONG == 3
    void operator()(auto&& work) const { work(); }
#else
    void operator()(const Device&, auto&&, auto&& work) const { work(); }
#endif
    static std::size_t graphs() { return 0; }
    static void pause() {}
    static device::TimeSpent time_spent() { return {}; }
  };
#if WRONG == 4
  static Cpu with(int threads) { return Cpu(threads); }
#else
  static Device with(int) { return {}; }
#endif
  static int threads() { return 1; }
  static int workspaces() { return 0; }
  static constexpr std::size_t workspace_bytes = 0;
#if WRONG != 5
  static std::string describe() { return "own"; }
#endif
  static device::GpuReading reading() { return {}; }
#if WRONG != 6
  using ToPredict = Cpu::ToPredict;
#endif
#if WRONG != 7
  template <class P> static constexpr bool computes = true;
#endif
};

}  // namespace own
