// core > device, precision > [tensor] > kernel > layer
//
// Views of one number for each row or each sentence of a batch: the targets that a loss reads, and the results that
// decoding writes.
#pragma once
#include <cstddef>
#include <cstdint>
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

/// What a column of a batch has a number for.
enum class Per : std::uint8_t { row, sentence, label_of_sentence };

/// A number for each row of a batch, for each of its sentences, or for each label of each sentence.
template <class T, Per Unit> struct BatchColumn {
  using Number = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Number>);
  static constexpr bool by_rows = Unit == Per::row, by_labels = Unit == Per::label_of_sentence;
  static constexpr std::size_t count(Shape shape) {
    return static_cast<std::size_t>(by_rows ? shape.rows : shape.sentences) * each(shape.labels);
  }
  /// Numbers of one row or sentence.
  static constexpr std::size_t each(int labels) { return by_labels ? static_cast<std::size_t>(labels) : 1; }

  T* data = nullptr;

  constexpr BatchColumn() = default;
  ENTRAIN_HD constexpr BatchColumn(T* data_) : data(data_) {}
  ENTRAIN_HD constexpr T& operator[](std::ptrdiff_t i) const { return data[i]; }
};
template <class T> using PerRow = BatchColumn<T, Per::row>;                          // [rows]
template <class T> using PerSentence = BatchColumn<T, Per::sentence>;                // [sentences]
template <class T> using PerSentenceLabel = BatchColumn<T, Per::label_of_sentence>;  // [sentences, labels]

template <class C> inline constexpr bool is_column = false;
template <class T, Per Unit> inline constexpr bool is_column<BatchColumn<T, Unit>> = true;

}  // namespace entrain
