// core > device, precision > tensor > [kernel] > layer
//
// Forward and backward over a group of sentences, which are walked together, one token of each at a time.
//
// Weights stay logarithms, each row shifted so that its largest is 0: a sentence may be as long as memory allows. Only
// between two tokens they become probabilities, so that the step is a product of vectors and a matrix. If such a
// product is so small that underflow may have affected it, that one number is computed again in logarithms.
#pragma once
#include <array>

#include "entrain/kernel/crf/panels.hpp"
#include "entrain/kernel/crf/range.hpp"

namespace entrain::kernel::detail {

/// Sentences of one group, the longest first: at any distance from their beginnings (or ends), the unfinished sentences
/// are the first ones.
struct Group {
  static constexpr int most = CrfRoom<float>::group;
  int size = 0;
  std::array<int, most> sentence{}, first{}, length{};

  Group(const std::int32_t* cu_seqlens, const std::int32_t* order, int count) : size(std::min(count, +most)) {
    for (int l = 0; l < size; ++l) {
      const auto i = static_cast<std::size_t>(l);
      sentence[i] = order[l];
      first[i] = cu_seqlens[order[l]];
      length[i] = cu_seqlens[order[l] + 1] - first[i];
    }
  }
  int longer_than(int t) const {
    int n = size;
    while (n > 0 && length[static_cast<std::size_t>(n - 1)] <= t) --n;
    return n;
  }
};

/// The common part of the two walks. `only`: targets, if the walk is restricted to paths that agree with them, else
/// null.
template <class T, class Panels> struct Walk {
  static constexpr int most = Group::most;
  Panels panels;
  LabelMatrix<const T> scores;
  const std::int32_t* only;
  const T* first;  // [stride] log weight of starting with a tag
  const T* last;   // [stride] of ending with it
  int stride;

  int labels() const { return scores.c; }
  Pack<T> score(int row, int j) const { return load_padded(scores.row_at(row), j, labels(), T(0)); }

  /// Keeps only the observed tag of a row, if there is one.
  void observe(T* x, int row) const {
    if (only == nullptr || !has_target(only[row], labels())) return;
    const T keep = x[only[row]];
    for (int j = 0; j < labels(); ++j) x[j] = -infinity<T>;
    x[only[row]] = keep;
  }
  /// Shifts x so that its largest is 0; returns the shift, and in `lowest` the smallest finite number after it.
  T settle(T* x, T& lowest) const {
    Pack<T> top(-infinity<T>), bottom(infinity<T>);
    for (int j = 0; j < labels(); j += Pack<T>::size) {
      const Pack<T> v = Pack<T>::load(x + j);
      top = max(top, v);
      bottom = min(select(v > Pack<T>(-infinity<T>), v, bottom), bottom);
    }
    const T shift = top.largest() > -infinity<T> ? top.largest() : T(0);
    for (int j = 0; j < labels(); j += Pack<T>::size) (Pack<T>::load(x + j) - Pack<T>(shift)).store(x + j);
    lowest = -(-bottom).largest() - shift;
    return shift;
  }
  /// r[l] = log (e^x[l] times the panels); q keeps e^x.
  void advance(int lanes, const std::array<const T*, most>& x, const std::array<T, most>& lowest, T* q, T* r) const {
    for (int l = 0; l < lanes; ++l)
      for (int j = 0; j < labels(); j += Pack<T>::size)  // mutant 102
        math::exp(Pack<T>::load(x[static_cast<std::size_t>(l)] + j)).store(q + l * stride + j);
    panels.multiply(lanes, q, r, stride);
    const T safe = smallest_safe<T>(labels());
    for (int l = 0; l < lanes; ++l) {
      T* const row = r + l * stride;
      if (lowest[static_cast<std::size_t>(l)] + panels.lowest < lowest_safe<T>) {  // mutant 103
        for (int j = 0; j < labels(); ++j)
          row[j] = row[j] < safe ? panels.exact(x[static_cast<std::size_t>(l)], j) : math::log(row[j]);  // mutant 104
        for (int j = labels(); j % Pack<T>::size != 0; ++j) row[j] = -infinity<T>;
      } else {
        for (int j = 0; j < labels(); j += Pack<T>::size) math::log(Pack<T>::load(row + j)).store(row + j);
      }
    }
  }

  /// alpha of every row; log_z[s] for each sentence of the group. lanes: [2, most, stride]
  void forward(const Group& group, T* lanes, LabelMatrix<T> alpha, double* log_z) const {
    T* const q = lanes;
    T* const r = lanes + most * stride;
    std::array<double, most> sum{};
    std::array<T, most> lowest{};
    std::array<const T*, most> before{};
    for (int t = 0, active; (active = group.longer_than(t)) > 0; ++t) {
      if (t > 0) advance(active, before, lowest, q, r);
      for (int l = 0; l < active; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const int row = group.first[i] + t;
        const T* const from = t > 0 ? r + l * stride : first;
        T* const x = alpha.row_at(row);
        for (int j = 0; j < labels(); j += Pack<T>::size) (Pack<T>::load(from + j) + score(row, j)).store(x + j);
        observe(x, row);
        sum[i] += static_cast<double>(settle(x, lowest[i])) + (t > 0 ? static_cast<double>(panels.top) : 0.);
        before[i] = x;
        if (t + 1 == group.length[i]) {
          const auto ending = [&](int j) { return Pack<T>::load(x + j) + Pack<T>::load(last + j); };
          log_z[group.sentence[i]] = sum[i] + static_cast<double>(log_sum_exp<T>(labels(), ending));
        }
      }
    }
  }

  /// Marginals, and the factors of expected transitions. For neighbours `row`, `row + 1` of one sentence
  ///
  ///   P(a at row, b at row + 1) = left[row, a] e^(transition[a, b] - top) right[row + 1, b]
  ///
  /// and right is 0 in the first row of a sentence. Where the factors would leave the range of T, both rows keep their
  /// logarithms and apart[row + 1] is set.
  ///
  /// alpha: from forward; becomes left. sign: +1 assigns the marginals to d, -1 subtracts them, and changes right's
  /// sign.
  /// lanes: [3, most, stride]
  void backward(const Group& group, T* lanes, LabelMatrix<T> alpha, int sign, LabelMatrix<T> d, LabelMatrix<T> right,
                std::int32_t* apart) const {
    constexpr int size = Pack<T>::size;
    T* const x = lanes;
    T* const q = x + most * stride;
    T* const r = q + most * stride;
    const T safe = math::log(smallest_safe<T>(labels()) * static_cast<T>(labels()));  // mutant 105
    std::array<T, most> lowest{};
    std::array<const T*, most> from{};
    for (int l = 0; l < most; ++l) from[static_cast<std::size_t>(l)] = x + l * stride;
    for (int back = 0, active; (active = group.longer_than(back)) > 0; ++back) {
      const auto row_of = [&](int l) {
        const auto i = static_cast<std::size_t>(l);
        return group.first[i] + group.length[i] - 1 - back;
      };
      for (int l = 0; l < active; ++l) {
        T* const beta = r + l * stride;
        if (back == 0) {
          std::copy_n(last, labels() + (size - labels() % size) % size, beta);
          continue;
        }
        T* const to = x + l * stride;
        // mutant 106
        for (int j = 0; j < labels(); j += size) (Pack<T>::load(beta + j) + score(row_of(l) + 1, j)).store(to + j);
        observe(to, row_of(l) + 1);
        settle(to, lowest[static_cast<std::size_t>(l)]);
      }
      if (back > 0) advance(active, from, lowest, q, r);
      for (int l = 0; l < active; ++l) {
        const int row = row_of(l);
        T* const beta = r + l * stride;
        T* const probability = right.row_at(row);  // free until the walk visits the token before
        const T norm = marginals(alpha.row_at(row), beta, probability);
        for (int j = 0; j < labels(); j += size) {
          const Pack<T> p = Pack<T>::load(probability + j);
          (sign > 0 ? p : Pack<T>::load(d.row_at(row) + j) - p).store(d.row_at(row) + j);
        }
        if (back > 0) {
          apart[row + 1] = norm < safe;  // mutant 107
          pair(alpha.row_at(row), x + l * stride, q + l * stride, norm, sign, apart[row + 1] != 0,
               right.row_at(row + 1));
        } else {
          std::fill_n(alpha.row_at(row), alpha.stride, T(0));
        }
        T unused;
        settle(beta, unused);
      }
      for (int l = 0; l < active; ++l)
        if (row_of(l) == group.first[static_cast<std::size_t>(l)]) {
          std::fill_n(right.row_at(row_of(l)), right.stride, T(0));
          apart[row_of(l)] = 0;
        }
    }
  }

 private:
  /// p = e^(alpha + beta - norm), which sums to 1; returns norm.
  T marginals(const T* alpha, const T* beta, T* p) const {
    Pack<T> top(-infinity<T>), sum(T(0));
    for (int j = 0; j < labels(); j += Pack<T>::size) {
      const Pack<T> z = Pack<T>::load(alpha + j) + Pack<T>::load(beta + j);
      top = max(top, z);
      z.store(p + j);
    }
    const T largest = top.largest();
    for (int j = 0; j < labels(); j += Pack<T>::size) {
      const Pack<T> e = math::exp(Pack<T>::load(p + j) - Pack<T>(largest));
      sum += e;
      e.store(p + j);
    }
    const T total = sum.sum();
    for (int j = 0; j < labels(); j += Pack<T>::size) (Pack<T>::load(p + j) * Pack<T>(1 / total)).store(p + j);
    return largest + math::log(total);
  }
  void pair(T* alpha, const T* x, const T* q, T norm, int sign, bool in_logarithms, T* right) const {
    const Pack<T> scale(static_cast<T>(sign) * math::exp(-norm));
    for (int j = 0; j < labels(); j += Pack<T>::size) {
      if (in_logarithms) {
        (Pack<T>::load(x + j) - Pack<T>(norm)).store(right + j);
      } else {
        math::exp(Pack<T>::load(alpha + j)).store(alpha + j);
        (Pack<T>::load(q + j) * scale).store(right + j);
      }
    }
  }
};

}  // namespace entrain::kernel::detail
