// text > batch > embed > encode > head > [optim] > checkpoint
//
// Optimization steps one after the other, and the result of each when it is over: on a CPU, as soon as its call
// returns. Read step.hpp first; for devices where the host does not wait, async_optimizer.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "entrain/optim/step.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::optim {

/// The result of a step that is over.
struct StepResult {
  std::uint32_t step = 0;  // from 1
  double loss = 0;         // summed over its micro-batches
  double targets = 0;      // the weight of its targets
  double grad_norm = 0;    // of the gradient of loss / targets, before clipping
  double loss_scale = 1;   // the factor of the numbers in backward
  bool skipped = false;    // because a gradient was not finite: nothing was changed

  double mean_loss() const { return loss / std::max(1.0, targets); }
};

/// Which steps results() waits for.
enum class Wait { for_none, for_all };

/// A step is send(order), then run() with its result, and queued() when all work of the step is queued.
template <class Optimizer, class D, class T, class W = T, class Scale = precision::NoScale> class OptimizerState {
  static_assert(!Scale::dynamic, "entrain: the CPU does not compute in fp16, so its loss is not scaled.");

 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  static constexpr std::uint32_t under_way = 0;  // the most steps whose results the host may not know yet
  OptimizerState(const D&, const Layout&) {}
  static constexpr std::size_t bytes(const Layout&) { return 0; }  // of the device's memory

  /// Before each micro-batch: the address from which kernels read the loss scale.
  const float* loss_scale(const D&, double) { return nullptr; }
  /// After each micro-batch: its summed loss, in device memory.
  template <class Sum> void add_loss(const D&, const Sum* loss, Write how) {
    now_.loss = (how == Write::add ? now_.loss : 0) + static_cast<double>(*loss);
  }
  /// The order, in memory that the device reads.
  const Order& send(const D&, const Layout&, const Order& order) { return order; }
  /// The same as optim::step.
  void run(const D& dev, const Layout& layout, const Numbers& b, const Order& order) {
    now_.step = order.step;
    now_.targets = order.targets;
    now_.grad_norm = optim::step<Optimizer>(dev, layout, b, order);
    fresh_ = true;
  }
  /// The decided step, for optim::LazyRowUpdates.
  const Order& decided(const Order& order) const { return order; }
  void queued(const D&) {}
  /// f(StepResult) for each step that is over and was not reported before, in order.
  void results(const D&, const Layout&, auto&& f, Wait) {
    if (std::exchange(fresh_, false)) f(now_);
  }

 private:
  StepResult now_;
  bool fresh_ = false;
};

}  // namespace entrain::optim
