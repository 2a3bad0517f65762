// core > [device], precision > tensor > kernel > layer
//
// Repeated work: the kernels of a step are captured once as a CUDA graph and launched as one graph from then on.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/device/check.cuh"

namespace entrain::device {

/// The work that work() queues. Each launch queues it again, with the priorities of its streams.
class Graph {
 public:
  /// throws    what work() throws; entrain.device.2: work() does what cannot be captured, such as waiting; OutOfMemory
  template <class F> Graph(cudaStream_t stream, F&& work) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    try {
      work();
    } catch (...) {
      cudaGraph_t broken = nullptr;
      if (cudaStreamEndCapture(stream, &broken) == cudaSuccess) cudaGraphDestroy(broken);
      cudaGetLastError();                                       // or the next check finds that of the broken capture
      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // a lost GPU: no call can check while capturing
      throw;
    }
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
    const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Ends> owner(captured);
    cudaGraphExec_t made = nullptr;
    check(cudaGraphInstantiate(&made, captured, cudaGraphInstantiateFlagUseNodePriority), "cudaGraphInstantiate");
    exec_.reset(made);
    check(cudaGraphUpload(made, stream), "cudaGraphUpload");  // now, while the GPU has other work
  }
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(exec_.get(), stream), "cudaGraphLaunch"); }

 private:
  struct Ends {
    void operator()(cudaGraph_t g) const { cudaGraphDestroy(g); }
    void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Ends> exec_;
};

/// Graphs of work whose kernels and arguments are a function of a key alone. Work that comes for the first time has no
/// graph, so that modules are loaded and algorithms found; the second time it is captured. The least recently used keys
/// are forgotten.
template <bool Graphs> class Replay {
 public:
  using Key = std::vector<std::size_t>;
  static constexpr std::size_t most = 128;  // graphs that are kept

  /// The graph to launch in place of work(), or nullptr. If the GPU has no memory for another graph, the limit becomes
  /// half of their number; without a graph the result is the same.
  const Graph* graph(cudaStream_t stream, const Key& key, auto&& work) {
    if constexpr (!Graphs) return nullptr;
    const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (known == entries_.end()) {
      remember(key);
      return nullptr;
    }
    known->turn = ++turn_;
    if (known->graph == nullptr) try {
        known->graph = std::make_unique<Graph>(stream, work);
      } catch (const OutOfMemory&) {
        limit_ = graphs() / 2;
        entries_.clear();
        return nullptr;
      }
    return known->graph.get();
  }

  /// The number of graphs.
  std::size_t graphs() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.graph != nullptr; }));
  }

 private:
  void remember(const Key& key) {
    if (limit_ == 0) return;
    if (entries_.size() == limit_)
      entries_.erase(std::min_element(entries_.begin(), entries_.end(),
                                      [](const Entry& a, const Entry& b) { return a.turn < b.turn; }));  // mutant 7
    entries_.push_back({key, {}, ++turn_});
  }

  struct Entry {
    Key key;
    std::unique_ptr<Graph> graph;
    std::uint64_t turn;
  };
  std::vector<Entry> entries_;
  std::uint64_t turn_ = 0;
  std::size_t limit_ = most;
};

}  // namespace entrain::device
