// tests > cuda_on_cpu > [shim]
//
// The CUDA runtime as the host harness plays it: what entrain's headers call, and no more. Memory is the host's, each
// piece of just the size that was asked for. What is queued is done as late as it may be: when the host waits for it,
// so that whoever reads a result too early, or changes what a copy has still to read, is seen.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tests/cuda_on_cpu/harness/grid.hpp"
#include "tests/cuda_on_cpu/harness/launched.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

// threads

// of the thread that runs
inline const dim3& threadIdx = harness::Grid::now().thread_index;
inline const dim3& blockIdx = harness::Grid::now().block_index;
inline const dim3& blockDim = harness::Grid::now().block_size;
inline const dim3& gridDim = harness::Grid::now().grid_size;

inline void __syncthreads(std::source_location where = std::source_location::current()) {
  harness::Grid::now().barrier(where);
}
inline void __syncwarp(unsigned mask = ~0u) {
  harness::Grid::now().meet(mask, "__syncwarp", nullptr, nullptr, [](auto&&, auto&&) {});
}
namespace harness {
/// Every lane of the mask gets what the lane from(own lane) brought; a lane outside of the mask brings nothing.
template <class T, class From> T exchange(unsigned mask, const char* what, T mine, From from) {
  T result = mine;
  Grid::now().meet(mask, what, &mine, &result, [&](const void* const* in, void* const* out) {
    for (unsigned l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      const unsigned source = from(l);
      if (source >= lanes || (mask >> source & 1) == 0)
        Grid::now().fail(what, ": a lane reads one that is not in the mask");
      *static_cast<T*>(out[l]) = *static_cast<const T*>(in[source]);
    }
  });
  return result;
}
}  // namespace harness
template <class T> T __shfl_xor_sync(unsigned mask, T x, int lanes) {
  return harness::exchange(mask, "__shfl_xor_sync", x,
                           [lanes](unsigned l) { return l ^ static_cast<unsigned>(lanes); });
}
/// As the harness reads it, a shuffle names one lane for all.
template <class T> T __shfl_sync(unsigned mask, T x, int lane) {
  struct Asked {
    T value;
    int lane;
  };
  Asked mine{x, lane};
  T result = x;
  harness::Grid::now().meet(mask, "__shfl_sync", &mine, &result, [&](const void* const* in, void* const* out) {
    for (unsigned l = 0; l < harness::lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      const auto source = static_cast<unsigned>(static_cast<const Asked*>(in[l])->lane) % harness::lanes;
      if ((mask >> source & 1) == 0) harness::Grid::now().fail("__shfl_sync: a lane reads one that is not in the mask");
      *static_cast<T*>(out[l]) = static_cast<const Asked*>(in[source])->value;
    }
  });
  return result;
}
/// sin and cos of x pi. Whole turns are subtracted first, which is exact.
inline void sincospif(float x, float* sine, float* cosine) {
  const double angle = (static_cast<double>(x) - 2 * std::rint(static_cast<double>(x) / 2)) * 3.14159265358979323846;
  *sine = static_cast<float>(std::sin(angle));
  *cosine = static_cast<float>(std::cos(angle));
}
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned result = 0;
  harness::Grid::now().meet(mask, "__ballot_sync", &predicate, &result, [&](const void* const* in, void* const* out) {
    unsigned all = 0;
    for (unsigned l = 0; l < harness::lanes; ++l)
      if ((mask >> l & 1) != 0 && *static_cast<const int*>(in[l]) != 0) all |= 1u << l;
    for (unsigned l = 0; l < harness::lanes; ++l)
      if ((mask >> l & 1) != 0) *static_cast<unsigned*>(out[l]) = all;
  });
  return result;
}

// errors

