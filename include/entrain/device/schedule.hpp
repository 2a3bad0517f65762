// core > [device], precision > tensor > kernel > layer
//
// What a GPU does at the same time as the passes of a step: the member of Step that layers do not read. Compositions
// use it through backward_step.hpp, backward_blocks.hpp and backward_parts.hpp.
#pragma once
#include "entrain/device/backward_hooks.hpp"
#include "entrain/device/forward_updates.hpp"
#include "entrain/device/part_sums.hpp"
#include "entrain/device/side_stream.hpp"

namespace entrain::device {

template <class D> struct Schedule {
  ForwardUpdates<D>* updates = nullptr;  // of a training's forward pass
  BackwardHooks<D>* hooks = nullptr;     // of a step's last backward pass
  bool deferred_join = false;            // the caller joins the side stream, and gives scratch back after that
  PartSums* sums = nullptr;              // gathers sums over rows for one kernel; only where joins are deferred

  /// The same for a part whose join the caller defers, if it `does`; the caller then keeps the part's scratch.
  Schedule deferring(bool does) const { return {updates, hooks, does, does ? sums : nullptr}; }
};

/// Called by forward before it reads the values of the next block, as `block` of the walk over parameters counts.
void wait_for_block(const auto& at) {
  if constexpr (requires { at.schedule.updates->wait_for_block(); })
    if (at.schedule.updates != nullptr) at.schedule.updates->wait_for_block();
}
/// Called by backward when it has written the gradients of a block, above the embedding, from the last block on.
void block_gradients_ready(const auto& at) {
  if constexpr (requires { at.schedule.hooks->block_gradients_ready(); })
    if (at.schedule.hooks != nullptr) at.schedule.hooks->block_gradients_ready();
}

}  // namespace entrain::device
