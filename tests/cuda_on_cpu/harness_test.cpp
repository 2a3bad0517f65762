// tests > [cuda_on_cpu]
//
// The harness itself: right kernels give right numbers, and each wrong one is found, with a sentence.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "entrain/device/launch.cuh"
#include "entrain/device/warp.cuh"

using namespace entrain;

namespace {

/// What a launch says is wrong; empty if nothing is.
template <class... P, class... A> std::string fault(device::Grid grid, void (*kernel)(P...), A... arguments) {
  try {
    device::launch(nullptr, grid, kernel, arguments...);
  } catch (const harness::Fault& e) {
    return e.what();
  }
  return {};
}
bool says(const std::string& sentence, const char* part) { return sentence.find(part) != std::string::npos; }

struct Numbers {
  int of[128];
};

/// out[b] = the sum of 0 ... 127, by way of shared memory; without the barrier a warp reads what another has not
/// written
template <bool Barrier> __global__ void sum_in_block(int* out) {
  auto& numbers = device::shared<Numbers>();
  numbers.of[threadIdx.x] = static_cast<int>(threadIdx.x);
  if constexpr (Barrier) __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = std::accumulate(numbers.of, numbers.of + 128, 0);
}
__global__ void some_end_early(int* out) {
  if (threadIdx.x >= 64) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void barrier_beside_a_shuffle(int* out) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    out[threadIdx.x] = __shfl_xor_sync(~0u, 1, 1);
  }
}
__global__ void outside_its_mask(int* out) { out[threadIdx.x] = __shfl_xor_sync(0xFFFFu, 1, 1); }
__global__ void two_masks(int* out) { out[threadIdx.x] = __shfl_sync(threadIdx.x < 16 ? ~0u : 0xFFFF0000u, 1, 16); }
__global__ void reads_outside(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor_sync(0xFFFFu, 1, 16);
}
__global__ void two_things_at_once(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = static_cast<int>(__ballot_sync(~0u, 1));
  } else {
    __syncwarp();
  }
}
__global__ void lane_that_ended(int* out) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  out[threadIdx.x] = __shfl_xor_sync(~0u, 1, 1);
}
__global__ void collectives(int* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int sum = device::warp_sum(lane), largest = device::warp_max((lane * 7) % 32);
  const auto odd = __ballot_sync(~0u, lane % 2);
  const int third = __shfl_sync(~0u, 10 * lane, 3), half = lane < 16 ? __shfl_xor_sync(0xFFFFu, lane, 8) : 0;
  out[threadIdx.x] =
      sum == 496 && largest == 31 && odd == 0xAAAAAAAAu && third == 30 && (lane >= 16 || half == (lane ^ 8));
}

}  // namespace

TEST_CASE("harness: threads of a block meet at barriers, lanes of a warp in shuffles") {
  std::vector<int> out(7);
  CHECK(fault({dim3(7), dim3(128), sizeof(Numbers)}, sum_in_block<true>, out.data()).empty());
  CHECK(out == std::vector<int>(7, 127 * 64));
  std::vector<int> all(96);
  CHECK(fault({dim3(1), dim3(96)}, collectives, all.data()).empty());
  CHECK(all == std::vector<int>(96, 1));
}

TEST_CASE("harness: a barrier that is missing shows") {
  std::vector<int> out(50);
  CHECK(fault({dim3(50), dim3(128), sizeof(Numbers)}, sum_in_block<false>, out.data()).empty());
  CHECK(std::count(out.begin(), out.end(), 127 * 64) < 10);  // right where thread 0 happens to come last
}

TEST_CASE("harness: what a GPU leaves undefined is refused") {
  std::vector<int> out(1024);
  int* const to = out.data();
  CHECK(says(fault({dim3(1), dim3(128)}, some_end_early, to), "a barrier that not all threads of the block reach: 64"));
  CHECK(says(fault({dim3(1), dim3(64)}, barrier_beside_a_shuffle, to), "deadlock: lanes wait for lanes"));
  CHECK(says(fault({dim3(1), dim3(32)}, outside_its_mask, to), "a lane is not in the mask that it names"));
  CHECK(says(fault({dim3(1), dim3(32)}, two_masks, to), "two lanes of a warp name different masks"));
  CHECK(says(fault({dim3(1), dim3(32)}, reads_outside, to), "a lane reads one that is not in the mask"));
  CHECK(says(fault({dim3(1), dim3(32)}, two_things_at_once, to), "lanes of one warp are at"));
  CHECK(says(fault({dim3(1), dim3(32)}, lane_that_ended, to), "a barrier that not all threads"));
  CHECK(says(fault({dim3(1), dim3(2000)}, collectives, to), "2000 threads"));
  CHECK(says(fault({dim3(1, 70000), dim3(32)}, collectives, to), "70000"));
  CHECK(says(fault({dim3(1), dim3(32), 300u << 10}, collectives, to), "307200 bytes of shared memory"));
  // and goes on afterwards
  CHECK(fault({dim3(1), dim3(96)}, collectives, to).empty());
}
