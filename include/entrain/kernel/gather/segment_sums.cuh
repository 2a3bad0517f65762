// core > device, precision > tensor > [kernel] > layer
//
// Sums over segments, the adjoints of lookups. A segment is divided into pieces by its length alone. A thread sums a
// piece over a few channels, item after item; a second kernel adds the pieces of segments that have several, in order.
// So the bits do not depend on the card, and no two threads add to one number.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/tensor/csr_index.hpp"

namespace entrain::kernel::detail {

/// Terms of each of n sums that a thread loads at once: with eight sums there are no registers for more.
template <int n> inline constexpr int terms_in_flight = n > 4 ? 8 : 16;

/// Items of a piece: 64. More, if adding the pieces would take longer than adding the items of one, or if their sums
/// would not fit into the workspace.
template <class S> constexpr int items_of_piece(std::size_t items, std::size_t channels, std::size_t workspace_bytes) {
  std::size_t piece = 64;
  while (piece * piece < items || (items / piece + 1) * 2 * channels * sizeof(S) > workspace_bytes) piece *= 2;
  return static_cast<int>(piece);
}

/// CsrIndex in pieces. No kernel counts the pieces: a segment's first piece belongs to the segment, and each later one
/// to the tile of items in which it begins. Pieces of a segment begin one tile apart, and a segment with several pieces
/// is longer than a tile. So in one tile at most one later piece begins, and at most one first piece of a long segment.
template <class S, int C> struct Pieces {
  CsrIndex segments;
  int items;  // of a piece, and of a tile
  int tiles;
  S* sums;  // [2 tiles, C]: the first piece of a long segment that begins in a tile, then the later piece of each tile

  struct Range {
    int first, last;
  };
  __device__ Range segment(int s) const { return {segments.starts[s], segments.starts[s + 1]}; }
  __device__ bool is_long(Range segment) const { return segment.last - segment.first > items; }
  __device__ Range first_piece(Range segment) const {
    return {segment.first, is_long(segment) ? segment.first + items : segment.last};
  }
  /// The later piece (not a first one) that begins in a tile; last <= first if there is none.
  __device__ Range later_piece(int tile) const {
    const int at = tile * items;
    int low = 0, high = segments.count;
    while (high - low > 1) {  // the last segment that begins before the tile
      const int middle = (low + high) / 2;
      const bool before = segments.starts[middle] < at;  // mutant 129
      low = before ? middle : low;
      high = before ? high : middle;
    }
    const Range found = segment(low);
    const int first = found.first + (at - found.first + items - 1) / items * items;
    return {first, first + items < found.last ? first + items : found.last};  // mutant 130
  }
  /// The address of the sum of a segment's piece k.
  __device__ S* sum(Range segment, int k) const {
    const int tile = segment.first / items + k;
    return sums + static_cast<std::int64_t>(k == 0 ? tile : tiles + tile) * C;
  }
};

/// sum += number(i) for i = first ... last - 1, in this order
///
/// number    returns a device::Few. AtOnce of them are loaded before the first is added, without a branch between:
///           after the end of a sum the last one is loaded again, and is not added.
template <class Few, int AtOnce, int N, class S, class Number>
__device__ void add_in_order(int first, int last, S (&sum)[N], const Number& number) {
  for (int i = first; i < last; i += AtOnce) {
    Few part[AtOnce];
    ENTRAIN_UNROLL
    for (int k = 0; k < AtOnce; ++k) part[k] = number(i + k < last ? i + k : last - 1);
    ENTRAIN_UNROLL
    for (int k = 0; k < AtOnce; ++k) {
      ENTRAIN_UNROLL
      for (int j = 0; j < N; ++j) sum[j] = i + k < last ? sum[j] + static_cast<S>(part[k].of[j]) : sum[j];
    }
  }
}

/// The first piece of every segment, then the later piece of every tile except the first tile.
template <class Terms> struct SumPieces {
  static constexpr int n = Terms::few;
  using S = typename Terms::Sum;
  Terms terms;
  Pieces<S, Terms::width> pieces;
  __device__ void operator()(int row, int channel) const {
    const CsrIndex& segments = pieces.segments;
    S sum[n] = {};
    if (row >= segments.count) {
      const int tile = row - segments.count + 1;
      const auto piece = pieces.later_piece(tile);
      if (piece.first >= piece.last) return;
      add(piece, channel, sum);
      keep(sum, pieces.sums + static_cast<std::int64_t>(pieces.tiles + tile) * Terms::width + channel);
      return;
    }
    if (segments.ids[row] < 0) return;
    const auto segment = pieces.segment(row);
    terms.begin(segments.ids[row], channel, sum);
    add(pieces.first_piece(segment), channel, sum);
    if (pieces.is_long(segment)) {
      keep(sum, pieces.sum(segment, 0) + channel);
    } else {
      terms.write(segments.ids[row], channel, sum);
    }
  }

 private:
  template <class Range> __device__ void add(Range piece, int channel, S (&sum)[n]) const {
    const std::int32_t* const items = pieces.segments.items;
    add_in_order<typename Terms::Few, terms_in_flight<n>>(piece.first, piece.last, sum,
                                                          [&](int i) { return terms.term(items[i], channel); });
  }
  __device__ static void keep(const S (&sum)[n], S* to) {
    device::Few<S, n> all;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) all.of[i] = sum[i];
    all.store(to);
  }
};

/// Adds the pieces of every segment that has several, then calls `end` for each row, whose sum is complete by then.
template <class Terms> struct AddPieces {
  static constexpr int n = Terms::few;
  using S = typename Terms::Sum;
  Terms terms;
  Pieces<S, Terms::width> pieces;
  __device__ void operator()(int row, int channel) const {
    using Few = device::Few<S, n>;
    const auto segment = pieces.segment(row);
    const std::int32_t id = pieces.segments.ids[row];
    if (id < 0) return;
    if (pieces.is_long(segment)) {
      S sum[n] = {};
      add_in_order<Few, terms_in_flight<n>>(0, (segment.last - segment.first + pieces.items - 1) / pieces.items, sum,
                                            [&](int k) { return Few::load(pieces.sum(segment, k) + channel); });
      terms.write(id, channel, sum);
    }
    terms.end(id, channel);
  }
};

/// The sum of terms over each segment, in the order of its items, starting from the value that `begin` sets.
///
/// most      an upper bound of the number of items
/// Terms     `Sum`, a type; `width` channels, of which a thread has `few` neighbours; `Few term(item, channel)`;
///           `begin(id, channel, sum)` and `write(id, channel, sum)` on sums; `end(id, channel)`, called if `ends`,
///           after the last call of `begin`
template <class D, class Terms> void segment_sums(const D& dev, const Terms& terms, CsrIndex segments, int most) {
  if (segments.count == 0) return;
  using S = typename Terms::Sum;
  constexpr int C = Terms::width, n = Terms::few;
  const int items = items_of_piece<S>(static_cast<std::size_t>(most), C, D::workspace_bytes);
  const int tiles = (most + items - 1) / items;  // mutant 131
  const Pieces<S, C> pieces{segments, items, tiles, reinterpret_cast<S*>(dev.workspace())};
  device::each<n, C>(dev.stream(), segments.count + tiles - 1, SumPieces<Terms>{terms, pieces});  // mutant 132
  if (tiles > 1 || Terms::ends) device::each<n, C>(dev.stream(), segments.count, AddPieces<Terms>{terms, pieces});
}

}  // namespace entrain::kernel::detail
