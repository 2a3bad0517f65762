// core > device, precision > tensor > [kernel] > layer
//
// Common code of attention's kernels. A block has 64 neighbouring rows of the batch, of any sentences, 16 to a warp. It
// copies the rows that one of them attends to into shared memory, as many at a time as fit. Each warp then reads the
// rows that its own rows attend to, 16 at a time; the first of them is a multiple of 8. Rows of another sentence or
// outside of the window are masked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/core/math.hpp"
#include "entrain/device/target.hpp"
#include "entrain/device/tile.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/attention/band.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

inline constexpr int attention_warps = 4, attention_rows = 16 * attention_warps;  // of a block
static_assert(attention_rows == attention_range);
inline constexpr int attention_threads = attention_warps * device::warp;
inline constexpr int attention_columns = 16;  // walked rows that a warp processes at once
inline constexpr int attention_step = 8;      // they begin at a multiple of this: one dropout draw covers as many
/// Blocks for which a multiprocessor must have registers: while one waits for memory, others multiply. Turing has
/// shared memory for two at most. Plain arithmetic holds more numbers in registers. So does a thread whose pieces of
/// rows are not in the same columns (AttentionPieces::spot, rows.cuh).
template <class Target, class T, int Width> inline constexpr int attention_blocks = [] {
  if (sizeof(T) == 4 || Target::shared_bytes <= device::Sm75::shared_bytes || Width > 64) return 2;  // mutant 22
  // mutant 23
  if (device::few_of<T, Width> < device::few_of<T, 16>) return 2;  // more pieces, each at a separate position
  if (device::warp * device::few_of<T, Width> % ((Width + 15) / 16 * 16) != 0) return 2;  // mutant 24
  return Width > 32 ? 3 : 4;
}();

/// Shared memory of a block: `Own` matrices of its own rows, two matrices of the rows that it walks over, `Walks` at a
/// time, and for each warp the numbers that its lanes exchange.
template <class T, int Width, int Own, int Walks> struct AttentionMemory {
  using Number = T;
  static constexpr int width = (Width + 15) / 16 * 16, walks = Walks;
  static constexpr int pad = 16 / static_cast<int>(sizeof(T)), stride = width + pad;  // mutant 25
  static constexpr int wide = attention_columns + (sizeof(T) == 4 ? pad : 0);
  alignas(16) T own[Own][attention_rows][stride];    // mutant 26
  alignas(16) T walked[2][walks][stride];            // mutant 27
  alignas(16) T weights[attention_warps][16][wide];  // first holds sixteen random bits for each; mutant 28
  alignas(16) float norms[walks][2];                 // lse and delta of walked queries; mutant 29
  static_assert(sizeof weights[0] >= sizeof(RandomWords<4>) * device::warp);
  static_assert(walks % attention_columns == 0 && walks <= attention_threads);

  __device__ device::SharedRows<T, stride> own_rows(int which, int warp) const { return {own[which][16 * warp]}; }
  __device__ device::SharedRows<T, stride> walked_rows(int which, int first) const { return {walked[which][first]}; }
  /// For each warp 8 sums of rows, each of two rows, or 4 where no more fit. Four lanes store pairs of one sum; the 8
  /// padding numbers put the next sum into other banks.
  template <int Rows> struct SumsOf {
    static constexpr int rows = Rows;
    float of[attention_warps * Rows][width + 8];
  };
  using ColumnSums = std::conditional_t<sizeof(SumsOf<8>) <= sizeof walked[0], SumsOf<8>, SumsOf<4>>;
  static_assert(sizeof(ColumnSums) <= sizeof walked[0]);
  __device__ ColumnSums& column_sums(int which) { return *reinterpret_cast<ColumnSums*>(walked[which]); }
  __device__ RandomWords<4>* random_words(int warp) { return reinterpret_cast<RandomWords<4>*>(weights[warp]); }
};

/// The most rows that leave memory for a second block (each costs 1 KiB more), so that an ordinary batch is walked in
/// one stride; 32 if no size leaves it.
template <class Target, class T, int Width, int Own> inline constexpr int attention_walks = [] {
  constexpr std::size_t room = (Target::shared_bytes - 1024) / 2;       // mutant 30
  if (sizeof(AttentionMemory<T, Width, Own, 128>) <= room) return 128;  // mutant 31
  return sizeof(AttentionMemory<T, Width, Own, 64>) <= room ? 64 : 32;  // mutant 32
}();
template <class Target, class T, int Width, int Own> using AttentionMemoryOf =
    AttentionMemory<T, Width, Own, attention_walks<Target, T, Width, Own>>;

