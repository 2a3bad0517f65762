// core > device, precision > tensor > [kernel] > layer
//
// Skip-gram and CBOW with negative sampling: the loss of many positions of a text and its gradients, and the update of
// the rows of a table. Positions are in groups, and the positions of a group share their negative samples, so that most
// of the work is products of small matrices.
#pragma once
#include <cmath>
#include <cstdint>

#include "entrain/core/config.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

/// How the words of a window predict the word in its middle. each: every word by itself (skip-gram). mean: the mean of
/// their vectors (CBOW).
enum class Context { each, mean };

/// A step: positions of a text in groups, with the window and the negative samples of each.
///
/// Slots     a group has a slot for each token that may be in its windows, `inputs()`, and a slot for each word that
///           it scores, `outputs`: first its positions, then its negative samples. A gradient has a row for each slot.
struct PositionGroups {
  static constexpr int positions_each = 16, negatives_each = 32, outputs = positions_each + negatives_each;

  const std::int32_t* tokens;     // [positions + 2 window] row of each token; position p is token p + window. -1: none
  const std::int32_t* begin;      // [positions] the window of a position is tokens [begin, end) without its own;
  const std::int32_t* end;        // [positions] begin == end: none
  const std::int32_t* negatives;  // [groups, negatives_each] rows
  int positions = 0, window = 0;
  float negative = 0;  // negative samples that each pair would have if the group did not share them
  /// Of words that have several rows each: word w has rows bag_rows[bags[w] ... bags[w + 1] - 1] of `in`, and tokens
  /// are words. Otherwise null: a token is its row.
  const std::int32_t* bags = nullptr;
  const std::int32_t* bag_rows = nullptr;

  ENTRAIN_HD constexpr int groups() const { return (positions + positions_each - 1) / positions_each; }
  ENTRAIN_HD constexpr int inputs() const { return positions_each + 2 * window; }
  /// The weight of one shared sample.
  ENTRAIN_HD constexpr float weight() const { return negative / negatives_each; }
};

/// The most bytes of a CPU thread's workspace that a group of positions takes, for vectors of `width` numbers of T.
template <class T> constexpr std::size_t group_bytes(int width, int window) {
  const auto padded = static_cast<std::size_t>(width) + 16;  // to whole packs
  const std::size_t positions = PositionGroups::positions_each, samples = PositionGroups::negatives_each,
                    inputs = positions + 2 * static_cast<std::size_t>(window);
  return sizeof(T) * (padded * (3 * positions + 2 * samples + inputs) + inputs * (2 * samples + 1));
}

template <class D> struct NegativeSampling : InTagger<D> {};

/// loss[g] = the loss of group g: over its pairs (i, p) of an input and a position, with scores s = x_i . y_p
///
///   sum_(i,p) ( -log sigmoid(x_i . y_p) - w sum_k [n_k != p] log sigmoid(-x_i . y_(n_k)) )      w = negative / K
///
/// each      the inputs of position p are the tokens of its window
/// mean      position p has one input, the mean of their vectors; the gradient of the mean goes to each of them whole,
///           not divided by their number, as in word2vec. So dx is the gradient of a loss in which a position counts
///           once for each of its inputs, and dy that of the loss above.
///
/// A token of a word with n rows has their sum / sqrt(n) as its vector. So a step changes the vector as much as that of
/// a word with one row.
///
/// dx, dy    the gradients for each slot of each group, [groups * inputs(), C] and [groups * outputs, C]. The gradient
///           of a token is that of each of its rows. Rows of slots without a token, a window or a position are not
///           written.
/// shapes    in, out [words, C]
/// source    Mikolov et al. 2013, "Distributed representations of words and phrases", arXiv:1310.4546, formula 4; Ji et
///           al. 2016, "Parallelizing word2vec in shared and distributed memory", arXiv:1604.04661, for shared samples
template <Context context, class D, class T, int C> void negative_sampling(const D& dev, const PositionGroups& groups,
                                                                           Rows<const T, C> in, Rows<const T, C> out,
                                                                           Rows<T, C> dx, Rows<T, C> dy, double* loss) {
  NegativeSampling<D>::template gradients<context>(dev, groups, in, out, dx, dy, loss);
}

/// table[ids[s]] += factor[s] * sum of d's rows over the items of segment s
///
/// shapes    table [R, C]; d [slots, C]; factor [segments]
template <class D, class T, int C>
void add_to_rows(const D& dev, CsrIndex segments, const float* factor, Rows<const T, C> d, Rows<T, C> table) {
  NegativeSampling<D>::add_to_rows(dev, segments, factor, d, table);
}

}  // namespace entrain::kernel
