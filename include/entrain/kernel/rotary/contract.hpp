// core > device, precision > tensor > [kernel] > layer
//
// Rotary position embeddings: queries and keys are rotated by angles that grow with the row's place in its sentence.
#pragma once
#include <cmath>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/rotary/cpu.hpp, kernel/rotary/cuda.cuh.
template <class D> struct Rotary : InTransformer<D> {};

/// The angle between two neighbouring places, for each pair of channels: 1 / theta^(2 j / Width) for pair j. Power and
/// inverse are rounded to fp32, as in transformers.
template <int Width> struct RotaryFrequencies {
  static_assert(Width % 2 == 0,
                "entrain: rotary needs heads with an even number of channels, because it rotates pairs of channels.");
  static constexpr int pairs = Width / 2;
  float of[pairs];

  explicit RotaryFrequencies(double theta) {
    for (int j = 0; j < pairs; ++j)
      of[j] = 1.0f / static_cast<float>(std::pow(theta, static_cast<float>(2 * j) / static_cast<float>(Width)));
  }
  /// The same angles with the opposite sign.
  RotaryFrequencies reversed() const {
    RotaryFrequencies other = *this;
    for (float& frequency : other.of) frequency = -frequency;
    return other;
  }
};

/// With d = C / H, j < d / 2, p the place of row n in its sentence (the first row has place 0), and the angle
/// a = p / theta^(2 j / d), for each head of queries and keys x, the first two thirds of a row:
///
///   x[n,j] = x[n,j] cos a - x[n,j+d/2] sin a      x[n,j+d/2] = x[n,j+d/2] cos a + x[n,j] sin a
///
/// on the right side the numbers before the call. The last third, the values, keeps its bits. The result depends on p
/// and on the row's numbers, and not on the place of the sentence in the batch.
///
/// shapes    qkv [N, 3C] (query, key, value; heads side by side in each), in place
/// requires  d is even
/// source    Su et al. 2021, arXiv:2104.09864, section 3.2.2; the pairs (j, j + d/2) as in rotate_half of transformers
template <int H, class D, class A, int C3> void rotary(const Step<D>& at, double theta, Rows<A, C3> qkv) {
  static_assert(C3 % (3 * H) == 0 && RotaryFrequencies<C3 / 3 / H>::pairs > 0);
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(4. * qkv.n * (C3 / 3), sizeof(A) * 4. * qkv.n * (C3 / 3));
  } else {
    Rotary<D>::template forward<H>(at, RotaryFrequencies<C3 / 3 / H>(theta), qkv);
  }
}

/// The adjoint of rotary: the rotation by -a of the slopes of queries and keys, in place.
///
///   dx[n,j] = dx[n,j] cos a + dx[n,j+d/2] sin a   dx[n,j+d/2] = dx[n,j+d/2] cos a - dx[n,j] sin a
///
/// shapes    dqkv [N, 3C]; the last third keeps its bits
template <int H, class D, class A, int C3> void rotary_back(const Step<D>& at, double theta, Rows<A, C3> dqkv) {
  static_assert(C3 % (3 * H) == 0 && RotaryFrequencies<C3 / 3 / H>::pairs > 0);
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(4. * dqkv.n * (C3 / 3), sizeof(A) * 4. * dqkv.n * (C3 / 3));
  } else {
    Rotary<D>::template forward<H>(at, RotaryFrequencies<C3 / 3 / H>(theta).reversed(), dqkv);
  }
}

}  // namespace entrain::kernel
