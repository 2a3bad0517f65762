// core > [device], precision > tensor > kernel > layer
//
// The plan is a device. A composition on device::Plan runs its own forward and backward, and each op counts what it
// would do instead of doing it: arena bytes, floating point operations, bytes moved, ops called.
#pragma once
#include <string_view>

namespace entrain::device {

struct Plan {
  static constexpr std::string_view name = "plan";

  /// operations: multiplications and additions; moved: bytes read and written once each, caches ignored.
  void count(double operations, double moved) const {
    flops += operations;
    bytes += moved;
    ++ops;
  }

  bool works_beside = false;  // whether it plans for a device that does (side_stream.hpp)
  mutable double flops = 0;
  mutable double bytes = 0;
  mutable int ops = 0;
};

}  // namespace entrain::device
