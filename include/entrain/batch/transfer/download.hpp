// text > [batch] > embed > encode > head > optim > checkpoint
//
// Predictions of batches in the host's memory. On a CPU decoding writes them there. A device with memory of its
// own copies them after decoding, for up to two batches at a time: the host packs a batch while the device decodes
// another.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "entrain/core/contract.hpp"

namespace entrain::batch {

/// Decoding of the next batch, of this shape, writes to there(shape). The caller calls found(dev, shape) when that work
/// is queued. next() waits for the predictions of the oldest batch that was found and not fetched; at most `pieces` may
/// be pending. forget() discards them, for a caller that starts again after an error.
///
/// Prediction   of the task: a column of tensor/targets.hpp
template <class D, class Prediction> class Download {
  using Number = typename Prediction::Number;

 public:
  static constexpr std::size_t pieces = 2;

  Download() = default;
  /// rows: of the largest batch
  Download(int rows, [[maybe_unused]] int labels) {
    if constexpr (!Prediction::by_labels)  // else room for as many sentences as rows would be much more than is needed
      for (Slot& slot : slots_) slot.numbers.resize(static_cast<std::size_t>(rows));
  }
  Prediction there(Shape shape) {
    auto& numbers = slots_[found_ % pieces].numbers;
    if (numbers.size() < Prediction::count(shape)) numbers.resize(Prediction::count(shape));
    return numbers.data();
  }
  void found(const D&, Shape shape) { slots_[found_++ % pieces].count = Prediction::count(shape); }
  std::span<const Number> next() {
    const Slot& slot = slots_[told_++ % pieces];
    return std::span(slot.numbers).first(slot.count);
  }
  void forget() { told_ = found_; }

 private:
  struct Slot {
    std::vector<Number> numbers;
    std::size_t count = 0;
  };
  Slot slots_[pieces];
  std::size_t found_ = 0, told_ = 0;
};

template <class D, class Prediction>
requires(!D::in_host_memory) class Download<D, Prediction> {
  using Number = typename Prediction::Number;

 public:
  static constexpr std::size_t pieces = 2;

  Download() = default;
  Download(int rows, int labels) : there_(Prediction::count({rows, rows, labels})) {
    for (Slot& slot : slots_) slot.here = typename D::template Pinned<Number>(there_.size());
  }
  /// One place is enough: the work of a batch is queued after the copy of the batch before.
  Prediction there(Shape) { return there_.data(); }
  void found(const D& dev, Shape shape) {
    Slot& slot = slots_[found_++ % pieces];
    slot.count = Prediction::count(shape);
    if (slot.count > 0) dev.download_later(slot.here, there_.data(), slot.count);
    slot.back.record(dev);
  }
  std::span<const Number> next() {
    Slot& slot = slots_[told_++ % pieces];
    slot.back.wait();
    return {slot.here.data(), slot.count};
  }
  void forget() { told_ = found_; }

 private:
  struct Slot {
    typename D::template Pinned<Number> here;
    typename D::Event back;
    std::size_t count = 0;
  };
  typename D::template Buffer<Number> there_;
  Slot slots_[pieces];
  std::size_t found_ = 0, told_ = 0;
};

}  // namespace entrain::batch
