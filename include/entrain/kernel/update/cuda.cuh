// core > device, precision > tensor > [kernel] > layer
//
// One step is three kernels over all parameters: the squares of each chunk; the norm and the values that follow from
// it; the rules. The first and the last run one height at a time if hooks of the backward pass call them and the next
// forward pass waits for them. The layout alone determines the chunks, so that bits do not depend on the card.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "entrain/core/math.hpp"
#include "entrain/device/block.cuh"
#include "entrain/device/cuda.cuh"
#include "entrain/device/fast_float.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/update/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int update_threads = 256, update_warps = update_threads / device::warp;
inline constexpr int decide_threads = 512;  // one block adds the squares of all chunks

/// f(row, written) for this warp's rows of a table's chunk: all of them, or in a table with stale rows those that step
/// `now` wrote, divided among the warps. Few of many rows are written, so each lane reads the stamp of one row, and a
/// block does not wait for the stamps one after another. All threads call it together.
template <class F> __device__ void each_row(const Chunk& chunk, const std::uint32_t* stamps, std::uint32_t now, F&& f) {
  const int thread = static_cast<int>(threadIdx.x), warp = thread / device::warp;
  const std::uint32_t* const stamp = stamps + chunk.stamp;
  if (!chunk.waits) {
    for (int row = warp; row < chunk.rows; row += update_warps) f(row, stamp[row] == now);
    return;
  }
  int turn = 0;
  for (int first = 0; first < chunk.rows; first += device::warp) {
    const int mine = first + thread % device::warp;
    std::uint32_t written = __ballot_sync(device::all_lanes, mine < chunk.rows && stamp[mine] == now);
    for (; written != 0; written &= written - 1, ++turn)
      if (turn % update_warps == warp) f(first + 31 - __clz(static_cast<int>(written & -written)), true);
  }
}

template <class T> __global__ void __launch_bounds__(update_threads)
    square_chunks(const Chunk* chunks, const T* gradients, const std::uint32_t* stamps, const StepOrder* order,
                  const StepState* state, double* squares) {
  if (state->bad_step != 0) return;
  const Chunk chunk = chunks[blockIdx.x];
  const T* const g = gradients + chunk.gradient;
  double sum = 0;
  const auto add = [&](T x) { sum += static_cast<double>(x) * static_cast<double>(x); };
  if (chunk.rows == 0) {
    constexpr int at_once = 4, step = update_threads * 4;
    for (int begin = static_cast<int>(threadIdx.x) * 4; begin < chunk.cols; begin += at_once * step) {  // mutant 197
      device::Few<T, 4> few[at_once] = {};                                                              // mutant 198
      ENTRAIN_UNROLL
      for (int j = 0; j < at_once; ++j)  // zeros follow a span's end, up to a multiple of 16; mutant 199
        if (begin + j * step < chunk.cols) few[j] = device::Few<T, 4>::load(g + begin + j * step);
      ENTRAIN_UNROLL
      for (int j = 0; j < at_once; ++j)  // mutant 200
        for (int k = 0; k < 4; ++k) add(few[j].of[k]);
    }
  } else {
    each_row(chunk, stamps, order->step, [&](int row, bool written) {
      if (!written) return;
      for (int c = static_cast<int>(threadIdx.x) % device::warp; c < chunk.cols; c += device::warp)
        add(g[static_cast<std::int64_t>(row) * chunk.cols + c]);
    });
  }
  sum = device::block_sum<update_threads>(sum);
  if (threadIdx.x == 0) squares[blockIdx.x] = sum;
}

/// The type in which a rule computes.
template <class T> using Reckoned = std::conditional_t<std::is_same_v<T, float>, device::FastFloat, T>;

