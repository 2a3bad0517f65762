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

/// One number for each row of a batch (ByRows), or for each of its sentences.
template <class T, bool ByRows> struct BatchColumn {
  using Number = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Number>);
  static constexpr bool by_rows = ByRows;
  static constexpr int count(Shape shape) { return by_rows ? shape.rows : shape.sentences; }

  T* data = nullptr;

  constexpr BatchColumn() = default;
  ENTRAIN_HD constexpr BatchColumn(T* data_) : data(data_) {}
  ENTRAIN_HD constexpr T& operator[](std::ptrdiff_t i) const { return data[i]; }
};
template <class T> using PerRow = BatchColumn<T, true>;        // [rows]
template <class T> using PerSentence = BatchColumn<T, false>;  // [sentences]

template <class C> inline constexpr bool is_column = false;
template <class T, bool ByRows> inline constexpr bool is_column<BatchColumn<T, ByRows>> = true;

}  // namespace entrain
