// tests > [ptx]
//
// Streams and events. A stream's work is done as it is asked for, so that an event is over once it is recorded, and
// waiting finds nothing to wait for; unless the stream is captured.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"
#include "tests/ptx/queue.hpp"

namespace ptx {
namespace {

/// For who asks about an event, or waits for it.
cudaError_t check_event(Card& card, cudaEvent_t event) {
  if (!card.events.has(event)) return cudaErrorInvalidResourceHandle;
  if (event->capture != nullptr) {
    event->capture->valid = false;
    return cudaErrorCapturedEvent;
  }
  return card.may_wait() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

}  // namespace

CUstream_st* Card::stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return &default_stream;
  return streams.has(handle) ? handle : nullptr;
}
void Card::run(const Work& work) {
  if (lost) return;
  try {
    work();
  } catch (const std::exception& e) {
    refuse(cudaErrorLaunchFailure, e.what());
    lost = true;
  }
}
cudaError_t Card::queue(cudaStream_t handle, Work work) {
  CUstream_st* const to = stream(handle);
  if (to == nullptr) return cudaErrorInvalidResourceHandle;
  if (to == &default_stream && captures_what_waits()) return cudaErrorStreamCaptureImplicit;
  if (to->capture != nullptr) return record(*to, std::move(work));
  return run(work), cudaSuccess;
}
double Card::time() {
  const std::chrono::duration<double, std::nano> now = std::chrono::steady_clock::now() - start_;
  return time_ = std::max(now.count(), time_ + 1);
}

cudaError_t queue(cudaStream_t stream, std::function<void()> work) {
  return call([&](Card& card) { return card.queue(stream, std::move(work)); });
}

}  // namespace ptx

using namespace ptx;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Card& card) {
    const int within = std::clamp(priority, greatest_priority, least_priority);
    return *stream = card.streams.make({within, (flags & cudaStreamNonBlocking) == 0}), cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call_that_ends([&](Card& card) {
    if (card.streams.has(stream) && stream->capture != nullptr) stream->capture->valid = false;
    return card.streams.end(stream);
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call_that_waits([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr) return card.queue(handle, [] {});
    stream->capture->valid = false;
    return cudaErrorStreamCaptureUnsupported;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  return call([&](Card& card) {
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.events.has(event)) return cudaErrorInvalidResourceHandle;
    if (event->capture == nullptr) return stream->capture == nullptr ? cudaSuccess : cudaErrorStreamCaptureIsolation;
    if (!event->capture->open) return cudaErrorInvalidValue;
    if (stream->capture != nullptr && stream->capture != event->capture) return cudaErrorStreamCaptureMerge;
    if (stream == &card.default_stream) return cudaErrorStreamCaptureImplicit;
    return card.join(*stream, event->capture, event->last), cudaSuccess;
  });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call(
      [&](Card& card) { return *event = card.events.make({(flags & cudaEventDisableTiming) == 0}), cudaSuccess; });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_that_ends([&](Card& card) { return card.events.end(event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return call([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.events.has(event)) return cudaErrorInvalidResourceHandle;
    event->capture = stream->capture;
    event->last = stream->last;
    if (stream->capture != nullptr) return cudaSuccess;
    event->nanoseconds = card.time();
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call_that_waits([&](Card& card) { return check_event(card, event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call_that_waits([&](Card& card) { return check_event(card, event); });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  return call_that_waits([&](Card& card) {
    for (const cudaEvent_t event : {from, to}) {
      if (!card.events.has(event) || !event->timed) return cudaErrorInvalidResourceHandle;
      if (event->capture != nullptr) return cudaErrorCapturedEvent;
      if (!event->nanoseconds) return cudaErrorInvalidResourceHandle;
    }
    return *ms = static_cast<float>((*to->nanoseconds - *from->nanoseconds) / 1e6), cudaSuccess;
  });
}
