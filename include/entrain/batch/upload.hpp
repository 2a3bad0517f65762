// text > [batch] > embed > encode > head > optim > checkpoint
//
// A packed batch where the device reads it. On a processor that is where it was packed; elsewhere its arrays are put
// one after the other and sent in one piece. Of such pieces there are two: the host fills one while the other is on its
// way.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "entrain/batch/packer.hpp"

namespace entrain::batch {

/// upload(dev, batch): the same batch with pointers that device D may follow, good until the next. Its memory grows to
/// the largest batch and stays.
template <class D, class Features> class Upload {
 public:
  Batch<Features> operator()(const D&, const Batch<Features>& batch) { return batch; }
};

template <class D, class Features>
requires(!D::in_host_memory) class Upload<D, Features> {
 public:
  Batch<Features> operator()(const D& dev, Batch<Features> batch) {
    bytes_ = 0;
    each_array(batch, [&](auto& array, std::size_t count) { place(array, count); });
    Staged& staged = staged_[turn_++ % 2];
    staged.sent.wait();
    if (there_.size() < bytes_) {
      dev.finish();  // what is queued may still read the memory that there was
      there_ = typename D::template Buffer<std::byte>(bytes_ + bytes_ / 2);
    }
    if (staged.bytes.size() < bytes_) staged.bytes = typename D::template Pinned<std::byte>(there_.size());
    bytes_ = 0;
    each_array(batch, [&](auto& array, std::size_t count) {
      const std::size_t at = place(array, count);
      if (count > 0) std::memcpy(staged.bytes.data() + at, array, count * sizeof(*array));
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(there_.data() + at);
    });
    dev.upload(there_.data(), staged.bytes.data(), bytes_);
    staged.sent.record(dev);
    return batch;
  }

 private:
  struct Staged {
    typename D::template Pinned<std::byte> bytes;
    typename D::Event sent;
  };

  static void each_array(Batch<Features>& b, auto&& f) {
    const auto rows = static_cast<std::size_t>(b.shape.rows);
    f(b.geometry.cu_seqlens, static_cast<std::size_t>(b.shape.sentences) + 1);
    f(b.geometry.neighbours, b.geometry.neighbours != nullptr ? rows : 0);
    f(b.geometry.sentence, b.geometry.sentence != nullptr ? rows : 0);
    f(b.targets, b.targets != nullptr ? rows : 0);
    b.words.each_array(b.shape.rows, f);
  }
  template <class T> std::size_t place(const T*, std::size_t count) {
    const std::size_t at = (bytes_ + 15) / 16 * 16;
    bytes_ = at + count * sizeof(T);
    return at;
  }

  std::size_t bytes_ = 0, turn_ = 0;
  Staged staged_[2];
  typename D::template Buffer<std::byte> there_;
};

}  // namespace entrain::batch
