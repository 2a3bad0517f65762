// tests > [ptx]
//
// Captures of streams, and the graphs that are made of them: work is recorded, with what it comes after, and done in
// the order in which it was recorded.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"

namespace ptx {
namespace {

bool is_joined(const Capture& capture, const std::vector<std::size_t>& last) {
  std::vector<bool> before(capture.nodes.size());
  for (const std::size_t n : last) before[n] = true;
  for (std::size_t n = before.size(); n-- > 0;)
    if (before[n])
      for (const std::size_t earlier : capture.nodes[n].after) before[earlier] = true;
  return std::find(before.begin(), before.end(), false) == before.end();
}

}  // namespace

cudaError_t Card::begin(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  captures_.push_back(std::make_shared<Capture>(Capture{stream, mode, std::this_thread::get_id(), stream->blocking}));
  join(*stream, captures_.back(), {});
  return cudaSuccess;
}
void Card::join(CUstream_st& stream, const std::shared_ptr<Capture>& capture, const std::vector<std::size_t>& after) {
  stream.capture = capture;
  capture->streams.insert(&stream);
  stream.last.insert(stream.last.end(), after.begin(), after.end());
}
cudaError_t Card::end(cudaStream_t stream, Works& works) {
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  const bool joined = is_joined(*capture, stream->last);
  close(*capture);
  if (!capture->valid) return cudaErrorStreamCaptureInvalidated;
  if (!joined) return cudaErrorStreamCaptureUnjoined;
  std::vector<Work> all;
  for (Node& node : capture->nodes) all.push_back(std::move(node.work));
  works = std::make_shared<const std::vector<Work>>(std::move(all));
  return cudaSuccess;
}
bool Card::may_wait() {
  bool may = true;
  for (const auto& capture : captures_) {
    const bool here = capture->thread == std::this_thread::get_id();
    const bool minds =
        capture->mode == cudaStreamCaptureModeGlobal || (capture->mode == cudaStreamCaptureModeThreadLocal && here);
    if (minds) capture->valid = may = false;
  }
  return may;
}
bool Card::captures_what_waits() const {
  return std::any_of(captures_.begin(), captures_.end(), [](const auto& c) { return c->blocking; });
}
cudaError_t Card::record(CUstream_st& stream, Work work) {
  if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
  auto& nodes = stream.capture->nodes;
  nodes.push_back({std::move(work), std::exchange(stream.last, {})});
  stream.last.assign(1, nodes.size() - 1);
  return cudaSuccess;
}
void Card::close(Capture& capture) {
  for (const cudaStream_t stream : capture.streams)
    if (streams.has(stream)) stream->capture.reset(), stream->last.clear();
  capture.open = false;
  std::erase_if(captures_, [](const auto& c) { return !c->open; });
}

}  // namespace ptx

using namespace ptx;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&](Card& card) {
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    return stream == &card.default_stream ? cudaErrorStreamCaptureUnsupported : card.begin(stream, mode);
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&](Card& card) {
    *graph = nullptr;
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    Works works;
    if (const cudaError_t code = card.end(stream, works); code != cudaSuccess) return code;
    return *graph = card.graphs.make({std::move(works)}), cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return call([&](Card& card) {
    if (!card.graphs.has(graph)) return cudaErrorInvalidValue;
    return *exec = card.execs.make({graph->works}), cudaSuccess;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
  return call([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.execs.has(exec)) return cudaErrorInvalidValue;
    return stream->capture == nullptr ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
  });
}
/// In the order in which it was recorded, which is one of those that a GPU may choose.
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&](Card& card) {
    if (!card.execs.has(exec)) return cudaErrorInvalidValue;
    return card.queue(stream, [works = exec->works] {
      for (const Work& work : *works) work();
    });
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_that_ends([&](Card& card) { return card.graphs.end(graph); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call_that_ends([&](Card& card) { return card.execs.end(exec); });
}
