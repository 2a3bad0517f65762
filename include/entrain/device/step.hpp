// core > [device], precision > tensor > kernel > layer
//
// What every call needs in addition to numbers: the device, the batch's geometry, the position in the net, and the
// counters in device memory (a CUDA graph would capture the value of a host scalar).
#pragma once
#include <cstdint>

#include "entrain/core/contract.hpp"
#include "entrain/core/loss.hpp"
#include "entrain/device/arena.hpp"
#include "entrain/device/schedule.hpp"

namespace entrain {

/// Numbers that change from step to step or from run to run, read by kernels from device memory.
struct Counters {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;             // optimization step, from 0
  std::uint32_t micro_batch = 0;      // inside the step, from 0
  const float* loss_scale = nullptr;  // in device memory: what gradients of the loss are multiplied by; none: 1
  float dropout = 0;                  // probability that a value falls out, while training
  LossKnobs loss = {};
};

/// Where sentences begin and which neighbours a row has, in device memory.
///
/// cu_seqlens  [sentences + 1] first row of each sentence; the last entry is the number of rows
/// neighbours  [rows] bit k set: the row k places to the left is in the same sentence; bit 4 + k: k places to the right
///             (k = 1..3, bit 0 and bit 4 always clear)
/// sentence    [rows] which sentence a row is in
struct Geometry {
  const std::int32_t* cu_seqlens = nullptr;
  const std::uint8_t* neighbours = nullptr;
  const std::int32_t* sentence = nullptr;
};

/// The random key of a place: which part of which composition, six bits a level.
using RngStream = std::uint32_t;

template <class D> struct Step {
  const D& dev;
  Shape shape;
  Geometry geometry;
  bool training = false;
  Write grads = Write::assign;  // the first micro-batch assigns parameter gradients, later ones add
  Arena& scratch;
  const Counters* counters = nullptr;
  RngStream rng_stream = 0;
  device::Schedule<D> schedule = {};  // of compositions: what a GPU does at the same time

  /// The same step, seen from part i of a composition.
  Step at(int i) const {
    Step inner = *this;
    inner.rng_stream = rng_stream * 64 + static_cast<RngStream>(i) + 1;
    return inner;
  }
  /// The same step on another number of rows (an embedding that works on distinct words).
  Step with_rows(int rows) const {
    Step other = *this;
    other.shape.rows = rows;
    return other;
  }
  /// The same step on the device that work of a side stream is given.
  Step on(const D& other) const {
    return {other, shape, geometry, training, grads, scratch, counters, rng_stream, schedule};
  }
  Step evaluating() const {
    Step other = *this;
    other.training = false;
    return other;
  }
  Step adding() const {
    Step other = *this;
    other.grads = Write::add;
    return other;
  }
};
// A Step holds references: it is made for a call and never assigned.

}  // namespace entrain
