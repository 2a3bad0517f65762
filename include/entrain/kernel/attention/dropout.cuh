// core > device, precision > tensor > [kernel] > layer
//
// Dropout of attention weights, drawn where a warp needs it. Read block.cuh first.
#pragma once
#include <cstdint>

#include "entrain/device/tile.cuh"
#include "entrain/kernel/attention/block.cuh"
#include "entrain/kernel/dropout/cuda.cuh"

namespace entrain::kernel::detail {

/// Dropout's factor, and the random numbers that determine where it is 0. KeysOwn: the warp's rows are keys and columns
/// queries, else the other way round.
template <bool KeysOwn> struct AttentionDropout {
  bool drops;
  Counters counters;
  RngStream rng_stream;
  std::uint32_t limit = 0;  // compared with the upper 16 bits of a word
  float scale = 1;          // of weights that are kept

  /// The loads of the counters are in flight until begin(): a late call of begin() waits less.
  __device__ explicit AttentionDropout(const AttentionStep& at)
      : drops(at.counters != nullptr), rng_stream(at.rng_stream) {
    if (drops) counters = *at.counters;
  }
  __device__ void begin() {
    if (!drops) return;
    const DropoutFactors all(counters);
    const bool some = all.limit < 65536;  // are kept
    limit = some ? all.limit << 16 : ~0u;
    scale = some ? all.scale : 0;
  }
  /// A random number for each number of a tile of the warp's rows and 16 columns from `column` on, a multiple of 8. The
  /// random bits are the upper 16; the lower bits do not matter, because those of limit are 0.
  template <class Memory>
  __device__ void draw(std::uint32_t (&random)[2][4], Memory& memory, const AttentionPlace& place, int column) const {
    using Tile = device::WarpTile<2>;
    Tile::each([&](int j, int e) { random[j][e] = 0; });
    if (!drops) return;
    // One draw covers eight keys, so a tile has one for each lane: of query lane % 16 for keys from lane / 16 * 8 on.
    RandomWords<4>* const words = memory.random_words(place.warp);
    const int query = (KeysOwn ? column : place.warp_row()) + place.lane % 16;
    const int key = (KeysOwn ? place.warp_row() : column) + place.lane / 16 * 8;
    words[place.lane] = dropout_words(counters, rng_stream, query, attention_block(place.head, key));
    __syncwarp();
    const int own = Tile::row(place.lane, 0);
    ENTRAIN_UNROLL
    for (int j = 0; j < 2; ++j) {
      ENTRAIN_UNROLL
      for (int i = 0; i < 2; ++i) {
        const int other = Tile::column(place.lane, j, 0);
        if constexpr (KeysOwn) {
          const auto* const numbers = reinterpret_cast<const std::uint16_t*>(words + i * 16 + other) + own;
          random[j][2 * i] = static_cast<std::uint32_t>(numbers[0]) << 16;
          random[j][2 * i + 1] = static_cast<std::uint32_t>(numbers[8]) << 16;
        } else {
          const std::uint32_t two = words[j * 16 + i * 8 + own].of[other % 8 / 2];
          random[j][2 * i] = two << 16;
          random[j][2 * i + 1] = two;
        }
      }
    }
    __syncwarp();  // all lanes have read the words
  }
  __device__ bool stays(std::uint32_t random) const { return random >= limit; }
  __device__ float factor(std::uint32_t random) const { return stays(random) ? scale : 0.0f; }
};

}  // namespace entrain::kernel::detail
