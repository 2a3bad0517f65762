// tests > [refusals]
//
// A user's head, that of another one, which may lack backward or decode.
#pragma once
#include "entrain/device/plan.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/head/softmax.hpp"

enum class HeadMisses { nothing, backward, decode };

template <HeadMisses M> struct OwnHead : entrain::head::Softmax<8, entrain::text::Bio> {
  using Base = entrain::head::Softmax<8, entrain::text::Bio>;
  template <entrain::Precision P, class D, entrain::Needs G> struct Impl {
    using Real = entrain::Impl<Base, P, D, G>;
    using Saved = typename Real::Saved;
    using Values = Base::Weights<const typename P::Weight>;
    static Saved allocate_saved(entrain::Arena& arena, entrain::Shape shape) {
      return Real::allocate_saved(arena, shape);
    }
    static void forward(const entrain::Step<D>& at, const Values& w, entrain::Rows<const typename P::Activation, 8> x,
                        Base::Task::Targets targets, typename P::Sum* loss, Saved& saved) {
      Real::forward(at, w, x, targets, loss, saved);
    }
    static void backward(const entrain::Step<D>& at, const Values& w, const Saved& saved, Base::Task::Targets targets,
                         entrain::Rows<typename P::Gradient, 8> dx,
                         const Base::Weights<typename P::Sum>& g) requires(M != HeadMisses::backward) {
      Real::backward(at, w, saved, targets, dx, g);
    }
    static void decode(const entrain::Step<D>& at, const Values& w, entrain::Rows<const typename P::Activation, 8> x,
                       Base::Task::Prediction tags) requires(M != HeadMisses::decode) {
      Real::decode(at, w, x, tags);
    }
  };
};
