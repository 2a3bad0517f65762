// core > device, precision > tensor > [kernel] > layer
//
// The chain on a GPU: a block for each sentence (lattice.cuh, viterbi.cuh), expected transitions over ranges of
// rows (pairs.cuh). The host never waits for the GPU, and no sum depends on the order in which threads finish.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/crf/lattice.cuh"
#include "entrain/kernel/crf/pairs.cuh"
#include "entrain/kernel/crf/viterbi.cuh"

namespace entrain::kernel {
namespace detail {

inline constexpr int target_sentences = 4;  // of a block, a warp each

/// The kind of targets of each sentence; log_gold = the score of the one path if the targets name it, else 0; log_z = 0
template <class Scheme, class T> __global__ void __launch_bounds__(target_sentences* device::warp)
    read_targets(ChainNumbers<Scheme, T> chain, LabelMatrix<const T> scores, const std::int32_t* cu_seqlens,
                 int sentences, const std::int32_t* targets, Targets* kind, double* log_z, double* log_gold) {
  using Rule = text::Allowed<Scheme>;
  const int s = static_cast<int>(blockIdx.x) * target_sentences + static_cast<int>(threadIdx.x) / device::warp;
  const int lane = static_cast<int>(threadIdx.x) % device::warp;
  if (s >= sentences) return;
  const int first = cu_seqlens[s], last = cu_seqlens[s + 1];
  int seen = 0, wrong = 0;
  for (int row = first + lane; row < last; row += device::warp) {
    const std::int32_t tag = targets[row];
    if (!has_target(tag, chain.labels)) continue;
    ++seen;
    wrong += row == first && !Rule::starts(tag);
    wrong += row + 1 == last && !Rule::ends(tag);
    wrong += row > first && has_target(targets[row - 1], chain.labels) && !Rule::follows(targets[row - 1], tag);
  }
  seen = device::warp_sum(seen);
  wrong = device::warp_sum(wrong);
  const bool whole = seen == last - first && wrong == 0;
  double sum = 0;
  for (int row = first + lane; row < last && whole; row += device::warp) {
    const std::int32_t tag = targets[row];
    sum += static_cast<double>(scores(row, tag));
    sum += static_cast<double>(row > first ? chain.transition(targets[row - 1], tag) : chain.start[tag]);
    if (row + 1 == last) sum += static_cast<double>(chain.end[tag]);
  }
  sum = device::warp_sum(sum);
  if (lane != 0) return;
  kind[s] = seen == 0 ? Targets::none : wrong != 0 ? Targets::broken : whole ? Targets::whole : Targets::partial;
  log_z[s] = 0;
  log_gold[s] = sum;
}

/// loss = sum of log_z - log_gold, in the order of sum_losses; sentences without an agreeing path are left out of it.
inline constexpr int total_threads = 256;
struct TotalParts {
  double loss[total_threads];          // mutant 87
  std::int32_t broken[total_threads];  // mutant 88
};
template <class Sum> __global__ void __launch_bounds__(total_threads)
    total_of_sentences(const double* log_z, const double* log_gold, Targets* kind, std::int32_t* broken, Sum* loss,
                       int sentences) {
  auto& part = device::shared<TotalParts>();
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  std::int32_t count = 0;
  constexpr int at_once =
      4;  // sentences loaded before the first is processed: each padding row is one, so there are many
  for (int first = thread; first < sentences; first += at_once * total_threads) {
    Targets said[at_once];
    double z[at_once], gold[at_once];
    ENTRAIN_UNROLL
    for (int k = 0; k < at_once; ++k) {
      const int s = first + k * total_threads;
      const bool there = s < sentences;
      said[k] = there ? kind[s] : Targets::none;
      z[k] = there ? log_z[s] : 0, gold[k] = there ? log_gold[s] : 0;
    }
    ENTRAIN_UNROLL
    for (int k = 0; k < at_once; ++k) {
      const bool pathless = said[k] == Targets::partial && gold[k] == no_path<double>;
      if (pathless) kind[first + k * total_threads] = Targets::broken;
      if (pathless || said[k] == Targets::broken) {
        ++count;
      } else {
        sum += z[k] - gold[k];
      }
    }
  }
  part.loss[thread] = sum;
  part.broken[thread] = count;
  for (int half = total_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half) continue;
    part.loss[thread] += part.loss[thread + half];
    part.broken[thread] += part.broken[thread + half];
  }
  if (thread != 0) return;
  *loss = static_cast<Sum>(part.loss[0]);
  *broken = part.broken[0];
}

}  // namespace detail

