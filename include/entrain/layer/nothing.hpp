// core > device, precision > tensor > kernel > [layer]
//
// What a layer without parameters, or an implementation that saves nothing, would otherwise write out.
#pragma once
#include "entrain/core/contract.hpp"
#include "entrain/device/arena.hpp"

namespace entrain::layer {

/// The Weights of a layer without parameters.
template <class T> struct NoWeights {
  static void each(auto&&, auto&) {}
};

/// The base of an Impl whose backward needs nothing of its forward.
struct SavesNothing {
  struct Saved {};
  static Saved allocate_saved(Arena&, Shape) { return {}; }
};

}  // namespace entrain::layer
