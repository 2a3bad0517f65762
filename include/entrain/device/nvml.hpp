// core > [device], precision > tensor > kernel > layer
//
// What NVIDIA's management library reports of a GPU while it works: clocks, power, memory. The library comes with the
// driver and is opened at run time. Without it the values are unknown, and no feature depends on them.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <memory>

#include "entrain/device/reading.hpp"

namespace entrain::device {

class Nvml {
 public:
  /// bus_id: as cudaDeviceGetPCIBusId names the GPU
  explicit Nvml(const char* bus_id, const char* library = "libnvidia-ml.so.1")
      : library_(::dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    const auto init = call<int()>("nvmlInit_v2");
    const auto find = call<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (init == nullptr || find == nullptr || init() != 0) {
      library_.reset();
    } else if (find(bus_id, &gpu_) != 0) {
      gpu_ = nullptr;
    }
  }
  ~Nvml() {
    if (const auto end = call<int()>("nvmlShutdown")) end();
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The values as they are now; 0 for what cannot be read.
  GpuReading read() const {
    GpuReading now;
    if (gpu_ == nullptr) return now;
    unsigned milliwatts = 0, limit = 0;
    number("nvmlDeviceGetPowerUsage", milliwatts);
    number("nvmlDeviceGetEnforcedPowerLimit", limit);
    now.watts = milliwatts / 1000.0;
    now.watts_limit = limit / 1000.0;
    if (const auto clock = call<int(void*, int, unsigned*)>("nvmlDeviceGetClockInfo")) {
      constexpr int processors = 1, memory = 2;  // of nvmlClockType_t
      if (clock(gpu_, processors, &now.megahertz) != 0) now.megahertz = 0;
      if (clock(gpu_, memory, &now.memory_megahertz) != 0) now.memory_megahertz = 0;
    }
    struct Memory {
      unsigned long long total, free, used;
    } bytes{};
    if (const auto memory = call<int(void*, Memory*)>("nvmlDeviceGetMemoryInfo"); memory && memory(gpu_, &bytes) == 0) {
      now.used_bytes = bytes.used;
      now.total_bytes = bytes.total;
    }
    return now;
  }

 private:
  struct Closes {
    void operator()(void* library) const { ::dlclose(library); }
  };
  template <class F> F* call(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<F*>(::dlsym(library_.get(), name));
  }
  void number(const char* name, unsigned& to) const {
    const auto ask = call<int(void*, unsigned*)>(name);
    if (ask == nullptr || ask(gpu_, &to) != 0) to = 0;
  }

  std::unique_ptr<void, Closes> library_;
  void* gpu_ = nullptr;
};

}  // namespace entrain::device
