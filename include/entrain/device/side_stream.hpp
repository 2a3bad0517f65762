// core > [device], precision > tensor > kernel > layer
//
// A second stream of a device. It computes what no later kernel of the pass reads, such as the gradients of weights, at
// the same time as the kernels that the pass waits for.
#pragma once
#include "entrain/device/plan.hpp"

namespace entrain::device {

/// Whether work of the side stream runs at the same time as other work, so that what it reads must stay until it is
/// joined.
template <class D> inline constexpr bool has_side_stream = false;
template <class D>
requires requires { typename D::Side; }
inline constexpr bool has_side_stream<D> = D::works_beside;
template <class D> constexpr bool works_beside(const D&) { return has_side_stream<D>; }
inline bool works_beside(const Plan& plan) { return plan.works_beside; }

/// side(work): work(device) may run at the same time as what is queued from now on, after what is queued already; works
/// of one device run one after another. join(): what is queued from now on runs after all of it. Until then, what the
/// work reads must stay as it is. A device with one queue does the work at once.
template <class D> class SideStream {
 public:
  explicit SideStream(const D& dev) : dev_(dev) {}
  void operator()(auto&& work) { work(dev_); }
  void forked() {}
  void join() {}

 private:
  const D& dev_;
};

template <class D>
requires requires { typename D::Side; }
class SideStream<D> {
 public:
  explicit SideStream(const D& dev) : side_(dev) {}
  void operator()(auto&& work) { work(side_.fork()), forked_ = true; }
  /// Another object gave it work, which join() waits for as well.
  void forked() { forked_ = true; }
  void join() {
    if (forked_) side_.join();
  }

 private:
  typename D::Side side_;
  bool forked_ = false;
};

/// The most rows of a batch for which parts that are larger than a block defer their joins (`defers_joins`). Where
/// there are more, kernels are long, so that little is lost where one queue waits for the other, and memory is scarce.
inline constexpr int most_rows_deferred = 1 << 14;

/// What is queued from now on runs after all work of the side stream.
template <class D> void join_side_stream([[maybe_unused]] const D& dev) {
  if constexpr (has_side_stream<D>) typename D::Side(dev).join();
}

}  // namespace entrain::device
