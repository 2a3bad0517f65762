// text > [batch] > embed > encode > head > optim > checkpoint
//
// Tags of batches where the host reads them. On a processor that is where they were found; elsewhere they come back
// behind the work that finds them, two batches' at a time: while one is decoded, the host makes the next.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace entrain::batch {

/// there() is where the next batch's tags are to be written, found(dev, rows) is called when the work that does it is
/// queued, and next() waits for those of the oldest batch that was found and not asked for. At most `pieces` are;
/// forget() is for who begins anew, as after an error between the two.
template <class D> class TagsBack {
 public:
  static constexpr std::size_t pieces = 2;

  TagsBack() = default;
  /// rows: of the largest batch
  explicit TagsBack(int rows) {
    for (Slot& slot : slots_) slot.tags.resize(static_cast<std::size_t>(rows));
  }
  std::int32_t* there() { return slots_[found_ % pieces].tags.data(); }
  void found(const D&, int rows) { slots_[found_++ % pieces].rows = static_cast<std::size_t>(rows); }
  std::span<const std::int32_t> next() {
    const Slot& slot = slots_[told_++ % pieces];
    return std::span(slot.tags).first(slot.rows);
  }
  void forget() { told_ = found_; }

 private:
  struct Slot {
    std::vector<std::int32_t> tags;
    std::size_t rows = 0;
  };
  Slot slots_[pieces];
  std::size_t found_ = 0, told_ = 0;
};

template <class D>
requires(!D::in_host_memory) class TagsBack<D> {
 public:
  static constexpr std::size_t pieces = 2;

  TagsBack() = default;
  explicit TagsBack(int rows) : there_(static_cast<std::size_t>(rows)) {
    for (Slot& slot : slots_) slot.here = typename D::template Pinned<std::int32_t>(there_.size());
  }
  /// One place is enough: a batch's work is queued behind the copy of what was found before.
  std::int32_t* there() { return there_.data(); }
  void found(const D& dev, int rows) {
    Slot& slot = slots_[found_++ % pieces];
    slot.rows = static_cast<std::size_t>(rows);
    if (rows > 0) dev.download_later(slot.here, there_.data(), slot.rows);
    slot.back.record(dev);
  }
  std::span<const std::int32_t> next() {
    Slot& slot = slots_[told_++ % pieces];
    slot.back.wait();
    return {slot.here.data(), slot.rows};
  }
  void forget() { told_ = found_; }

 private:
  struct Slot {
    typename D::template Pinned<std::int32_t> here;
    typename D::Event back;
    std::size_t rows = 0;
  };
  typename D::template Buffer<std::int32_t> there_;
  Slot slots_[pieces];
  std::size_t found_ = 0, told_ = 0;
};

}  // namespace entrain::batch