enum cudaError_t {
  cudaSuccess,
  cudaErrorInvalidValue,
  cudaErrorMemoryAllocation,
  cudaErrorInvalidConfiguration,
  cudaErrorInsufficientDriver,
  cudaErrorNoDevice,
  cudaErrorNoKernelImageForDevice,
  cudaErrorIllegalAddress,
  cudaErrorLaunchOutOfResources,
  cudaErrorNotReady,
  cudaErrorStreamCaptureUnsupported,
  cudaErrorStreamCaptureInvalidated,
  cudaErrorStreamCaptureUnjoined,
  cudaErrorStreamCaptureIsolation,
  cudaErrorLaunchFailure
};
inline const char* cudaGetErrorName(cudaError_t code) {
  constexpr const char* names[] = {"cudaSuccess",
                                   "cudaErrorInvalidValue",
                                   "cudaErrorMemoryAllocation",
                                   "cudaErrorInvalidConfiguration",
                                   "cudaErrorInsufficientDriver",
                                   "cudaErrorNoDevice",
                                   "cudaErrorNoKernelImageForDevice",
                                   "cudaErrorIllegalAddress",
                                   "cudaErrorLaunchOutOfResources",
                                   "cudaErrorNotReady",
                                   "cudaErrorStreamCaptureUnsupported",
                                   "cudaErrorStreamCaptureInvalidated",
                                   "cudaErrorStreamCaptureUnjoined",
                                   "cudaErrorStreamCaptureIsolation",
                                   "cudaErrorLaunchFailure"};
  return names[code];
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "as the host harness plays it"; }

// the machine

namespace harness {
inline constexpr int runtime = 13000;
/// What the machine is said to be; tests change it.
struct Machine {
  int gpus = 1, major = 9, minor = 0, driver = runtime;
  std::size_t bytes = std::size_t(1) << 30, taken = 0;
  double milliseconds = 0;  // a kernel takes one, or a copy inside of the GPU; a product what its algorithm says
  std::size_t graphs = 0;   // how many were launched
  std::size_t waits = 0;    // how often the host has waited for all that was queued
  std::size_t shared_bytes = std::size_t(227) << 10;  // of a block
  std::size_t node_bytes = 0;                         // of the GPU's memory, for each kernel of a graph
  bool coherent = false;  // it reads memory of the host that is not pinned by itself, when it comes to that
  std::size_t lost_after = ~std::size_t(0);  // launches; then the GPU is lost, and every call fails
  bool others_run_ahead = false;  // streams of the least priority do their work at once, as far as events let them
  static Machine& now() {
    static Machine machine;
    return machine;
  }
  /// A launch, of a kernel or a graph: whether the GPU is there still.
  bool launches() { return lost_after == ~std::size_t(0) || (lost_after > 0 && lost_after-- > 0); }
  bool lost() const { return lost_after == 0; }
  /// What every call says that wants a GPU.
  cudaError_t there() const {
    const bool old = driver / 1000 < runtime / 1000;  // within a major version any driver will do
    return old ? cudaErrorInsufficientDriver : gpus == 0 ? cudaErrorNoDevice : cudaSuccess;
  }
};
}  // namespace harness
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount;
  std::size_t totalGlobalMem;
};
inline cudaError_t cudaSetDevice(int index) {
  const auto& machine = harness::Machine::now();
  return machine.there() != cudaSuccess ? machine.there() : index < machine.gpus ? cudaSuccess : cudaErrorNoDevice;
}
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  return *value = static_cast<int>(harness::Machine::now().shared_bytes), harness::Machine::now().there();
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* card, int) {
  const auto& machine = harness::Machine::now();
  if (machine.there() != cudaSuccess) return machine.there();
  *card = {"host harness", machine.major, machine.minor, 4, machine.bytes};
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int) {
  std::strncpy(id, "0000:81:00.0", static_cast<std::size_t>(bytes));
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return *version = harness::Machine::now().driver, cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int* version) { return *version = harness::runtime, cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  const auto& machine = harness::Machine::now();
  *free_bytes = machine.bytes - machine.taken;
  *total = machine.bytes;
  return cudaSuccess;
}

// streams: what is queued is kept until somebody waits

