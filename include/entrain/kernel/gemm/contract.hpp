// core > device, precision > tensor > [kernel] > layer
//
// Matrix products. Callers pass widths as types; here they become run-time sizes, so that one compiled product serves
// every layer of a scalar type.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// A row-major matrix with its width erased; rows are `stride` numbers apart.
template <class T> struct Matrix {
  T* data;
  int rows;
  int cols;
  int stride;
};

/// A weight that only products read: `factors` matrices, stacked by rows.
template <class T> struct WeightMatrix : Matrix<T> {
  int factors;
  const std::byte* copy;  // that the device's products made of it (kernel/gemm/weight_copy.hpp), or null
};

/// How much of a result one tile computes.
struct Extent {
  int rows, cols;
};

template <class T, int C> Matrix<T> erase(Rows<T, C> x) { return {x.data, x.n, C, C}; }
template <class T> Matrix<T> erase(LabelMatrix<T> x) { return {x.data, x.n, x.c, x.stride}; }
template <class T, int R, int C, int F> Matrix<T> erase(Weight<T, R, C, F> w) {
  return {w.data, w.rows(), w.cols(), w.cols()};
}

/// The product of device D: `run<Ta, Tb>(dev, a, b, c, how)` computes c (+)= op(a) op(b), where op transposes if its
/// flag is set; a and b are of one type, c may be of a wider one. Specialised in kernel/gemm/cpu.hpp and, for other
/// devices, in files next to it.
template <class D> struct Gemm : InTagger<D> {};

/// Checks that the product type of device D is defined: device/cpu.hpp names all product types and includes none.
template <class D> struct Multiplies { static constexpr bool value = true; };
template <class D>
requires requires { typename D::Gemm; }
struct Multiplies<D> {
  static_assert(
      requires { sizeof(typename D::Gemm); },
      "entrain: the header with this device's matrix products is not included; kernel::Bf16Gemm and AmxGemm are in "
      "entrain/cpu_transformer.hpp, PackedGemm and OneDnnGemm in entrain/kernel/gemm/packed.hpp and onednn.hpp, "
      "EigenGemm and PanelGemm in entrain/cpu.hpp.");
  static_assert(
      !requires { D::Gemm::in_host_memory; },
      "entrain: the argument of device::Cpu is a device, not the products of one, such as kernel::EigenGemm; use that "
      "device itself; see docs/extending/device.md.");
  static constexpr bool value = true;
};

/// Whether device D reads factors in an order of its own: D::Gemm::arrange(data, rows, cols) reorders each factor when
/// a model is loaded. Such a device predicts and does not train (panels.hpp).
template <class D> inline constexpr bool arranges = requires { requires D::Gemm::arranges; };

/// Whether products on device D can end with a bias, or with a bias and the tanh form of GELU. The specialisation of
/// D::Gemm returns whether it did so.
template <class D> inline constexpr bool has_epilogues = requires { requires D::epilogues; };

/// Whether products of T on device D can end with a function, called for each block of the result while the block is in
/// the first-level cache. Gemm<D>::run then takes it as its last argument: `after(block, column)`, where column is the
/// first one of c in the block.
template <class D, class T> inline constexpr bool ends_blocks = requires { requires D::Gemm::template ends_blocks<T>; };

/// Whether products of T on device D read copies of weights, of the type Gemm<D>::Copy: `is_made()`, and for each part
/// of `parts()`, of `part_rows` rows, `make(part, weight, to)`. The optimizer makes them, once for all products of a
/// step. A weight without a copy is packed by each product.
template <class D, class T> inline constexpr bool copies_weights = requires {
  requires D::Gemm::template copies_weights<T>;
};

namespace detail {
/// The end of a block that has none.
struct NoEnd {
  template <class T> void operator()(Matrix<T>, int) const {}
};

template <bool TransposeA, bool TransposeB, class D, class T, class B, class R>
void product(const D& dev, Matrix<const T> a, B b, Matrix<R> c, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    const double m = c.rows, n = c.cols, k = TransposeA ? a.rows : a.cols;
    dev.count(2 * m * n * k, sizeof(T) * (m * k + k * n) + sizeof(R) * m * n);
  } else {
    Gemm<D>::template run<TransposeA, TransposeB>(dev, a, b, c, how);
  }
}
/// The number type of a view, without const.
template <class View> using NumberOf =
    std::remove_const_t<std::remove_pointer_t<decltype(erase(std::declval<View>()).data)>>;
template <class View> auto constant(View v) {
  auto m = erase(v);
  return Matrix<std::add_const_t<std::remove_pointer_t<decltype(m.data)>>>{m.data, m.rows, m.cols, m.stride};
}
template <class T, int R, int C, int F>
requires(F > 0) WeightMatrix<const T> constant(Weight<T, R, C, F> w) {
  return {{w.data, w.rows(), w.cols(), w.cols()}, F, w.copy.data};
}
}  // namespace detail

/// y[n,o] (+)= sum_i x[n,i] w[o,i]            x [N,I], w [O,I], y [N,O]
template <class D, class X, class W, class Y> void gemm(const D& dev, X x, W w, Y y, Write how = Write::assign) {
  if constexpr (arranges<D> && W::factors > 0) {
    D::Gemm::arranged(dev, detail::constant(x), detail::constant(w), W::factors, erase(y), how);
  } else {
    detail::product<false, true>(dev, detail::constant(x), detail::constant(w), erase(y), how);
  }
}
/// dx[n,i] (+)= sum_o dy[n,o] w[o,i]          the input's gradient
template <class D, class Dy, class W, class Dx> void gemm_dx(const D& dev, Dy dy, W w, Dx dx, Write how) {
  static_assert(!arranges<D>, "entrain: this device predicts only; train on device::Cpu<kernel::FastGemm>.");
  detail::product<false, false>(dev, detail::constant(dy), detail::constant(w), erase(dx), how);
}
/// g[o,i] (+)= sum_n dy[n,o] x[n,i]           the weight's gradient
template <class D, class Dy, class X, class G> void gemm_dw(const D& dev, Dy dy, X x, G g, Write how) {
  detail::product<true, false>(dev, detail::constant(dy), detail::constant(x), erase(g), how);
}

}  // namespace entrain::kernel