/// Applies a rule to number i and its moments.
template <class Rule, class T, int N, int M>
__device__ void by_rule(const Rule& rule, device::Few<T, N>& value, device::Few<T, N> (&moment)[M], int i, T gradient) {
  using S = Reckoned<T>;
  S number(value.of[i]);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    S of[M] = {S(moment[K].of[i])...};
    rule(number, of, S(gradient));
    ((moment[K].of[i] = static_cast<T>(of[K])), ...);
  }
  (std::make_index_sequence<M>());
  value.of[i] = static_cast<T>(number);
}
template <class W, class T, int N> __device__ device::Few<W, N> narrowed(const device::Few<T, N>& value) {
  device::Few<W, N> narrow;
  ENTRAIN_UNROLL
  for (int i = 0; i < N; ++i) narrow.of[i] = static_cast<W>(value.of[i]);
  return narrow;
}

/// source    torch.amp.GradScaler, and its kernel amp_update_scale_: a scale that would become infinite stays
template <class Scale> __device__ void follow(LossScale& scale, bool skipped) {
  if (skipped) {
    scale.value *= Scale::backoff_factor;
    scale.growth_tracker = 0;
    ++scale.skipped_steps;
  } else if (++scale.growth_tracker == Scale::growth_interval) {
    const float grown = scale.value * Scale::growth_factor;
    if (grown < math::infinity<float>) scale.value = grown;
    scale.growth_tracker = 0;
  }
}

/// One block. source: torch.nn.utils.clip_grad_norm_ for the 1e-6
template <class Scale, class Sum, class Rule> __global__ void __launch_bounds__(decide_threads)
    decide_step(const Sum* squares, int count, const StepOrder* order, const Rule* rules, StepState* state,
                Rule* decided) {
  if constexpr (Scale::dynamic) rules += (state->next.skipped_steps - order->skipped_steps) * order->kinds;
  for (std::uint32_t i = threadIdx.x; i < order->kinds; i += decide_threads) decided[i] = rules[i];  // mutant 201
  Sum sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += decide_threads) sum += squares[i];
  sum = device::block_sum<decide_threads>(sum);
  if (threadIdx.x != 0) return;
  double too_large = order->targets;  // the factor by which gradients are too large
  if constexpr (Scale::dynamic) too_large *= static_cast<double>(state->next.value);
  const double norm = std::sqrt(sum) / too_large;
  double clip = 1;
  // mutant 202
  if (order->max_grad_norm > 0 && order->max_grad_norm < norm + 1e-6) clip = order->max_grad_norm / (norm + 1e-6);
  state->targets = order->targets;
  state->grad_norm = norm;
  state->scale = static_cast<float>(clip / too_large);
  state->step = order->step;
  const bool finite = norm < math::infinity<double>;
  if constexpr (Scale::dynamic) {
    state->loss_scale = state->next.value;
    if (!finite && state->next.value * Scale::backoff_factor < Scale::smallest_scale) {
      state->bad_step = order->step;
    } else {
      state->skipped = !finite;
      follow<Scale>(state->next, !finite);
    }
  } else if (!finite) {
    state->bad_step = order->step;
  }
  *order->told = *state;
}

/// A missing step of a stale row.
template <class Rule> struct WaitingStep {
  Rule rule;
  bool skipped;
};
/// Returns the missing steps, beginning with step `from`. It loads the next one from memory while the caller applies
/// the current one.
template <class Rule> class WaitingSteps {
 public:
  __device__ WaitingSteps(const Rules<Rule>& rules, std::uint32_t from) : rules_(rules), step_(from), next_(load()) {}
  __device__ WaitingStep<Rule> next(bool last) {
    const WaitingStep<Rule> now = next_;
    ++step_;
    if (!last) next_ = load();
    return now;
  }

 private:
  __device__ WaitingStep<Rule> load() const {
    const std::uint32_t place = step_ & (rules_.memory - 1);
    return {rules_.rule[place], rules_.skipped != nullptr && rules_.skipped[place] != 0};
  }
  Rules<Rule> rules_;
  std::uint32_t step_;
  WaitingStep<Rule> next_;
};

