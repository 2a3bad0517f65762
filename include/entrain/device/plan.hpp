// core > [device], precision > tensor > kernel > layer
//
// The plan is a device. A composition made real on device::Plan runs its own forward and backward, and each verb counts
// what it would do instead of doing it: arena bytes, floating point operations, bytes moved, verbs called.
#pragma once
#include <string_view>

namespace entrain::device {

struct Plan {
  static constexpr std::string_view name = "plan";

  /// operations: multiplications and additions; moved: bytes read and written once each, caches ignored.
  void count(double operations, double moved) const {
    flops += operations;
    bytes += moved;
    ++verbs;
  }

  bool works_beside = false;  // whether it is made for a device that does (side_stream.hpp)
  mutable double flops = 0;
  mutable double bytes = 0;
  mutable int verbs = 0;
};

}  // namespace entrain::device
