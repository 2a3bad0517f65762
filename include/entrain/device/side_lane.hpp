// core > [device], precision > tensor > kernel > layer
//
// Work for which nobody waits yet: gradients of weights are asked for when all of them are there, those of a layer's
// input by the layer before it. A device with two queues does the ones beside the others.
#pragma once

namespace entrain::device {

/// lane(work): work(device) may run beside what is queued from now on, behind what is queued already; one work of a
/// lane runs behind the other. join(): what is queued from now on runs behind all of it. Until then, what it reads
/// stays as it is, and so does the memory of what it reads. A device with one queue does the work at once.
template <class D> class SideLane {
 public:
  explicit SideLane(const D& dev) : dev_(dev) {}
  void operator()(auto&& work) { work(dev_); }
  void join() {}

 private:
  const D& dev_;
};

template <class D>
requires requires { typename D::Side; }
class SideLane<D> {
 public:
  explicit SideLane(const D& dev) : side_(dev) {}
  void operator()(auto&& work) { work(side_.fork()), forked_ = true; }
  void join() {
    if (forked_) side_.join();
  }

 private:
  typename D::Side side_;
  bool forked_ = false;
};

}  // namespace entrain::device
