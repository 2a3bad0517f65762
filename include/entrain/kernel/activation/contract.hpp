// core > device, precision > tensor > [kernel] > layer
//
// A bias and an activation function after a product, in one pass.
#pragma once
#include <type_traits>

#include "entrain/core/activation.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/activation/cpu.hpp.
template <class D> struct Activation : InTransformer<D> {};

/// y[n,c] = act(x[n,c] + b[c]);   x[n,c] = act'(x[n,c] + b[c])
///
/// saves     the caller keeps x, which then holds the slopes: one pass computes value and slope for little more than
///           the value
template <class Act, class D, class A, class W, int C>
void bias_act(const D& dev, Weight<const W, 1, C> b, Rows<A, C> x, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(25. * x.n * C, 4. * sizeof(A) * x.n * C);
  } else {
    Activation<D>::template forward<Act>(dev, b.data, x, y);
  }
}

/// y[n,c] = act(x[n,c]);   x[n,c] = act'(x[n,c])
///
/// saves     as bias_act
template <class Act, class D, class A, int C> void act(const D& dev, Rows<A, C> x, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(24. * x.n * C, 4. * sizeof(A) * x.n * C);
  } else {
    Activation<D>::template forward<Act>(dev, x, y);
  }
}

namespace detail {
/// GELU of 16-bit numbers: on a GPU it costs less to compute than a number costs to read or write.
template <class Act, class A> inline constexpr bool is_cheap = std::is_same_v<Act, act::Gelu> && sizeof(A) == 2;

/// The ends of products on a block of the result, as AddBias: without extents.
template <class Act, class D, class A, class W> struct BiasAct {
  const W* bias;
  A *aux, *y;  // of the whole result
  void operator()(Matrix<A> block, int column) const {
    Activation<D>::template points<Act>(bias + column, block, y + (block.data - aux));
  }
};
template <class Act, class D, class A, class W> struct BiasActValues {
  const W* bias;
  void operator()(Matrix<A> block, int column) const { Activation<D>::template values<Act>(bias + column, block); }
};
template <class D, class A> struct TimesSlopes {
  const A* slopes;
  A* dx;  // of the whole result
  void operator()(Matrix<A> block, int) const { Activation<D>::multiply(slopes + (block.data - dx), block); }
};
}  // namespace detail

/// Whether products on device D can end with Act and begin with its slope. Library epilogues offer only the tanh form
/// of GELU; BERT's GELU uses erf and differs from it by up to 5e-4. Their tanh is accurate to 11 bits (tanh.approx.f32
/// of the PTX ISA), which is not enough for fp32.
template <class Act, class D, class A>
inline constexpr bool in_epilogues = has_epilogues<D>&& std::is_same_v<Act, act::GeluTanh> && sizeof(A) == 2;
/// Whether gemm_bias_act keeps the input of the activation function for gemm_dact; else it keeps the slopes.
template <class Act, class D, class A>
inline constexpr bool keeps_input = in_epilogues<Act, D, A> || (has_epilogues<D> && detail::is_cheap<Act, A>);
/// Whether gemm_dact can sum its result over rows in the same pass. Plans are made for a device that can, if there is
/// one.
template <class Act, class D, class A>
inline constexpr bool fuses_sums = (has_epilogues<D> || std::is_same_v<D, device::Plan>)&&detail::is_cheap<Act, A>;

/// y[n,o] = act(s[n,o]),   s[n,o] = sum_i x[n,i] w[o,i] + b[o]
///
/// shapes    x [N,I], w [O,I], b [O]; aux, y [N,O]
/// saves     the caller keeps aux for gemm_dact: s if keeps_input<Act, D, A>, else act'(s)
template <class Act, class D, class A, class W, int I, int O>
void gemm_bias_act(const D& dev, Rows<const A, I> x, MatmulWeight<const W, O, I> w, Weight<const W, 1, O> b,
                   Rows<A, O> aux, Rows<A, O> y) {
  if constexpr (in_epilogues<Act, D, A>) {
    if (!Gemm<D>::bias_gelu(dev, detail::constant(x), detail::constant(w), b.data, aux.data, erase(y)))
      Activation<D>::template forward_keeping_input<Act>(dev, b.data, y, aux, y);
  } else if constexpr (keeps_input<Act, D, A>) {
    if (Gemm<D>::bias(dev, detail::constant(x), detail::constant(w), b.data, erase(aux))) {
      Activation<D>::template values<Act>(dev, Rows<const A, O>(aux), y);
    } else {
      Activation<D>::template forward_keeping_input<Act>(dev, b.data, aux, aux, y);
    }
  } else if constexpr (ends_blocks<D, A>) {
    Gemm<D>::template run<false, true>(dev, detail::constant(x), detail::constant(w), erase(aux), Write::assign,
                                       detail::BiasAct<Act, D, A, W>{b.data, aux.data, y.data});
  } else {
    gemm(dev, x, w, aux);
    bias_act<Act>(dev, b, aux, y);
  }
}

