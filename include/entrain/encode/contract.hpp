// text > batch > embed > [encode] > head > optim > checkpoint
//
// The requirements on an encoder in addition to those on a layer (layer/contract.hpp): an encoder that picks rows
// computes only the rows that the head reads.
#pragma once
#include <cstdint>

#include "entrain/layer/contract.hpp"

namespace entrain::encode {
namespace detail {

// Variables, as in core/contract.hpp.

template <class E, class P, class D, class C = layer::detail::Calls<E, P, D>>
inline constexpr bool picks_forward = requires(const Step<D>& at, const typename C::Values& w, typename C::Input x,
                                               const std::int32_t* rows, typename C::Output y,
                                               typename C::Real::Saved& saved) {
  C::Real::forward_rows(at, w, x, rows, y, saved);
};
template <class E, class P, class D, class C = layer::detail::Calls<E, P, D>>
inline constexpr bool picks_backward = requires(const Step<D>& at, const typename C::Values& w,
                                                const typename C::Real::Saved& saved, typename C::OutputGradient dy,
                                                const std::int32_t* row_of, typename C::InputGradient dx, Write how,
                                                const typename C::Gradients& g) {
  C::Real::backward_rows(at, w, saved, dy, row_of, dx, how, g);
};

}  // namespace detail

/// `static_assert(encoder_contract<E, P, D>());` does not compile for an encoder that cannot be called on this
/// precision and device: one sentence for each function that is missing or takes something else.
template <class E, class P, class D> consteval bool encoder_contract() {
  static_assert(layer::contract<E, P, D>());
  if constexpr (picks_rows<E> && layer::detail::has_all<E, P, D>) {
    static_assert(
        detail::picks_forward<E, P, D>,
        "entrain: this encoder declares picks_rows, but its Impl<P, D> has no forward_rows(const Step<D>&, const "
        "Weights<const P::Weight>&, Rows<const P::Activation, in>, const std::int32_t* rows, "
        "Rows<P::Activation, out>, Saved&); see layer/stack.hpp.");
    static_assert(
        detail::picks_backward<E, P, D>,
        "entrain: this encoder declares picks_rows, but its Impl<P, D> has no backward_rows(const Step<D>&, const "
        "Weights<const P::Weight>&, const Saved&, Rows<const P::Gradient, out>, const std::int32_t* row_of, "
        "Rows<P::Gradient, in>, Write, const Weights<P::Sum>&); see layer/stack.hpp.");
  }
  return true;
}

}  // namespace entrain::encode
