// tests > [ptx]
//
// What every call of the runtime has around it.
#pragma once
#include <driver_types.h>

#include <mutex>

#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"

namespace ptx {

/// body(card): one at a time, and nothing any more once it was said that the card is lost.
template <class Body> cudaError_t call(Body&& body) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  return said(card.known_lost ? cudaErrorLaunchFailure : body(card));
}
/// A call that waits for the card: here it shows that a kernel failed.
template <class Body> cudaError_t call_that_waits(Body&& body) {
  return call([&](Card& card) {
    const cudaError_t code = body(card);
    if (code == cudaSuccess && card.lost) return card.known_lost = true, cudaErrorLaunchFailure;
    return code;
  });
}
/// What is given back is, whether the card is lost or not.
template <class Body> cudaError_t call_that_ends(Body&& body) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  const cudaError_t code = body(card);
  return said(card.known_lost ? cudaErrorLaunchFailure : code);
}

}  // namespace ptx
