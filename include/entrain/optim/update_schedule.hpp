// text > batch > embed > encode > head > [optim] > checkpoint
//
// When a step changes values: at its end; or, on a device with a side stream, during the next forward pass, from the
// bottom of the net to its top (device/forward_updates.hpp). The gradient squares that it needs first are then summed
// during its own backward pass, from the top to the bottom (device/backward_hooks.hpp). Read async_optimizer.hpp first.
#pragma once
#include "entrain/device/backward_hooks.hpp"
#include "entrain/device/forward_updates.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::optim {

/// The caller calls hooks() before a step's last backward pass, and step() for the step. It calls begin() before and
/// end() after a forward pass, and read() when the rows that the pass reads are up to date. Other readers of values
/// call finish() first.
///
/// Steps, LazyRowUpdates    the trainer's objects, which this class calls
template <class OptimizerState, class LazyRowUpdates, class D> class UpdateSchedule {
 public:
  UpdateSchedule(const D&, const Layout&) {}
  static constexpr bool waits() { return false; }
  void step(const D& dev, const Layout& layout, OptimizerState& steps, LazyRowUpdates& lazy_updates,
            const auto& buffers, const auto& order) {
    steps.run(dev, layout, buffers, order);
    lazy_updates.stepped(dev, layout, buffers, steps.decided(order));
  }
  static device::BackwardHooks<D>* hooks(auto&&...) { return nullptr; }
  static device::ForwardUpdates<D>* begin(auto&&...) { return nullptr; }
  void read(auto&&...) {}
  void end() {}
  void queued(bool) {}
  void finish(auto&&...) {}
};

/// The same results, later: no value changes before the norm of all gradients is known, and all values have changed
/// before the next backward pass writes gradients.
template <class OptimizerState, class LazyRowUpdates, class D>
requires(device::updates_late<D>) class UpdateSchedule<OptimizerState, LazyRowUpdates, D> {
  using Numbers = typename OptimizerState::Numbers;
  using QueuedOrder = typename OptimizerState::QueuedOrder;

 public:
  UpdateSchedule(const D& dev, const Layout& layout) : updates_(dev, layout.height), hooks_(dev, layout.height) {}

  /// Whether a step is decided but not applied: this is part of what determines the queued work.
  bool waits() const { return waits_; }
  void step(const D& dev, const Layout&, OptimizerState& steps, LazyRowUpdates&, const auto& buffers,
            const auto& order) {
    steps.decide(dev, buffers, order, hooks_.arrive());
  }
  /// The side stream sums the squares of a block's gradients while the backward pass computes those of the blocks
  /// below. The gradients have just been written and are in the GPU's cache.
  device::BackwardHooks<D>* hooks(OptimizerState& steps, const Numbers& buffers, const QueuedOrder& order) {
    squares_ = {&steps, buffers, order};
    hooks_.start(squares_);
    return &hooks_;
  }
  /// Applies the pending step: in the embedding at once, in the blocks above during the forward pass. The blocks above
  /// begin after the embedding's values have changed: forward waits for the embedding, and if both ran at once they
  /// would share the memory bandwidth (on an H200 the tables of MiniLM took 47 us together with the first block, and 32
  /// sentences began 80 us after the step).
  device::ForwardUpdates<D>* begin(const D& dev, const Layout& layout, OptimizerState& steps,
                                   LazyRowUpdates& lazy_updates, const auto& buffers) {
    if (!waits_) return nullptr;
    steps.apply(dev, buffers, 0, 0);
    updates_.start([&](const D& side, int height) { steps.apply(side, buffers, height, height); });
    lazy_updates.remember(dev, layout, steps.decided());
    return &updates_;
  }
  /// The side stream sweeps stale rows that the forward pass does not read, at the same time as the pass.
  void read(const Layout& layout, OptimizerState& steps, LazyRowUpdates& lazy_updates, const auto& buffers) {
    if (waits_) updates_.after([&](const D& side) { lazy_updates.sweep(side, layout, buffers, steps.decided()); });
  }
  /// Work queued after this may write gradients.
  void end() {
    if (waits_) updates_.arrive();
  }
  /// The caller calls it when a micro-batch is queued; stepped: whether also the step of which it is the last
  /// micro-batch.
  void queued(bool stepped) { waits_ = stepped; }
  /// Applies the pending step without a forward pass.
  void finish(const D& dev, const Layout& layout, OptimizerState& steps, LazyRowUpdates& lazy_updates,
              const auto& buffers) {
    begin(dev, layout, steps, lazy_updates, buffers);
    read(layout, steps, lazy_updates, buffers);
    end();
    queued(false);
  }

 private:
  struct Squares {
    OptimizerState* steps;
    Numbers buffers;
    QueuedOrder order;
    void operator()(const D& side, int height) const { steps->square(side, buffers, order, height, height); }
  };

  device::ForwardUpdates<D> updates_;
  device::BackwardHooks<D> hooks_;
  Squares squares_{};
  bool waits_ = false;
};

}  // namespace entrain::optim
