// core > device, precision > tensor > [kernel] > layer
//
// The sum of what a piece is, where it stands and, if there are segments, which one it belongs to.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The device's side of the verb below: piece_embed/cpu.hpp. Its adjoint is hash_embed_back with one hash, once for
/// each table.
template <class D> struct PieceEmbed;

/// y[n,c] = word[ids[n],c] + position[at[n],c] + type[0,c],  without the last if S = 0
///
/// shapes    word [V,C], position [P,C], type [S,C]; ids, at [N]; y [N,C]
/// source    Devlin et al. 2018, arXiv:1810.04805, figure 2, for one segment; without: Sanh et al. 2019,
///           arXiv:1910.01108
template <class D, class A, class W, int V, int S, int M, int C>
void piece_embed(const D& dev, Table<const W, V, C> word, const std::int32_t* ids, Table<const W, M, C> position,
                 const std::int32_t* at, Table<const W, S, C> type, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(2. * y.n * C, sizeof(A) * 3. * y.n * C);
  } else {
    PieceEmbed<D>::template forward<(S > 0)>(dev, word.data, ids, position.data, at, type.data, y);
  }
}

}  // namespace entrain::kernel
