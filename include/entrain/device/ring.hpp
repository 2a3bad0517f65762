// core > [device], precision > tensor > kernel > layer
//
// Uploads of the host, step by step, to a device with separate memory. There are two pieces: the host fills one and
// the device copies it while the device still reads the other, so neither waits for the other's work.
#pragma once
#include <cstddef>
#include <cstdint>

namespace entrain::device {

/// Call piece(bytes), send(bytes), and queued() after all work that reads the piece is queued; then the next piece. The
/// memory of a piece grows to the largest so far, and stays allocated.
template <class D> class Ring {
 public:
  static constexpr std::size_t pieces = 2;

  Ring() = default;
  /// For pieces of at most `bytes` bytes.
  explicit Ring(std::size_t bytes) {
    for (Slot& slot : slots_) slot.hold(bytes);
  }

  /// Host memory for the next piece; the device no longer reads it.
  std::byte* piece(std::size_t bytes) {
    Slot& slot = now();
    slot.sent.wait();
    if (slot.there.size() < bytes) {
      slot.read.wait();
      slot.hold(bytes + bytes / 2);
    }
    return slot.here.data();
  }
  /// Where that piece will be on the device. The address is valid before the piece is sent.
  std::byte* there() { return now().there.data(); }
  /// Sends it. Work that is queued from now on finds it there.
  void send(const D& dev, std::size_t bytes) {
    Slot& slot = now();
    dev.send_after(slot.read);
    clock_.begin(dev);
    dev.send(slot.there.data(), slot.here, bytes);
    clock_.end(dev);
    slot.sent.record_sent(dev);
    dev.begin_after(slot.sent);
  }
  /// No work that is queued from now on reads the piece.
  void queued(const D& dev) {
    now().read.record(dev);
    ++turn_;
  }
  /// The seconds during which pieces were being copied.
  double seconds() { return clock_.seconds(); }

 private:
  struct Slot {
    typename D::template Pinned<std::byte> here;
    typename D::template Buffer<std::byte> there;
    typename D::Event sent, read;
    void hold(std::size_t bytes) {
      there = {};
      there = typename D::template Buffer<std::byte>(bytes);
      here = typename D::template Pinned<std::byte>(bytes);
    }
  };
  Slot& now() { return slots_[turn_ % pieces]; }

  Slot slots_[pieces];
  typename D::SendClock clock_;
  std::uint32_t turn_ = 0;
};

}  // namespace entrain::device