/// Applies `steps` rules to N neighbours of a row, beginning with the rule of step `from`. A null gradient counts as 0.
/// Stale and current rows share one function, so that both are rounded alike.
template <int N, class Rule, class T, int Moments, class W>
__device__ __noinline__ void walk_few(Rules<Rule> rules, std::uint32_t from, std::uint32_t steps,
                                      ParameterRange<T, Moments, W> row, int c, T scale) {
  using Few = device::Few<T, N>;
  Few value = Few::load(row.value + c), moment[Moments > 0 ? Moments : 1], gradient = Few::all(T(0));
  for (int m = 0; m < Moments; ++m) moment[m] = Few::load(row.moment[m] + c);
  if (row.gradient != nullptr) gradient = Few::load(row.gradient + c);
  WaitingSteps<Rule> waiting(rules, from);
  for (std::uint32_t k = 0; k < steps; ++k) {
    const WaitingStep<Rule> step = waiting.next(k + 1 == steps);
    if (step.skipped) continue;
    ENTRAIN_UNROLL
    for (int i = 0; i < N; ++i) by_rule(step.rule, value, moment, i, gradient.of[i] * scale);
  }
  value.store(row.value + c);
  for (int m = 0; m < Moments; ++m) moment[m].store(row.moment[m] + c);
  if constexpr (!std::is_same_v<W, T>) narrowed<W>(value).store(row.weight + c);
}
/// The number of neighbours of a row that a thread processes: four if all rows begin at multiples of four.
__device__ __host__ inline int few_of_row(int cols) { return cols % 4 == 0 ? 4 : 1; }

/// The same for a thread's numbers of a row, one of `threads` that share the row.
template <class Rule, class T, int Moments, class W>
__device__ void walk(const Rules<Rule>& rules, std::uint32_t from, std::uint32_t steps,
                     const ParameterRange<T, Moments, W>& row, int cols, T scale, int thread, int threads) {
  if (few_of_row(cols) == 4) {
    for (int c = thread * 4; c < cols; c += threads * 4) walk_few<4>(rules, from, steps, row, c, scale);
  } else {
    for (int c = thread; c < cols; c += threads) walk_few<1>(rules, from, steps, row, c, scale);
  }
}

/// Row `row` of a table.
template <class T, int Moments, class W>
__device__ ParameterRange<T, Moments, W> row_of(const ParameterRange<T, Moments, W>& table, int row, int cols,
                                                bool written) {
  const std::int64_t at = static_cast<std::int64_t>(row) * cols;
  ParameterRange<T, Moments, W> s{table.value + at, written ? table.gradient + at : nullptr, {}, 0, nullptr};
  if constexpr (!std::is_same_v<W, T>) s.weight = table.weight + at;
  for (int m = 0; m < Moments; ++m) s.moment[m] = table.moment[m] + at;
  return s;
}

/// The chunk's numbers as a ParameterRange.
template <bool Averages, class T, int Moments, class W>
__device__ ParameterRange<T, Moments, W> range_of(const Chunk& chunk, const ParameterView<T, Moments, W>& flat) {
  ParameterRange<T, Moments, W> s{flat.value + chunk.value, flat.gradient + chunk.gradient, {}, 0, nullptr};
  if constexpr (!std::is_same_v<W, T>) s.weight = flat.weight + chunk.value;
  for (int m = 0; m < Moments; ++m)
    s.moment[m] = flat.moment[m] + (Averages && m + 1 == Moments ? chunk.value : chunk.gradient);
  return s;
}

/// Four neighbours of a ParameterRange, as loaded from memory. The memory after a span's end may be read.
template <class T, int Moments> struct Fours {
  using Four = device::Few<T, 4>;
  Four value, gradient, moment[Moments > 0 ? Moments : 1];

  template <class W> __device__ void load(const ParameterRange<T, Moments, W>& s, int i, int end) {
    if (i >= end) return;
    value = Four::load(s.value + i);
    gradient = Four::load(s.gradient + i);
    for (int m = 0; m < Moments; ++m) moment[m] = Four::load(s.moment[m] + i);
  }
};

