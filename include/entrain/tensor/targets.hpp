// core > device, precision > [tensor] > kernel > layer
//
// Views of one number for each row or each sentence of a batch: the targets that a loss reads, and the results that
// decoding writes.
#pragma once
#include <cstddef>
#include <type_traits>

#include "entrain/core/config.hpp"
#include "entrain/core/contract.hpp"

namespace entrain {

/// The target of a row or sentence without a label: -100 for integers, NaN for other numbers. A struct has a static
/// no_target(), and its has_target() tells whether an object is another target.
template <class N> ENTRAIN_HD constexpr N no_target() {
  if constexpr (std::is_integral_v<N>) {
    return static_cast<N>(-100);
  } else if constexpr (std::is_floating_point_v<N>) {
    return static_cast<N>(__builtin_nanf(""));
  } else {
    return N::no_target();
  }
}
/// Whether a target carries a label: integer labels count from 0, and a NaN equals no number.
template <class N> ENTRAIN_HD constexpr bool is_target(const N& number) {
  if constexpr (std::is_integral_v<N>) {
    return number >= 0;
  } else if constexpr (std::is_floating_point_v<N>) {
    return number == number;
  } else {
    return number.has_target();
  }
}

/// [rows]
template <class T> struct PerRow {
  using Number = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Number>);
  static constexpr bool by_rows = true;
  static constexpr int count(Shape shape) { return shape.rows; }

  T* data = nullptr;

  constexpr PerRow() = default;
  ENTRAIN_HD constexpr PerRow(T* data_) : data(data_) {}
  ENTRAIN_HD constexpr T& operator[](std::ptrdiff_t row) const { return data[row]; }
};

/// [sentences]
template <class T> struct PerSentence {
  using Number = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Number>);
  static constexpr bool by_rows = false;
  static constexpr int count(Shape shape) { return shape.sentences; }

  T* data = nullptr;

  constexpr PerSentence() = default;
  ENTRAIN_HD constexpr PerSentence(T* data_) : data(data_) {}
  ENTRAIN_HD constexpr T& operator[](std::ptrdiff_t sentence) const { return data[sentence]; }
};

/// Whether C is one of these views.
template <class C> inline constexpr bool is_column = false;
template <class T> inline constexpr bool is_column<PerRow<T>> = true;
template <class T> inline constexpr bool is_column<PerSentence<T>> = true;

}  // namespace entrain
