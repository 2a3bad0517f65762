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
#include "entrain/device/copies.cuh"
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
/// lie under each other (AttentionPieces::spot).
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

inline constexpr int row_lanes = 4;  // lanes that have a row of a tile: warp_sum<row_lanes>

/// How rows of a head lie in pieces of up to 16 bytes, zeros behind them up to a multiple of 16 numbers.
template <class T, int Width> struct AttentionPieces {
  static constexpr int few = device::few_of<T, Width>, of_row = (Width + 15) / 16 * 16 / few;
  using Few = device::Few<T, few>;
  using Piece = device::Words<Few>;

  struct Spot {
    int row, c;
  };
  /// Where piece `thread` + `before` lies, which is one of those that `Threads` threads take after one another. Known
  /// apart, the parts make an address and a constant.
  template <int Threads> __device__ static Spot spot(int thread, int before) {
    if constexpr (Threads % of_row == 0) return {thread / of_row + before / of_row, thread % of_row * few};
    return {(thread + before) / of_row, (thread + before) % of_row * few};
  }
  __device__ static bool is_there(Spot at, int first, int end) {
    return first + at.row < end && (Width % 16 == 0 || at.c < Width);
  }
  /// Of rows that begin with row `first`.
  __device__ static const Piece* in(const T* from, int stride, Spot at, int first) {
    return reinterpret_cast<const Piece*>(from + (static_cast<std::int64_t>(first + at.row) * stride + at.c));
  }
  template <int Stride> __device__ static Piece* in(T (*to)[Stride], Spot at) {
    return reinterpret_cast<Piece*>(to[at.row] + at.c);
  }
};

/// The warp's own rows, on their way: asked for before the block knows its sentences.
template <class Target, class T, int Width> class AttentionOwn {
  using Pieces = AttentionPieces<T, Width>;
  static constexpr int pieces = 16 * Pieces::of_row / device::warp;

 public:
  /// No other warp reads what comes into its part of `to`.
  template <int Stride> __device__ AttentionOwn(T (&to)[attention_rows][Stride], const T* from, int stride,
                                                const AttentionThread& thread, int n) {
    each(to, thread, [&](int i, auto at, auto* piece) {
      copies_.begin(i, piece, Pieces::in(from, stride, at, thread.warp_row()),
                    Pieces::is_there(at, thread.warp_row(), n));
    });
  }
  template <int Stride> __device__ void put(T (&to)[attention_rows][Stride], const AttentionThread& thread) const {
    each(to, thread, [&](int i, auto, auto* piece) { copies_.put(i, piece); });
  }

 private:
  template <int Stride, class F>
  __device__ static void each(T (&to)[attention_rows][Stride], const AttentionThread& thread, F&& f) {
    ENTRAIN_UNROLL
    for (int i = 0; i < pieces; ++i) {
      const auto at = Pieces::template spot<device::warp>(thread.lane, i * device::warp);
      f(i, at, Pieces::in(to + 16 * thread.warp, at));
    }
  }
  device::Copies<Target, typename Pieces::Piece, pieces> copies_;
};

/// Rows [first, first + Rows) of a head on their way into shared memory; zeros behind those that the block walks.
template <class Target, int Width, class T, int Rows, int Stride>
__device__ void load_rows(T (&to)[Rows][Stride], const T* from, int stride, int first, const AttentionPlace& place) {
  using Pieces = AttentionPieces<T, Width>;
  using Copies = device::Copies<Target, typename Pieces::Piece, 4>;
  constexpr int all = Rows * Pieces::of_row, threads = attention_threads, rounds = (all + threads - 1) / threads;
  constexpr int under_way = Copies::template under_way<rounds>;
  const int thread = static_cast<int>(threadIdx.x);
  ENTRAIN_UNROLL
  for (int begin = 0; begin < rounds; begin += under_way) {
    Copies copies;
    const auto each = [&](auto&& f) {
      ENTRAIN_UNROLL
      for (int i = 0; i < under_way; ++i) {
        const int before = (begin + i) * threads;
        if (before + threads > all && before + thread >= all) continue;
        const auto at = Pieces::template spot<threads>(thread, before);
        f(i, at, Pieces::in(to, at));
      }
    };
    each([&](int i, auto at, auto* piece) {
      copies.begin(i, piece, Pieces::in(from, stride, at, first), Pieces::is_there(at, first, place.end));
    });
    each([&](int i, auto, auto* piece) { copies.put(i, piece); });
  }
}
template <class Target, class T, int Width> __device__ void wait_for_rows() {
  if constexpr (device::Copies<Target, typename AttentionPieces<T, Width>::Piece, 1>::async) device::wait_for_copies();
}

