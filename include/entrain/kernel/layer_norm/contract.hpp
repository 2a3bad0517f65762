// core > device, precision > tensor > [kernel] > layer
//
// Layer normalisation, forward and backward.
#pragma once
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

template <class D> struct LayerNorm : InTagger<D> {};

/// y[n,c] = (x[n,c] - mean_n) * rstd_n * gain[c] + shift[c],   rstd_n = 1 / sqrt(var_n + eps)
///
/// shapes    x, y [N,C]; gain, shift [C]; stat [N,2] = mean, rstd. A shift without data (nullptr) means that there is
///           none: y = (x - mean) rstd gain
/// source    Ba, Kiros, Hinton 2016, arXiv:1607.06450, section 3
template <class D, class A, class S, int C> void layer_norm(const D& dev, Rows<const A, C> x,
                                                            Weight<const S, 1, C> gain, Weight<const S, 1, C> shift,
                                                            double eps, Rows<S, 2> stat, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(8. * x.n * C, 2. * sizeof(A) * x.n * C);
  } else {
    LayerNorm<D>::forward(dev, x, gain.data, shift.data, eps, stat, y);
  }
}

/// With h = (x - mean) rstd and d = dy gain:   dx (+)= rstd (d - mean_c(d) - h mean_c(d h))
template <class D, class A, class S, int C> void layer_norm_back(const D& dev, Rows<const A, C> dy, Rows<const A, C> x,
                                                                 Rows<const S, 2> stat, Weight<const S, 1, C> gain,
                                                                 Rows<A, C> dx, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(12. * x.n * C, 3. * sizeof(A) * x.n * C);
  } else {
    LayerNorm<D>::backward(dev, dy, x, stat, gain.data, dx, how);
  }
}

/// ggain[c] (+)= sum_n dy[n,c] h[n,c];   gshift[c] (+)= sum_n dy[n,c]
///
/// shapes    dy, x [N,C]; stat [N,2]; ggain, gshift [C]. A gshift without data (nullptr) is not computed
template <class D, class A, class S, int C>
void layer_norm_params(const D& dev, Rows<const A, C> dy, Rows<const A, C> x, Rows<const S, 2> stat,
                       Weight<S, 1, C> ggain, Weight<S, 1, C> gshift, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(4. * x.n * C, 2. * sizeof(A) * x.n * C);
  } else {
    LayerNorm<D>::params(dev, dy, x, stat, ggain.data, gshift.data, how);
  }
}

}  // namespace entrain::kernel
