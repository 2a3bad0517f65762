// core > device, precision > tensor > [kernel] > layer
//
// Dropout without a stored mask: the factor is a function of seed, step, micro-batch, RNG stream, row and channel.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/random.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

ENTRAIN_HD inline RandomWords<2> dropout_key(const Counters& counters) {
  return {static_cast<std::uint32_t>(counters.seed) ^ counters.micro_batch * 0x9E3779B9u,
          static_cast<std::uint32_t>(counters.seed >> 32) ^ 0x64726F70u};
}
/// Sixteen random bits for each of the eight channels 8 block ... 8 block + 7 of a row. A channel is dropped when its
/// bits are below p * 65536, so p is exact to within 1/131072.
ENTRAIN_HD inline RandomWords<4> dropout_words(const Counters& counters, RngStream rng_stream, int row, int block) {
  return philox({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(block), rng_stream, counters.step},
                dropout_key(counters));
}

template <class D> struct Dropout : InTagger<D> {};

/// y[n,c] (+)= x[n,c] * m[n,c],   m = 0 with probability p = counters.dropout, else 1 / (1 - p).   Its own adjoint.
///
/// source    Srivastava et al. 2014, JMLR 15, section 4, with the scaling at training time
template <class D, class A, int C> void dropout(const Step<D>& at, Rows<const A, C> x, Rows<A, C> y, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(1. * x.n * C, 2. * sizeof(A) * x.n * C);
  } else {
    Dropout<D>::run(at, x, y, how);
  }
}

}  // namespace entrain::kernel
