// tests > [cuda_on_cpu]
//
// The harness itself: right kernels give right numbers, and each wrong one is found, with a sentence.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "entrain/device/copies.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/device/target.hpp"
#include "entrain/device/warp.cuh"
#include "tests/sanitized.hpp"

namespace harness_test {
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

/// What the sanitizers say before they end the program: in a child, so that only it ends.
template <class... P, class... A> std::string last_words(device::Grid grid, void (*kernel)(P...), A... arguments) {
  std::FILE* const said = std::tmpfile();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(said), STDERR_FILENO);
    device::launch(nullptr, grid, kernel, arguments...);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::string words;
  std::rewind(said);
  for (int c = std::fgetc(said); c != EOF; c = std::fgetc(said)) words += static_cast<char>(c);
  std::fclose(said);
  return status == 0 ? std::string() : words;
}

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
  out[threadIdx.x] = __shfl_xor_sync(~0u, 1, 1);
}
__global__ void two_barriers(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}
__global__ void much_shared(int* out) { out[threadIdx.x] = device::shared<Numbers>().of[0]; }

/// out[b] = 1 where what Writer wrote, or what was there before, is what Reader finds
template <unsigned Writer, unsigned Reader> __global__ void read_after_write(int* out) {
  auto& numbers = device::shared<Numbers>();
  if (threadIdx.x == Writer) numbers.of[0] = 1;
  if (threadIdx.x == Reader) out[blockIdx.x] = numbers.of[0] == 1;
}
template <unsigned Writer, unsigned Reader> __global__ void write_after_read(int* out) {
  auto& numbers = device::shared<Numbers>();
  if (threadIdx.x == 0) numbers.of[0] = 1;
  __syncthreads();
  if (threadIdx.x == Reader) out[blockIdx.x] = numbers.of[0] == 1;
  if (threadIdx.x == Writer) numbers.of[0] = 2;
}
/// Two warps use a place that each takes for its own.
__global__ void one_place_for_two(int* out) {
  auto& numbers = device::shared<Numbers>();
  const auto warp = static_cast<int>(threadIdx.x / 32);
  if (threadIdx.x % 32 == 0) numbers.of[0] = warp;
  __syncwarp();
  if (numbers.of[0] != warp) out[blockIdx.x] = 0;
}
/// Numbers that the ones after them replace, as often as a walk has strides.
template <bool Barrier> __global__ void strides(int* out) {
  auto& numbers = device::shared<Numbers>();
  bool right = true;
  for (int stride = 0; stride < 3; ++stride) {
    numbers.of[threadIdx.x] = stride;
    __syncthreads();
    right = right && numbers.of[(threadIdx.x + 37) % 128] == stride;
    if constexpr (Barrier) __syncthreads();
  }
  if (!right) out[blockIdx.x] = 0;
}

/// What a thread copies asynchronously is there for it once it has waited, and for others after a barrier after that.
enum class Awaits { all, no_barrier, nothing };
template <Awaits How, class Target> __global__ void copies(const int* from, int* out) {
  auto& numbers = device::shared<Numbers>();
  const unsigned thread = threadIdx.x, other = 127 - thread;
  using Piece = device::Few<int, 1>;
  device::Copies<Target, Piece, 1> copy;
  auto* const to = reinterpret_cast<Piece*>(numbers.of + thread);
  copy.begin(0, to, reinterpret_cast<const Piece*>(from + thread), thread < 100);
  copy.put(0, to);
  if constexpr (How == Awaits::nothing) out[thread] = numbers.of[thread];
  if constexpr (copy.async) device::wait_for_copies();
  if constexpr (How == Awaits::all) __syncthreads();
  if constexpr (How != Awaits::nothing) out[thread] = numbers.of[other];
}
__global__ void copies_without_end(const int* from) {
  device::copy_async<4>(device::shared<Numbers>().of + threadIdx.x, from + threadIdx.x, true);
}
/// By as many bytes as `by` says.
__global__ void copies_uneven(const int* from, int by) {
  auto* const to = reinterpret_cast<char*>(device::shared<Numbers>().of);
  device::copy_async<16>(to, reinterpret_cast<const char*>(from) + by, true);
  device::wait_for_copies();
}
__global__ void copies_out_of_the_block(int* to) {
  device::copy_async<4>(to, to, true);
  device::wait_for_copies();
}

