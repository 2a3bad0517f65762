// core > device, precision > tensor > [kernel] > layer
//
// The backward pass of a block whose parts make partial sums over ranges of rows: one kernel adds those of all parts.
#pragma once
#include "entrain/device/backward_step.hpp"
#include "entrain/kernel/bias/contract.hpp"

namespace entrain::kernel {

/// A BackwardStep whose parts, at(i), defer their joins to its end and leave the final sums to it. has_gradients:
/// whether the parts have gradients of weights.
template <class D, bool has_gradients> class GatheringStep : public BackwardStep<D> {
 public:
  explicit GatheringStep(const Step<D>& step) : BackwardStep<D>(step) {}
  ~GatheringStep() noexcept(!device::has_side_stream<D>) {
    if constexpr (has_gradients && device::has_side_stream<D>)
      if (!this->unwinding()) {
        if (sums_.count != 0) this->side([&](const D& dev) { Bias<D>::add_gathered(dev, sums_, this->grads); });
        this->join_at_end();
      }
  }

  Step<D> at(int i) const {
    Step<D> inner = BackwardStep<D>::at(i);
    const bool deferred = device::works_beside(this->dev);
    inner.schedule = this->schedule.deferring(deferred);
    if (deferred) inner.schedule.sums = &sums_;
    return inner;
  }

 private:
  mutable device::PartSums sums_;
};

}  // namespace entrain::kernel
