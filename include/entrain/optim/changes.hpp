// text > batch > embed > encode > head > [optim] > checkpoint
//
// When a step changes values: at its end, or on a device with a second queue under the next forward pass, from the
// bottom of the net to its top (device/forward_updates.hpp), and what it must know before under its own backward pass,
// from the top to the bottom (device/backward_hooks.hpp). Read queued_steps.hpp first.
#pragma once
#include "entrain/device/backward_hooks.hpp"
#include "entrain/device/forward_updates.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::optim {

/// A forward pass is between begin() and end(), read() comes when the rows that it reads are up to date, hooks()
/// comes before a step's last backward pass, a step is step(); who reads values otherwise calls finish() first.
///
/// Steps, Backlog    the trainer's, which are called from here
template <class Steps, class Backlog, class D> class Changes {
 public:
  Changes(const D&, const Layout&) {}
  static constexpr bool waits() { return false; }
  void step(const D& dev, const Layout& layout, Steps& steps, Backlog& backlog, const auto& buffers,
            const auto& order) {
    steps.run(dev, layout, buffers, order);
    backlog.stepped(dev, layout, buffers, steps.decided(order));
  }
  static device::BackwardHooks<D>* hooks(auto&&...) { return nullptr; }
  static device::ForwardUpdates<D>* begin(auto&&...) { return nullptr; }
  void read(auto&&...) {}
  void end() {}
  void queued(bool) {}
  void finish(auto&&...) {}
};

/// The same results, later: the first value may change when the norm of all gradients is known, and the last has
/// changed before the next backward pass writes gradients.
template <class Steps, class Backlog, class D>
requires(device::updates_late<D>) class Changes<Steps, Backlog, D> {
  using Numbers = typename Steps::Numbers;
  using Sent = typename Steps::Sent;

 public:
  Changes(const D& dev, const Layout& layout) : updates_(dev, layout.height), hooks_(dev, layout.height) {}

  /// Whether a step is decided and not carried out: part of what decides the work that is queued.
  bool waits() const { return waits_; }
  void step(const D& dev, const Layout&, Steps& steps, Backlog&, const auto& buffers, const auto& order) {
    steps.decide(dev, buffers, order, hooks_.arrive());
  }
  /// The squares of a block's gradients are summed beside what makes those of the blocks below: they have just been
  /// written, and lie in the GPU's cache.
  device::BackwardHooks<D>* hooks(Steps& steps, const Numbers& buffers, const Sent& order) {
    squares_ = {&steps, buffers, order};
    hooks_.start(squares_);
    return &hooks_;
  }
  /// The step that waits is carried out, in the embedding at once, above it during the forward pass. Those above begin
  /// when the embedding's values have changed: forward waits for these, and blocks of both at once would share the
  /// memory (on an H200 the tables of MiniLM took 47 us together with the first block, and 32 sentences began 80 us
  /// after the step).
  device::ForwardUpdates<D>* begin(const D& dev, const Layout& layout, Steps& steps, Backlog& backlog,
                                   const auto& buffers) {
    if (!waits_) return nullptr;
    steps.apply(dev, buffers, 0, 0);
    updates_.start([&](const D& beside, int height) { steps.apply(beside, buffers, height, height); });
    backlog.remember(dev, layout, steps.decided());
    return &updates_;
  }
  /// Rows that wait and are not read are swept beside the forward pass.
  void read(const Layout& layout, Steps& steps, Backlog& backlog, const auto& buffers) {
    if (waits_) updates_.after([&](const D& beside) { backlog.sweep(beside, layout, buffers, steps.decided()); });
  }
  /// What is queued from now on may write gradients.
  void end() {
    if (waits_) updates_.arrive();
  }
  /// When a micro-batch is queued; stepped: and the step that it is the last one of.
  void queued(bool stepped) { waits_ = stepped; }
  /// Without a forward pass.
  void finish(const D& dev, const Layout& layout, Steps& steps, Backlog& backlog, const auto& buffers) {
    begin(dev, layout, steps, backlog, buffers);
    read(layout, steps, backlog, buffers);
    end();
    queued(false);
  }

 private:
  struct Squares {
    Steps* steps;
    Numbers buffers;
    Sent order;
    void operator()(const D& beside, int height) const { steps->square(beside, buffers, order, height, height); }
  };

  device::ForwardUpdates<D> updates_;
  device::BackwardHooks<D> hooks_;
  Squares squares_{};
  bool waits_ = false;
};

}  // namespace entrain::optim
