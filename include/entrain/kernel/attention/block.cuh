// core > device, precision > tensor > [kernel] > layer
//
// What attention's kernels do alike: a block has 64 neighbouring rows of the batch, whichever sentences they belong to,
// 16 to a warp, and puts the rows of those sentences that one of them looks at into shared memory, as many at a time as
// fit. From there each warp takes those that its own rows ask for, 16 at a time, the first of them a multiple of 8.
// Who is of another sentence or outside of the window is masked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/core/math.hpp"
#include "entrain/device/few.cuh"
#include "entrain/device/target.hpp"
#include "entrain/device/tile.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/attention/band.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

inline constexpr int attention_warps = 4, attention_rows = 16 * attention_warps;  // of a block
static_assert(attention_rows == attention_stretch);
inline constexpr int attention_threads = attention_warps * device::warp;
inline constexpr int attention_columns = 16;  // walked rows that a warp takes at once
inline constexpr int attention_step = 8;  // of whose multiples they begin with one: a draw of dropout is for so many
/// Blocks that a multiprocessor shall have registers for: while one waits for memory, others multiply. A Turing has
/// shared memory for two at most, plain arithmetic holds more numbers, and so does a thread whose pieces of rows do not
/// lie under each other (AttentionPieces::spot, rows.cuh).
template <class Target, class T, int Width> inline constexpr int attention_blocks = [] {
  if (sizeof(T) == 4 || Target::shared_bytes <= device::Sm75::shared_bytes || Width > 64) return 2;
  if (device::few_of<T, Width> < device::few_of<T, 16>) return 2;  // more pieces, each with a place of its own
  if (device::warp * device::few_of<T, Width> % ((Width + 15) / 16 * 16) != 0) return 2;
  return Width > 32 ? 3 : 4;
}();

/// A block's memory: `Own` matrices of its own rows, two of the rows that it walks along, `Walks` at a time, and for
/// each warp what passes between its lanes.
template <class T, int Width, int Own, int Walks> struct AttentionMemory {
  using Number = T;
  static constexpr int width = (Width + 15) / 16 * 16, walks = Walks;
  static constexpr int pad = 16 / static_cast<int>(sizeof(T)), stride = width + pad;
  static constexpr int wide = attention_columns + (sizeof(T) == 4 ? pad : 0);
  alignas(16) T own[Own][attention_rows][stride];
  alignas(16) T walked[2][walks][stride];
  alignas(16) T weights[attention_warps][16][wide];  // before: sixteen random bits for each
  alignas(16) float norms[walks][2];                 // lse and delta of walked queries
  static_assert(sizeof weights[0] >= sizeof(RandomWords<4>) * device::warp);
  static_assert(walks % attention_columns == 0 && walks <= attention_threads);

  __device__ device::SharedRows<T, stride> own_rows(int which, int warp) const { return {own[which][16 * warp]}; }
  __device__ device::SharedRows<T, stride> walked_rows(int which, int first) const { return {walked[which][first]}; }
  /// Of each warp 8 sums of rows, of two each, or 4 where no more fit. Four lanes store pairs of one, so that 8 more
  /// numbers lead the next one's to other banks.
  template <int Rows> struct SumsOf {
    static constexpr int rows = Rows;
    float of[attention_warps * Rows][width + 8];
  };
  using ColumnSums = std::conditional_t<sizeof(SumsOf<8>) <= sizeof walked[0], SumsOf<8>, SumsOf<4>>;
  static_assert(sizeof(ColumnSums) <= sizeof walked[0]);
  __device__ ColumnSums& column_sums(int which) { return *reinterpret_cast<ColumnSums*>(walked[which]); }
  __device__ RandomWords<4>* random_words(int warp) { return reinterpret_cast<RandomWords<4>*>(weights[warp]); }
};

/// As many rows as leave room for a second block (each costs 1 KiB more), so that an ordinary batch is walked in one
/// stride; 32 if there is none.
template <class Target, class T, int Width, int Own> inline constexpr int attention_walks = [] {
  constexpr std::size_t room = (Target::shared_bytes - 1024) / 2;
  if (sizeof(AttentionMemory<T, Width, Own, 128>) <= room) return 128;
  return sizeof(AttentionMemory<T, Width, Own, 64>) <= room ? 64 : 32;
}();
template <class Target, class T, int Width, int Own> using AttentionMemoryOf =
    AttentionMemory<T, Width, Own, attention_walks<Target, T, Width, Own>>;

