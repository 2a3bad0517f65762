// core > device, precision > tensor > [kernel] > layer
//
// A bias is added to every row; its gradient is the sum over rows.
#pragma once
#include "entrain/device/arena.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/ranges.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {

/// Specialised for each device: `add(dev, b, y)` and `sum<Width>(dev, dy, g, how)` on erased matrices. Their rows are
/// contiguous and a multiple of Width long. On devices whose kernels make partial sums in the same pass, also
/// `sum_parts(at, parts, g)` and `add_gathered(dev, sums, how)`.
template <class D> struct Bias : InTagger<D> {};

namespace detail {
template <class X> inline constexpr int known_width = 1;
template <class T, int C> inline constexpr int known_width<Rows<T, C>> = C;

/// The end of gemm_bias on a block of its result. A type that has a name and no extents, unlike a lambda of gemm_bias:
/// the compiler makes one product for all shapes.
template <class D, class B> struct AddBias {
  const B* bias;
  template <class T> void operator()(Matrix<T> block, int column) const { Bias<D>::add_rows(bias + column, block); }
};
}  // namespace detail

/// y[n,c] += b[c]
template <class D, class B, class Y> void add_bias(const D& dev, B b, Y y) {
  const auto m = erase(y);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * m.rows * m.cols, 2. * sizeof(*m.data) * m.rows * m.cols);
  } else {
    Bias<D>::add(dev, b.data, m);
  }
}

/// y[n,o] = sum_i x[n,i] w[o,i] + b[o]          in one pass on a device that arranges factors, has
///                                            epilogues or ends blocks
template <class D, class X, class W, class B, class Y> void gemm_bias(const D& dev, X x, W w, B b, Y y) {
  if constexpr (arranges<D> && W::factors > 0) {
    D::Gemm::arranged(dev, detail::constant(x), detail::constant(w), W::factors, erase(y), Write::assign,
                      detail::AddBias<D, detail::NumberOf<B>>{b.data});
  } else if constexpr (has_epilogues<D> && std::is_same_v<detail::NumberOf<B>, detail::NumberOf<Y>>) {
    if (!Gemm<D>::bias(dev, detail::constant(x), detail::constant(w), b.data, erase(y))) add_bias(dev, b, y);
  } else if constexpr (ends_blocks<D, detail::NumberOf<Y>>) {
    Gemm<D>::template run<false, true>(dev, detail::constant(x), detail::constant(w), erase(y), Write::assign,
                                       detail::AddBias<D, detail::NumberOf<B>>{b.data});
  } else {
    gemm(dev, x, w, y);
    add_bias(dev, b, y);
  }
}

/// g[c] (+)= sum_n dy[n,c], rows in order
template <class D, class Dy, class G> void sum_rows(const D& dev, Dy dy, G g, Write how) {
  const auto m = detail::constant(dy);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * m.rows * m.cols, 1. * sizeof(*m.data) * m.rows * m.cols);
  } else {
    Bias<D>::template sum<detail::known_width<Dy>>(dev, m, g.data, how);
  }
}

namespace detail {
/// The ranges of n rows over which a kernel makes partial sums in the same pass: minimum rows of a range, and maximum
/// number of ranges.
inline constexpr int min_fused_rows = 32, max_fused_ranges = 128;
constexpr RowRanges fused_ranges(int n) { return RowRanges::of(n, min_fused_rows, max_fused_ranges); }
constexpr int fused_ranges_at_most(int n) { return RowRanges::at_most(n, min_fused_rows, max_fused_ranges); }
}  // namespace detail

/// A row for each range of n rows, for the partial sums that a kernel makes over them in the same pass. The size taken
/// never shrinks when n grows.
template <class S, int C> Rows<S, C> take_parts(Arena& arena, int n) {
  return {take_rows<S, C>(arena, detail::fused_ranges_at_most(n)).data, detail::fused_ranges(n).count};
}

/// g[c] (+)= sum_s parts[s,c], in an order that depends only on the number of parts, computed in at.side. If the step
/// belongs to a GatheringStep, the GatheringStep computes it together with the sums of all its parts.
template <class D, class S, int C>
void sum_parts(const BackwardStep<D>& at, Rows<const S, C> parts, Weight<S, 1, C> g) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(1. * parts.n * C, 1. * sizeof(S) * parts.n * C);
  } else {
    Bias<D>::sum_parts(at, parts, g.data);
  }
}

}  // namespace entrain::kernel
