// text > batch > embed > encode > [head] > optim > checkpoint
//
// The requirements on a head (softmax.hpp is an example), and one sentence for each that a type does not meet.
#pragma once
#include <concepts>
#include <string_view>

#include "entrain/core/contract.hpp"
#include "entrain/core/loss.hpp"
#include "entrain/device/step.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::head {

/// The requirements that need no precision and device.
template <class H>
concept IsHead = requires {
  { H::in } -> std::convertible_to<int>;
  { H::loss_name } -> std::convertible_to<std::string_view>;
  typename H::Task;
  typename H::template Weights<float>;
};

template <class H> inline constexpr bool is_head = IsHead<H>;  // for static_assert

/// The name of the parameter that is added to each label's score, [1,K]; empty: the head has none. train::calibrate
/// shifts it.
template <class H> inline constexpr std::string_view label_bias_of = [] {
  if constexpr (requires { H::label_bias; }) {
    return std::string_view(H::label_bias);
  } else {
    return std::string_view();
  }
}();

/// Which of LossKnobs the head's loss reads: none, if the head has no `loss_reads`.
template <class H> inline constexpr LossReads loss_reads_of = [] {
  if constexpr (requires { H::loss_reads; }) {
    return LossReads(H::loss_reads);
  } else {
    return LossReads();
  }
}();

/// The prefix, up to a dot, of the names of the parameters that a classifier of transformers does not have. A folder
/// for transformers has them in a file of that name. Empty: there are none.
template <class H> inline constexpr std::string_view own_part_of = [] {
  if constexpr (requires { H::own_part; }) {
    return std::string_view(H::own_part);
  } else {
    return std::string_view();
  }
}();

namespace detail {

// Variables, as in core/contract.hpp.

template <class H, class P, class D, class C = layer::detail::Called<H, P, D>>
inline constexpr bool forward = requires(const Step<D>& at, const typename C::Values& w, typename C::Input x,
                                         typename H::Task::Targets targets, typename P::Sum* loss,
                                         typename C::Real::Saved& saved) {
  C::Real::forward(at, w, x, targets, loss, saved);
};
template <class H, class P, class D, class C = layer::detail::Called<H, P, D>>
inline constexpr bool backward = requires(const Step<D>& at, const typename C::Values& w,
                                          const typename C::Real::Saved& saved, typename H::Task::Targets targets,
                                          typename C::InputGradient dx, const typename C::Gradients& g) {
  C::Real::backward(at, w, saved, targets, dx, g);
};
template <class H, class P, class D, class C = layer::detail::Called<H, P, D>>
inline constexpr bool decodes = requires(const Step<D>& at, const typename C::Values& w, typename C::Input x,
                                         typename H::Task::Prediction out) {
  C::Real::decode(at, w, x, out);
};

}  // namespace detail

/// `static_assert(head_contract<H, P, D>());` does not compile for a head that cannot be called on this precision and
/// device: one sentence for each function that is missing or takes other arguments.
template <class H, Precision P, class D> consteval bool head_contract() {
  static_assert(task::task_contract<typename H::Task>());
  static_assert(
      refuse::has_impl<H, P, D>,
      "entrain: this head has no 'template <Precision P, class D, Needs G> struct Impl', its implementation; see "
      "docs/extending/head.md.");
  if constexpr (task::IsTask<typename H::Task> && refuse::has_impl<H, P, D>) {
    static_assert(layer::detail::keeps<H, P, D>,
                  "entrain: this head has no 'static Saved allocate_saved(Arena&, Shape)' in Impl<P, D, G>, memory for "
                  "what backward "
                  "needs; see docs/extending/head.md.");
    if constexpr (layer::detail::keeps<H, P, D>) {
      static_assert(detail::forward<H, P, D>,
                    "entrain: this head has no forward(const Step<D>&, const Weights<const P::Weight>&, Rows<const "
                    "P::Activation, in>, Task::Targets, P::Sum* loss, Saved&) in Impl<P, D, G>; see "
                    "docs/extending/head.md.");
      static_assert(detail::backward<H, P, D>,
                    "entrain: this head has no backward(const Step<D>&, const Weights<const P::Weight>&, const Saved&, "
                    "Task::Targets, Rows<P::Gradient, in>, const Weights<P::Sum>&) in Impl<P, D, G>, so it "
                    "cannot be trained; see docs/extending/head.md.");
    }
    static_assert(detail::decodes<H, P, D>,
                  "entrain: this head has no decode(const Step<D>&, const Weights<const P::Weight>&, Rows<const "
                  "P::Activation, in>, Task::Prediction) in Impl<P, D, G>, so it cannot predict; see "
                  "docs/extending/head.md.");
  }
  return true;
}

}  // namespace entrain::head