/// Two blocks on a multiprocessor keep enough loads in flight, because a thread loads its next four numbers while it
/// computes; there are no registers for a third block.
template <bool Averages, class Rule, class T, int Moments, class W> __global__ void __launch_bounds__(update_threads, 2)
    update_chunks(const Chunk* chunks, ParameterView<T, Moments, W> flat, const StepState* state, const Rule* decided) {
  if (state->bad_step != 0 || state->skipped != 0) return;
  const Chunk chunk = chunks[blockIdx.x];
  const auto s = range_of<Averages>(chunk, flat);
  const Rules<Rule> now{decided + chunk.rule, 1};
  const T scale = static_cast<T>(state->scale);
  if (chunk.rows == 0) {
    const Rule rule = *now.rule;
    constexpr int step = update_threads * 4;
    Fours<T, Moments> next{};
    const int first = static_cast<int>(threadIdx.x) * 4;
    next.load(s, first, chunk.cols);
    for (int i = first; i < chunk.cols; i += step) {
      Fours<T, Moments> four = next;
      next.load(s, i + step, chunk.cols);
      ENTRAIN_UNROLL
      for (int k = 0; k < 4; ++k) {  // mutant 203
        if (i + k >= chunk.cols) break;
        by_rule(rule, four.value, four.moment, k, four.gradient.of[k] * scale);
      }
      four.value.store(s.value + i);
      if constexpr (!std::is_same_v<W, T>) narrowed<W>(four.value).store(s.weight + i);
      for (int m = 0; m < Moments; ++m) four.moment[m].store(s.moment[m] + i);
    }
  } else {
    each_row(chunk, flat.stamps, state->step, [&](int row, bool written) {
      if (chunk.waits && threadIdx.x % device::warp == 0)
        flat.done[chunk.stamp + static_cast<std::size_t>(row)] = state->step;
      walk(now, 0, 1, row_of(s, row, chunk.cols, written), chunk.cols, scale,
           static_cast<int>(threadIdx.x) % device::warp, device::warp);
    });
  }
}

template <class Rule> __global__ void remember_rule(const StepState* state, const Rule* decided, Rule* rules,
                                                    std::uint32_t* skipped, std::uint32_t memory) {
  const std::uint32_t place = state->step % memory;
  rules[place] = *decided;
  if (skipped != nullptr) skipped[place] = state->skipped;
}

template <class Sum> __global__ void add_step_loss(const Sum* loss, StepState* state, Write how) {
  state->loss = (how == Write::add ? state->loss : 0) + static_cast<double>(*loss);
}

__device__ inline std::uint32_t known(std::uint32_t step) { return step; }
__device__ inline std::uint32_t known(const std::uint32_t* step) { return *step; }

/// Tables of one launch, as a kernel argument.
template <class Rows, class T, int Moments, class W> struct WaitingTables {
  WaitingRows<Rows, T, Moments, W> of[tables_at_once];

  /// The table of this block, selected by comparison: an index cannot select a register.
  __device__ WaitingRows<Rows, T, Moments, W> now() const {
    WaitingRows<Rows, T, Moments, W> chosen = of[0];
    ENTRAIN_UNROLL
    for (unsigned k = 1; k < tables_at_once; ++k)
      if (blockIdx.y == k) chosen = of[k];
    return chosen;
  }
};

inline constexpr int catch_up_threads = 256;  // of a block, at most

