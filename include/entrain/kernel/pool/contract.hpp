// core > device, precision > tensor > [kernel] > layer
//
// One vector for each sentence, from the vectors of its rows.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::pool {

/// y[c] = 1 / rows sum_n x[n,c]
struct Mean {
  static constexpr std::string_view name = "mean";
  static constexpr bool remembers_rows = false;
};
/// y[c] = max_n x[n,c], NaN where one of them is. The gradient goes to the first of the largest.
struct Max {
  static constexpr std::string_view name = "max";
  static constexpr bool remembers_rows = true;
};
/// y[c] = x[first row,c]: for an encoder of pieces the row of [CLS]
struct First {
  static constexpr std::string_view name = "first";
  static constexpr bool remembers_rows = false;
};

template <class By>
concept IsPooling = requires {
  { By::name } -> std::convertible_to<std::string_view>;
  { By::remembers_rows } -> std::convertible_to<bool>;
};
template <class By> inline constexpr bool is_pooling = IsPooling<By>;  // for static_assert

}  // namespace entrain::pool

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/pool/cpu.hpp.
template <class D> struct Pool : InClassifier<D> {};

/// y[s] = By of the rows x[n] of sentence s, n in [cu_seqlens[s], cu_seqlens[s + 1]); 0 for a sentence without rows
///
/// shapes    x [N,C], y [S,C]; from [S,C]
/// saves     the caller keeps `from`, which pool::Max fills with the row of each number; others do not read it
/// order     a sentence's rows are added one after the other: same bits for any number of threads
template <class By, class D, class A, int C>
void pool_rows(const Step<D>& at, Rows<const A, C> x, Rows<A, C> y, std::int32_t* from) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(1. * x.n * C, sizeof(A) * 1. * (x.n + y.n) * C);
  } else {
    Pool<D>::template forward<By>(at, x, y, from);
  }
}

/// The adjoint of pool_rows: assigns every row of dx.
///
/// shapes    dy [S,C], from [S,C], dx [N,C]
template <class By, class D, class A, int C>
void pool_rows_back(const Step<D>& at, Rows<const A, C> dy, const std::int32_t* from, Rows<A, C> dx) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(1. * dx.n * C, sizeof(A) * 1. * (dx.n + dy.n) * C);
  } else {
    Pool<D>::template backward<By>(at, dy, from, dx);
  }
}

}  // namespace entrain::kernel
