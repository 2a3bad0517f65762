// core > device, precision > tensor > [kernel] > layer
//
// The end of a sublayer in a post-norm block: bias, dropout, the residual and the norm in one pass over the rows.
#pragma once
#include <type_traits>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/residual_norm/cpu.hpp.
template <class D> struct ResidualNorm : InTransformer<D> {};

/// sum[n,c] = x[n,c] + m[n,c] (f[n,c] + b[c]);   y = layer_norm(sum)            m: dropout's factor, 1 in evaluation
///
/// shapes    f, x, sum, y [N,C]; b, gain, shift [C]; stat [N,2] = mean, rstd
/// saves     the caller keeps sum and stat
/// source    Devlin et al. 2018, arXiv:1810.04805, after Vaswani et al. 2017, arXiv:1706.03762, section 5.4
template <class D, class A, class W, class S, int C>
void bias_dropout_add_norm(const Step<D>& at, Rows<const A, C> f, Weight<const W, 1, C> b, Rows<const A, C> x,
                           Weight<const S, 1, C> gain, Weight<const S, 1, C> shift, double eps, Rows<A, C> sum,
                           Rows<S, 2> stat, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(11. * x.n * C, 4. * sizeof(A) * x.n * C);
  } else {
    ResidualNorm<D>::forward(at, f, b.data, x, gain.data, shift.data, eps, sum, stat, y);
  }
}

/// dsum = layer_norm's input gradient of dy;   df[n,c] = m[n,c] dsum[n,c]
///
/// shapes    as above. df is the gradient of f + b, dsum that of x; gradients of the parameters: below
template <class D, class A, class S, int C>
void bias_dropout_add_norm_back(const Step<D>& at, Rows<const A, C> dy, Rows<const A, C> sum, Rows<const S, 2> stat,
                                Weight<const S, 1, C> gain, Rows<A, C> dsum, Rows<A, C> df) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(13. * sum.n * C, 4. * sizeof(A) * sum.n * C);
  } else {
    ResidualNorm<D>::backward(at, dy, sum, stat, gain.data, dsum, df);
  }
}

/// How rows are divided into ranges for column sums made in the same pass; it depends only on the number of rows.
struct NormRanges {
  static constexpr int fewest_rows = 8;
  static constexpr int most = 528;  // four blocks for each of an H200's 132 multiprocessors
  /// No batch of n rows or fewer has more ranges.
  static int at_most(int n) { return detail::RowRanges::at_most(n, fewest_rows, most); }
};

/// Whether a device sums columns in its pass over the rows.
template <class D, class A, int C>
concept SumsWithRows = requires {
  requires ResidualNorm<D>::template sums_with_rows<A, C>;
};

/// bias_dropout_add_norm_back, and with h = (sum - mean) rstd the gradients of the parameters, computed in at.side:
///
/// gbias[c] (+)= sum_n df[n,c];   ggain[c] (+)= sum_n dy[n,c] h[n,c];   gshift[c] (+)= sum_n dy[n,c]
///
/// drawn     the step whose rng_stream selects dropout's random numbers
/// saves     the sums of ranges [ranges,3,C] in at.scratch, up to the end of `at`
template <class D, class A, class S, int C>
void bias_dropout_add_norm_gradients(const BackwardStep<D>& at, const Step<D>& drawn, Rows<const A, C> dy,
                                     Rows<const A, C> sum, Rows<const S, 2> stat, Weight<const S, 1, C> gain,
                                     Rows<A, C> dsum, Rows<A, C> df, Weight<S, 1, C> gbias, Weight<S, 1, C> ggain,
                                     Weight<S, 1, C> gshift) {
  [[maybe_unused]] const auto parts = take_rows<S, 3 * C>(at.scratch, NormRanges::at_most(sum.n));
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(18. * sum.n * C, 4. * sizeof(A) * sum.n * C + 2. * sizeof(S) * static_cast<double>(parts.size()));
  } else if constexpr (SumsWithRows<D, A, C>) {
    ResidualNorm<D>::gradients(at, drawn.rng_stream, dy, sum, stat, gain.data, dsum, df, gbias.data, ggain.data,
                               gshift.data, parts.data);
  } else {
    bias_dropout_add_norm_back(drawn, dy, sum, stat, gain, dsum, df);
    at.side([&](const D& dev) {
      layer_norm_params(dev, dy, sum, stat, ggain, gshift, at.grads);
      sum_rows(dev, Rows<const A, C>(df), gbias, at.grads);
    });
  }
}

}  // namespace entrain::kernel
