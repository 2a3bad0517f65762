// core > device, precision > tensor > [kernel] > layer
//
// A weight in bf16, as products read it in training: rounded and packed once, when the optimizer changes the weight, in
// as much memory as its fp32 numbers take.
//
// With copies, a step of MiniLM is 1.01 times as fast with one thread and 1.02 to 1.03 times with two, and with four
// batches per step 1.04 times (medians of 61 and 21 interleaved slices, Zen 5); of BERT-base, 1.04 and 1.02 times (11).
#pragma once
#include <cstddef>
#include <limits>

#include "entrain/kernel/gemm/block_packing.hpp"
#include "entrain/kernel/gemm/pairs.hpp"
#include "entrain/kernel/gemm/tiles.hpp"

namespace entrain::kernel::detail {

/// The right operand of a product, packed: panels of 32 columns of the result.
struct PackedColumns {
  const Pair* data;     // of panel `first`
  std::ptrdiff_t size;  // pairs from one panel to the next
  std::ptrdiff_t step;  // pairs from a panel's first 16 columns to its second ones
  bool fetched;         // whether a worker fetches each panel while it multiplies the one before
  int first = 0;
  int of_factor = std::numeric_limits<int>::max();  // panels of each stacked factor
  std::ptrdiff_t gap = 0;                           // pairs after those of a factor

  const Pair* operator[](int p) const { return data + (p - first) * size + p / of_factor * gap; }
};

/// The copy of a weight [outputs, inputs]: the tiles of the right operand of y = x w^T, then those of dx = dy w. The
/// copies of factors that are stacked by rows follow each other.
///
/// requires  is_made()
class WeightCopy {
 public:
  constexpr WeightCopy(int outputs, int inputs) : outputs_(outputs), inputs_(inputs) {}

  /// Only weights of whole blocks have a copy; those of pretrained encoders are.
  constexpr bool is_made() const { return has_whole_blocks(outputs_, inputs_); }

  static constexpr int part_rows = block_rows;
  constexpr int parts() const { return outputs_ / part_rows; }
  /// Rounds and packs rows [32 part, 32 part + 32) of w [outputs, inputs].
  void make(int part, const float* w, std::byte* to) const {
    Pair* const pairs = reinterpret_cast<Pair*>(to);
    const float* const rows = w + static_cast<std::ptrdiff_t>(part) * part_rows * inputs_;
    const int across = inputs_ / tile_depth, down = outputs_ / tile_depth;
    for (int k = 0; k < across; ++k)
      for (int half = 0; half < 2; ++half)
        stream_tile<SumAxis::along, Side::right>(rows + half * tile_rows * inputs_ + k * tile_depth, inputs_,
                                                 pairs + tile(2 * part + half, across, k));
    for (int i = 0; i < inputs_ / tile_rows; ++i)
      stream_tile<SumAxis::down, Side::right>(rows + i * tile_rows, inputs_, pairs + size() + tile(i, down, part));
    end_stream();
  }

  /// Of y = x w^T: panels of 32 outputs of all factors, all tiles along the inputs.
  PackedColumns forward(const std::byte* copy) const {
    const std::ptrdiff_t step = tile(1, inputs_ / tile_depth, 0);
    return {reinterpret_cast<const Pair*>(copy), 2 * step, step, true, 0, parts(), size()};
  }
  /// Of dx = dy w: panels of 32 inputs of one factor, all tiles along its outputs.
  PackedColumns backward(const std::byte* copy, int factor) const {
    const std::ptrdiff_t step = tile(1, outputs_ / tile_depth, 0);
    return {reinterpret_cast<const Pair*>(copy) + (2 * factor + 1) * size(), 2 * step, step, true};
  }

 private:
  /// The k-th of `deep` tiles along the sum for 16 columns.
  static constexpr std::ptrdiff_t tile(int column, int deep, int k) {
    return (static_cast<std::ptrdiff_t>(column) * deep + k) * tile_size;
  }
  constexpr std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(outputs_) * inputs_ / 2; }  // pairs

  int outputs_, inputs_;
};

}  // namespace entrain::kernel::detail