/// What forward left of a row of a head, a lane's quarter of it: the result and its lse.
template <class T, int H, int Width> struct AttentionResult {
  static constexpr int few = device::few_of<T, Width>, groups = (Width + row_lanes * few - 1) / (row_lanes * few);
  using Few = device::Few<T, few>;
  Few out[groups];
  float norm;  // lse as AttentionPower raises it

  /// Of row `last` where there is no row `row`, and nobody asks for it: no condition stands before what is loaded.
  template <class S> __device__ void load(const T* all_out, const S* all_lse, int head, int row, int last, int lane) {
    const std::int64_t number = static_cast<std::int64_t>(row < last ? row : last) * H + head;
    each(lane, [&](int g, int c) { out[g] = Few::load(all_out + number * Width + c); });
    norm = static_cast<float>(all_lse[number]) * AttentionPower<T>::log;
  }
  /// dout out', of the whole row.
  __device__ float delta(const T* dout, int lane) const {
    float sum = 0;
    each(lane, [&](int g, int c) {
      const Few slopes = Few::load(dout + c);
      ENTRAIN_UNROLL
      for (int k = 0; k < few; ++k) sum += slopes.template as<float>(k) * out[g].template as<float>(k);
    });
    return device::warp_sum<row_lanes>(sum);
  }

 private:
  template <class F> __device__ static void each(int lane, F&& f) {
    ENTRAIN_UNROLL
    for (int g = 0; g < groups; ++g) {
      const int c = (g * row_lanes + lane % row_lanes) * few;
      if (Width % (row_lanes * few) == 0 || c < Width) f(g, c);
    }
  }
};

/// Dropout's factor, and the random numbers that say where it is 0. KeysOwn: the warp's rows are keys and columns
/// queries, else the other way round.
template <bool KeysOwn> struct AttentionDropout {
  bool drops;
  Counters counters;
  Site site;
  std::uint32_t limit = 0;  // among the upper 16 bits of a word
  float scale = 1;          // of what stays

  /// The counters are on their way until begin(): who calls it late waits less.
  __device__ explicit AttentionDropout(const AttentionStep& at) : drops(at.counters != nullptr), site(at.site) {
    if (drops) counters = *at.counters;
  }
  __device__ void begin() {
    if (!drops) return;
    const DropoutFactors all(counters);
    const bool some = all.limit < 65536;  // stay
    limit = some ? all.limit << 16 : ~0u;
    scale = some ? all.scale : 0;
  }
  /// A random number for each number of a tile of the warp's rows and 16 columns from `column` on, a multiple of 8. It
  /// has 16 bits, the upper ones; those below do not count, as limit has none there.
  template <class Memory>
  __device__ void draw(std::uint32_t (&random)[2][4], Memory& memory, const AttentionPlace& place, int column) const {
    using Tile = device::WarpTile<2>;
    Tile::each([&](int j, int e) { random[j][e] = 0; });
    if (!drops) return;
    // One draw is for eight keys, so that a tile has one for each lane: of query lane % 16 for keys lane / 16 * 8 on.
    RandomWords<4>* const words = memory.random_words(place.warp);
    const int query = (KeysOwn ? column : place.warp_row()) + place.lane % 16;
    const int key = (KeysOwn ? place.warp_row() : column) + place.lane / 16 * 8;
    words[place.lane] = dropout_words(counters, site, query, attention_block(place.head, key));
    __syncwarp();
    const int own = Tile::row(place.lane, 0);
    ENTRAIN_UNROLL
    for (int j = 0; j < 2; ++j) {
      ENTRAIN_UNROLL
      for (int i = 0; i < 2; ++i) {
        const int other = Tile::column(place.lane, j, 0);
        if constexpr (KeysOwn) {
          const auto* const numbers = reinterpret_cast<const std::uint16_t*>(words + i * 16 + other) + own;
          random[j][2 * i] = static_cast<std::uint32_t>(numbers[0]) << 16;
          random[j][2 * i + 1] = static_cast<std::uint32_t>(numbers[8]) << 16;
        } else {
          const std::uint32_t two = words[j * 16 + i * 8 + own].of[other % 8 / 2];
          random[j][2 * i] = two << 16;
          random[j][2 * i + 1] = two;
        }
      }
    }
    __syncwarp();  // the words are read
  }
  __device__ bool stays(std::uint32_t random) const { return random >= limit; }
  __device__ float factor(std::uint32_t random) const { return stays(random) ? scale : 0.0f; }
};

