// text > [batch] > embed > encode > head > optim > checkpoint
//
// The tags of batches, copied to where the host reads them. On a processor the kernels write them there; on other
// devices a copy is queued after the work that finds them. Two batches can be under way: the host makes the next batch
// while one is decoded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace entrain::batch {

/// there() is where the next batch's tags are to be written. The caller calls found(dev, rows) when it has queued the
/// work that writes them. next() waits for the tags of the oldest batch that was found and not returned yet; there are
/// at most `pieces` of these. forget() drops them, as after an error between found() and next().
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
  /// One place is enough: a batch's work is queued after the copy of the previous batch's tags.
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
