// core > device, precision > [tensor] > kernel > layer
//
// Views of numbers that other objects own. Rows: a packed batch with its width in the type. LabelMatrix: a batch with
// the one dynamic width, the number of labels.
#pragma once
#include <cstddef>
#include <type_traits>

#include "entrain/core/config.hpp"
#include "entrain/device/arena.hpp"

namespace entrain {

/// [n, C], row-major, dense.
template <class T, int C> struct Rows {
  static_assert(C > 0, "entrain: Rows<T, C> needs C >= 1, the number of channels.");
  static constexpr int width = C;

  T* data = nullptr;
  int n = 0;

  constexpr Rows() = default;
  ENTRAIN_HD constexpr Rows(T* data_, int n_) : data(data_), n(n_) {}
  template <class U>
  requires(std::is_same_v<const U, T>) ENTRAIN_HD constexpr Rows(Rows<U, C> other) : data(other.data), n(other.n) {}

  ENTRAIN_HD constexpr T& operator()(int row, int channel) const { return row_at(row)[channel]; }
  ENTRAIN_HD constexpr T* row_at(int row) const { return data + static_cast<std::ptrdiff_t>(row) * C; }
  ENTRAIN_HD constexpr std::size_t size() const { return static_cast<std::size_t>(n) * C; }
};

template <class T, int C> Rows<T, C> take_rows(Arena& arena, int n) {
  return {arena.take<T>(static_cast<std::size_t>(n) * C), n};
}

/// [n, c], row-major. Rows are `stride` numbers apart, a multiple of 16, so that every row starts aligned. The numbers
/// between c and stride are never read as results.
template <class T> struct LabelMatrix {
  T* data = nullptr;
  int n = 0;
  int c = 0;
  int stride = 0;

  static constexpr int padded(int c) { return (c + 15) / 16 * 16; }
  /// The numbers of a matrix of n rows, with those that pad them.
  static constexpr std::size_t count(int n, int c) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(padded(c));
  }

  constexpr LabelMatrix() = default;
  ENTRAIN_HD constexpr LabelMatrix(T* data_, int n_, int c_) : data(data_), n(n_), c(c_), stride(padded(c_)) {}
  template <class U>
  requires(std::is_same_v<const U, T>) ENTRAIN_HD constexpr LabelMatrix(LabelMatrix<U> other)
      : data(other.data), n(other.n), c(other.c), stride(other.stride) {}

  ENTRAIN_HD constexpr T& operator()(int row, int column) const { return row_at(row)[column]; }
  ENTRAIN_HD constexpr T* row_at(int row) const { return data + static_cast<std::ptrdiff_t>(row) * stride; }
};

template <class T> using Wide [[deprecated("entrain: the name is LabelMatrix")]] = LabelMatrix<T>;

template <class T> LabelMatrix<T> take_label_matrix(Arena& arena, int n, int c) {
  return {arena.take<T>(LabelMatrix<T>::count(n, c)), n, c};
}

}  // namespace entrain
