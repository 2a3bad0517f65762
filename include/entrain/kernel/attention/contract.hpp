// core > device, precision > tensor > [kernel] > layer
//
// Self-attention over packed rows: a row attends to the rows of its own sentence, found through cu_seqlens. There is no
// padded square and no mask. The probabilities are not stored: backward computes them again from one number a row. With
// a window, a row attends only to rows near it; the scores of more distant rows are not computed.
#pragma once
#include <type_traits>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/attention/cpu.hpp, kernel/attention/cuda.cuh.
template <class D> struct Attention : InTransformer<D> {};

/// The block of dropout_words that a key draws from, by its row in the batch; the query's row is the other word.
ENTRAIN_HD constexpr int attention_block(int head, int key) { return head << 20 | key >> 3; }

/// With q, k, v the thirds of a row, d = C / H, and sums over the keys j of i's sentence, under a Window those with
/// |i - j| <= Window / 2 (so Window + 1 of them; band.hpp):
///
///   s[i,j] = scale sum_d q[i,d] k[j,d]      p[i,j] = e^(s[i,j] - lse[i]),  lse[i] = log sum_j e^s[i,j]
///   out[i,d] = sum_j m[i,j] p[i,j] v[j,d]
///
/// for each head, scale > 0; m is dropout's factor while training (0, or 1 / (1 - counters.dropout)), else 1.
///
/// shapes    qkv [N, 3C] (query, key, value; heads side by side in each), lse [N,H], out [N,C]
/// saves     lse, and the caller keeps qkv and out
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3.2; Dao et al. 2022, arXiv:2205.14135, algorithm 1;
///           windows: Beltagy et al. 2020, arXiv:2004.05150, section 3.1; local_attention of transformers' ModernBERT,
///           which masks abs(i - j) > local_attention // 2
template <int Window = 0, int H, class D, class A, class S, int C3, int C>
void attention(const Step<D>& at, Rows<const A, C3> qkv, double scale, Rows<S, H> lse, Rows<A, C> out) {
  static_assert(C3 == 3 * C && C % H == 0);
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(0, sizeof(A) * 4. * qkv.n * C);  // arithmetic is not counted: sentence lengths are unknown here
  } else {
    Attention<D>::template forward<Window>(at, qkv, scale, lse, out);
  }
}

/// With delta[i] = sum_d dout[i,d] out[i,d], dp[i,j] = m[i,j] sum_d dout[i,d] v[j,d], ds = p (dp - delta):
///
///   dq[i,d] = scale sum_j ds[i,j] k[j,d]   dk[j,d] = scale sum_i ds[i,j] q[i,d]   dv[j,d] = sum_i m p dout[i,d]
///
/// shapes    dout, out [N,C]; dqkv [N, 3C], assigned; delta [N,H] is taken from at.scratch, and a device may use it
/// source    Dao et al. 2022, arXiv:2205.14135, algorithm 4
template <int Window = 0, int H, class D, class A, class S, int C3, int C>
void attention_back(const Step<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale, Rows<const S, H> lse,
                    Rows<const A, C> out, Rows<A, C3> dqkv) {
  static_assert(C3 == 3 * C && C % H == 0);
  const Scratch give_back{at.scratch};
  const auto delta = take_rows<S, H>(at.scratch, qkv.n);
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(0, sizeof(A) * 8. * qkv.n * C);
  } else {
    Attention<D>::template backward<Window>(at, dout, qkv, scale, lse, out, delta, dqkv);
  }
}

namespace detail {
/// The number of neighbouring rows whose slopes a device adds to one sum, if it makes such sums in the same pass.
inline constexpr int attention_range = 64;
/// Whether the device makes them.
template <class D>
concept SumsWithAttention = requires {
  requires Attention<D>::sums_with_attention;
};
}  // namespace detail

/// attention_back, and the gradient of the bias of queries, keys and values, computed in at.side:
///
/// gbias[c] (+)= sum_n dqkv[n,c]
///
/// saves     the sums of ranges [ranges,3C] in at.scratch, up to the end of `at`
template <int Window = 0, int H, class D, class A, class S, int C3, int C>
void attention_gradients(const BackwardStep<D>& at, Rows<const A, C> dout, Rows<const A, C3> qkv, double scale,
                         Rows<const S, H> lse, Rows<const A, C> out, Rows<A, C3> dqkv, Weight<S, 1, C3> gbias) {
  [[maybe_unused]] const auto parts =
      take_rows<S, C3>(at.scratch, (qkv.n + detail::attention_range - 1) / detail::attention_range);
  if constexpr (detail::SumsWithAttention<D>) {
    Attention<D>::template gradients<Window>(at, dout, qkv, scale, lse, out, dqkv, parts);
    sum_parts(at, Rows<const S, C3>(parts), gbias);
  } else {
    attention_back<Window>(at, dout, qkv, scale, lse, out, dqkv);
    at.side([&](const D& dev) { sum_rows(dev, Rows<const A, C3>(dqkv), gbias, at.grads); });
  }
}

}  // namespace entrain::kernel
