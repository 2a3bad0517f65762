// core > [device], precision > tensor > kernel > layer
//
// A step as the backward pass of a part sees it: where gradients of weights go, and when scratch is given back.
#pragma once
#include <exception>

#include "entrain/device/step.hpp"

namespace entrain {

/// The first line of every `backward` that takes scratch or gives work aside:
///
///   static void backward(const Step<D>& step, ...) {
///     const BackwardStep at(step);
///     const auto dpre = take_rows<Grad, C>(at.scratch, at.shape.rows);   // given back at the end
///     at.side([&](const D& dev) { kernel::gemm_dw(dev, ...); });         // ends before that
///
/// side(work) calls work(device) for gradients that no part reads in this pass: a GPU computes them on a side stream,
/// at the same time as what comes next. What the work reads must stay as it is until the end of `at`; after that, the
/// scratch of `at` is given back and other parts may write to it. Where the caller defers the join
/// (supports_deferred_join), it keeps that scratch as well.
template <class D> class BackwardStep : public Step<D> {
  static constexpr bool aside = device::has_side_stream<D>;

 public:
  explicit BackwardStep(const Step<D>& step)
      : Step<D>(step), give_back_(step.scratch, step.schedule.deferred_join), side_(step.dev) {
    if constexpr (aside) exceptions_ = std::uncaught_exceptions();
  }
  ~BackwardStep() noexcept(!aside) {  // joining can fail, as every call of a GPU
    if constexpr (aside)
      if (!this->schedule.deferred_join && !unwinding()) side_.join();
  }
  BackwardStep(const BackwardStep&) = delete;
  BackwardStep& operator=(const BackwardStep&) = delete;

  void side(auto&& work) const { side_(work); }

 protected:
  /// Whether the end comes because of an exception.
  bool unwinding() const { return std::uncaught_exceptions() != exceptions_; }
  /// Parts have given work to the side stream whose join they defer to the end of this.
  void join_at_end() const { side_.forked(); }

 private:
  Scratch give_back_;  // after the join
  mutable device::SideStream<D> side_;
  int exceptions_ = 0;
};

}  // namespace entrain
