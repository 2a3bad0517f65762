// core > [device], precision > tensor > kernel > layer
//
// Sums over ranges of rows that kernels have computed and that must still be added up. Each of these additions is
// small, and a block of a transformer has several, so one kernel does them all.
#pragma once
#include <cstdint>

namespace entrain::device {

/// to[c] (+)= sum over p of parts[p, c], in an order that depends on `count` alone
struct PartSum {
  const float* parts;
  float* to;
  std::int32_t columns, stride, count;  // stride: from one part to the next
};

/// The part sums of a block, in the order in which they come. The caller that gathers them keeps the scratch where they
/// are stored.
struct PartSums {
  static constexpr int most = 8;
  PartSum of[most] = {};
  int count = 0;

  bool has_room_for(int more) const { return count + more <= most; }
  void gather(const PartSum& one) { of[count++] = one; }
};

}  // namespace entrain::device
