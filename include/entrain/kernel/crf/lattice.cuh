// core > device, precision > tensor > [kernel] > layer
//
// Forward and backward: a block walks over a sentence, token by token, as in lattice.hpp. Weights are logarithms,
// each row shifted so that its largest is 0. Between two tokens they are probabilities; a product that underflow may
// have affected is computed again in logarithms.
#pragma once
#include <cstdint>

#include "entrain/kernel/crf/chain.cuh"

namespace entrain::kernel::detail {

/// One walk: over all paths of the sentences that have a loss, or over the paths that agree with `only`, of the
/// sentences whose targets leave a choice.
template <class T> struct ChainWalk {
  const std::int32_t* only;  // targets, or null
  LabelMatrix<T> alpha;      // [N,K]
  double* log_sum;           // [sentences]

  __device__ bool wants(Targets kind) const {
    return kind == Targets::partial || (only == nullptr && kind == Targets::whole);
  }
  __device__ bool hides(int row, int k) const {
    return only != nullptr && only[row] != k && has_target(only[row], alpha.c);
  }
};

/// sum_i in[i] column[i labels], as four sums that do not depend on each other
template <class T> __device__ T chain_product(const T* in, const T* column, int labels) {
  constexpr int few = SentenceMemory<true, T>::few;
  T sum[few] = {};  // mutant 97
  int i = 0;
  for (; i + few <= labels; i += few) {  // mutant 98
    const auto numbers = device::Few<T, few>::load(in + i);
    ENTRAIN_UNROLL
    for (int u = 0; u < few; ++u) sum[u] += numbers.of[u] * column[static_cast<std::int64_t>(i + u) * labels];
  }
  for (; i < labels; ++i) sum[0] += in[i] * column[static_cast<std::int64_t>(i) * labels];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// The same without underflow: log sum_i e^(x[i] + number(i, out))
template <bool Against, class Scheme, class T>
__device__ T chain_exact(const ChainNumbers<Scheme, T>& chain, const T* x, int out, T top) {
  T largest = no_path<T>, sum = 0;
  for (int i = 0; i < chain.labels; ++i) {
    const T weight = x[i] + chain.template number<Against>(i, out, top);
    largest = weight > largest ? weight : largest;
  }
  if (!(largest > no_path<T>)) return largest;
  for (int i = 0; i < chain.labels; ++i) sum += math::exp(x[i] + chain.template number<Against>(i, out, top) - largest);
  return largest + math::log(sum);
}

/// A number for each tag of a row, loaded one row before the walk needs it: only for the thread's first tag, which is
/// the only one if the block has a thread for each tag.
template <class T> struct Ahead {
  LabelMatrix<const T> rows;
  T now = 0, soon = 0;

  __device__ explicit Ahead(LabelMatrix<const T> rows_) : rows(rows_) {}
  /// Starts the load of a row, if the walk reaches it.
  __device__ void ask(int row, bool is) {
    now = soon;
    if (const int k = static_cast<int>(threadIdx.x); is && k < rows.c) soon = rows(row, k);  // mutant 99
  }
  /// A number of the row that the second-last call of ask() named.
  __device__ T operator()(int row, int k) const { return k == static_cast<int>(threadIdx.x) ? now : rows(row, k); }
};

/// A row of a walk in shared memory, and the step to the next one.
template <bool Here, bool Against, class Scheme, class T> struct ChainStep {
  const ChainNumbers<Scheme, T>& chain;
  const SentenceMemory<Here, T>& memory;
  Extremes<T> scale;
  const T* panel;
  T safe;   // a product below it is not exact enough
  T* x;     // [K] logarithms
  T* q;     // [K] e^x
  T* next;  // [K] a thread's own labels: the next x

  __device__ ChainStep(const ChainNumbers<Scheme, T>& chain_, const SentenceMemory<Here, T>& memory_, T safe_)
      : chain(chain_),
        memory(memory_),
        scale(chain.scale(memory.parts.scale)),
        panel(memory.template panel<true, Against>(chain, scale.largest)),
        safe(safe_),
        x(memory.row_at(0)),
        q(memory.row_at(1)),
        next(memory.row_at(2)) {}

  /// x = next, whose extremes over all labels are given, shifted so that its largest is 0, and q; returns the shift,
  /// and in `lowest` the smallest finite number.
  __device__ T settle(Extremes<T> all, T& lowest) const {
    const T shift = all.largest > no_path<T> ? all.largest : T(0);
    lowest = all.smallest - shift;
    each_label(chain.labels, [&](int k) {
      x[k] = next[k] - shift;
      q[k] = math::exp(x[k]);
    });
    __syncthreads();
    return shift;
  }
  /// log sum_i e^(x[i] + number(i, k))
  __device__ T advance(int k, T lowest) const {
    const T sum = chain_product(q, panel + k, chain.labels);
    // mutant 100
    if (lowest + scale.smallest < lowest_safe<T> && sum < safe) return chain_exact<Against>(chain, x, k, scale.largest);
    return math::log(sum);
  }
};

inline constexpr int forward_rows = 3, backward_rows = 4;  // of SentenceMemory

/// alpha of every row; log_sum of each walked sentence. The blocks of y = 1 do the second of two walks.
template <bool Here, class Scheme, class T> __global__ void __launch_bounds__(chain_threads, chain_blocks)
    chain_forward(ChainNumbers<Scheme, T> chain, LabelMatrix<const T> scores, const std::int32_t* cu_seqlens,
                  const Targets* kind, T safe, ChainWalk<T> one, ChainWalk<T> other) {
  const int s = static_cast<int>(blockIdx.x), first = cu_seqlens[s], last = cu_seqlens[s + 1];
  const ChainWalk<T> walk = blockIdx.y == 0 ? one : other;
  if (!walk.wants(kind[s])) return;
  const SentenceMemory<Here, T> memory(chain.labels, forward_rows);
  const ChainStep<Here, false, Scheme, T> step(chain, memory, safe);
  double sum = 0;
  T lowest = 0;
  Ahead<T> ahead(scores);
  ahead.ask(first, first < last);
  for (int row = first; row < last; ++row) {
    Extremes<T> mine;
    ahead.ask(row + 1, row + 1 < last);
    each_label(chain.labels, [&](int k) {
      const T score = ahead(row, k);
      step.next[k] = no_path<T>;
      if (!walk.hides(row, k)) step.next[k] = (row == first ? chain.first(k) : step.advance(k, lowest)) + score;
      mine.take(step.next[k]);
    });
    sum += static_cast<double>(step.settle(chain_extremes(mine, memory.parts.settle), lowest));
    if (row > first) sum += static_cast<double>(step.scale.largest);
    each_label(chain.labels, [&](int k) { walk.alpha(row, k) = step.x[k]; });
  }
  T largest = no_path<T>, total = 0;
  each_label(chain.labels, [&](int k) {
    const T weight = step.next[k] = step.x[k] + chain.last(k);
    largest = weight > largest ? weight : largest;
  });
  largest = chain_max(largest, memory.parts.largest);
  const T shift = largest > no_path<T> ? largest : T(0);
  each_label(chain.labels, [&](int k) { total += math::exp(step.next[k] - shift); });
  total = chain_sum(total, memory.parts.total);
  if (threadIdx.x == 0) walk.log_sum[s] = sum + static_cast<double>(shift + math::log(total));
}

/// Flags of a row and the row before it.
enum Pair : std::int32_t {
  pair_of_products = 1,    // P(a before, b here) = left[before, a] e^number(a, b) right[here, b]
  pair_of_logarithms = 2,  // the same from logarithms, because the factors would leave the range of T
  pair_of_targets = 4      // both rows have a target, and these are the tags
};

/// Marginals, and the factors of expected transitions; alpha becomes `left`. Over all paths: d is assigned the
/// marginals, minus the targets if a sentence has them all, and 0 in rows that are not walked. Over some paths: the
/// marginals are subtracted from d. Both times the loss scale.
///
/// apart     pairs whose logarithm is below it keep logarithms
template <bool Here, class Scheme, class T> __global__ void __launch_bounds__(chain_threads, chain_blocks)
    chain_backward(ChainNumbers<Scheme, T> chain, LabelMatrix<const T> scores, const std::int32_t* cu_seqlens,
                   int sentences, const Targets* kind, const std::int32_t* targets, const Counters* counters, T safe,
                   T apart, ChainWalk<T> walk, LabelMatrix<T> d, LabelMatrix<T> right, std::int32_t* pairs) {
  const int s = static_cast<int>(blockIdx.x), labels = chain.labels;
  const int first = cu_seqlens[s], last = s < sentences ? cu_seqlens[s + 1] : scores.n;  // last block: other rows
  if (s == sentences || !walk.wants(kind[s])) {
    for (int row = first + static_cast<int>(threadIdx.x); row < last; row += static_cast<int>(blockDim.x))
      pairs[row] = 0;
    for (int row = first; row < last && walk.only == nullptr; ++row)
      each_label(labels, [&](int k) { d(row, k) = T(0); });
    return;
  }
  const bool whole = kind[s] == Targets::whole;
  const T scale = loss_scale<T>(counters);
  const SentenceMemory<Here, T> memory(labels, backward_rows);
  const ChainStep<Here, true, Scheme, T> step(chain, memory, safe);
  T* const p = memory.row_at(3);  // a thread's own labels
  T lowest = 0;
  Ahead<T> score_ahead(scores), alpha_ahead(walk.alpha);
  score_ahead.ask(last - 1, first < last);
  alpha_ahead.ask(last - 1, first < last);
  for (int row = last - 1; row >= first; --row) {
    const bool pair = row + 1 < last;
    const std::int32_t target = whole ? targets[row] : -1;
    T largest = no_path<T>, total = 0;
    Extremes<T> mine;
    score_ahead.ask(row - 1, row > first);
    alpha_ahead.ask(row - 1, row > first);
    each_label(labels, [&](int k) {
      const T score = score_ahead(row, k), alpha = alpha_ahead(row, k);
      const T beta = pair ? step.advance(k, lowest) : chain.last(k);
      p[k] = alpha + beta;
      largest = p[k] > largest ? p[k] : largest;
      step.next[k] = walk.hides(row, k) ? no_path<T> : beta + score;
      mine.take(step.next[k]);
    });
    const Extremes<T> all = chain_extremes(mine, memory.parts.settle, largest, memory.parts.largest);
    each_label(labels, [&](int k) {
      p[k] = math::exp(p[k] - largest);
      total += p[k];
    });
    total = chain_sum(total, memory.parts.total);
    const T norm = largest + math::log(total), share = 1 / total;
    each_label(labels, [&](int k) {
      const T known = k == target ? T(1) : T(0);
      d(row, k) = walk.only == nullptr ? scale * (p[k] * share - known) : d(row, k) - scale * (p[k] * share);
    });
    if (pair) {
      const bool logarithms = norm < apart;  // mutant 101
      const T by = math::exp(-norm);
      each_label(labels, [&](int k) {
        right(row + 1, k) = logarithms ? step.x[k] - norm : step.q[k] * by;
        if (!logarithms) walk.alpha(row, k) = math::exp(alpha_ahead(row, k));
      });
      if (threadIdx.x == 0)
        pairs[row + 1] = (logarithms ? pair_of_logarithms : pair_of_products) | (whole ? pair_of_targets : 0);
    }
    if (row > first) step.settle(all, lowest);
  }
  if (threadIdx.x == 0) pairs[first] = 0;
}

}  // namespace entrain::kernel::detail
