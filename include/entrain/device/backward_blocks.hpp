// core > [device], precision > tensor > kernel > layer
//
// The backward pass of blocks of one type, from the last to the first. The side stream computes the gradients of a
// block while the pass computes the next one, so the scratch of two blocks is used in turn.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/device/arena.hpp"
#include "entrain/device/backward_parts.hpp"
#include "entrain/device/step.hpp"

namespace entrain::device {

/// Scratch of two blocks, in turn: a block begins when the side stream has finished the last block but one. Where joins
/// are not deferred (defers_joins) a block uses what there is, joins its side stream and gives its scratch back.
///
/// The caller gives scratch back, after finish().
template <class D> class BackwardBlocks {
 public:
  /// defer     whether the blocks support it and give work to the side stream
  BackwardBlocks(const Step<D>& at, bool defer) : deferred_(deferred(at, defer)), end_(end_of(at)) {}

  /// How many blocks' results must stay: one block's, what it reads, and what the side stream still reads.
  static std::size_t results(const Step<D>& at, bool defer) { return deferred(at, defer) ? 3 : 2; }

  /// block(step), in a place that no other block takes.
  void apart(const Step<D>& at, auto&& block) {
    if (deferred_) {
      at.scratch.used = end_;
      begin(at, block);
      end_ = end_of(at);
    } else {
      alone(at, block);
    }
    block_gradients_ready(at);
  }
  /// block(step), in a place that the next but one takes. All want the same.
  ///
  /// throws    entrain.device.7: this one wants more than the first
  void operator()(const Step<D>& at, auto&& block) {
    if (deferred_) {
      in_turn(at, block);
    } else {
      alone(at, block);
    }
    block_gradients_ready(at);
  }

  /// What is queued from now on runs after all that the side stream was given by blocks; not after what it was given
  /// since. Where the caller defers its own join, this only keeps the blocks' scratch.
  void finish(const Step<D>& at) {
    if (!deferred_) return;
    at.scratch.used = end_;
    if (!at.schedule.deferred_join) reach(at.dev, marked_);
  }

 private:
  static bool deferred(const Step<D>& at, bool defer) { return defer && defers_joins(at); }
  void in_turn(const Step<D>& at, auto&& block) {
    const std::size_t place = blocks_ % 2;
    if (blocks_ < 2) begin_[place] = end_;
    at.scratch.used = begin_[place];
    if (blocks_ >= 2) reach(at.dev, place);
    begin(at, block);
    const std::size_t taken = at.scratch.used - begin_[place];
    if (blocks_ == 0) most_ = taken;
    if (taken > most_)
      throw Error("entrain.device.7", "scratch of a block", std::to_string(taken) + " bytes",
                  "at most " + std::to_string(most_) + ", the bytes of the first block");
    end_ = std::max(end_, end_of(at));
    ++blocks_;
  }
  void begin(const Step<D>& at, auto&& block) {
    Step<D> inner = at;
    inner.schedule = at.schedule.deferring(works_beside(at.dev));
    block(inner);
    marked_ = blocks_ % 2;
    if constexpr (has_side_stream<D>) typename D::Side(at.dev).mark(marked_);
  }
  static void reach([[maybe_unused]] const D& dev, [[maybe_unused]] std::size_t place) {
    if constexpr (has_side_stream<D>) typename D::Side(dev).reach(place);
  }
  static void alone(const Step<D>& at, auto&& block) {
    const Scratch give_back{at.scratch, at.schedule.deferred_join};
    block(at);
  }

  /// Where the next piece of scratch begins.
  static std::size_t end_of(const Step<D>& at) { return at.scratch.template take<std::byte>(0), at.scratch.used; }

  bool deferred_;
  std::size_t begin_[2] = {}, end_, most_ = 0, blocks_ = 0, marked_ = 0;
};

}  // namespace entrain::device
