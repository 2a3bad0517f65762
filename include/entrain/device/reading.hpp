// core > [device], precision > tensor > kernel > layer
//
// What a device reports of itself: how it spent its time, and how it runs.
#pragma once
#include <cstddef>

namespace entrain::device {

/// How a device with a queue spent its time, in seconds. For a CPU this is unknown: busy is 0.
struct TimeSpent {
  double busy = 0;       // it computed, or waited for the next kernel of the same work
  double idle = 0;       // it had nothing to do, between one piece of work and the next
  double copying = 0;    // the host's uploads, at the same time as the computing
  double launching = 0;  // the host was queueing

  bool known() const { return busy > 0; }
  /// The share of the time in which the device had nothing to do.
  double idle_share() const { return idle / (busy + idle); }
};

/// How a GPU runs at a moment; 0 where the value is unknown.
struct GpuReading {
  unsigned megahertz = 0, memory_megahertz = 0;
  double watts = 0, watts_limit = 0;
  std::size_t used_bytes = 0, total_bytes = 0;

  bool known() const { return megahertz > 0 || watts > 0 || total_bytes > 0; }
};

}  // namespace entrain::device
