// core > [device], precision > tensor > kernel > layer
//
// How a net's forward and backward pass call its parts, so that a GPU can change the values of upper parts while lower
// ones run, and compute the gradients of an upper part's weights during the backward pass of the lower ones.
#pragma once
#include "entrain/device/backward_step.hpp"

namespace entrain::device {

/// Whether joins are deferred in parts that are larger than a block.
template <class D> bool defers_joins(const Step<D>& at) {
  return works_beside(at.dev) && at.shape.rows <= most_rows_deferred;
}

/// block(step), when the values of the next block are those of the last update.
template <class D> void forward_block(const Step<D>& at, auto&& block) {
  wait_for_block(at);
  block(at);
}

/// The BackwardStep of a net: its parts, from the head to the embedding, have one join at its end if `defer`.
template <class D> class BackwardParts : public BackwardStep<D> {
 public:
  BackwardParts(const Step<D>& step, bool defer) : BackwardStep<D>(step), deferred_(defer) {
    if (deferred_) this->join_at_end();
  }

  /// part(step), whose join is deferred where the part supports it.
  void part(const Step<D>& at, bool supports_deferred_join, auto&& part) const {
    Step<D> inner = at;
    if (supports_deferred_join) inner.schedule = at.schedule.deferring(deferred_);
    part(inner);
  }
  /// The same of a part that is a block of the walk over parameters, as the head is.
  void block(const Step<D>& at, bool supports_deferred_join, auto&& block) const {
    part(at, supports_deferred_join, block);
    block_gradients_ready(at);
  }

 private:
  bool deferred_;
};

}  // namespace entrain::device
