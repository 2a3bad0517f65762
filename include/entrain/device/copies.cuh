// core > [device], precision > tensor > kernel > layer
//
// Copies of a thread's pieces from the GPU's memory to shared memory, many at a time: asynchronous where the target has
// such copies, else through registers.
#pragma once
#include "entrain/core/config.hpp"
#include "entrain/device/ptx.cuh"

namespace entrain::device {

/// N pieces: call begin() for each, then put() for each. Where the copies are `async`, the pieces are available as
/// bytes of copy_async are, else at once.
template <class Target, class Piece, int N> class Copies {
  static constexpr int bytes = static_cast<int>(sizeof(Piece));

 public:
  static constexpr bool async = Target::async_copy && bytes >= 4;
  /// How many of `All` pieces are begun before the first put(): asynchronous ones need no registers.
  template <int All> static constexpr int under_way = async ? All : N < All ? N : All;

  /// Where `there` is false, nothing is read and the piece is zeros.
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
