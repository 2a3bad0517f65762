// core > device, precision > tensor > [kernel] > layer
//
// Embedding by several hashes: a word's vector is the sum of the table rows that its hashes select.
#pragma once
#include <type_traits>

#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

template <class D> struct HashEmbed : InTagger<D> {};

/// y[u, column ... column + C - 1] = sum_h table[row[u, h]]      h = 0 ... H-1
///
/// shapes    table [R,C]; rows [U, H] int32, `stride` apart; y [U, W], the op writes a column range of it
/// source    Svenstrup, Hansen, Winther 2017, "Hash embeddings", arXiv:1709.03933, with equal importance, as spaCy does
template <int H, class D, class A, class W, int R, int C, int Width>
void hash_embed(const D& dev, Table<const W, R, C> table, const std::int32_t* rows, int stride, int column,
                Rows<A, Width> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * H * y.n * C, sizeof(A) * (H + 1.) * y.n * C);
  } else {
    HashEmbed<D>::template forward<H>(dev, table, rows, stride, column, y);
  }
}

/// g[ids[s]] (+)= sum of dy's column range over the items of segment s (an item is u * H + h, so its row is item / H)
///
/// The first write to a row in a step assigns and stamps the row with the step's number, from 1; later writes of the
/// same step add.
template <int H, class D, class A, class S, int R, int C, int Width>
void hash_embed_back(const Step<D>& at, Rows<const A, Width> dy, int column, CsrIndex segments, Table<S, R, C> g) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(1. * H * dy.n * C, sizeof(A) * 2. * H * dy.n * C);
  } else {
    HashEmbed<D>::template backward<H>(at, dy, column, segments, g);
  }
}

}  // namespace entrain::kernel
