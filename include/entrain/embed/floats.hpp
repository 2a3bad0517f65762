// text > batch > [embed] > encode > head > optim > checkpoint
//
// Hands on rows of numbers, which need no embedding. It has no parameters.
// In: the batch's numbers. Out: the same in the precision's type [N,C], a row a sample. Read batch/encode/floats.hpp
// first.
#pragma once
#include <type_traits>

#include "entrain/batch/encode/floats.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/layer/nothing.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::embed {

/// y = x
///
/// shapes    x, y [N,C]
/// saves     nothing
template <int C> struct Floats {
  using Features = batch::Floats<C>;
  static constexpr int out = C;
  static constexpr bool trainable = false;
  template <class T> using Weights = layer::NoWeights<T>;
  static void each_table(const typename Features::View&, auto&&) {}

  template <Precision P, class D, Needs G> struct Impl : layer::SavesNothing {
    using A = typename P::Activation;

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>&,
                        const typename Features::View& numbers, Rows<A, C> y, Saved&) {
      if constexpr (std::is_same_v<A, float>) {
        kernel::copy(at.dev, Rows<const float, C>(numbers.values, y.n), y);
      } else {
        kernel::convert(at.dev, numbers.values, y.data, y.size());
      }
    }
  };
};

}  // namespace entrain::embed
