// core > device, precision > tensor > [kernel] > layer
//
// The work of one group of positions on a CPU, with packs: see cpu.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "entrain/core/config.hpp"
#include "entrain/core/math.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/tensor/rows.hpp"

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

template <Context context, class T, int C> class GroupOfPositions {
  using P = Pack<T>;
  using Shared = PositionGroups;
  static constexpr int width = padded<T, C>, B = Shared::positions_each, K = Shared::negatives_each;
  static_assert(K % P::size == 0);

 public:
  GroupOfPositions(std::byte* memory, const PositionGroups& all, int group)
      : all_(all),
        first_(group * B),
        count_(std::min(B, all.positions - group * B)),
        inputs_(count_ + 2 * all.window),
        group_(group) {
    T* at = reinterpret_cast<T*>(memory);
    const auto take = [&](int rows, int columns) {
      T* const part = at;
      at += static_cast<std::ptrdiff_t>(rows) * columns;
      return part;
    };
    positive_ = take(B, width);
    negative_ = take(K, width);
    transposed_ = take(C, K);
    x_ = take(all.inputs(), width);
    score_ = take(all.inputs(), K);
    same_ = take(all.inputs(), K);
    pairs_ = take(all.inputs(), 1);
    if constexpr (context == Context::mean) {
      h_ = take(B, width);
      dh_ = take(B, width);
    } else {
      h_ = x_, dh_ = nullptr;
    }
  }

  double gradients(Rows<const T, C> in, Rows<const T, C> out, Rows<T, C> dx, Rows<T, C> dy) {
    const std::int32_t* const tokens = all_.tokens + first_;
    const std::int32_t* const samples = all_.negatives + static_cast<std::ptrdiff_t>(group_) * K;
    T* const to_x = dx.row_at(group_ * all_.inputs());
    T* const to_y = dy.row_at(group_ * Shared::outputs);
    for (int i = 0; i < inputs_; ++i)
      if (tokens[i] >= 0)
        copy(in.row_at(tokens[i]), x_ + static_cast<std::ptrdiff_t>(i) * width);
      else
        zero(x_ + static_cast<std::ptrdiff_t>(i) * width);
    for (int p = 0; p < count_; ++p)
      copy(out.row_at(tokens[p + all_.window]), positive_ + static_cast<std::ptrdiff_t>(p) * width);
    for (int k = 0; k < K; ++k) {
      const T* const row = out.row_at(samples[k]);
      copy(row, negative_ + static_cast<std::ptrdiff_t>(k) * width);
      for (int c = 0; c < C; ++c) transposed_[c * K + k] = row[c];
    }
    count_pairs();
    if constexpr (context == Context::mean) means();
    const int scored = context == Context::mean ? count_ : inputs_;
    int r = 0;
    constexpr int packs = K / P::size, at_once = std::max(1, (P::size * sizeof(T) == 64 ? 16 : 8) / packs);
    for (; r + at_once <= scored; r += at_once)
      sample_scores<at_once, C>(h_ + static_cast<std::ptrdiff_t>(r) * width, width, transposed_, score_ + r * K);
    for (; r < scored; ++r)
      sample_scores<1, C>(h_ + static_cast<std::ptrdiff_t>(r) * width, width, transposed_, score_ + r * K);
    double loss = sample_slopes(scored, find_same(scored, samples, tokens));

    T* const dh = context == Context::mean ? dh_ : to_x;
    constexpr int stride = context == Context::mean ? width : C;
    weighted_sums_of<C>(score_, K, 1, negative_, K, dh, stride, scored);
    weighted_sums_of<C>(score_, 1, K, h_, scored, to_y + static_cast<std::ptrdiff_t>(B) * C, C, K);
    loss += positives(dh, stride, to_y);
    if constexpr (context == Context::mean) spread(to_x);
    return loss;
  }

 private:
  static void copy(const T* from, T* to) {
    for (int c = 0; c < C; c += P::size) P::load(from + c, P::template lanes<C>(c)).store(to + c);
  }
  static void zero(T* to) {
    for (int c = 0; c < width; c += P::size) P(T(0)).store(to + c);
  }
  /// Token slots of the window of position p, without the position's own: f(slot).
  template <class F> void each_input(int p, F&& f) const {
    const int own = p + all_.window;
    for (int i = all_.begin[first_ + p] - first_; i < all_.end[first_ + p] - first_; ++i)
      if (i != own) f(i);
  }
  int window_words(int p) const {
    const int words = all_.end[first_ + p] - all_.begin[first_ + p];
    return words > 0 ? words - 1 : 0;
  }

  /// pairs_[i]: the number of pairs of input i.
  void count_pairs() {
    std::fill_n(pairs_, all_.inputs(), T(0));
    for (int p = 0; p < count_; ++p)
      if constexpr (context == Context::mean) {
        pairs_[p] = window_words(p) > 0 ? T(1) : T(0);
      } else {
        each_input(p, [&](int i) { pairs_[i] += T(1); });
      }
  }
  void means() {
    for (int p = 0; p < count_; ++p) {
      T* const to = h_ + static_cast<std::ptrdiff_t>(p) * width;
      zero(to);
      const int words = window_words(p);
      if (words == 0) continue;
      const P by(T(1) / static_cast<T>(words));
      for (int c = 0; c < width; c += P::size) {
        P sum(T(0));
        each_input(p, [&](int i) { sum += P::load(x_ + static_cast<std::ptrdiff_t>(i) * width + c); });
        (sum * by).store(to + c);
      }
    }
  }
  /// The adjoint of means().
  void spread(T* to_x) {
    for (int i = 0; i < inputs_; ++i)
      for (int c = 0; c < C; c += P::size)
        P(T(0)).store(to_x + static_cast<std::ptrdiff_t>(i) * C + c, P::template lanes<C>(c));
    for (int p = 0; p < count_; ++p) {
      const int words = window_words(p);
      if (words == 0) continue;
      const P by(T(1) / static_cast<T>(words));
      const T* const from = dh_ + static_cast<std::ptrdiff_t>(p) * width;
      each_input(p, [&](int i) {
        T* const to = to_x + static_cast<std::ptrdiff_t>(i) * C;
        for (int c = 0; c < C; c += P::size) {
          const int lanes = P::template lanes<C>(c);
          (P::load(to + c, lanes) + by * P::load(from + c)).store(to + c, lanes);
        }
      });
    }
  }

  /// score_ becomes the slope of the loss by each score of a sample.
  double sample_slopes(int scored, bool any_same) {
    const P each(static_cast<T>(all_.weight()));
    P loss(T(0));
    for (int i = 0; i < scored; ++i) {
      T* const row = score_ + i * K;
      for (int k = 0; k < K; k += P::size) {
        P pairs(pairs_[i]), value, slope;
        if (any_same) pairs = pairs - P::load(same_ + i * K + k);
        softplus(P::load(row + k), value, slope);
        const P weight = each * pairs;
        loss += weight * value;
        (weight * slope).store(row + k);
      }
    }
    return static_cast<double>(loss.sum());
  }
  /// A sample that is the word of a position does not count for the pairs of that position. Returns whether there is
  /// one; then same_[i, k] is the number of such pairs of input i.
  bool find_same(int scored, const std::int32_t* samples, const std::int32_t* tokens) {
    bool any = false;
    for (int p = 0; p < count_; ++p)
      for (int k = 0; k < K; ++k) {
        if (samples[k] != tokens[p + all_.window]) continue;
        if (!std::exchange(any, true)) std::fill_n(same_, scored * K, T(0));
        if constexpr (context == Context::mean) {
          same_[p * K + k] = pairs_[p];
        } else {
          each_input(p, [&](int i) { same_[i * K + k] += T(1); });
        }
      }
    return any;
  }

  /// The pairs of a position and the words of its window.
  double positives(T* dh, int stride, T* to_y) {
    double loss = 0;
    for (int p = 0; p < count_; ++p) {
      const int words = context == Context::mean ? (window_words(p) > 0) : window_words(p);
      if (words == 0) continue;
      const T* const y = positive_ + static_cast<std::ptrdiff_t>(p) * width;
      T score[P::size];
      int slot[P::size], n = 0;
      P dy[width / P::size];
      for (P& d : dy) d = P(T(0));
      const auto finish = [&] {
        for (int i = n; i < P::size; ++i) score[i] = -T(1e4);
        P value, slope;
        softplus(-P::load(score), value, slope);
        for (int i = 0; i < n; ++i) loss += static_cast<double>(value.v[i]);
        for (int i = 0; i < n; ++i) {
          const P by(-slope.v[i]);
          const T* const x = h_ + static_cast<std::ptrdiff_t>(slot[i]) * width;
          T* const d = dh + static_cast<std::ptrdiff_t>(slot[i]) * stride;
          ENTRAIN_UNROLL
          for (int v = 0; v < width / P::size; ++v) {
            const int c = v * P::size, lanes = P::template lanes<C>(c);
            dy[v] += by * P::load(x + c);
            (P::load(d + c, lanes) + by * P::load(y + c)).store(d + c, lanes);
          }
        }
        n = 0;
      };
      const auto pair = [&](int i) {
        const T* const x = h_ + static_cast<std::ptrdiff_t>(i) * width;
        P sum(T(0));
        ENTRAIN_UNROLL
        for (int c = 0; c < width; c += P::size) sum += P::load(x + c) * P::load(y + c);
        slot[n] = i;
        score[n++] = sum.sum();
        if (n == P::size) finish();
      };
      if constexpr (context == Context::mean) {
        pair(p);
      } else {
        each_input(p, pair);
      }
      if (n > 0) finish();
      T* const to = to_y + static_cast<std::ptrdiff_t>(p) * C;
      ENTRAIN_UNROLL
      for (int v = 0; v < width / P::size; ++v) dy[v].store(to + v * P::size, P::template lanes<C>(v * P::size));
    }
    return loss;
  }

  const PositionGroups& all_;
  int first_, count_, inputs_, group_;
  T *positive_, *negative_, *transposed_, *x_, *score_, *same_, *pairs_, *h_, *dh_;
};

}  // namespace entrain::kernel::detail
