// tests > [refusals]
//
// A composition made real on the device that only counts.
#pragma once
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/tensor/rows.hpp"

template <class Net> void forward_and_backward() {
  using namespace entrain;
  using Real = Impl<Net, precision::Fp32, device::Plan>;
  const device::Plan plan;
  Arena arena;
  const Step<device::Plan> at{plan, {8, 2, 3}, {}, true, Write::assign, arena, nullptr};
  auto saved = Real::allocate_saved(arena, at.shape);
  const auto w = bind<Net, const float>(nullptr, 3);
  Real::forward(at, w, {nullptr, 8}, {nullptr, 8}, saved);
  Real::backward(at, w, saved, {nullptr, 8}, {nullptr, 8}, Write::assign, bind<Net, float>(nullptr, 3));
}
