// tests > [refusals]
//
// A user's layer, y = x, that may lack one of its obligations.
#pragma once
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

enum class Misses { nothing, widths, weights, on, saved, allocate_saved, forward, backward };

namespace parts {
using namespace entrain;

struct Widths {
  static constexpr int in = 8, out = 8;
};
struct HasWeights {
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
};
struct HasSaved {
  struct Saved {};
};
struct HasAllocateSaved {
  static HasSaved::Saved allocate_saved(Arena&, Shape) { return {}; }
};
template <class P, class D> struct HasForward {
  static void forward(const Step<D>&, const HasWeights::Weights<const typename P::Weight>&,
                      Rows<const typename P::Activation, 8>, Rows<typename P::Activation, 8>, HasSaved::Saved&) {}
};
template <class P, class D> struct HasBackward {
  static void backward(const Step<D>&, const HasWeights::Weights<const typename P::Weight>&, const HasSaved::Saved&,
                       Rows<const typename P::Gradient, 8>, Rows<typename P::Gradient, 8>, Write,
                       const HasWeights::Weights<typename P::Sum>&) {}
};
template <int> struct Missing {};
template <bool Wanted, class Part, int Which> using Take = std::conditional_t<Wanted, Part, Missing<Which>>;

template <Misses M> struct HasImpl {
  template <Precision P, class D, Needs G> struct Impl : Take<M != Misses::saved, HasSaved, 0>,
                                                         Take<M != Misses::allocate_saved, HasAllocateSaved, 1>,
                                                         Take<M != Misses::forward, HasForward<P, D>, 2>,
                                                         Take<M != Misses::backward, HasBackward<P, D>, 3> {};
};
}  // namespace parts

template <Misses M> struct Own : parts::Take<M != Misses::widths, parts::Widths, 4>,
                                 parts::Take<M != Misses::weights, parts::HasWeights, 5>,
                                 parts::Take<M != Misses::on, parts::HasImpl<M>, 6> {};
