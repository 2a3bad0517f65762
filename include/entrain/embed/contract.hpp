// text > batch > [embed] > encode > head > optim > checkpoint
//
// What an embedding is, as multi_hash.hpp has one, before a precision and a device are known.
#pragma once
#include <concepts>

namespace entrain::embed {

/// Features: what it packs of words (batch/), and View, how a step reads it. each_table names the rows that are read.
template <class E>
concept IsEmbedding = requires {
  { E::out } -> std::convertible_to<int>;
  typename E::Features;
  typename E::Features::View;
  typename E::template Weights<float>;
};

template <class E> inline constexpr bool is_embedding = IsEmbedding<E>;  // for static_assert, as device::is_device

}  // namespace entrain::embed
