// core > [device], precision > tensor > kernel > layer
//
// Pieces of a thread on their way from the GPU's memory to shared memory, many at a time: by themselves where the
// target has such copies, else through registers.
#pragma once
#include "entrain/core/config.hpp"
#include "entrain/device/ptx.cuh"

namespace entrain::device {

/// N pieces. begin() each, then put() each: they are there as bytes of copy_async are, where the copies are `async`,
/// else at once.
template <class Target, class Piece, int N> class Copies {
  static constexpr int bytes = static_cast<int>(sizeof(Piece));

 public:
  static constexpr bool async = Target::async_copy && bytes >= 4;
  /// How many of `All` are begun before the first is put: those by themselves need no registers.
  template <int All> static constexpr int under_way = async ? All : N < All ? N : All;

  /// Nothing is read where it is not `there`: zeros.
  __device__ void begin(int i, Piece* to, const Piece* from, bool there) {
    if constexpr (async) {
      copy_async<bytes>(to, from, there);
    } else {
      held_[i] = there ? *from : Piece{};
    }
  }
  __device__ void put(int i, Piece* to) const {
    if constexpr (!async) *to = held_[i];
  }

 private:
  Piece held_[async ? 1 : N];
};

}  // namespace entrain::device
