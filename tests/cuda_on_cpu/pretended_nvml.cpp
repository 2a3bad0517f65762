// tests > [cuda_on_cpu]
//
// The driver's management library as far as entrain asks it, of one GPU at 0000:81:00.0. What nvml_pretended_fault
// names does not work.
#include <cstring>

extern "C" {

char nvml_pretended_fault[64] = "";
int nvml_pretended_open = 0;

static int faulty(const char* name) { return std::strcmp(name, nvml_pretended_fault) == 0 ? 999 : 0; }

int nvmlInit_v2() { return faulty("init") != 0 ? 999 : (++nvml_pretended_open, 0); }
int nvmlShutdown() { return --nvml_pretended_open, 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** gpu) {
  static int handle;
  if (std::strcmp(bus_id, "0000:81:00.0") != 0) return 6;
  *gpu = &handle;
  return faulty("handle");
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return *milliwatts = 611600, faulty("power"); }
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) { return *milliwatts = 700000, faulty("limit"); }
int nvmlDeviceGetClockInfo(void*, int type, unsigned* megahertz) {
  *megahertz = type == 1 ? 1980 : type == 2 ? 3201 : 1;
  return faulty("clock");
}
struct Memory {
  unsigned long long total, free, used;
};
int nvmlDeviceGetMemoryInfo(void*, Memory* memory) { return *memory = {1000, 300, 700}, faulty("memory"); }
}