struct CUstream_st;
using cudaStream_t = CUstream_st*;
/// Pieces of work, each after some of those before it; captured from one stream and from those that wait for its work.
struct CUgraph_st {
  struct Node {
    std::function<void()> run;
    std::vector<std::size_t> behind;
    cudaStream_t stream;
  };
  std::vector<Node> nodes;
  bool valid = true;  // until something was asked for that no capture allows
};
using cudaGraph_t = CUgraph_st*;
struct CUevent_st {
  std::shared_ptr<bool> over = std::make_shared<bool>(true);
  std::shared_ptr<double> when = std::make_shared<double>(0);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;    // that it was captured into
  std::vector<std::size_t> last;  // the node that it follows there, if there is one
};
struct CUstream_st {
  struct Work {
    std::function<void()> run;
    CUevent_st after = {};  // not before it is over
  };
  int priority = 0;
  std::list<Work> work;
  cudaGraph_t graph = nullptr;    // where work goes instead, while it is captured
  std::vector<std::size_t> last;  // its latest node there, if there is one
};
using cudaEvent_t = CUevent_st*;
enum { cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2, cudaHostAllocDefault = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

namespace harness {
inline std::list<CUstream_st>& streams() {
  static std::list<CUstream_st> all;
  return all;
}
/// What no capture allows breaks it; from then on that is all that is said until it ends.
inline cudaError_t broken(cudaGraph_t capture) {
  return std::exchange(capture->valid, false) ? cudaErrorStreamCaptureUnsupported : cudaErrorStreamCaptureInvalidated;
}
/// Calls that are errors during a capture.
inline cudaError_t refused_by_captures() {
  for (const CUstream_st& stream : streams())
    if (stream.graph != nullptr) return broken(stream.graph);
  return cudaSuccess;
}
inline constexpr int least_priority = 0, greatest_priority = -5;
inline void run_ahead() {
  for (CUstream_st& stream : streams())
    while (stream.priority == least_priority && !stream.work.empty() && *stream.work.front().after.over) {
      const auto next = std::move(stream.work.front());
      stream.work.pop_front();
      next.run();
    }
}
/// Does what is queued until nothing is, or until the flag is up.
inline void work_off(cudaStream_t stream, const bool* until = nullptr) {
  while (!stream->work.empty() && (until == nullptr || !*until)) {
    if (const CUevent_st after = stream->work.front().after; !*after.over) {
      work_off(after.stream, after.over.get());
      continue;  // it may have run ahead meanwhile
    }
    const auto next = std::move(stream->work.front());
    stream->work.pop_front();
    next.run();
    if (Machine::now().others_run_ahead) run_ahead();
  }
}
inline void queue(cudaStream_t stream, std::function<void()> work, const CUevent_st& after = {}) {
  if (stream == nullptr) return work();
  if (stream->graph != nullptr) {
    auto& nodes = stream->graph->nodes;
    nodes.push_back({std::move(work), stream->last, stream});
    if (after.graph != nullptr)
      nodes.back().behind.insert(nodes.back().behind.end(), after.last.begin(), after.last.end());
    stream->last.assign(1, nodes.size() - 1);
    return;
  }
  stream->work.push_back({std::move(work), after});
  if (Machine::now().others_run_ahead) run_ahead();
}
inline void work_off_all() {
  for (CUstream_st& stream : streams()) work_off(&stream);
}
}  // namespace harness
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return *least = harness::least_priority, *greatest = harness::greatest_priority, cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  if (harness::Machine::now().there() != cudaSuccess) return harness::Machine::now().there();
  *stream = &harness::streams().emplace_back();
  (*stream)->priority = priority;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  harness::work_off(stream);
  harness::streams().remove_if([&](const CUstream_st& s) { return &s == stream; });
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream == nullptr) return cudaSuccess;
  if (stream->graph != nullptr) return harness::broken(stream->graph);
  if (harness::Machine::now().lost()) return cudaErrorLaunchFailure;
  ++harness::Machine::now().waits;
  harness::work_off(stream);
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  if (harness::Machine::now().there() != cudaSuccess) return harness::Machine::now().there();
  *event = new CUevent_st;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->graph = stream->graph;
  event->last = stream->last;
  event->stream = stream;
  if (stream->graph != nullptr) return cudaSuccess;
  event->over = std::make_shared<bool>(false);
  event->when = std::make_shared<double>();
  harness::queue(stream, [flag = event->over, when = event->when] {
    *flag = true;
    *when = harness::Machine::now().milliseconds;
  });
  return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (!*from->over || !*to->over) return cudaErrorNotReady;
  *ms = static_cast<float>(*to->when - *from->when);
  return cudaSuccess;
}
/// Who waits for what is captured is captured too.
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (stream->graph != nullptr && stream->graph != event->graph) return cudaErrorStreamCaptureIsolation;
  if (event->graph != nullptr && event->stream->graph != event->graph) return cudaErrorInvalidValue;
  stream->graph = event->graph;
  return harness::queue(
             stream, [] {}, *event),
         cudaSuccess;
}
/// The GPU does a little each time it is asked.
inline cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (harness::Machine::now().lost()) return cudaErrorLaunchFailure;
  if (*event->over) return cudaSuccess;
  bool tired = false;
  for (int i = 0; i < 3 && !event->stream->work.empty() && !*event->over; ++i, tired = false) {
    event->stream->work.front().run = [run = event->stream->work.front().run, &tired] { run(), tired = true; };
    harness::work_off(event->stream, &tired);
  }
  return *event->over ? cudaSuccess : cudaErrorNotReady;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (harness::Machine::now().lost()) return cudaErrorLaunchFailure;
  if (*event->over) return cudaSuccess;
  harness::work_off(event->stream, event->over.get());
  return cudaSuccess;
}

