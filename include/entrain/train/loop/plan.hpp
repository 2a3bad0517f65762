// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The cost of a step, known before step one: the composition itself, run on a device that only counts.
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::train {

struct Cost {
  std::size_t saved = 0;  // arena bytes kept between forward and backward
  std::size_t arena = 0;  // arena bytes at the highest moment
  double flops = 0;       // of forward and backward
  double bytes = 0;       // moved, caches ignored
  int ops = 0;
};

/// The cost of training on and decoding one batch of this shape on D, when all rows are distinct words (the largest
/// possible cost).
template <class Model, Precision P, class D = device::Plan> [[gnu::cold]] Cost cost_of(Shape shape) {
  using Planned = typename Model::template Impl<P, device::Plan>;
  using Sum = typename P::Sum;
  const auto w = bind<Model>(Values<typename P::Weight>{}, shape.labels);
  const auto g = bind<Model, Sum>(nullptr, shape.labels);
  const auto words = Model::Features::planned(shape.rows);

  Cost cost;
  const device::Plan plan{device::has_side_stream<D>};
  Arena arena;
  const Counters counters;
  const Step<device::Plan> at{plan, shape, {}, true, Write::assign, arena, &counters};
  auto saved = Planned::allocate_saved(arena, shape, words);
  cost.saved = arena.used;
  Planned::forward(at, w, words, nullptr, nullptr, saved);
  Planned::backward(at, w, saved, words, nullptr, g);
  cost.flops = plan.flops;
  cost.bytes = plan.bytes;
  cost.ops = plan.ops;
  Arena decoding;
  const Step<device::Plan> later{plan, shape, {}, false, Write::assign, decoding, &counters};
  Planned::decode(later, w, words, nullptr);
  cost.arena = std::max(arena.peak, decoding.peak);
  return cost;
}

}  // namespace entrain::train
