// core > device, precision > [tensor] > kernel > layer
//
// A set of labels in a fixed number of bits: the target of a sample that has any number of labels.
#pragma once
#include <cstdint>

#include "entrain/core/config.hpp"

namespace entrain {

/// Labels in [0, Capacity); or no target, which differs from the empty set.
template <int Capacity> struct LabelSet {
  static_assert(Capacity > 0 && Capacity % 64 == 0,
                "entrain: LabelSet<Capacity> needs a multiple of 64, the most labels of a task.");
  static constexpr int capacity = Capacity, words = Capacity / 64;

  std::uint64_t bits[words] = {};
  std::uint64_t there = 0;  // 0: no target

  static constexpr LabelSet no_target() { return {}; }
  static constexpr LabelSet none() {
    LabelSet set;
    set.there = 1;
    return set;
  }
  ENTRAIN_HD constexpr bool has_target() const { return there != 0; }
  /// requires 0 <= label < Capacity
  ENTRAIN_HD constexpr bool has(int label) const { return (bits[label / 64] >> (label % 64) & 1) != 0; }
  constexpr void add(int label) {
    there = 1;
    bits[label / 64] |= std::uint64_t{1} << (label % 64);
  }
  friend constexpr bool operator==(const LabelSet&, const LabelSet&) = default;
};

}  // namespace entrain
