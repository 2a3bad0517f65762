// core > device, precision > tensor > [kernel] > layer
//
// Products of the small matrices of one group of positions on a CPU, with packs.
#pragma once
#include <cstddef>
#include <type_traits>

#include "entrain/core/config.hpp"
#include "entrain/core/math.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"

namespace entrain::kernel::detail {

/// Channels as a workspace has them: filled up with zeros to whole packs.
template <class T, int C> inline constexpr int padded = (C + Pack<T>::size - 1) / Pack<T>::size* Pack<T>::size;

/// log(1 + e^x) and sigmoid(x) for a pack.
template <class P> void softplus(P x, P& value, P& slope) {
  using T = std::remove_cvref_t<decltype(x.v[0])>;
  const P e = math::exp(min(x, -x));  // e^-|x|, at most 1
  const P one(T(1)), small = one / (one + e);
  slope = select(x > P(T(0)), small, e * small);
  value = max(x, P(T(0))) + math::log(one + e);
}

/// to[r, :] = sum_j factor[r * across + j * along] * from[j, :]      r = 0 ... rows-1, j = 0 ... inner-1
///
/// shapes    from [inner, padded<T, C>] with whole packs; to [rows, C], `stride` apart
template <int R, int C, class T>
void weighted_sums(const T* factor, int across, int along, const T* from, int inner, T* to, int stride) {
  using P = Pack<T>;
  constexpr int width = padded<T, C>, packs = width / P::size, most = P::size * sizeof(T) == 64 ? 6 : 3;
  constexpr int ranges = (packs + most - 1) / most, each = (packs + ranges - 1) / ranges;
  ENTRAIN_UNROLL
  for (int range = 0; range < ranges; ++range) {
    const int first = range * each * P::size;
    P sum[R][each];
    ENTRAIN_UNROLL
    for (int r = 0; r < R; ++r) ENTRAIN_UNROLL
    for (int v = 0; v < each; ++v) sum[r][v] = P(T(0));
    for (int j = 0; j < inner; ++j) {
      P row[each];
      ENTRAIN_UNROLL
      for (int v = 0; v < each; ++v)
        if (first + v * P::size < width)
          row[v] = P::load(from + static_cast<std::ptrdiff_t>(j) * width + first + v * P::size);
      ENTRAIN_UNROLL
      for (int r = 0; r < R; ++r) {
        const P by(factor[r * across + j * along]);
        ENTRAIN_UNROLL
        for (int v = 0; v < each; ++v)
          if (first + v * P::size < width) sum[r][v] += by * row[v];
      }
    }
    ENTRAIN_UNROLL
    for (int r = 0; r < R; ++r) ENTRAIN_UNROLL
    for (int v = 0; v < each; ++v) {
      const int c = first + v * P::size;
      if (c < C) sum[r][v].store(to + static_cast<std::ptrdiff_t>(r) * stride + c, P::template lanes<C>(c));
    }
  }
}
/// The same for any number of rows.
template <int C, class T>
void weighted_sums_of(const T* factor, int across, int along, const T* from, int inner, T* to, int stride, int rows) {
  int r = 0;
  for (; r + 4 <= rows; r += 4)
    weighted_sums<4, C>(factor + r * across, across, along, from, inner, to + static_cast<std::ptrdiff_t>(r) * stride,
                        stride);
  for (; r < rows; ++r)
    weighted_sums<1, C>(factor + r * across, across, along, from, inner, to + static_cast<std::ptrdiff_t>(r) * stride,
                        stride);
}

/// score[r, k] = x[r, :] . n[k, :] for K = negatives_each samples, n transposed to [C, K].
template <int R, int C, class T> void sample_scores(const T* x, int stride, const T* transposed, T* score) {
  using P = Pack<T>;
  constexpr int K = PositionGroups::negatives_each, packs = K / P::size;
  P sum[R][packs];
  ENTRAIN_UNROLL
  for (int r = 0; r < R; ++r) ENTRAIN_UNROLL
  for (int v = 0; v < packs; ++v) sum[r][v] = P(T(0));
  for (int c = 0; c < C; ++c) {
    P column[packs];
    ENTRAIN_UNROLL
    for (int v = 0; v < packs; ++v) column[v] = P::load(transposed + c * K + v * P::size);
    ENTRAIN_UNROLL
    for (int r = 0; r < R; ++r) {
      const P by(x[static_cast<std::ptrdiff_t>(r) * stride + c]);
      ENTRAIN_UNROLL
      for (int v = 0; v < packs; ++v) sum[r][v] += by * column[v];
    }
  }
  ENTRAIN_UNROLL
  for (int r = 0; r < R; ++r) ENTRAIN_UNROLL
  for (int v = 0; v < packs; ++v) sum[r][v].store(score + r * K + v * P::size);
}

}  // namespace entrain::kernel::detail