/// e^x = of(log x) for weights that are rounded to T: of 16 bits by the one instruction that raises 2. Likewise what is
/// made of their sums.
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

/// What a kernel needs of the step.
struct AttentionStep {
  const std::int32_t* cu_seqlens;
  const std::int32_t* sentence;
  const Counters* counters;  // nullptr: nothing falls out
  Site site;
  int n;
  float scale;
};

/// Where a thread is, and its part of what its warp does with rows of its own. A GPU begins blocks in order of x, y and
/// z: heads, walks, rows. So those that are at work together read the rows of all heads, which lie behind one another,
/// and what one walk asks memory for is in the cache when the other walk comes to it. Head by head, each would read
/// short pieces from far apart, and a large batch once for every walk.
struct AttentionThread {
  int warp, lane, head;
  int first;  // row of the batch that is the block's first

  __device__ AttentionThread()
      : warp(static_cast<int>(threadIdx.x) / device::warp),
        lane(static_cast<int>(threadIdx.x) % device::warp),
        head(static_cast<int>(blockIdx.x)),
        first(static_cast<int>(blockIdx.z) * attention_rows) {}
  __device__ int warp_row() const { return first + 16 * warp; }
  /// Row i of the two that the thread has a quarter of.
  __device__ int row(int i) const { return warp_row() + device::WarpTile<1>::row(lane, i); }
};

/// Which rows look at each other: of the block, of the warp, and of the thread's two rows.
struct AttentionPlace : AttentionThread {
  int begin, end;  // that the block walks
  int low[2], high[2];
  int from, to;  // that some row of the warp asks for

  template <int Window>
  __device__ AttentionPlace(const AttentionThread& thread, const AttentionStep& at, Band<Window> band)
      : AttentionThread(thread) {
    const int last = first + attention_rows < at.n ? first + attention_rows - 1 : at.n - 1;
    begin = band.first(first, at.cu_seqlens[at.sentence[first]]);
    end = band.last(last, at.cu_seqlens[at.sentence[last] + 1]);
    for (int i = 0; i < 2; ++i) {
      low[i] = high[i] = end;
      if (row(i) >= at.n) continue;
      const std::int32_t* const sentence = at.cu_seqlens + at.sentence[row(i)];
      low[i] = band.first(row(i), sentence[0]);
      high[i] = band.last(row(i), sentence[1]);
    }
    // A later row asks for no earlier ones.
    from = __shfl_sync(device::all_lanes, low[0], 0);
    to = __shfl_sync(device::all_lanes, high[1], device::warp - 1);
  }
  /// Whether the thread's row i asks for a row of the batch.
  __device__ bool asks(int i, int other) const { return other >= low[i] && other < high[i]; }

  /// f(first, last, column) for each stride of the walk: of rows [first, last) the warp asks for some, and row `column`
  /// is the first in shared memory, where load(column) puts it by the time it returns. There are rows behind `last` to
  /// fill up the last 16. What registers wait for is asked for in ask(column), which the barrier keeps before copies:
  /// compilers take such loads as far down as they may.
  template <class Memory, class Ask, class Load, class F> __device__ void walk(Ask&& ask, Load&& load, F&& f) const {
    constexpr int together = attention_columns, step = attention_step;
    for (int column = begin / step * step; column < end; column += Memory::walks) {
      ask(column);
      __syncthreads();  // the rows before these have been read
      load(column);
      __syncthreads();
      const int full = column + Memory::walks, last = to < full ? to : full;
      const int first = from > column ? from / step * step : column;
      const int behind = first + (last - first + together - 1) / together * together;
      f(behind > full ? first - step : first, last, column);
    }
  }
  template <class Memory, class Load, class F> __device__ void walk(Load&& load, F&& f) const {
    walk<Memory>([](int) {}, load, f);
  }
};

}  // namespace entrain::kernel::detail
