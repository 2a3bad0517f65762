// core > [device], precision > tensor > kernel > layer
//
// Values that the step before still changes, from the bottom of a net to its top, while the next forward pass computes
// the blocks below. On a device that changes them at a step's end no pass waits.
#pragma once
#include <cstddef>
#include <memory>

namespace entrain::device {

/// Whether a device changes a step's values under the next forward pass.
template <class D> inline constexpr bool updates_late = false;
template <class D>
requires requires { D::updates_late; }
inline constexpr bool updates_late<D> = D::updates_late;

template <class D> class ForwardUpdates {
 public:
  ForwardUpdates(const D&, int) {}
};

/// start(work), then wait_for_block() before each higher block's values are read, after(work), and arrive().
template <class D>
requires(updates_late<D>) class ForwardUpdates<D> {
 public:
  /// heights: of the highest block; that of an embedding is 0
  ForwardUpdates(const D& dev, int heights)
      : dev_(dev),
        side_(dev),
        count_(static_cast<std::size_t>(heights)),
        reached_(std::make_unique<Event[]>(count_)),
        next_(count_) {}

  /// work(device, height) for the heights from 1 on, at the same time as what is queued from now on.
  void start(auto&& work) {
    if (count_ == 0) return;
    const D& side = side_.fork();
    for (next_ = 0; next_ < count_; ++next_) {
      work(side, static_cast<int>(next_) + 1);
      reached_[next_].record(side);
    }
    next_ = 0;
  }
  /// What is queued from now on finds the values one height above those that the last call was for.
  void wait_for_block() {
    if (next_ < count_) dev_.begin_after(reached_[next_++]);
  }
  /// work(device), after all heights, and after what is queued by now.
  void after(auto&& work) { work(side_.fork()); }
  /// What is queued from now on runs after all of it.
  void arrive() {
    side_.join();
    next_ = count_;
  }

 private:
  using Event = typename D::Event;
  const D& dev_;
  typename D::Side side_;
  std::size_t count_;
  std::unique_ptr<Event[]> reached_;
  std::size_t next_;  // count_ where nothing is under way
};

}  // namespace entrain::device
