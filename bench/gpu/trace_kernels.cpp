// bench: records which kernels a program runs on the GPU, and when. It is loaded into any CUDA program, without
// changing it.
//
//   g++ -std=c++20 -O2 -shared -fPIC -I$CUDA/include bench/gpu/trace_kernels.cpp -L$CUDA/lib64 -lcupti \
//       -o trace_kernels.so
//   CUDA_INJECTION64_PATH=$PWD/trace_kernels.so ENTRAIN_TRACE=FILE program ...
//
// FILE: a line for each kernel, copy and memset, in the order in which they begin: begin and end in nanoseconds, the
// stream, blocks, threads, registers, shared bytes, name. Recording takes time on the host, not in kernels.
#include <cupti.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Row {
  std::uint64_t begin, end;
  std::uint32_t stream;
  int blocks, threads, registers, shared;
  std::string name;
};

std::mutex mutex;
std::vector<Row>& rows() {
  static auto* all = new std::vector<Row>;  // lives until the program's last exit handler
  return *all;
}

void CUPTIAPI give(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = std::size_t(8) << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *most = 0;
}

void CUPTIAPI take(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  const std::lock_guard lock(mutex);
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto& k = *reinterpret_cast<CUpti_ActivityKernel10*>(record);
      rows().push_back({k.start, k.end, k.streamId, k.gridX * k.gridY * k.gridZ, k.blockX * k.blockY * k.blockZ,
                        k.registersPerThread, static_cast<int>(k.staticSharedMemory + k.dynamicSharedMemory), k.name});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto& c = *reinterpret_cast<CUpti_ActivityMemcpy6*>(record);
      rows().push_back({c.start, c.end, c.streamId, 0, 0, 0, 0,
                        "copy of " + std::to_string(c.bytes) + " bytes, kind " + std::to_string(c.copyKind)});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
      const auto& c = *reinterpret_cast<CUpti_ActivityMemset4*>(record);
      rows().push_back({c.start, c.end, c.streamId, 0, 0, 0, 0, "memset of " + std::to_string(c.bytes) + " bytes"});
    }
  }
  std::free(buffer);
}

void write() {
  cuptiActivityFlushAll(1);
  const char* path = std::getenv("ENTRAIN_TRACE");
  std::FILE* out = std::fopen(path ? path : "trace_kernels.txt", "w");
  if (!out) return;
  const std::lock_guard lock(mutex);
  std::sort(rows().begin(), rows().end(), [](const Row& a, const Row& b) { return a.begin < b.begin; });
  for (const Row& r : rows())
    std::fprintf(out, "%llu %llu %u %d %d %d %d %s\n", static_cast<unsigned long long>(r.begin),
                 static_cast<unsigned long long>(r.end), r.stream, r.blocks, r.threads, r.registers, r.shared,
                 r.name.c_str());
  std::fclose(out);
}

}  // namespace

extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(give, take);
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET})
    if (cuptiActivityEnable(kind) != CUPTI_SUCCESS)
      std::fprintf(stderr, "trace_kernels: kind %d is not recorded\n", kind);
  std::atexit(write);
  return 1;
}
