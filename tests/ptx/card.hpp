// tests > [ptx]
//
// The CUDA runtime where there is no GPU: what objects that nvcc made call of it, with the types of NVIDIA's own
// headers. Kernels go to the machine of this folder as the PTX that is in the objects. All is done at once, in the
// order of the calls; in which order a GPU might do it otherwise is the matter of tests/cuda_on_cpu. What CUDA refuses
// is refused here, and of launches and copies it is said why. The card is what all calls share.
#pragma once
#include <driver_types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tests/ptx/handles.hpp"
#include "tests/ptx/kernels.hpp"
#include "tests/ptx/pieces.hpp"

namespace ptx {

/// What GPUs of a compute capability, and of those after it up to the next, have.
///
/// source    CUDA C++ Programming Guide, table of technical specifications per compute capability
struct Limits {
  int capability;
  std::size_t shared_of_block, shared_of_processor;
  int threads, blocks;  // of a multiprocessor
};
inline constexpr std::size_t kib = 1024;
inline constexpr int most_threads = 1024, most_threads_z = 64, most_blocks_x = 0x7fffffff, most_blocks_yz = 65535;
inline constexpr int registers = 65536, lanes_of_warp = 32, processors = 132, version = 13000;
inline constexpr int least_priority = 0, greatest_priority = -5;
inline constexpr std::size_t card_bytes = std::size_t(16) << 30;
inline constexpr std::size_t usual_shared = std::size_t(48) << 10;  // of a block, of who did not ask for more

class Card {
 public:
  /// Never ended: objects give their kernels back, and statics their memory, after main() in any order.
  static Card& now();

  std::mutex one_at_a_time;
  bool lost = false;        // a kernel failed
  bool known_lost = false;  // and a call that waits has said so
  std::vector<std::unique_ptr<Binary>> binaries;
  std::unordered_map<const void*, std::unique_ptr<CUkern_st>> kernels;  // by the host function of it
  Owned<CUstream_st> streams;
  Owned<CUevent_st> events;
  Owned<CUgraph_st> graphs;
  Owned<CUgraphExec_st> execs;
  CUstream_st default_stream;
  Pieces device, pinned;

  /// 90: 9.0. ENTRAIN_PTX_CAPABILITY says it; else it is the newest that the program has PTX for.
  int capability();
  const Limits& limits();
  /// Of shared memory, what each block takes for the system.
  std::size_t reserved_shared() { return capability() >= 80 ? kib : 0; }

  /// nullptr: no such stream. The default streams, of all and of each thread, are one here.
  CUstream_st* stream(cudaStream_t handle);

  void run(const Work& work);
  cudaError_t queue(cudaStream_t handle, Work work);

  // captures

  cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode);
  void join(CUstream_st& stream, const std::shared_ptr<Capture>& capture, const std::vector<std::size_t>& after);
  /// All that was recorded must come before what its first stream would do next.
  cudaError_t end(cudaStream_t stream, Works& works);
  /// Whether a call may be made that could wait for what is not even queued. If not, the captures are broken.
  bool may_wait();

  /// Nanoseconds; later at each call.
  double time();

 private:
  int asked_capability() const;
  bool captures_what_waits() const;
  static cudaError_t record(CUstream_st& stream, Work work);
  void close(Capture& capture);

  std::vector<std::shared_ptr<Capture>> captures_;  // open ones
  int capability_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_ = 0;
};

}  // namespace ptx
