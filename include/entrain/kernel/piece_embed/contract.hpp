// core > device, precision > tensor > [kernel] > layer
//
// The sum of the embeddings of a piece, of its position and, if there are segments, of its segment; and its layer norm.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The implementation of the op below for a device: kernel/piece_embed/cpu.hpp. Its adjoint is dropout,
/// layer_norm_back, and then hash_embed_back with one hash, once for each table.
template <class D> struct PieceEmbed : InTransformer<D> {};

/// sum[n,c] = word[ids[n],c] + position[places[n],c] + type[0,c],  without the last term if Types = 0;
/// y = dropout(layer_norm(sum)) in training, else layer_norm(sum)
///
/// shapes    word [V,C], position [P,C], type [Types,C]; ids, places [N]; gain, shift [C]; sum, y [N,C]; stat [N,2] =
///           mean, rstd
/// saves     the caller keeps sum and stat
/// source    Devlin et al. 2018, arXiv:1810.04805, figure 2, for one segment; without segments: Sanh et al. 2019,
///           arXiv:1910.01108
template <class D, class A, class W, class S, int V, int Types, int P, int C>
void piece_embed_norm(const Step<D>& at, Table<const W, V, C> word, const std::int32_t* ids,
                      Table<const W, P, C> position, const std::int32_t* places, Table<const W, Types, C> type,
                      Weight<const S, 1, C> gain, Weight<const S, 1, C> shift, double eps, Rows<A, C> sum,
                      Rows<S, 2> stat, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(11. * y.n * C, sizeof(A) * 4. * y.n * C);
  } else {
    PieceEmbed<D>::template forward<(Types > 0)>(at, word.data, ids, position.data, places, type.data, gain.data,
                                                 shift.data, eps, sum, stat, y);
  }
}

}  // namespace entrain::kernel
