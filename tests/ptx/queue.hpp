// tests > [ptx]
//
// Where what is asked of a stream goes: it is done at once, or recorded while the stream is captured.
#pragma once
#include <driver_types.h>

#include <functional>

namespace ptx {

/// Does the work, or records it for the graph that the stream is captured into. Work that throws is a kernel that
/// failed: what it says is printed, and the next call that waits returns cudaErrorLaunchFailure.
///
/// returns   why it is neither done nor recorded: no such stream, the capture is broken, the card is lost
cudaError_t queue(cudaStream_t stream, std::function<void()> work);

}  // namespace ptx