__global__ void writes_half(int* out, int* shared) {
  auto& numbers = device::shared<Numbers>();
  if (threadIdx.x % 2 == 0) numbers.of[threadIdx.x] = out[threadIdx.x] = 3;
  shared[threadIdx.x] = numbers.of[threadIdx.x];
}
/// Writes one number after what it has in one memory or the other; thread 40 does.
__global__ void beyond_global(int* out) { out[threadIdx.x + (threadIdx.x == 40 ? 24 : 0)] = 1; }
__global__ void beyond_shared(int* out) {
  int* const numbers = device::shared<Numbers>().of;
  numbers[threadIdx.x + (threadIdx.x == 40 ? 88 : 0)] = 1;
  out[threadIdx.x] = 1;
}
/// From one matrix into the other, of the same memory.
struct Matrices {
  int of[4][32], others[4][32];
};
__global__ void beyond_its_row(int* out) {
  auto& memory = device::shared<Matrices>();
  memory.of[0][threadIdx.x % 32 + (threadIdx.x == 40 ? 24 : 0)] = 1;
  out[threadIdx.x] = 1;
}
/// EpilogueOperands another thread's own numbers.
[[maybe_unused]] __global__ void of_another_thread(const int** place, int* out) {
  int mine[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  if (threadIdx.x == 1) *place = mine;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = (*place)[4];
  __syncthreads();
  out[1] = mine[threadIdx.x % 4];
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

TEST_CASE("harness: what is read too early or overwritten too early shows, whichever two threads it is") {
  constexpr int blocks = 200;
  const auto right = [](unsigned threads, void (*kernel)(int*)) {
    std::vector<int> out(blocks, 1);
    CHECK(fault({dim3(blocks), dim3(threads), sizeof(Numbers)}, kernel, out.data()).empty());
    return std::count(out.begin(), out.end(), 1);
  };
  const auto half = [](std::ptrdiff_t count) { return count > blocks * 3 / 10 && count < blocks * 7 / 10; };
  // of two warps
  CHECK(half(right(128, read_after_write<0, 96>)));
  CHECK(half(right(128, read_after_write<96, 0>)));
  CHECK(half(right(128, write_after_read<0, 96>)));
  CHECK(half(right(128, write_after_read<96, 0>)));
  // of one
  CHECK(half(right(32, read_after_write<0, 31>)));
  CHECK(half(right(32, read_after_write<31, 0>)));
  CHECK(half(right(32, write_after_read<0, 31>)));
  CHECK(half(right(32, write_after_read<31, 0>)));
  CHECK(right(64, one_place_for_two) < blocks * 7 / 10);
  CHECK(right(128, strides<true>) == blocks);
  CHECK(right(128, strides<false>) == 0);
}

TEST_CASE("harness: a seed makes other orders, and the same ones again") {
  const auto of = [](std::uint64_t seed) {
    std::vector<int> out(50);
    harness::Grid::now().seed(seed);
    CHECK(fault({dim3(50), dim3(128), sizeof(Numbers)}, sum_in_block<false>, out.data()).empty());
    return out;
  };
  CHECK(of(1) == of(1));
  CHECK(of(1) != of(2));
}

TEST_CASE("harness: asynchronous copies arrive when it waits for them") {
  alignas(16) int from[128];
  std::vector<int> wanted(128), out(128);
  for (int i = 0; i < 128; ++i) {
    from[i] = i + 1;
    if (i >= 28) wanted[static_cast<std::size_t>(i)] = 128 - i;
  }
  const device::Grid grid{dim3(1), dim3(128), sizeof(Numbers)};
  const int* const begin = from;
  CHECK(fault(grid, copies<Awaits::all, device::Sm80>, begin, out.data()).empty());
  CHECK(out == wanted);
  std::fill(out.begin(), out.end(), 0);
  CHECK(fault(grid, copies<Awaits::all, device::Sm75>, begin, out.data()).empty());  // through registers
  CHECK(out == wanted);
  CHECK(fault(grid, copies<Awaits::no_barrier, device::Sm80>, begin, out.data()).empty());
  CHECK(std::count(out.begin(), out.end(), -1) > 20);
  CHECK(fault(grid, copies<Awaits::nothing, device::Sm80>, begin, out.data()).empty());
  CHECK(out == std::vector<int>(128, -1));
  CHECK(says(fault(grid, copies_without_end, begin), "a thread ends before it has waited for its copies"));
  CHECK(fault(grid, copies_uneven, begin, 16).empty());
  CHECK(says(fault(grid, copies_uneven, begin, 4), "cp.async: an address that is no multiple of 16"));
  CHECK(says(fault(grid, copies_out_of_the_block, out.data()), "cp.async: not into the block's shared memory"));
}

TEST_CASE("harness: memory that no thread has written is poison") {
  int* out = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&out), 128 * sizeof(int)) == cudaSuccess);
  std::vector<int> shared(128), wanted(128);
  for (int i = 0; i < 128; ++i) wanted[static_cast<std::size_t>(i)] = i % 2 == 0 ? 3 : -1;
  CHECK(fault({dim3(1), dim3(128), sizeof(Numbers)}, writes_half, out, shared.data()).empty());
  CHECK(std::vector<int>(out, out + 128) == wanted);
  CHECK(shared == wanted);
  cudaFree(out);
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
  for (int i = 0; i < 20; ++i)  // before or after the others have named it
    CHECK(
        says(fault({dim3(1), dim3(32)}, lane_that_ended, to), "__shfl_xor_sync: the mask names a lane that has ended"));
  CHECK(says(fault({dim3(1), dim3(64)}, two_barriers, to), "at barriers of different lines"));
  CHECK(says(fault({dim3(1), dim3(32), 500}, much_shared, to), "512 bytes of shared memory are asked for"));
  CHECK(says(fault({dim3(1), dim3(2000)}, collectives, to), "2000 threads"));
  CHECK(says(fault({dim3(1, 70000), dim3(32)}, collectives, to), "70000"));
  CHECK_THROWS_AS(fault({dim3(1), dim3(32), 300u << 10}, collectives, to), Error);  // more than a card has
  // and continues afterwards
  CHECK(fault({dim3(1), dim3(96)}, collectives, to).empty());
}

#if defined(__SANITIZE_ADDRESS__)
TEST_CASE("harness: who walks out of memory is named") {
  std::vector<int> out(64);
  const device::Grid grid{dim3(1), dim3(64), sizeof(Numbers)};
  const auto global = last_words(grid, beyond_global, out.data()), shared = last_words(grid, beyond_shared, out.data());
  CHECK(says(global, "heap-buffer-overflow"));
  CHECK(says(global, "harness: block 0, thread 40"));
  CHECK(says(shared, "heap-buffer-overflow"));
  CHECK(says(shared, "harness: block 0, thread 40"));
  const device::Grid wide{dim3(1), dim3(64), sizeof(Matrices)};
  CHECK(says(last_words(wide, beyond_its_row, out.data()), "index 32 out of bounds for type 'int"));
#if defined(__x86_64__)  // elsewhere swapcontext() takes the sanitizer's marks off the stack
  const int* place = nullptr;
  const auto local = last_words(grid, of_another_thread, &place, out.data());
  CHECK(says(local, "stack-buffer-overflow"));
  CHECK(says(local, "harness: block 0, thread 0"));
#endif
}
#endif

}  // namespace harness_test
