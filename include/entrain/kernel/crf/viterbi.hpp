// core > device, precision > tensor > [kernel] > layer
//
// The best path, over a group of sentences that are walked together.
#pragma once
#include "entrain/kernel/crf/lattice.hpp"

namespace entrain::kernel::detail {

/// best[t,k] is the weight of the best prefix that ends with tag k at token t, each row shifted so that its largest is
/// 0; -infinity if no allowed path reaches the tag.
template <class T, class Panels> struct Viterbi {
  static constexpr int most = Group::most;
  Panels panels;
  LabelMatrix<const T> scores;
  const T* first;
  const T* last;
  int stride;

  /// lanes: [2, most, stride]
  void forward(const Group& group, T* lanes, LabelMatrix<T> best) const {
    constexpr int size = Pack<T>::size;
    T* const before = lanes;
    T* const after = lanes + most * stride;
    const int labels = scores.c;
    for (int t = 0, active; (active = group.longer_than(t)) > 0; ++t) {
      if (t > 0) panels.multiply(active, before, after, stride);
      for (int l = 0; l < active; ++l) {
        const int row = group.first[static_cast<std::size_t>(l)] + t;
        const T* const from = t > 0 ? after + l * stride : first;
        T* const to = best.row_at(row);
        const Pack<T> nothing(-infinity<T>);
        Pack<T> top = nothing;
        for (int j = 0; j < labels; j += size) {
          const Pack<T> sum = Pack<T>::load(from + j) + load_padded(scores.row_at(row), j, labels, T(0));
          const Pack<T> number = select(sum > nothing, sum, nothing);  // NaN is no path
          top = max(top, number);
          number.store(to + j);
        }
        const T largest = top.largest();
        const Pack<T> shift(largest > -infinity<T> ? largest : T(0));
        for (int j = 0; j < labels; j += size) {
          const Pack<T> shifted = Pack<T>::load(to + j) - shift;
          shifted.store(to + j);
          shifted.store(before + l * stride + j);
        }
      }
    }
  }

  /// The traceback. It computes the predecessor only for the chosen tag of a row, so this costs K a token.
  void trace(int begin, int length, LabelMatrix<T> best, std::int32_t* tags) const {
    const int labels = scores.c;
    const auto choose = [&](auto&& weight) {
      T largest = -infinity<T>;
      int tag = -1;
      for (int k = 0; k < labels; ++k)
        if (const T w = weight(k); w > largest) {
          largest = w;
          tag = k;
        }
      return tag;
    };
    const T* row = best.row_at(begin + length - 1);
    int tag = choose([&](int k) { return row[k] + last[k]; });
    for (int t = begin + length - 1; tag >= 0; --t) {
      tags[t] = tag;
      if (t == begin) return;
      row = best.row_at(t - 1);
      tag = choose([&, next = tag](int k) { return row[k] + panels.number(k, next); });
    }
    std::fill_n(tags + begin, length, 0);  // no path is left
  }
};

}  // namespace entrain::kernel::detail