/// y[n,o] = act(sum_i x[n,i] w[o,i] + b[o])    for calls without a backward pass: no slope is computed
///
/// shapes    x [N,I], w [O,I], b [O], y [N,O]
template <class Act, class D, class A, class W, int I, int O>
void gemm_bias_act(const D& dev, Rows<const A, I> x, MatmulWeight<const W, O, I> w, Weight<const W, 1, O> b,
                   Rows<A, O> y) {
  if constexpr (arranges<D>) {
    D::Gemm::arranged(dev, detail::constant(x), detail::constant(w), 1, erase(y), Write::assign,
                      detail::BiasActValues<Act, D, A, W>{b.data});
  } else if constexpr (in_epilogues<Act, D, A>) {
    if (!Gemm<D>::bias_gelu(dev, detail::constant(x), detail::constant(w), b.data, static_cast<A*>(nullptr), erase(y)))
      Activation<D>::template forward<Act>(dev, b.data, y);
  } else {
    gemm(dev, x, w, y);
    if constexpr (std::is_same_v<D, device::Plan>) {
      dev.count(20. * y.n * O, 2. * sizeof(A) * y.n * O);
    } else {
      Activation<D>::template forward<Act>(dev, b.data, y);
    }
  }
}

/// dx[n,c] = dy[n,c] slope[n,c]                dx may be dy
template <class D, class A, int C>
void act_back(const D& dev, Rows<const A, C> dy, Rows<const A, C> slope, Rows<A, C> dx) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * dy.n * C, 3. * sizeof(A) * dy.n * C);
  } else {
    Activation<D>::backward(dev, dy, slope, dx);
  }
}

/// dx[n,i] = sum_o dy[n,o] w[o,i] act'(s[n,i])  s: the input of the function in gemm_bias_act<Act>, taken from aux
///
/// shapes    dy [N,O], w [O,I]; aux, dx [N,I]
template <class Act, class D, class A, class W, int I, int O>
void gemm_dact(const D& dev, Rows<const A, O> dy, MatmulWeight<const W, O, I> w, Rows<const A, I> aux, Rows<A, I> dx) {
  if constexpr (in_epilogues<Act, D, A>) {
    if (!Gemm<D>::dgelu(dev, detail::constant(dy), detail::constant(w), aux.data, erase(dx)))
      Activation<D>::template backward_by_input<Act>(dev, Rows<const A, I>(dx), aux, dx);
  } else if constexpr (ends_blocks<D, A>) {
    Gemm<D>::template run<false, false>(dev, detail::constant(dy), detail::constant(w), erase(dx), Write::assign,
                                        detail::TimesSlopes<D, A>{aux.data, dx.data});
  } else {
    gemm_dx(dev, dy, w, dx, Write::assign);
    if constexpr (keeps_input<Act, D, A>) {
      Activation<D>::template backward_by_input<Act>(dev, Rows<const A, I>(dx), aux, dx);
    } else {
      act_back(dev, Rows<const A, I>(dx), aux, dx);
    }
  }
}

/// The same, and the partial sums from which sum_parts makes the bias gradient: parts[p,i] = sum of dx[n,i] over range
/// p of the rows, before dx is rounded
///
/// shapes    parts: take_parts of dx's rows
template <class Act, class D, class A, class W, class S, int I, int O>
requires fuses_sums<Act, D, A>
void gemm_dact(const D& dev, Rows<const A, O> dy, MatmulWeight<const W, O, I> w, Rows<const A, I> aux, Rows<A, I> dx,
               Rows<S, I> parts) {
  gemm_dx(dev, dy, w, dx, Write::assign);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(2. * dx.n * I, 3. * sizeof(A) * dx.n * I + 1. * sizeof(S) * parts.n * I);
  } else {
    Activation<D>::template backward_by_input<Act>(dev, Rows<const A, I>(dx), aux, dx, parts);
  }
}

}  // namespace entrain::kernel
