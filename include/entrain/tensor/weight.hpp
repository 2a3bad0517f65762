// core > device, precision > [tensor] > kernel > layer
//
// Parameters have their extents in the type, so that they can be counted, named and laid out from the type alone.
// Values, gradients and moments are the same struct with another T.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/tensor/initialiser.hpp"  // every weight names one

namespace entrain {

/// An extent that is known at run time only: the number of labels.
inline constexpr int dynamic_labels = -1;
[[deprecated("entrain: the name is dynamic_labels")]] inline constexpr int by_label = dynamic_labels;

namespace detail {
/// If Copied: the copy of a weight that the products of a device read (kernel/gemm/weight_copy.hpp), or null.
template <bool Copied> struct ProductCopy {};
template <> struct ProductCopy<true> { const std::byte* data = nullptr; };
}  // namespace detail

/// [R, C] numbers, row-major. R or C may be `dynamic_labels`; `labels` then holds the number.
/// A gradient view without data means that this gradient is not needed.
/// Factors: how many matrices, stacked by rows, that only products read. Prediction may then store each in the order
/// that products read fastest (kernel/gemm/panels.hpp). 0: other ops read the weight too. More than 1: a view of
/// members that are neighbours.
template <class T, int R, int C, int Factors = 0> struct Weight {
  static_assert((R > 0 || R == dynamic_labels) && (C > 0 || C == dynamic_labels),
                "entrain: a Weight's extents must be at least 1.");
  using Number = T;
  static constexpr bool sparse = false, rows_of_labels = R == dynamic_labels;
  static constexpr int factors = Factors;

  T* data = nullptr;
  int labels = 0;
  [[no_unique_address]] detail::ProductCopy<(Factors > 0)> copy{};

  constexpr int rows() const { return R == dynamic_labels ? labels : R; }
  constexpr int cols() const { return C == dynamic_labels ? labels : C; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(rows()) * static_cast<std::size_t>(cols()); }
  constexpr bool wanted() const { return data != nullptr; }
};

/// The type in which the optimizer keeps a weight that products read as T: the master's type (precision/policies.hpp).
/// A norm's gain and shift are read in that type as well: near 1, bf16 has steps of 1/256, and fine-tuning changes a
/// gain by less.
template <class T> using MasterOf =
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_const_v<T>, const float, float>, T>;

/// A weight [R, C] that only products read.
template <class T, int R, int C> using MatmulWeight = Weight<T, R, C, 1>;
template <class T, int R, int C> using Factor [[deprecated("entrain: the name is MatmulWeight")]] =
    MatmulWeight<T, R, C>;

/// A table of R rows; a step reads only some of them. Backward writes the gradient of those rows alone. `stamp[r]` is
/// the number (from 1) of the last step that wrote row r. So the table is never zeroed, and the optimizer knows which
/// rows have a gradient.
template <class T, int R, int C> struct Table {
  static_assert(R >= 0 && C > 0,
                "entrain: a Table needs C >= 1 columns, and R >= 1 rows, or R = 0 for a table that is not used.");
  using Number = T;
  static constexpr bool sparse = true, rows_of_labels = false;
  static constexpr int factors = 0;

  T* data = nullptr;
  std::uint32_t* stamp = nullptr;  // [R], gradients only

  static constexpr int rows() { return R; }
  static constexpr int cols() { return C; }
  static constexpr std::size_t size() { return static_cast<std::size_t>(R) * C; }
  constexpr bool wanted() const { return data != nullptr; }
};

}  // namespace entrain