// graphs: work that is queued again as often as it is launched

struct CUgraphExec_st : CUgraph_st {
  std::size_t bytes = 0;
};
using cudaGraphExec_t = CUgraphExec_st*;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal };
inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream->graph != nullptr) return cudaErrorInvalidValue;
  stream->graph = new CUgraph_st;
  stream->last.clear();
  return cudaSuccess;
}
/// All that was captured comes before the stream's latest.
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (stream->graph == nullptr) return cudaErrorInvalidValue;
  *graph = stream->graph;
  const bool valid = (*graph)->valid;
  const auto& nodes = (*graph)->nodes;
  std::vector<bool> joined(nodes.size());
  for (const std::size_t last : stream->last) joined[last] = true;
  for (std::size_t n = nodes.size(); n-- > 0;)
    if (joined[n])
      for (const std::size_t before : nodes[n].behind) joined[before] = true;
  for (CUstream_st& one : harness::streams())
    if (one.graph == *graph) one.graph = nullptr, one.last.clear();
  if (!valid) return delete std::exchange(*graph, nullptr), cudaErrorStreamCaptureInvalidated;
  for (const bool one : joined)
    if (!one) return delete std::exchange(*graph, nullptr), cudaErrorStreamCaptureUnjoined;
  return cudaSuccess;
}
enum { cudaGraphInstantiateFlagUseNodePriority = 8 };
/// Without that flag all nodes have the priority of the stream that they are launched in: of two priorities that is a
/// fault.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  auto& machine = harness::Machine::now();
  for (const auto& node : graph->nodes)
    if (flags != cudaGraphInstantiateFlagUseNodePriority && node.stream->priority != graph->nodes[0].stream->priority)
      return cudaErrorInvalidValue;
  const std::size_t bytes = machine.node_bytes * graph->nodes.size();
  if (machine.taken + bytes > machine.bytes) return cudaErrorMemoryAllocation;
  machine.taken += bytes;
  *exec = new CUgraphExec_st{*graph, bytes};
  return cudaSuccess;
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t stream) {
  return stream->graph != nullptr ? harness::broken(stream->graph) : cudaSuccess;
}
/// Nodes run in any order that their dependencies allow: from launch to launch, those of the stream that was
/// captured first, those of the others, or any.
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!harness::Machine::now().launches()) return cudaErrorLaunchFailure;
  const std::size_t turn = harness::Machine::now().graphs++;
  const auto& nodes = exec->nodes;
  std::vector<std::size_t> missing(nodes.size());
  std::vector<std::vector<std::size_t>> next(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    missing[n] = nodes[n].behind.size();
    for (const std::size_t before : nodes[n].behind) next[before].push_back(n);
  }
  std::vector<std::size_t> ready;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (missing[n] == 0) ready.push_back(n);
  std::uint32_t dice = static_cast<std::uint32_t>(turn) * 2654435761u;
  while (!ready.empty()) {
    std::size_t chosen = (dice = dice * 1664525u + 1013904223u) % 65536 % ready.size();
    for (std::size_t i = 0; i < ready.size() && turn % 3 != 2; ++i)
      if ((nodes[ready[i]].stream == nodes.front().stream) == (turn % 3 == 0)) chosen = i;
    const std::size_t n = ready[chosen];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(chosen));
    harness::queue(stream, nodes[n].run);
    for (const std::size_t after : next[n])
      if (--missing[after] == 0) ready.push_back(after);
  }
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  harness::Machine::now().taken -= exec->bytes;
  return delete exec, cudaSuccess;
}

// memory: fresh pieces hold poison

