// tests > [ptx]
//
// The objects of the handles of streams, events and graphs.
#pragma once
#include <driver_types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ptx {

using Work = std::function<void()>;
using Works = std::shared_ptr<const std::vector<Work>>;

struct Node {
  Work work;
  std::vector<std::size_t> after;
};
/// What streams are asked for between cudaStreamBeginCapture and cudaStreamEndCapture: of one stream, and of those that
/// wait for an event in it.
struct Capture {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  bool blocking;  // its first stream waits for the default one
  std::vector<Node> nodes = {};
  std::set<cudaStream_t> streams = {};
  bool open = true, valid = true;
};

/// Things by their handles.
template <class T> class Owned {
 public:
  T* make(T value) {
    auto made = std::make_unique<T>(std::move(value));
    T* const handle = made.get();
    all_.emplace(handle, std::move(made));
    return handle;
  }
  bool has(T* handle) const { return all_.contains(handle); }
  cudaError_t end(T* handle) { return all_.erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle; }

 private:
  std::unordered_map<T*, std::unique_ptr<T>> all_;
};

}  // namespace ptx

struct CUstream_st {
  int priority = 0;
  bool blocking = true;  // waits for the default stream
  std::shared_ptr<ptx::Capture> capture = {};
  std::vector<std::size_t> last = {};  // nodes of the capture that what comes next is after
};
struct CUevent_st {
  bool timed = true;
  std::optional<double> nanoseconds = {};  // when it was recorded last
  std::shared_ptr<ptx::Capture> capture = {};
  std::vector<std::size_t> last = {};
};
struct CUgraph_st {
  ptx::Works works;
};
struct CUgraphExec_st {
  ptx::Works works;
};
