// core > [device], precision > tensor > kernel > layer
#pragma once

namespace entrain::device {

/// What the time of a device with a queue went to, in seconds. Of a processor nothing is known: busy is 0.
struct TimeSpent {
  double busy = 0;       // it computed
  double idle = 0;       // it had nothing to do, between one piece of work and the next
  double copying = 0;    // what the host sent was on its way, beside the computing
  double launching = 0;  // the host was busy queueing

  bool known() const { return busy > 0; }
  /// The part of the time in which the device had nothing to do.
  double idle_share() const { return idle / (busy + idle); }
};

}  // namespace entrain::device