/// A block for each row of a table's list: a row with many missing steps applies them one by one, so each thread should
/// have as few numbers as possible. The block updates done[row] after all its threads have read it. Four blocks on a
/// multiprocessor: without this bound ptxas allows more blocks and uses local memory.
template <class Rule, class Rows, class T, int Moments, class W, class Upto>
__global__ void __launch_bounds__(catch_up_threads, 4)
    catch_up_rows(Rules<Rule> rules, WaitingTables<Rows, T, Moments, W> tables, Upto step) {
  const auto [table, cols, done, list] = tables.now();
  const std::uint32_t upto = known(step);
  const RowList rows = list.at(upto);
  const int i = static_cast<int>(blockIdx.x);
  if (i >= rows.count || rows[i] < 0) return;
  const int row = rows[i];
  const std::uint32_t had = done[row];
  __syncthreads();
  if (had >= upto) return;
  if (threadIdx.x == 0) done[row] = upto;
  walk(rules, had + 1, upto - had, row_of(table, row, cols, false), cols, T(1), static_cast<int>(threadIdx.x),
       static_cast<int>(blockDim.x));
}

}  // namespace detail

template <class Target> struct Update<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  static constexpr int rows_at_once = detail::update_warps;  // of a table's chunk
  /// Rows of a chunk in a table with stale rows: most are not written, and a block without a written row costs as much
  /// as one with few.
  static constexpr int waiting_rows = 64;

  template <class Sum> static void add_loss(const D& dev, const Sum* loss, StepState* state, Write how) {
    device::launch(dev.stream(), {dim3(1), dim3(1)}, detail::add_step_loss<Sum>, loss, state, how);
  }
  template <class T, int Moments, class W>
  static void square_chunks(const D& dev, Chunks chunks, const ParameterView<T, Moments, W>& flat,
                            const StepOrder* order, const StepState* state, double* squares) {
    device::launch(dev.stream(), grid(chunks, sizeof(device::BlockSum<detail::update_threads>)),
                   detail::square_chunks<T>, chunks.of, flat.gradient, flat.stamps, order, state, squares);
  }
  template <class Scale, class Rule> static void decide_step(const D& dev, const double* squares, int count,
                                                             const StepOrder* order, const Rule* rules,
                                                             StepState* state, Rule* decided) {
    device::launch(dev.stream(),
                   {dim3(1), dim3(detail::decide_threads), sizeof(device::BlockSum<detail::decide_threads>)},
                   detail::decide_step<Scale, double, Rule>, squares, count, order, rules, state, decided);
  }
  template <bool Averages, class Rule, class T, int Moments, class W>
  static void update_chunks(const D& dev, Chunks chunks, const ParameterView<T, Moments, W>& flat,
                            const StepState* state, const Rule* decided) {
    device::launch(dev.stream(), grid(chunks), detail::update_chunks<Averages, Rule, T, Moments, W>, chunks.of, flat,
                   state, decided);
  }
  template <class Rule, class Rows, class T, int Moments, class W, class Upto>
  static void catch_up(const D& dev, Rules<Rule> rules, const WaitingRows<Rows, T, Moments, W>* tables, int count,
                       Upto upto) {
    detail::WaitingTables<Rows, T, Moments, W> together{};
    int rows = 0, threads = device::warp;
    for (int k = 0; k < count; ++k) {
      together.of[k] = tables[k];
      rows = std::max(rows, tables[k].rows.count);
      threads = std::max(threads, tables[k].cols / detail::few_of_row(tables[k].cols));
    }
    threads = std::min((threads + device::warp - 1) / device::warp * device::warp, detail::catch_up_threads);
    device::launch(
        dev.stream(),
        {dim3(static_cast<unsigned>(rows), static_cast<unsigned>(count)), dim3(static_cast<unsigned>(threads))},
        detail::catch_up_rows<Rule, Rows, T, Moments, W, Upto>, rules, together, upto);
  }
  template <class Rule> static void remember(const D& dev, const StepState* state, const Rule* decided, Rule* rules,
                                             std::uint32_t* skipped, std::uint32_t memory) {
    device::launch(dev.stream(), {dim3(1), dim3(1)}, detail::remember_rule<Rule>, state, decided, rules, skipped,
                   memory);
  }

 private:
  static device::Grid grid(Chunks chunks, std::size_t shared = 0) {
    return {dim3(static_cast<unsigned>(chunks.count)), dim3(detail::update_threads), shared};
  }
};

}  // namespace entrain::kernel
