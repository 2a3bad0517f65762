// A layer with an op of its own: one learned gain for each channel. docs/extending/layer.md explains it.
#pragma once
#include <entrain/device/backward_step.hpp>
#include <entrain/device/cpu.hpp>
#include <entrain/precision/policies.hpp>
#include <entrain/tensor/initialiser.hpp>
#include <entrain/tensor/rows.hpp>
#include <entrain/tensor/weight.hpp>
#include <string_view>
#include <type_traits>

namespace own {
using namespace entrain;

/// The op on a device: one specialisation for each.
template <class D> struct ScaleRows;

template <class G> struct ScaleRows<device::Cpu<G>> {
  template <class X, class W, class Y, int C>
  static void scale(const device::Cpu<G>& dev, Rows<const X, C> x, Weight<W, 1, C> gain, Rows<Y, C> y, Write how) {
    dev.rows(x.n, 256, [&](int first, int last) {  // 256 rows or more for each thread
      for (int n = first; n < last; ++n)
        for (int c = 0; c < C; ++c) {
          const Y product = x.row_at(n)[c] * gain.data[c];
          y.row_at(n)[c] = how == Write::add ? y.row_at(n)[c] + product : product;
        }
    });
  }
  template <class X, class S, int C>
  static void dot(const device::Cpu<G>& dev, Rows<const X, C> dy, Rows<const X, C> x, Weight<S, 1, C> g, Write how) {
    dev.rows(C, 8,
             [&](int first, int last) {  // a channel belongs to one thread, so that bits do not depend on their number
               for (int c = first; c < last; ++c) {
                 S sum = how == Write::add ? g.data[c] : 0;
                 for (int n = 0; n < x.n; ++n) sum += dy.row_at(n)[c] * x.row_at(n)[c];
                 g.data[c] = sum;
               }
             });
  }
};

/// y[n,c] (+)= x[n,c] gain[c]
template <class D, class X, class W, class Y, int C>
void scale_rows(const D& dev, Rows<const X, C> x, Weight<W, 1, C> gain, Rows<Y, C> y, Write how = Write::assign) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * x.n * C, 2. * sizeof(X) * x.n * C);  // operations, bytes
  } else {
    ScaleRows<D>::scale(dev, x, gain, y, how);
  }
}

/// g[c] (+)= sum_n dy[n,c] x[n,c]
template <class D, class X, class S, int C>
void dot_columns(const D& dev, Rows<const X, C> dy, Rows<const X, C> x, Weight<S, 1, C> g, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(2. * x.n * C, 2. * sizeof(X) * x.n * C);
  } else {
    ScaleRows<D>::dot(dev, dy, x, g, how);
  }
}

template <int C> struct Scale {                      // y[n,c] = x[n,c] gain[c]
  static constexpr std::string_view name = "scale";  // its parameters are saved as ...scale.gain
  static constexpr int in = C, out = C;              // widths are types; neighbours must agree
  static constexpr int reach = 0;                    // a row of the result depends on its own row alone

  template <class T> struct Weights {  // values, gradients, moments: the same shape in another type
    Weight<T, 1, C> gain;
    static void each(auto&& f, auto& w) {
      f("gain", w.gain, init::ones);  // its name in files, and its initialiser
    }
  };

  template <Precision P, class D, Needs G> struct Impl {  // the layer on a precision and a device
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, C> x;  // what backward needs; a view costs nothing
    };
    static Saved allocate_saved(Arena&, Shape) { return {}; }  // what must be stored is taken from the arena here

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      scale_rows(at.dev, x, w.gain, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      if constexpr (G.params) at.side([&](const D& dev) { dot_columns(dev, dy, saved.x, g.gain, at.grads); });
      if constexpr (G.input) scale_rows(at.dev, dy, w.gain, dx, how);
    }
  };
};

}  // namespace own
