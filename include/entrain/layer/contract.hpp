// core > device, precision > tensor > kernel > [layer]
//
// The requirements on a layer's functions, checked where a layer becomes part of another layer or of a model.
#pragma once
#include <concepts>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {
namespace detail {

/// The arguments of the functions of a layer's or a head's implementation (Called), and of a layer alone (Calls).
template <class L, class P, class D> struct Called {
  using Real = entrain::Impl<L, P, D>;
  using Values = typename L::template Weights<const typename P::Weight>;
  using Gradients = typename L::template Weights<typename P::Sum>;
  using Input = Rows<const typename P::Activation, L::in>;
  using InputGradient = Rows<typename P::Gradient, L::in>;
};
template <class L, class P, class D> struct Calls : Called<L, P, D> {
  using Output = Rows<typename P::Activation, L::out>;
  using OutputGradient = Rows<const typename P::Gradient, L::out>;
};
// Variables, as in core/contract.hpp.

template <class L, class P, class D, class C = Called<L, P, D>>
inline constexpr bool keeps = requires(Arena& arena, Shape shape) {
  { C::Real::allocate_saved(arena, shape) } -> std::convertible_to<typename C::Real::Saved>;
};
template <class L, class P, class D, class C = Calls<L, P, D>>
inline constexpr bool forward = requires(const Step<D>& at, const typename C::Values& w, typename C::Input x,
                                         typename C::Output y, typename C::Real::Saved& saved) {
  C::Real::forward(at, w, x, y, saved);
};
template <class L, class P, class D, class C = Calls<L, P, D>>
inline constexpr bool backward = requires(const Step<D>& at, const typename C::Values& w,
                                          const typename C::Real::Saved& saved, typename C::OutputGradient dy,
                                          typename C::InputGradient dx, Write how, const typename C::Gradients& g) {
  C::Real::backward(at, w, saved, dy, dx, how, g);
};
template <class L, class P, class D> inline constexpr bool has_all =
    refuse::has_widths<L>&& refuse::has_weights<L, float>&& refuse::has_impl<L, P, D>&&
        refuse::has_saved<entrain::Impl<L, P, D>>&& refuse::has_allocate_saved<entrain::Impl<L, P, D>>&&
            refuse::has_forward<entrain::Impl<L, P, D>>&& refuse::has_backward<entrain::Impl<L, P, D>>;

}  // namespace detail

/// `static_assert(contract<L, P, D>());` refuses a layer that does not meet an obligation (core/contract.hpp), or whose
/// functions do not take the arguments that they are called with.
template <class L, class P, class D> consteval bool contract() {
  // Completed here, not in the call below, a part's fault has one line less for each layer around it in g++'s output.
  if constexpr (refuse::has_impl<L, P, D>) static_assert(sizeof(typename L::template Impl<P, D, Needs{}>) > 0);
  static_assert(layer_contract<L, P, D>());
  if constexpr (detail::has_all<L, P, D>) {
    static_assert(detail::keeps<L, P, D>,
                  "entrain: this layer's Impl<P, D>::allocate_saved has another signature than 'static Saved "
                  "allocate_saved(Arena&, Shape)'; see "
                  "docs/extending/layer.md.");
    static_assert(detail::forward<L, P, D>,
                  "entrain: this layer's Impl<P, D>::forward does not take (const Step<D>&, const Weights<const "
                  "P::Weight>&, Rows<const P::Activation, in>, Rows<P::Activation, out>, Saved&); see "
                  "docs/extending/layer.md.");
    static_assert(detail::backward<L, P, D>,
                  "entrain: this layer's Impl<P, D>::backward does not take (const Step<D>&, const Weights<const "
                  "P::Weight>&, const Saved&, Rows<const P::Gradient, out>, Rows<P::Gradient, in>, Write, const "
                  "Weights<P::Sum>&); see docs/extending/layer.md.");
  }
  return true;
}

}  // namespace entrain::layer
