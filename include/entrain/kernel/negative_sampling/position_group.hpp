// core > device, precision > tensor > [kernel] > layer
//
// The work of one group of positions on a CPU: its rows are copied to the memory of a thread, and everything else is
// products of these small matrices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "entrain/core/config.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/transpose.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/kernel/negative_sampling/small_products.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel::detail {

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
    transposed_ = take(width, K);
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
        vector_of(tokens[i], in, x_ + static_cast<std::ptrdiff_t>(i) * width);
      else
        zero(x_ + static_cast<std::ptrdiff_t>(i) * width);
    for (int p = 0; p < count_; ++p)
      copy(out.row_at(tokens[p + all_.window]), positive_ + static_cast<std::ptrdiff_t>(p) * width);
    for (int k = 0; k < K; ++k) {
      copy(out.row_at(samples[k]), negative_ + static_cast<std::ptrdiff_t>(k) * width);
    }
    transpose_samples();
    if (group_ + 1 < all_.groups()) fetch_group(in, out);
    count_pairs();
    if constexpr (context == Context::mean) means();
    const int scored = context == Context::mean ? count_ : inputs_;
    int r = 0;
    constexpr int packs = K / P::size, at_once = std::max(1, (P::size * sizeof(T) == 64 ? 16 : 8) / packs);
    for (; r + at_once <= scored; r += at_once)  // mutant 211
      sample_scores<at_once, C>(h_ + static_cast<std::ptrdiff_t>(r) * width, width, transposed_, score_ + r * K);
    for (; r < scored; ++r)  // mutant 219
      sample_scores<1, C>(h_ + static_cast<std::ptrdiff_t>(r) * width, width, transposed_, score_ + r * K);
    double loss = sample_slopes(scored, find_same(scored, samples, tokens));

    T* const dh = context == Context::mean ? dh_ : to_x;
    constexpr int stride = context == Context::mean ? width : C;
    weighted_sums_of<C>(score_, K, 1, negative_, K, dh, stride, scored);
    weighted_sums_of<C>(score_, 1, K, h_, scored, to_y + static_cast<std::ptrdiff_t>(B) * C, C, K);
    loss += positives(dh, stride, to_y);
    if constexpr (context == Context::mean) spread(to_x);
    if (all_.bags != nullptr) scale_by_bags(to_x, tokens);
    return loss;
  }

 private:
  static void copy(const T* from, T* to) {
    ENTRAIN_UNROLL
    for (int c = 0; c < C; c += P::size) P::load(from + c, P::template lanes<C>(c)).store(to + c);
  }
  static void zero(T* to) {
    ENTRAIN_UNROLL
    for (int c = 0; c < width; c += P::size) P(T(0)).store(to + c);
  }
  /// Asks for the rows of the next group, which the same thread is likely to compute: they are in no order, so the
  /// processor cannot foresee them.
  void fetch_group(Rows<const T, C> in, Rows<const T, C> out) const {
    const auto fetch = [](const T* row) {
      for (int c = 0; c < C; c += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(row + c);
    };
    const std::int32_t* const tokens = all_.tokens + first_ + B;
    const std::int32_t* const samples = all_.negatives + static_cast<std::ptrdiff_t>(group_ + 1) * K;
    for (int k = 0; k < K; ++k) fetch(out.row_at(samples[k]));
    const int count = std::min(B, all_.positions - first_ - B);
    for (int i = 0; i < count; ++i) {
      fetch(out.row_at(tokens[i + all_.window]));
      if (all_.bags == nullptr && tokens[i + 2 * all_.window] >= 0) fetch(in.row_at(tokens[i + 2 * all_.window]));
    }
  }
  T bag_scale(std::int32_t word) const {
    return T(1) / std::sqrt(static_cast<T>(all_.bags[word + 1] - all_.bags[word]));
  }
  void vector_of(std::int32_t word, Rows<const T, C> in, T* to) const {
    if (all_.bags == nullptr) return copy(in.row_at(word), to);
    const P by(bag_scale(word));
    P sum[width / P::size];
    for (P& s : sum) s = P(T(0));
    for (int r = all_.bags[word]; r < all_.bags[word + 1]; ++r) {
      const T* const row = in.row_at(all_.bag_rows[r]);
      ENTRAIN_UNROLL
      for (int v = 0; v < width / P::size; ++v) sum[v] += P::load(row + v * P::size, P::template lanes<C>(v * P::size));
    }
    ENTRAIN_UNROLL
    for (int v = 0; v < width / P::size; ++v) (by * sum[v]).store(to + v * P::size);
  }
  void scale_by_bags(T* to_x, const std::int32_t* tokens) const {
    for (int i = 0; i < inputs_; ++i) {
      if (tokens[i] < 0) continue;
      const P by(bag_scale(tokens[i]));
      T* const row = to_x + static_cast<std::ptrdiff_t>(i) * C;
      ENTRAIN_UNROLL
      for (int c = 0; c < C; c += P::size) {
        const int lanes = P::template lanes<C>(c);
        (by * P::load(row + c, lanes)).store(row + c, lanes);
      }
    }
  }
  void transpose_samples() {
    for (int k = 0; k < K; k += P::size) ENTRAIN_UNROLL
    for (int c = 0; c < width; c += P::size) {
      P square[P::size];
      ENTRAIN_UNROLL
      for (int r = 0; r < P::size; ++r) square[r] = P::load(negative_ + static_cast<std::ptrdiff_t>(k + r) * width + c);
      turn_square<P::size / 2>(square);
      ENTRAIN_UNROLL
      for (int r = 0; r < P::size; ++r) square[r].store(transposed_ + static_cast<std::ptrdiff_t>(c + r) * K + k);
    }
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
      ENTRAIN_UNROLL
      for (int c = 0; c < width; c += P::size) {
        P sum(T(0));
        each_input(p, [&](int i) { sum += P::load(x_ + static_cast<std::ptrdiff_t>(i) * width + c); });
        (sum * by).store(to + c);
      }
    }
  }
  /// The gradient of a mean for each of its words, which all get the whole of it.
  void spread(T* to_x) {
    for (int i = 0; i < inputs_; ++i) ENTRAIN_UNROLL
    for (int c = 0; c < C; c += P::size)
      P(T(0)).store(to_x + static_cast<std::ptrdiff_t>(i) * C + c, P::template lanes<C>(c));
    for (int p = 0; p < count_; ++p) {
      if (window_words(p) == 0) continue;
      const T* const from = dh_ + static_cast<std::ptrdiff_t>(p) * width;
      each_input(p, [&](int i) {
        T* const to = to_x + static_cast<std::ptrdiff_t>(i) * C;
        ENTRAIN_UNROLL
        for (int c = 0; c < C; c += P::size) {
          const int lanes = P::template lanes<C>(c);
          (P::load(to + c, lanes) + P::load(from + c)).store(to + c, lanes);
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
