// core > device, precision > tensor > [kernel] > layer
//
// A linear-chain conditional random field: the tags of a sentence are predicted jointly, with scores for neighbouring
// tags. Paths that the tag scheme forbids have probability zero, in training and in decoding.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/crf/cpu.hpp, kernel/crf/cuda.cuh.
template <class D> struct Crf : InTagger<D> {};

/// The parameters of a chain besides its emissions: transitions[a, b] from tag a to tag b, [K,K]; start and end, [1,K].
/// Kernels never read values that the scheme forbids; the gradients of these values are 0.
template <class T> struct Chain {
  Weight<T, dynamic_labels, dynamic_labels> transitions;
  Weight<T, 1, dynamic_labels> start;
  Weight<T, 1, dynamic_labels> end;
};

/// How complete the targets of a sentence are.
enum class Targets : std::int32_t {
  whole,    // a tag for every token
  partial,  // some tokens have none
  none,     // no token has one: nothing to learn
  broken    // no allowed path agrees with them: left out of the loss, and counted
};

/// What crf_forward saves for crf_backward.
template <class T> struct CrfSaved {
  LabelMatrix<T>
      alpha;  // [N,K] log weight of all prefixes that end here, each row's maximum is 0; backward overwrites it
  Targets* kind = nullptr;         // [sentences]
  std::int32_t* broken = nullptr;  // [1] how many sentences are Targets::broken

  static CrfSaved take(Arena& arena, Shape shape) {
    return {take_label_matrix<T>(arena, shape.rows, shape.labels),
            arena.take<Targets>(static_cast<std::size_t>(shape.sentences)), arena.take<std::int32_t>(1)};
  }
};

/// Working memory of one call: K^2 + N K and smaller arrays, for any number of threads. All devices share this layout,
/// because the plan counts it. A GPU keeps its lanes in shared memory, and uses neither edges nor an order.
template <class T> struct CrfRoom {
  static constexpr int group = 8;  // sentences processed together, so that transitions are read once for all
  static constexpr int pad = 32;   // numbers; two of the widest packs

  int stride = 0;                 // K, padded
  T* panels = nullptr;            // [stride, K] transitions, in the order in which products read them
  T* edges = nullptr;             // [2, stride] start and end, -infinity where forbidden
  T* bounds = nullptr;            // [2, stride] of each row of transitions
  T* lanes = nullptr;             // [3, sentences rounded up to groups, stride] a row of each sentence in progress
  LabelMatrix<T> rows;            // [N,K]
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
            take_label_matrix<T>(arena, shape.rows, shape.labels),
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
///   Z(targets) = the same over the allowed paths that agree with the targets
///
/// A token without target agrees with every tag: it is summed out, exactly. A sentence whose tokens all have a target
/// has one path, so the loss is the usual log Z - score. A sentence without any target adds nothing, nor does one whose
/// targets the scheme forbids; saved.broken counts the latter. Rows after the last sentence are not read.
///
/// shapes    scores [N,K]; targets [N], each in [0, K), any other value (-100 by custom) means no target; loss [1],
///           assigned
/// range     any finite scores: sums that underflow in the fast products are computed again in logarithms. NaN stays
///           NaN
/// order     fixed: same bits for any number of threads
/// source    Lafferty, McCallum, Pereira 2001, ICML, section 3; Tsuboi et al. 2008, COLING, for partial targets
template <class Scheme, class D, class T, class Sum>
void crf_forward(const Step<D>& at, LabelMatrix<const T> scores, const Chain<const T>& chain,
                 const std::int32_t* targets, const CrfSaved<T>& saved, Sum* loss) {
  const Scratch give_back{at.scratch};
  const auto room = CrfRoom<T>::take(at.scratch, at.shape);
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double n = scores.n, k = scores.c;
    at.dev.count(2 * n * k * k, sizeof(T) * (2 * n * k + 2 * k * k));
  } else {
    Crf<D>::template forward<Scheme>(at, scores, chain, targets, saved, room, loss);
  }
}

/// d[t,k] = P(y_t = k) - P(y_t = k | targets), and 0 in rows of no sentence or of one that was left out;
/// g.transitions[a,b] (+)= sum_t P(y_t-1 = a, y_t = b) - P(the same | targets);  g.start, g.end likewise at the ends
///
/// adjoint   of crf_forward, times Counters::loss_scale on a device that trains in fp16. Call it once for each forward:
///           it overwrites saved.alpha. Without data in g, no gradients of the chain are computed.
/// shapes    as above; d [N,K] apart from scores
template <class Scheme, class D, class T>
void crf_backward(const Step<D>& at, LabelMatrix<const T> scores, const Chain<const T>& chain,
                  const std::int32_t* targets, const CrfSaved<T>& saved, LabelMatrix<T> d, const Chain<T>& g) {
  const Scratch give_back{at.scratch};
  const auto room = CrfRoom<T>::take(at.scratch, at.shape);
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double n = scores.n, k = scores.c;
    at.dev.count(4 * n * k * k, sizeof(T) * (5 * n * k + 3 * k * k));
  } else {
    Crf<D>::template backward<Scheme>(at, scores, chain, targets, saved, room, d, g);
  }
}

/// tags = the allowed path with the largest score, for each sentence; among equal ones the smallest tags, compared from
/// the last token backwards. The path is always valid in Scheme: a NaN score counts as forbidden, and a sentence with
/// no path left gets O for all tokens. Rows after the last sentence get O.
///
/// shapes    scores [N,K]; tags [N]
/// source    Viterbi 1967. No back-pointers: a row keeps its best weights, and the traceback recomputes the choice for
///           one tag only
template <class Scheme, class D, class T>
void crf_decode(const Step<D>& at, LabelMatrix<const T> scores, const Chain<const T>& chain, std::int32_t* tags) {
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
