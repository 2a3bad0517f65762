// core > [device], precision > tensor > kernel > layer
//
// What the host sends step by step to a device with memory of its own. There are two pieces, so that the host fills one
// and the device copies it while the device still reads the other: neither waits for the other's work.
#pragma once
#include <cstddef>
#include <cstdint>

namespace entrain::device {

/// piece(bytes), send(bytes), and when all that reads it is queued, queued(); then the next. The memory of a piece
/// grows to the largest that came, and stays.
template <class D> class Ring {
 public:
  static constexpr std::size_t pieces = 2;

  Ring() = default;
  /// For pieces of at most so many bytes.
  explicit Ring(std::size_t bytes) {
    for (Slot& slot : slots_) slot.hold(bytes);
  }

  /// Memory of the host for the next piece, which nobody reads any more.
  std::byte* piece(std::size_t bytes) {
    Slot& slot = now();
    slot.sent.wait();
    if (slot.there.size() < bytes) {
      slot.read.wait();
      slot.hold(bytes + bytes / 2);
    }
    return slot.here.data();
  }
  /// Where that piece will lie on the device; addresses are good before it is sent.
  std::byte* there() { return now().there.data(); }
  /// Sends it. What is queued from now on finds it there.
  void send(const D& dev, std::size_t bytes) {
    Slot& slot = now();
    dev.send_after(slot.read);
    clock_.begin(dev);
    dev.send(slot.there.data(), slot.here, bytes);
    clock_.end(dev);
    slot.sent.record_sent(dev);
    dev.begin_after(slot.sent);
  }
  /// Nothing that is queued from now on reads it.
  void queued(const D& dev) {
    now().read.record(dev);
    ++turn_;
  }
  /// That pieces were on their way.
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
