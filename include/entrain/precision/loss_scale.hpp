// core > device, [precision] > tensor > kernel > layer
//
// The factor of the loss before backward. It keeps small gradients from vanishing in fp16, which has no numbers below
// 6e-8. The optimizer divides by it again.
#pragma once
#include <cstdint>

namespace entrain::precision {

/// No scaling: gradients are in the type's range as they are.
struct NoScale {
  static constexpr bool dynamic = false;
};

/// The scale begins large. A step whose gradient is not finite is skipped: it changes nothing, and the scale is
/// multiplied by backoff_factor. After growth_interval steps in a row without a skip the scale is multiplied by
/// growth_factor, as long as it stays finite.
///
/// init_scale     of the mean loss. Our loss is a sum over targets, so the first scale is init_scale divided by the
///                first micro-batch's targets, rounded up to a power of two. From then on the scale belongs to the
///                sum, not to the number of targets: a row's gradient is as large in a small batch as in a large one
/// smallest_scale no step goes below it: a gradient that is not finite there is an error (entrain.optim.2)
/// source         torch.amp.GradScaler, for names and numbers; it has no smallest scale
struct DynamicScale {
  static constexpr bool dynamic = true;
  static constexpr float init_scale = 65536, growth_factor = 2, backoff_factor = 0.5f;
  static constexpr std::uint32_t growth_interval = 2000;
  static constexpr float smallest_scale = 1.0f / 16384;
};

}  // namespace entrain::precision