template <class Target> struct Crf<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class T> using Room = CrfRoom<T>;

  template <class Scheme, class T, class Sum>
  static void forward(const Step<D>& at, LabelMatrix<const T> scores, const Chain<const T>& chain,
                      const std::int32_t* targets, const CrfSaved<T>& saved, const Room<T>& room, Sum* loss) {
    const Of<Scheme, T> chain_of{at, scores, numbers<Scheme>(chain, room)};
    const int sentences = at.shape.sentences;
    double *const log_z = room.log_z, *const log_gold = room.log_gold;
    device::launch(at.dev.stream(), grid(sentences, detail::target_sentences, device::warp),
                   detail::read_targets<Scheme, T>, chain_of.numbers, scores, at.geometry.cu_seqlens, sentences,
                   targets, saved.kind, log_z, log_gold);
    bound(chain_of);
    fill<true, false>(chain_of);
    forward_walks(chain_of, saved, 2, {nullptr, saved.alpha, log_z}, {targets, room.rows, log_gold});
    device::launch(at.dev.stream(), {dim3(1), dim3(detail::total_threads), sizeof(detail::TotalParts)},
                   detail::total_of_sentences<Sum>, log_z, log_gold, saved.kind, saved.broken, loss, sentences);
  }

  template <class Scheme, class T> static void backward(const Step<D>& at, LabelMatrix<const T> scores,
                                                        const Chain<const T>& chain, const std::int32_t* targets,
                                                        const CrfSaved<T>& saved, const Room<T>& room, LabelMatrix<T> d,
                                                        const Chain<T>& g) {
    const Of<Scheme, T> chain_of{at, scores, numbers<Scheme>(chain, room)};
    const Pairs<T> pairs(at, scores, g.transitions);
    const auto back = [&](detail::ChainWalk<T> walk, T sign) {
      fill<true, true>(chain_of);
      backward_walk(chain_of, saved, targets, walk, d, room);
      if (g.transitions.wanted()) pairs.add(chain_of, walk, targets, sign, room);
    };
    const detail::ChainWalk<T> given{targets, saved.alpha, room.log_z};
    bound(chain_of);
    back({nullptr, saved.alpha, room.log_z}, T(1));
    fill<true, false>(chain_of);
    forward_walks(chain_of, saved, 1, given, given);
    back(given, T(-1));
    if (g.transitions.wanted()) pairs.finish(at);
    if (g.start.wanted() || g.end.wanted())
      detail::column_sums<2>(at.dev, detail::EdgeTerms<T>{d, at.geometry.cu_seqlens}, at.shape.sentences, d.c,
                             detail::ColumnResults<T, 2>{{g.start.data, g.end.data}}, at.grads);
  }

  template <class Scheme, class T> static void decode(const Step<D>& at, LabelMatrix<const T> scores,
                                                      const Chain<const T>& chain, const Room<T>& room,
                                                      std::int32_t* tags) {
    const Of<Scheme, T> chain_of{at, scores, numbers<Scheme>(chain, room)};
    bound(chain_of);
    fill<false, false>(chain_of);
    walk<T>(scores.c, detail::decode_rows, at.shape.sentences + 1, 1, [&](auto here, const device::Grid& grid) {
      device::launch(at.dev.stream(), grid, detail::chain_decode<here(), Scheme, T>, chain_of.numbers, scores,
                     at.geometry.cu_seqlens, at.shape.sentences, room.rows, tags);
    });
  }

 private:
  /// The arguments of every kernel of a call.
  template <class Scheme, class T> struct Of {
    const Step<D>& at;
    LabelMatrix<const T> scores;
    detail::ChainNumbers<Scheme, T> numbers;
  };
  template <class Scheme, class T>
  static detail::ChainNumbers<Scheme, T> numbers(const Chain<const T>& chain, const Room<T>& room) {
    const int labels = chain.transitions.labels;
    if (labels <= detail::own_tags)  // mutant 89
      return {chain.transitions.data, chain.start.data, chain.end.data, nullptr, nullptr, nullptr, labels};
    return {chain.transitions.data,    chain.start.data, chain.end.data, room.bounds,
            room.bounds + room.stride, room.panels,      labels};  // mutant 90
  }
  static device::Grid grid(int things, int of_block, int threads_of_each) {
    return {dim3(static_cast<unsigned>((things + of_block - 1) / of_block)),  // mutant 91
            dim3(static_cast<unsigned>(of_block * threads_of_each))};
  }

  template <class Scheme, class T> static void bound(const Of<Scheme, T>& c) {
    if (c.numbers.panel == nullptr) return;
    device::launch(c.at.dev.stream(), grid(c.numbers.labels, detail::bound_rows, device::warp),
                   detail::bound_transitions<Scheme, T>, c.numbers);
  }
  template <bool Probabilities, bool Against, class Scheme, class T> static void fill(const Of<Scheme, T>& c) {
    if (c.numbers.panel == nullptr) return;
    constexpr int most = 256;  // blocks; each computes the top itself
    // mutant 92
    const int blocks = (c.numbers.labels * c.numbers.labels + detail::chain_threads - 1) / detail::chain_threads;
    device::launch(c.at.dev.stream(),
                   {dim3(static_cast<unsigned>(std::min(blocks, most))), dim3(detail::chain_threads),
                    sizeof(detail::WarpParts<T>)},
                   detail::fill_panel<Probabilities, Against, Scheme, T>, c.numbers);
  }

  /// f(whether the panel is in shared memory, grid): it is, if two blocks then fit on a multiprocessor. The rows always
  /// are: up to 4,000 tags on Sm75, 14,000 on Sm90.
  template <class T, class F> static void walk(int labels, int rows, int sentences, int walks, F&& f) {
    const auto warps = std::min((labels + device::warp - 1) / device::warp, detail::chain_warps);  // mutant 93
    device::Grid grid{dim3(static_cast<unsigned>(sentences), static_cast<unsigned>(walks)),
                      dim3(static_cast<unsigned>(warps * device::warp)),
                      detail::SentenceMemory<true, T>::bytes(labels, rows), Target::shared_bytes};
    static_assert(detail::SentenceMemory<true, T>::bytes(detail::own_tags, detail::backward_rows) <=
                  Target::shared_bytes / 2);
    if (grid.shared <= Target::shared_bytes / 2) return f(std::true_type{}, grid);  // mutant 94
    grid.shared = detail::SentenceMemory<false, T>::bytes(labels, rows);
    f(std::false_type{}, grid);
  }
  template <class Scheme, class T> static void forward_walks(const Of<Scheme, T>& c, const CrfSaved<T>& saved,
                                                             int walks, const detail::ChainWalk<T>& one,
                                                             const detail::ChainWalk<T>& other) {
    const int labels = c.numbers.labels;
    walk<T>(labels, detail::forward_rows, c.at.shape.sentences, walks, [&](auto here, const device::Grid& grid) {
      device::launch(c.at.dev.stream(), grid, detail::chain_forward<here(), Scheme, T>, c.numbers, c.scores,
                     c.at.geometry.cu_seqlens, saved.kind, detail::smallest_safe<T>(labels), one, other);
    });
  }
  template <class Scheme, class T>
  static void backward_walk(const Of<Scheme, T>& c, const CrfSaved<T>& saved, const std::int32_t* targets,
                            const detail::ChainWalk<T>& over, LabelMatrix<T> d, const Room<T>& room) {
    const int labels = c.numbers.labels;
    const T safe = detail::smallest_safe<T>(labels), apart = math::log(safe * static_cast<T>(labels));  // mutant 95
    walk<T>(labels, detail::backward_rows, c.at.shape.sentences + 1, 1, [&](auto here, const device::Grid& grid) {
      device::launch(c.at.dev.stream(), grid, detail::chain_backward<here(), Scheme, T>, c.numbers, c.scores,
                     c.at.geometry.cu_seqlens, c.at.shape.sentences, saved.kind, targets, c.at.counters, safe, apart,
                     over, d, room.rows, room.flags);
    });
  }

  /// Sums of several ranges are stored next to each other, then added; a single range adds to the gradient directly.
  template <class T> struct Pairs {
    Weight<T, dynamic_labels, dynamic_labels> g;
    Write how;
    detail::RowRanges ranges;
    T* parts;

    Pairs(const Step<D>& at, LabelMatrix<const T> scores, Weight<T, dynamic_labels, dynamic_labels> g_)
        : g(g_),
          how(at.grads),
          ranges(detail::pair_ranges<T>(scores.n, g.size(), D::workspace_bytes)),
          parts(ranges.count == 1 ? g.data : reinterpret_cast<T*>(at.dev.workspace())) {}
    template <class Scheme> void add(const Of<Scheme, T>& c, const detail::ChainWalk<T>& walk,
                                     const std::int32_t* targets, T sign, const Room<T>& room) const {
      if (ranges.count == 0) return;
      // mutant 96
      const auto tiles = static_cast<unsigned>((c.numbers.labels + detail::pair_tags - 1) / detail::pair_tags);
      const bool fresh = sign > 0 && (ranges.count > 1 || how == Write::assign);
      device::launch(c.at.dev.stream(),
                     {dim3(tiles, tiles, static_cast<unsigned>(ranges.count)), dim3(detail::pair_threads),
                      sizeof(detail::PairMemory<T>)},
                     detail::sum_pairs<Scheme, T>, c.numbers, walk.alpha, room.rows, room.flags, targets, c.at.counters,
                     sign, parts, ranges.rows, fresh ? Write::assign : Write::add);
    }
    void finish(const Step<D>& at) const {
      if (ranges.count == 1) return;
      detail::add_ranges(at.dev, static_cast<const T*>(parts), detail::ColumnResults<T, 1>{{g.data}},
                         static_cast<int>(g.size()), ranges.count, how);
    }
  };
};

}  // namespace entrain::kernel