namespace harness {
inline std::map<const void*, std::size_t>& pieces() {
  static std::map<const void*, std::size_t> all;
  return all;
}
inline std::map<const void*, std::size_t>& pinned() {
  static std::map<const void*, std::size_t> all;
  return all;
}
inline bool is_pinned(const void* p) {
  const auto behind = pinned().upper_bound(p);
  if (behind == pinned().begin()) return false;
  const auto& [first, bytes] = *std::prev(behind);
  return p < static_cast<const std::byte*>(first) + bytes;
}
inline void* taken(std::map<const void*, std::size_t>& from, std::size_t bytes) {
  void* const p = ::operator new (bytes, std::align_val_t{256});
  std::memset(p, 0xFF, bytes);
  from[p] = bytes;
  return p;
}
inline cudaError_t given_back(std::map<const void*, std::size_t>& from, void* p) {
  work_off_all();
  const auto piece = from.find(p);
  if (piece == from.end()) return p == nullptr ? cudaSuccess : cudaErrorInvalidValue;
  if (&from == &pieces()) Machine::now().taken -= piece->second;
  from.erase(piece);
  ::operator delete (p, std::align_val_t{256});
  return cudaSuccess;
}
}  // namespace harness
inline cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t refused = harness::refused_by_captures(); refused != cudaSuccess) return refused;
  if (harness::Machine::now().lost()) return cudaErrorLaunchFailure;
  return harness::work_off_all(), harness::Machine::now().there();
}
inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  if (const cudaError_t refused = harness::refused_by_captures(); refused != cudaSuccess) return refused;
  auto& machine = harness::Machine::now();
  if (machine.there() != cudaSuccess) return machine.there();
  if (machine.taken + bytes > machine.bytes) return cudaErrorMemoryAllocation;
  machine.taken += bytes;
  return *p = harness::taken(harness::pieces(), bytes), cudaSuccess;
}
inline cudaError_t cudaFree(void* p) {
  const cudaError_t refused = harness::refused_by_captures();
  return refused != cudaSuccess ? refused : harness::given_back(harness::pieces(), p);
}
inline cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
  return *p = harness::taken(harness::pinned(), bytes), cudaSuccess;
}
inline cudaError_t cudaFreeHost(void* p) { return harness::given_back(harness::pinned(), p); }
inline cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  return std::memset(p, value, bytes), cudaSuccess;
}
/// From and to memory that is not pinned, the host's side is done before this returns, but where the GPU is coherent.
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  if (stream->graph != nullptr && kind != cudaMemcpyDeviceToDevice) return harness::broken(stream->graph);
  if (harness::Machine::now().lost()) return cudaErrorLaunchFailure;
  if (kind == cudaMemcpyHostToDevice && !harness::is_pinned(from) && !harness::Machine::now().coherent) {
    const auto* const first = static_cast<const std::byte*>(from);
    harness::queue(stream, [to, bytes, read = std::vector<std::byte>(first, first + bytes)] {
      std::memcpy(to, read.data(), bytes);
    });
    return cudaSuccess;
  }
  harness::queue(stream, [=] {
    if (kind == cudaMemcpyDeviceToDevice) harness::Machine::now().milliseconds += 1;
    std::memcpy(to, from, bytes);
  });
  if (kind == cudaMemcpyDeviceToHost && !harness::is_pinned(to)) cudaStreamSynchronize(stream);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  return harness::queue(stream, [=] { std::memset(p, value, bytes); }), cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                                     cudaStream_t stream) {
  harness::queue(stream, [=] {
    for (std::size_t r = 0; r < rows; ++r) std::memset(static_cast<std::byte*>(p) + r * pitch, value, width);
  });
  return cudaSuccess;
}

// launches

struct cudaLaunchAttribute {};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute* attrs = nullptr;
  unsigned numAttrs = 0;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
namespace harness {
inline std::map<const void*, std::size_t>& allowed_shared() {
  static std::map<const void*, std::size_t> all;
  return all;
}
}  // namespace harness
inline cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int bytes) {
  if (static_cast<std::size_t>(bytes) > harness::Machine::now().shared_bytes) return cudaErrorInvalidValue;
  harness::allowed_shared()[kernel] = static_cast<std::size_t>(bytes);
  return cudaSuccess;
}
template <class... Parameters, class... Arguments> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                                                  void (*kernel)(Parameters...),
                                                                                  Arguments... arguments) {
  const auto* const address = reinterpret_cast<const void*>(kernel);
  const auto allowed = harness::allowed_shared().find(address);
  if (config->dynamicSmemBytes > (allowed == harness::allowed_shared().end() ? 48u << 10 : allowed->second))
    return cudaErrorInvalidValue;
  if (!harness::Machine::now().launches()) return cudaErrorLaunchFailure;
  harness::launched(address);
  const auto blocks = config->gridDim, threads = config->blockDim;
  const std::size_t bytes = config->dynamicSmemBytes;
  harness::queue(config->stream, [=] {
    harness::Machine::now().milliseconds += 1;
    harness::Grid::now().run(blocks, threads, bytes, [&] { kernel(arguments...); });
  });
  return cudaSuccess;
}