/// A warp's rows times `upper` and `lower`, its halves' factors, to the head's channels of `to`. All lanes call
/// together.
template <int Width, int N, class T> __device__ void store_rows(const device::WarpTile<N>& tile,
                                                                const AttentionPlace& place, int n, float upper,
                                                                float lower, T* to, int stride) {
  constexpr int few = Width % 2 == 0 ? 2 : 1;  // of the two neighbours that a lane has
  using Word = std::conditional_t<few * sizeof(T) == 4, std::uint32_t, device::Few<T, few>>;  // one store, not two
  const auto numbers = [&](int j, int e) {
    device::Few<T, few> all;
    ENTRAIN_UNROLL
    for (int k = 0; k < few; ++k) all.of[k] = static_cast<T>(tile.of[j][e + k] * (e < 2 ? upper : lower));
    return __builtin_bit_cast(Word, all);
  };
  const auto spot = [&](int e, int x) { return to + static_cast<std::int64_t>(place.row(e / 2)) * stride + x; };
  if constexpr (sizeof(T) == 2 && Width % 16 == 0) {
    // Of two tiles a lane keeps one's, and gets the neighbours of what it keeps: four lanes fill 32 bytes of a row.
    // Bits choose, not a condition: with that, compilers make two ways of it, and a shuffle in each.
    const std::uint32_t odd = 0u - static_cast<std::uint32_t>(place.lane % 2);
    const auto either = [&](std::uint32_t even, std::uint32_t other) { return even ^ ((even ^ other) & odd); };
    const int x = place.lane % 2 * 8 + place.lane % row_lanes / 2 * 4;
    ENTRAIN_UNROLL
    for (int j = 0; j < N; j += 2) {
      ENTRAIN_UNROLL
      for (int e = 0; e < 4; e += 2) {
        const std::uint32_t left = device::whole(numbers(j, e)), right = device::whole(numbers(j + 1, e));
        const std::uint32_t next = __shfl_xor_sync(device::all_lanes, either(right, left), 1);
        const std::uint64_t both = either(left, next) | static_cast<std::uint64_t>(either(next, right)) << 32;
        if (place.row(e / 2) < n) *reinterpret_cast<std::uint64_t*>(spot(e, 8 * j + x)) = both;
      }
    }
  } else {
    tile.each([&](int j, int e) {
      const int x = tile.column(place.lane, j, e % 2);
      if (e % few != 0 || place.row(e / 2) >= n || x >= Width) return;
      *reinterpret_cast<Word*>(spot(e, x)) = numbers(j, e);
    });
  }
}

/// Sums over the block's rows that are there, as others are 0: to[k][c] = factor[k] times that of channel c of
/// tiles[k]. The walked rows' memory is used up. All threads call together.
template <int Width, class Memory, int K, int N, class S>
__device__ void store_column_sums(Memory& memory, const device::WarpTile<N>* const (&tiles)[K],
                                  const float (&factor)[K], S* const (&to)[K], const AttentionThread& thread) {
  static_assert(K <= 2);
  using Sums = typename Memory::ColumnSums;
  __syncthreads();  // the last rows have been read
  ENTRAIN_UNROLL
  for (int k = 0; k < K; ++k) {
    float* const of_row = memory.column_sums(k).of[thread.warp * Sums::rows + thread.lane / row_lanes % Sums::rows];
    ENTRAIN_UNROLL
    for (int j = 0; j < N; ++j) {
      device::Few<float, 2> sum;
      ENTRAIN_UNROLL
      for (int c = 0; c < 2; ++c) {
        sum.of[c] = tiles[k]->of[j][c] + tiles[k]->of[j][2 + c];
        for (int distance = row_lanes * Sums::rows; distance < device::warp; distance *= 2)
          sum.of[c] += __shfl_xor_sync(device::all_lanes, sum.of[c], distance);
      }
      if (thread.lane < row_lanes * Sums::rows) sum.store(of_row + tiles[k]->column(thread.lane, j, 0));
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < K * Width; i += attention_threads) {
    const bool front = i < Width;
    const int c = front ? i : i - Width;
    const auto& rows = memory.column_sums(front ? 0 : K - 1).of;
    float sum = 0;
    ENTRAIN_UNROLL
    for (const auto& row : rows) sum += row[c];
    (front ? to[0] : to[K - 1])[c] = static_cast<S>(sum * (front ? factor[0] : factor[K - 1]));
  }
}

}  // namespace entrain::kernel::detail
