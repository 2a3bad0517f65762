// core > device, precision > tensor > [kernel] > layer
//
// The end of a sublayer in a post-norm block: bias, dropout, the residual and the norm in one pass over the rows.
#pragma once
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The device's side of the verbs below: residual_norm/cpu.hpp.
template <class D> struct ResidualNorm;

/// sum[n,c] = x[n,c] + m[n,c] (f[n,c] + b[c]);   y = layer_norm(sum)            m: dropout's factor, 1 in evaluation
///
/// shapes    f, x, sum, y [N,C]; b, gain, shift [C]; stat [N,2] = mean, rstd
/// saves     the caller keeps sum and stat
/// source    Devlin et al. 2018, arXiv:1810.04805, after Vaswani et al. 2017, arXiv:1706.03762, section 5.4
template <class D, class A, class W, class S, int C>
void bias_dropout_add_norm(const Step<D>& at, Rows<const A, C> f, Weight<const W, 1, C> b, Rows<const A, C> x,
                           Weight<const W, 1, C> gain, Weight<const W, 1, C> shift, double eps, Rows<A, C> sum,
                           Rows<S, 2> stat, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(11. * x.n * C, 4. * sizeof(A) * x.n * C);
  } else {
    ResidualNorm<D>::forward(at, f, b.data, x, gain.data, shift.data, eps, sum, stat, y);
  }
}

/// dsum = layer_norm's input gradient of dy;   df[n,c] = m[n,c] dsum[n,c]
///
/// shapes    as above. df is the gradient of f + b, dsum that of x; parameters' gradients by layer_norm_params,
///           sum_rows
template <class D, class A, class W, class S, int C>
void bias_dropout_add_norm_back(const Step<D>& at, Rows<const A, C> dy, Rows<const A, C> sum, Rows<const S, 2> stat,
                                Weight<const W, 1, C> gain, Rows<A, C> dsum, Rows<A, C> df) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(13. * sum.n * C, 4. * sizeof(A) * sum.n * C);
  } else {
    ResidualNorm<D>::backward(at, dy, sum, stat, gain.data, dsum, df);
  }
}

}  // namespace entrain::kernel
