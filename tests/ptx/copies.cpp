// tests > [ptx]
//
// Memory: taken and given back, filled, and copied between the host and the card.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"

namespace ptx {
namespace {

bool is_on_card(const Card& card, const void* p) { return card.device.hold(p, 1); }

/// From what to what it is, where the caller leaves that open.
cudaMemcpyKind kind_of(const Card& card, const void* to, const void* from) {
  if (is_on_card(card, to)) return is_on_card(card, from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return is_on_card(card, from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}
/// One side of a copy: all of it is in one piece of the card's memory, or none of it.
cudaError_t check_side(const Card& card, const void* p, std::size_t bytes, bool device, const char* what) {
  if (device ? card.device.hold(p, bytes) : !is_on_card(card, p)) return cudaSuccess;
  char where[32];
  std::snprintf(where, sizeof where, "%p", p);
  return refuse(cudaErrorInvalidValue, std::string(what) + " " + where + ", " + std::to_string(bytes) + " bytes" +
                                           (device ? ", which the card does not have in one piece"
                                                   : ", which is the card's memory and not the host's"));
}
bool overlap(const void* a, const void* b, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), other = reinterpret_cast<std::uintptr_t>(b);
  return first < other + bytes && other < first + bytes;
}
cudaError_t copy(Card& card, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
  CUstream_st* const stream = card.stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (bytes == 0) return cudaSuccess;
  if (kind == cudaMemcpyDefault) kind = kind_of(card, to, from);
  const bool to_card = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
             from_card = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (const cudaError_t code = check_side(card, to, bytes, to_card, "a copy to"); code != cudaSuccess) return code;
  if (const cudaError_t code = check_side(card, from, bytes, from_card, "a copy from"); code != cudaSuccess)
    return code;
  if (to_card && from_card && overlap(to, from, bytes))
    return refuse(cudaErrorInvalidValue, "a copy of " + std::to_string(bytes) + " bytes onto itself");
  const bool by_itself = (to_card || card.pinned.hold(to, bytes)) && (from_card || card.pinned.hold(from, bytes));
  if (stream->capture != nullptr && !by_itself) {  // it would have to read now, or to wait
    stream->capture->valid = false;
    return cudaErrorStreamCaptureUnsupported;
  }
  const cudaError_t code = card.queue(handle, [=] { std::memcpy(to, from, bytes); });
  if (code == cudaSuccess && card.lost && !by_itself) return card.known_lost = true, cudaErrorLaunchFailure;
  return code;
}
cudaError_t fill(Card& card, void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                 cudaStream_t stream) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && pitch < width) return cudaErrorInvalidPitchValue;
  const cudaError_t code = check_side(card, to, (rows - 1) * pitch + width, true, "a fill of");
  if (code != cudaSuccess) return code;
  return card.queue(stream, [=] {
    for (std::size_t r = 0; r < rows; ++r) std::memset(static_cast<std::byte*>(to) + r * pitch, value, width);
  });
}

}  // namespace
}  // namespace ptx

using namespace ptx;

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return call(
      [&](Card& card) { return *free_bytes = card_bytes - card.device.taken(), *total = card_bytes, cudaSuccess; });
}
cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return call_that_waits([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    *p = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > card_bytes - card.device.taken()) return cudaErrorMemoryAllocation;
    *p = card.device.take(bytes);
    return *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
  return call_that_waits([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    *p = bytes == 0 ? nullptr : card.pinned.take(bytes);
    return bytes == 0 || *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
cudaError_t cudaFree(void* p) {
  return call_that_ends([&](Card& card) {
    if (p == nullptr) return cudaSuccess;
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return card.device.give_back(p) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFree of what is no piece");
  });
}
cudaError_t cudaFreeHost(void* p) {
  return call_that_ends([&](Card& card) {
    if (p == nullptr) return cudaSuccess;
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return card.pinned.give_back(p) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFreeHost of what is no piece");
  });
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  return call([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return fill(card, p, bytes, value, bytes, 1, nullptr);
  });
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  return call([&](Card& card) { return fill(card, p, bytes, value, bytes, 1, stream); });
}
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                              cudaStream_t stream) {
  return call([&](Card& card) { return fill(card, p, pitch, value, width, rows, stream); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&](Card& card) { return copy(card, to, from, bytes, kind, stream); });
}
