// core > device, precision > tensor > [kernel] > layer
//
// Dropout of the numbers that a lane holds of a row: their bits are drawn before they are there.
#pragma once
#include <cstdint>

#include "entrain/device/warp.cuh"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

/// dropped(x, i) = x m,   m: dropout's factor of the lane's number i, 1 in evaluation
///
/// saves     16 bits a number, in registers
template <bool Training, class A, int C> class RowDropout {
  using Row = device::WarpRow<A, C>;

 public:
  __device__ RowDropout(int row, int lane, const Counters* counters, Site site)
      : RowDropout(row, lane, *counters, DropoutFactors(*counters), site) {}
  __device__ RowDropout(int row, int lane, const Counters& counters, const DropoutFactors& factor, Site site)
      : factor_(factor) {
    if constexpr (Row::few == 4) {
      draw_for_two(row, lane, counters, site);
    } else {
      static_assert(8 % Row::few == 0, "entrain: neighbours of a group have their bits from one draw");
      Row::each_group(lane, [&](int place, int first) {
        const auto drawn = dropout_words(counters, site, row, first / 8);
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
  static constexpr int words = Row::few > 1 ? Row::few / 2 : 1;  // of a group

  /// Where a lane has four neighbours, two lanes share a draw of eight: each draws for one of two groups and gives the
  /// other its half, because drawing is most of the work.
  __device__ void draw_for_two(int row, int lane, const Counters& counters, Site site) {
    const bool odd = lane % 2 != 0;
    ENTRAIN_UNROLL
    for (int g = 0; g < Row::groups; g += 2) {
      const auto mine = dropout_words(counters, site, row, ((g + (odd ? 1 : 0)) * Row::lanes + lane) / 2);
      ENTRAIN_UNROLL
      for (int i = 0; i < 2; ++i) {
        const std::uint32_t kept = odd ? mine[2 + i] : mine[i];
        const std::uint32_t got = __shfl_xor_sync(device::all_lanes, odd ? mine[i] : mine[2 + i], 1);
        bits_[g][i] = odd ? got : kept;
        if (g + 1 < Row::groups) bits_[g + 1][i] = odd ? kept : got;
      }
    }
  }
  /// The word that has a channel's bits, in its lower half. Chosen, not looked up: an index would send the words
  /// through memory.
  __device__ static std::uint32_t of_channel(const RandomWords<4>& drawn, int channel) {
    const std::uint32_t front = channel % 4 < 2 ? drawn[0] : drawn[1], back = channel % 4 < 2 ? drawn[2] : drawn[3];
    return (channel < 4 ? front : back) >> channel % 2 * 16;
  }

  DropoutFactors factor_;
  std::uint32_t bits_[Row::groups][words];
};

template <class A, int C> class RowDropout<false, A, C> {
 public:
  __device__ RowDropout(int, int, const Counters*, Site) {}
  __device__ RowDropout(int, int, const Counters&, const DropoutFactors&, Site) {}
  __device__ float operator()(float x, int) const { return x; }
};

}  // namespace entrain::kernel::detail
