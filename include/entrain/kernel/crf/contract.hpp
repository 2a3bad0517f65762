// core > device, precision > tensor > [kernel] > layer
//
// A linear-chain conditional random field: the tags of a sentence are one choice, neighbours speak to each other. What
// the tag scheme forbids has probability zero, in training and in decoding.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::kernel {

/// The device's side of the verbs below: crf/cpu.hpp, crf/cuda.cuh.
template <class D> struct Crf : InTagger<D> {};

/// What a chain knows beside its emissions: transitions[a, b] from tag a to tag b, [K,K]; start and end, [1,K].
/// Values that the scheme forbids are never read, and their gradients are 0.
template <class T> struct Chain {
  Weight<T, by_label, by_label> transitions;
  Weight<T, 1, by_label> start;
  Weight<T, 1, by_label> end;
};

/// What the targets of a sentence say.
enum class Targets : std::int32_t {
  whole,    // a tag for every token
  partial,  // some tokens have none
  none,     // no token has one: nothing to learn
  broken    // no allowed path agrees with them: left out of the loss, and counted
};

/// What crf_backward needs of crf_forward.
template <class T> struct CrfSaved {
  Wide<T> alpha;  // [N,K] log weight of all beginnings that end here, each row's largest at 0; spent by backward
  Targets* kind = nullptr;         // [sentences]
  std::int32_t* broken = nullptr;  // [1] how many sentences are Targets::broken

  static CrfSaved take(Arena& arena, Shape shape) {
    return {take_wide<T>(arena, shape.rows, shape.labels),
            arena.take<Targets>(static_cast<std::size_t>(shape.sentences)), arena.take<std::int32_t>(1)};
  }
};

/// Working memory of one call: K^2 + N K and what is small beside them, whatever the number of threads. One for all
/// devices, as the plan counts it; a GPU has its lanes in shared memory, and neither edges nor an order.
template <class T> struct CrfRoom {
  static constexpr int group = 8;  // sentences that walk side by side, so that transitions are read once for all
  static constexpr int pad = 32;   // numbers; two of the widest packs

  int stride = 0;                 // K, padded
  T* panels = nullptr;            // [stride, K] transitions, in the order in which products read them
  T* edges = nullptr;             // [2, stride] start and end, -infinity where forbidden
  T* bounds = nullptr;            // [2, stride] of each row of transitions
  T* lanes = nullptr;             // [3, sentences rounded up to groups, stride] a row of each sentence that walks
  Wide<T> rows;                   // [N,K]
  std::int32_t* flags = nullptr;  // [N]
  std::int32_t* order = nullptr;  // [sentences]
  double* log_z = nullptr;        // [sentences]
  double* log_gold = nullptr;     // [sentences] of the targets

  static CrfRoom take(Arena& arena, Shape shape) {
    const auto k = static_cast<std::size_t>(shape.labels), s = static_cast<std::size_t>(shape.sentences);
    const std::size_t stride = (k + pad - 1) / pad * pad, lanes = (s + group - 1) / group * group;
    return {static_cast<int>(stride),
            arena.take<T>(stride * k),
            arena.take<T>(2 * stride),
            arena.take<T>(2 * stride),
            arena.take<T>(3 * lanes * stride),
            take_wide<T>(arena, shape.rows, shape.labels),
            arena.take<std::int32_t>(static_cast<std::size_t>(shape.rows)),
            arena.take<std::int32_t>(s),
            arena.take<double>(s),
            arena.take<double>(s)};
  }
};

/// loss = sum over sentences of log Z - log Z(targets)
///
///   score(y) = start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_t-1, y_t] + end[y_L]
///   Z = sum of e^score(y) over the paths that Scheme allows
///   Z(targets) = the same over those of them that agree with the targets
///
/// A token without target agrees with every tag: it is summed out, exactly. A sentence whose tokens all have a target
/// has one path, so the loss is the usual log Z - score. A sentence without any target, and one whose targets the
/// scheme forbids, adds nothing; the latter are counted in saved.broken. Rows behind the last sentence are not looked
/// at.
///
/// shapes    scores [N,K]; targets [N], each in [0, K), anything else (-100 by custom) is no target; loss [1], assigned
/// range     any finite scores: what underflows in the fast products is summed again in logarithms. NaN gives NaN
/// order     fixed: same bits for any number of threads
/// source    Lafferty, McCallum, Pereira 2001, ICML, section 3; Tsuboi et al. 2008, COLING, for partial targets
template <class Scheme, class D, class T, class Sum>
void crf_forward(const Step<D>& at, Wide<const T> scores, const Chain<const T>& chain, const std::int32_t* targets,
                 const CrfSaved<T>& saved, Sum* loss) {
  const Scratch give_back{at.scratch};
  const auto room = CrfRoom<T>::take(at.scratch, at.shape);
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double n = scores.n, k = scores.c;
    at.dev.count(2 * n * k * k, sizeof(T) * (2 * n * k + 2 * k * k));
  } else {
    Crf<D>::template forward<Scheme>(at, scores, chain, targets, saved, room, loss);
  }
}

/// d[t,k] = P(y_t = k) - P(y_t = k | targets), and 0 in rows of no sentence and of sentences that were left out;
/// g.transitions[a,b] (+)= sum_t P(y_t-1 = a, y_t = b) - P(the same | targets);  g.start, g.end alike at the ends
///
/// adjoint   of crf_forward, times, on a device that trains in fp16, Counters::loss_scale. Call it once for a forward:
/// saved.alpha is spent. g without data: not wanted. shapes    as above; d [N,K] apart from scores
template <class Scheme, class D, class T> void crf_backward(const Step<D>& at, Wide<const T> scores,
                                                            const Chain<const T>& chain, const std::int32_t* targets,
                                                            const CrfSaved<T>& saved, Wide<T> d, const Chain<T>& g) {
  const Scratch give_back{at.scratch};
  const auto room = CrfRoom<T>::take(at.scratch, at.shape);
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double n = scores.n, k = scores.c;
    at.dev.count(4 * n * k * k, sizeof(T) * (5 * n * k + 3 * k * k));
  } else {
    Crf<D>::template backward<Scheme>(at, scores, chain, targets, saved, room, d, g);
  }
}

/// tags = the allowed path of largest score, for each sentence; of equal ones the smallest tags, from the last token
/// on. Always valid in Scheme: a score that is NaN counts as forbidden, and a sentence with no path left is all O. Rows
/// behind the last sentence get O.
///
/// shapes    scores [N,K]; tags [N]
/// source    Viterbi 1967. No back-pointers: a row keeps its best weights, and the way back asks again for one tag
///           only
template <class Scheme, class D, class T>
void crf_decode(const Step<D>& at, Wide<const T> scores, const Chain<const T>& chain, std::int32_t* tags) {
  const Scratch give_back{at.scratch};
  const auto room = CrfRoom<T>::take(at.scratch, at.shape);
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double n = scores.n, k = scores.c;
    at.dev.count(2 * n * k * k, sizeof(T) * (2 * n * k + 2 * k * k));
  } else {
    Crf<D>::template decode<Scheme>(at, scores, chain, room, tags);
  }
}

}  // namespace entrain::kernel
