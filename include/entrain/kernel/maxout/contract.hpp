// core > device, precision > tensor > [kernel] > layer
//
// The largest of several linear pieces: spaCy's tok2vec uses it in place of a fixed non-linearity.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

template <class D> struct Maxout : InTagger<D> {};

/// y[n,c] = max_p (pre[n, p C + c] + bias[p C + c]);   which[n,c] = the p of the maximum, the first of equals
///
/// shapes    pre [N, K C] with the pieces outermost, bias [K C], y [N,C], which [N,C]
/// source    Goodfellow et al. 2013, arXiv:1302.4389, section 3
template <int K, class D, class A, class W, int C> void maxout(const D& dev, Rows<const A, K * C> pre,
                                                               Weight<const W, 1, K * C> bias, Rows<A, C> y,
                                                               Rows<std::uint8_t, C> which) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(2. * K * y.n * C, sizeof(A) * (K + 1.) * y.n * C + 1. * y.n * C);
  } else {
    Maxout<D>::template forward<K>(dev, pre, bias.data, y, which);
  }
}

/// dpre[n, p C + c] = dy[n,c] if which[n,c] = p, else 0
template <int K, class D, class A, int C>
void maxout_back(const D& dev, Rows<const A, C> dy, Rows<const std::uint8_t, C> which, Rows<A, K * C> dpre) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * K * dy.n * C, sizeof(A) * (K + 1.) * dy.n * C + 1. * dy.n * C);
  } else {
    Maxout<D>::template backward<K>(dev, dy, which, dpre);
  }
}

}  // namespace entrain::kernel
