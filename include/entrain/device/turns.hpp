// core > [device], precision > tensor > kernel > layer
//
// Parts of one type, one after the other, whose side lanes (side_lane.hpp) go on beside the part that follows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/device/arena.hpp"
#include "entrain/device/side_lane.hpp"
#include "entrain/device/step.hpp"

namespace entrain::device {

/// Scratch of two parts, in turn: one begins when the lanes are through with the last but one. Where lanes are not held
/// (Step::holds_lanes) a part has what there is, joins its lanes and gives it back.
///
/// Who makes one gives scratch back, behind finish().
template <class D> class Turns {
 public:
  /// lanes     whether parts give work to them
  Turns(const Step<D>& at, bool lanes) : beside_(beside(at, lanes)), end_(end_of(at)) {}

  /// How many parts' results must stay: one part's, what it reads, and what lanes still read.
  static std::size_t results(const Step<D>& at, bool lanes) { return beside(at, lanes) ? 3 : 2; }

  /// part(step), in a place that no other part takes.
  void apart(const Step<D>& at, auto&& part) {
    if (!beside_) return alone(at, part);
    at.scratch.used = end_;
    part(at.holding());
    mark(at.dev);
    end_ = end_of(at);
  }
  /// part(step), in a place that the next but one takes. All want the same.
  ///
  /// throws    entrain.device.7: this one wants more than the first
  void operator()(const Step<D>& at, auto&& part) {
    if (!beside_) return alone(at, part);
    const std::size_t place = parts_ % 2;
    if (parts_ < 2) begin_[place] = end_;
    at.scratch.used = begin_[place];
    if (parts_ >= 2) reach(at.dev, place);
    part(at.holding());
    mark(at.dev);
    const std::size_t taken = at.scratch.used - begin_[place];
    if (parts_ == 0) most_ = taken;
    if (taken > most_)
      throw Error("entrain.device.7", "scratch of a part", std::to_string(taken) + " bytes",
                  "at most " + std::to_string(most_) + ", what the first part took");
    end_ = std::max(end_, end_of(at));
    ++parts_;
  }

  /// What is queued from now on runs behind all that lanes were given by parts; not behind what they were given since.
  /// Where the caller holds them it only leaves the parts' scratch alone.
  void finish(const Step<D>& at) {
    if (!beside_) return;
    at.scratch.used = end_;
    if (!at.held) reach(at.dev, marked_);
  }

 private:
  static bool beside(const Step<D>& at, bool lanes) { return lanes && at.holds_lanes(); }
  void mark([[maybe_unused]] const D& dev) {
    marked_ = parts_ % 2;
    if constexpr (has_side_lane<D>) typename D::Side(dev).mark(marked_);
  }
  static void reach([[maybe_unused]] const D& dev, [[maybe_unused]] std::size_t place) {
    if constexpr (has_side_lane<D>) typename D::Side(dev).reach(place);
  }
  static void alone(const Step<D>& at, auto&& part) {
    const Scratch give_back{at.scratch, at.held};
    part(at);
  }

  /// Where the next piece of scratch begins.
  static std::size_t end_of(const Step<D>& at) { return at.scratch.template take<std::byte>(0), at.scratch.used; }

  bool beside_;
  std::size_t begin_[2] = {}, end_, most_ = 0, parts_ = 0, marked_ = 0;
};

}  // namespace entrain::device