/// e^x = of(log x) for weights that are rounded to T: for 16-bit T the one instruction that computes powers of 2. The
/// same for functions of their sums.
template <class T> struct AttentionPower {
  static constexpr float log = sizeof(T) == 2 ? 1.44269504f : 1.0f;
  __device__ static float of(float x) {
    if constexpr (sizeof(T) == 2) {
      return device::fast_exp2(x);
    } else {
      return math::exp(x);
    }
  }
  /// The natural logarithm.
  __device__ static float logarithm(float x) {
    if constexpr (sizeof(T) == 2) {
      return device::fast_log2(x) * 0.693147181f;
    } else {
      return math::log(x);
    }
  }
  __device__ static float quotient(float x, float y) {
    if constexpr (sizeof(T) == 2) {
      return x * device::fast_inverse(y);
    } else {
      return x / y;
    }
  }
};

/// The fields of the step that a kernel needs.
struct AttentionStep {
  const std::int32_t* cu_seqlens;
  const std::int32_t* sentence;
  const Counters* counters;  // nullptr: no dropout
  RngStream rng_stream;
  int n;
  float scale;
};

/// A thread's position, and its share of the warp's own rows. A GPU starts blocks in order of x, y and z: heads, walks,
/// rows. So blocks that run at the same time read the rows of all heads, which are adjacent in memory, and the data
/// that one walk loads is in the cache when the other walk needs it. In head order, each block would read short pieces
/// from distant addresses, and would read a large batch once for every walk.
struct AttentionThread {
  int warp, lane, head;
  int first;  // index in the batch of the block's first row

  __device__ AttentionThread()
      : warp(static_cast<int>(threadIdx.x) / device::warp),
        lane(static_cast<int>(threadIdx.x) % device::warp),
        head(static_cast<int>(blockIdx.x)),
        first(static_cast<int>(blockIdx.z) * attention_rows) {}
  __device__ int warp_row() const { return first + 16 * warp; }
  /// Row i of the two rows of which the thread has a quarter each.
  __device__ int row(int i) const { return warp_row() + device::WarpTile<1>::row(lane, i); }
};

/// Which rows attend to each other: for the block, for the warp, and for the thread's two rows.
struct AttentionPlace : AttentionThread {
  int begin, end;  // the rows that the block walks over
  int low[2], high[2];
  int from, to;  // the rows that some row of the warp attends to

  template <int Window>
  __device__ AttentionPlace(const AttentionThread& thread, const AttentionStep& at, Band<Window> band)
      : AttentionThread(thread) {
    const int last = first + attention_rows < at.n ? first + attention_rows - 1 : at.n - 1;  // mutant 33
    begin = band.first(first, at.cu_seqlens[at.sentence[first]]);
    end = band.last(last, at.cu_seqlens[at.sentence[last] + 1]);
    for (int i = 0; i < 2; ++i) {
      low[i] = high[i] = end;
      if (row(i) >= at.n) continue;
      const std::int32_t* const sentence = at.cu_seqlens + at.sentence[row(i)];
      low[i] = band.first(row(i), sentence[0]);
      high[i] = band.last(row(i), sentence[1]);
    }
    // The range of a later row begins and ends no earlier.
    from = __shfl_sync(device::all_lanes, low[0], 0);
    to = __shfl_sync(device::all_lanes, high[1], device::warp - 1);
  }
  /// Whether the thread's row i attends to row `other` of the batch.
  __device__ bool asks(int i, int other) const { return other >= low[i] && other < high[i]; }

  /// f(first, last, column) for each stride of the walk: the warp attends to some of rows [first, last). Row `column`
  /// is the first in shared memory; load(column) has copied it there when it returns. Memory has rows after `last` to
  /// fill up the last 16. ask(column) starts the loads into registers; the barrier keeps them before the copies,
  /// because compilers move such loads down as far as they can.
  template <class Memory, class Ask, class Load, class F> __device__ void walk(Ask&& ask, Load&& load, F&& f) const {
    constexpr int together = attention_columns, step = attention_step;
    for (int column = begin / step * step; column < end; column += Memory::walks) {  // mutant 34
      ask(column);
      __syncthreads();  // all threads have read the previous rows
      load(column);
      __syncthreads();
      const int full = column + Memory::walks, last = to < full ? to : full;  // mutant 35
      const int first = from > column ? from / step * step : column;
      const int after = first + (last - first + together - 1) / together * together;
      f(after > full ? first - step : first, last, column);
    }
  }
  template <class Memory, class Load, class F> __device__ void walk(Load&& load, F&& f) const {
    walk<Memory>([](int) {}, load, f);
  }
};

}  // namespace entrain::kernel::detail
