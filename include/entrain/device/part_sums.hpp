// core > [device], precision > tensor > kernel > layer
//
// Sums of stretches of rows that kernels have made and no kernel has added up yet: a small work, of which a block of a
// transformer has several, and one kernel does them all.
#pragma once
#include <cstdint>

namespace entrain::device {

/// to[c] (+)= sum over p of parts[p, c], in an order that depends on `count` alone
struct PartSum {
  const float* parts;
  float* to;
  std::int32_t columns, stride, count;  // stride: from one part to the next
};

/// Those of a block, as they come. The caller that gathers them keeps the scratch that they are stored in.
struct PartSums {
  static constexpr int most = 8;
  PartSum of[most] = {};
  int count = 0;

  bool has_room_for(int more) const { return count + more <= most; }
  void gather(const PartSum& one) { of[count++] = one; }
};

}  // namespace entrain::device
