// core > [device], precision > tensor > kernel > layer
//
// How a net's forward and backward pass call its parts, so that a GPU can change the values of upper parts while lower
// ones run, and compute the gradients of an upper part's weights during the backward pass of the lower ones.
#pragma once
#include <exception>

#include "entrain/device/step.hpp"

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

/// Backward of a net's parts, from the head to the embedding: one join at its end, where `defer` and the number of rows
/// allow it. The caller gives their scratch back after that.
template <class D> class BackwardParts {
 public:
  BackwardParts(const Step<D>& at, bool defer) : dev_(at.dev), deferred_(defer && defers_joins(at)) {
    if constexpr (has_side_stream<D>) exceptions_ = std::uncaught_exceptions();
  }
  ~BackwardParts() noexcept(!has_side_stream<D>) {
    if constexpr (has_side_stream<D>)
      if (deferred_ && std::uncaught_exceptions() == exceptions_) join_side_stream(dev_);
  }
  BackwardParts(const BackwardParts&) = delete;
  BackwardParts& operator=(const BackwardParts&) = delete;

  /// part(step), whose join is deferred where the part supports it.
  void operator()(const Step<D>& at, bool supports_deferred_join, auto&& part) const {
    Step<D> inner = at;
    if (supports_deferred_join) inner.schedule = at.schedule.deferring(deferred_);
    part(inner);
  }
  /// The same of a part that is a block of the walk over parameters, as the head is.
  void block(const Step<D>& at, bool supports_deferred_join, auto&& part) const {
    (*this)(at, supports_deferred_join, part);
    block_gradients_ready(at);
  }

 private:
  const D& dev_;
  bool deferred_;
  int exceptions_ = 0;
};

}  // namespace entrain::device
