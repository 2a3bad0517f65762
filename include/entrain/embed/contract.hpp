// text > batch > [embed] > encode > head > optim > checkpoint
//
// The requirements on an embedding (multi_hash.hpp has an example), and one sentence for each that a type does not
// meet.
#pragma once
#include <concepts>

#include "entrain/batch/encode/features.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::embed {

/// Before a precision and a device are known.
///
/// Features: what it packs of words (batch/), and View, how a step reads it. each_table names the rows that are read.
template <class E>
concept IsEmbedding = requires {
  { E::out } -> std::convertible_to<int>;
  typename E::Features;
  typename E::Features::View;
  typename E::template Weights<float>;
};

template <class E> inline constexpr bool is_embedding = IsEmbedding<E>;  // for static_assert

namespace detail {

template <class E, class P, class D, Needs G> struct Called {
  using Real = entrain::Impl<E, P, D, G>;
  using View = typename E::Features::View;
  using Values = typename E::template Weights<const typename P::Weight>;
  using Gradients = typename E::template Weights<typename P::Sum>;
};
// Variables, as in core/contract.hpp.

template <class E, class P, class D, Needs G> inline constexpr bool has_impl = requires {
  typename E::template Impl<P, D, G>::Saved;
};
template <class E, class P, class D, Needs G, class C = Called<E, P, D, G>>
inline constexpr bool keeps = requires(Arena& arena, Shape shape) {
  { C::Real::allocate_saved(arena, shape) } -> std::convertible_to<typename C::Real::Saved>;
};
template <class E, class P, class D, Needs G, class C = Called<E, P, D, G>>
inline constexpr bool forward = requires(const Step<D>& at, const typename C::Values& w, const typename C::View& words,
                                         Rows<typename P::Activation, E::out> y, typename C::Real::Saved& saved) {
  C::Real::forward(at, w, words, y, saved);
};
template <class E, class P, class D, Needs G, class C = Called<E, P, D, G>>
inline constexpr bool backward = requires(const Step<D>& at, const typename C::Values& w,
                                          const typename C::Real::Saved& saved, const typename C::View& words,
                                          Rows<const typename P::Gradient, E::out> dy, const typename C::Gradients& g) {
  C::Real::backward(at, w, saved, words, dy, g);
};
template <class E>
inline constexpr bool names_tables = requires(const typename E::Features::View& words, void (*f)(const CsrIndex&)) {
  E::each_table(words, f);
};

}  // namespace detail

/// `static_assert(embedding_contract<E, P, D, G>());` does not compile for an embedding that cannot be called on this
/// precision and device: one sentence for each function that is missing or takes something else.
template <class E, Precision P, class D, Needs G> consteval bool embedding_contract() {
  static_assert(batch::AreFeatures<typename E::Features>::value);
  static_assert(detail::names_tables<E>,
                "entrain: this embedding has no each_table(const Features::View&, f), which calls f(CsrIndex) for each "
                "of its tables; see embed/multi_hash.hpp.");
  static_assert(detail::has_impl<E, P, D, G>,
                "entrain: this embedding has no 'template <Precision P, class D, Needs G> struct Impl' with Saved, its "
                "implementation; see embed/multi_hash.hpp.");
  if constexpr (detail::has_impl<E, P, D, G>) {
    static_assert(
        detail::keeps<E, P, D, G>,
        "entrain: this embedding has no 'static Saved allocate_saved(Arena&, Shape)' in Impl<P, D, G>, memory for what "
        "backward needs; see embed/multi_hash.hpp.");
    static_assert(detail::forward<E, P, D, G>,
                  "entrain: this embedding has no forward(const Step<D>&, const Weights<const P::Weight>&, const "
                  "Features::View&, Rows<P::Activation, out>, Saved&) in Impl<P, D, G>; see embed/multi_hash.hpp.");
    static_assert(!G.params || detail::backward<E, P, D, G>,
                  "entrain: this embedding has no backward(const Step<D>&, const Weights<const P::Weight>&, const "
                  "Saved&, const Features::View&, Rows<const P::Gradient, out>, const Weights<P::Sum>&) in Impl<P, D, "
                  "G>, so it cannot be trained; see embed/multi_hash.hpp.");
  }
  return true;
}

}  // namespace entrain::embed
