// core > device, precision > tensor > [kernel] > layer
//
// Dropout of a lane's numbers of a row: it draws the bits before the numbers are loaded.
#pragma once
#include <cstdint>

#include "entrain/device/warp.cuh"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

/// The values shared by all rows, read once; empty in evaluation.
template <bool Training> struct DropoutOfRows {
  Counters counters;
  DropoutFactors factor;
  RngStream rng_stream;

  __device__ DropoutOfRows(const Counters* from, RngStream rng_stream_)
      : counters(*from), factor(counters), rng_stream(rng_stream_) {}
};
template <> struct DropoutOfRows<false> {
  __device__ DropoutOfRows(const Counters*, RngStream) {}
};

/// dropped(x, i) = x m,   m: dropout's factor of the lane's number i, 1 in evaluation
///
/// Row       how lanes hold the row
/// saves     16 bits a number, in registers
template <bool Training, class A, int C, class Row = device::WarpRow<A, C>> class RowDropout {
  static constexpr int words = Row::few > 1 ? Row::few / 2 : 1;  // of a group

 public:
  __device__ RowDropout(int row, int lane, const DropoutOfRows<Training>& of) : factor_(of.factor) {
    if constexpr (Row::few == 4) {
      draw_for_two(row, lane, of);
    } else {
      static_assert(8 % Row::few == 0, "entrain: the elements of a group share the bits of one random number");
      Row::each_group(lane, [&](int place, int first) {
        const auto drawn = dropout_words(of.counters, of.rng_stream, row, first / 8);
        if constexpr (Row::few == 8) {
          ENTRAIN_UNROLL
          for (int i = 0; i < words; ++i) bits_[place / Row::few][i] = drawn[i];
        } else {
          bits_[place / Row::few][0] = of_channel(drawn, first % 8);
        }
      });
    }
  }
  __device__ float operator()(float x, int i) const {
    return x * factor_.of(bits_[i / Row::few][i % Row::few / 2], i % Row::few);
  }

 private:
  /// If a lane has four neighbours, two lanes share a draw of eight: each draws for one of two groups and gives the
  /// other lane its half, because drawing is most of the work.
  __device__ void draw_for_two(int row, int lane, const DropoutOfRows<Training>& of) {
    const bool odd = lane % 2 != 0;
    ENTRAIN_UNROLL
    for (int g = 0; g < Row::groups; g += 2) {
      const auto mine = dropout_words(of.counters, of.rng_stream, row, ((g + (odd ? 1 : 0)) * Row::lanes + lane) / 2);
      ENTRAIN_UNROLL
      for (int i = 0; i < 2; ++i) {
        const std::uint32_t kept = odd ? mine[2 + i] : mine[i];
        const std::uint32_t got = __shfl_xor_sync(device::all_lanes, odd ? mine[i] : mine[2 + i], 1);
        bits_[g][i] = odd ? got : kept;
        if (g + 1 < Row::groups) bits_[g + 1][i] = odd ? kept : got;
      }
    }
  }
  /// The word with a channel's bits, in its lower half. Selected by comparison: an index would move the words into
  /// memory.
  __device__ static std::uint32_t of_channel(const RandomWords<4>& drawn, int channel) {
    const std::uint32_t front = channel % 4 < 2 ? drawn[0] : drawn[1], back = channel % 4 < 2 ? drawn[2] : drawn[3];
    return (channel < 4 ? front : back) >> channel % 2 * 16;
  }

  DropoutFactors factor_;
  std::uint32_t bits_[Row::groups][words];  // mutant 182
};

template <class A, int C, class Row> class RowDropout<false, A, C, Row> {
 public:
  __device__ RowDropout(int, int, const DropoutOfRows<false>&) {}
  __device__ float operator()(float x, int) const { return x; }
};

}  // namespace entrain::kernel::detail
