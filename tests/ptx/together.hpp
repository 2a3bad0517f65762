// tests > [ptx]
//
// What the lanes of a warp do together.
//
// source    PTX ISA 9.0, shfl, vote, match, redux, ldmatrix and mma
#pragma once
#include <cstring>

#include "tests/ptx/conversions.hpp"
#include "tests/ptx/memories.hpp"

namespace ptx::doing {

enum Shuffle { shuffle_up, shuffle_down, shuffle_butterfly, shuffle_index };
inline void run_shuffle(Warp& w, const Instruction& i) {
  ++w.counts->shuffles;
  u32 before[lanes];
  std::memcpy(before, w.reg<u32>(i.from[0]), sizeof before);
  each_lane(w.mask, [&](unsigned l) {
    const u32 b = w.reg<u32>(i.from[1])[l] & 31, c = w.reg<u32>(i.from[2])[l];
    const u32 end = c & 31, segment = c >> 8 & 31;
    const u32 most = (l & segment) | (end & ~segment), first = l & segment;
    s32 j = static_cast<s32>(l);
    bool there = false;
    switch (i.choice) {
      case shuffle_up:
        j -= static_cast<s32>(b), there = j >= static_cast<s32>(most);
        break;
      case shuffle_down:
        j += static_cast<s32>(b), there = j <= static_cast<s32>(most);
        break;
      case shuffle_butterfly:
        j = static_cast<s32>(l ^ b), there = j <= static_cast<s32>(most);
        break;
      default:
        j = static_cast<s32>(first | (b & ~segment)), there = j <= static_cast<s32>(most);
    }
    if (!there) j = static_cast<s32>(l);
    if ((w.mask >> j & 1) == 0)
      w.fail(i, "a shuffle reads lane " + std::to_string(j) + ", which is not there", static_cast<int>(l));
    w.reg<u32>(i.to[0])[l] = before[j];
    if (i.to[1] != nowhere) w.reg<u8>(i.to[1])[l] = there;
  });
}
enum Vote { ballot, vote_any, vote_all, vote_uniform };
inline void run_vote(Warp& w, const Instruction& i) {
  u32 yes = 0;
  each_lane(w.mask, [&](unsigned l) { yes |= u32((w.reg<u8>(i.from[0])[l] != 0) != i.negated[0]) << l; });
  each_lane(w.mask, [&](unsigned l) {
    if (i.choice == ballot)
      w.reg<u32>(i.to[0])[l] = yes;
    else
      w.reg<u8>(i.to[0])[l] = i.choice == vote_any   ? yes != 0
                              : i.choice == vote_all ? yes == w.mask
                                                     : yes == 0 || yes == w.mask;
  });
}
template <class T> void run_match(Warp& w, const Instruction& i) {
  T before[lanes];
  std::memcpy(before, w.reg<T>(i.from[0]), sizeof before);
  each_lane(w.mask, [&](unsigned l) {
    u32 same = 0;
    each_lane(w.mask, [&](unsigned k) { same |= u32(before[k] == before[l]) << k; });
    w.reg<u32>(i.to[0])[l] = same;
  });
}
template <class T> void run_reduce(Warp& w, const Instruction& i) {
  T all{};
  bool first = true;
  each_lane(w.mask, [&](unsigned l) {
    const T x = w.reg<T>(i.from[0])[l];
    all = first ? x : after(i.choice, all, x, x);
    first = false;
  });
  each_lane(w.mask, [&](unsigned l) { w.reg<T>(i.to[0])[l] = all; });
}
inline void run_active(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) { w.reg<u32>(i.to[0])[l] = w.mask; });
}

/// Matrix m's rows begin where lanes 8 m to 8 m + 7 say; lane l gets two neighbours of row l / 4, or, turned, of
/// column.
inline void run_load_matrices(Warp& w, const Instruction& i) {
  const std::uint32_t all = w.mask;
  w.mask = i.many == 4 ? everyone : (u32(1) << 8 * i.many) - 1;
  const Places at = places_of(w, i, i.from[0], 16);
  w.mask = all;
  const bool turned = i.choice != 0;
  for (unsigned m = 0; m < i.many; ++m) {
    u32* const to = w.reg<u32>(i.to[m]);
    for (unsigned l = 0; l < lanes; ++l) {
      u16 two[2];
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned row = turned ? l % 4 * 2 + k : l / 4, column = turned ? l / 4 : l % 4 * 2 + k;
        std::memcpy(&two[k], at.of[8 * m + row] + 2 * column, 2);
      }
      to[l] = static_cast<u32>(two[0]) | static_cast<u32>(two[1]) << 16;
    }
  }
}

/// D = A B + C, A [16, K] by rows, B [K, 8] by columns, in 16 bits; C and D in fp32. K is 8 or 16: many.
/// With g = lane / 4 and t = lane % 4, element i of a lane's
///   A (K / 2 numbers): row g + 8 ((i / 2) % 2), column 2 t + i % 2 + 8 (i / 4)
///   B (K / 4 numbers): row 2 t + i % 2 + 8 (i / 2), column g
///   C, D (4 numbers):  row g + 8 (i / 2), column 2 t + i % 2
///
/// source    PTX ISA 9.0, sections 9.7.14.5.7 and 9.7.14.5.8 (figures of the fragments)
template <bool Bf16> void run_mma(Warp& w, const Instruction& i) {
  ++w.counts->mma;
  const unsigned depth = i.many;
  const auto number = [&](Slot slot, unsigned lane, unsigned k) {
    const u16 bits = static_cast<u16>(w.reg<u32>(slot)[lane] >> 16 * k);
    return Bf16 ? from_bf16(bits) : from_half(bits);
  };
  float a[16][16] = {}, b[16][8] = {};
  for (unsigned l = 0; l < lanes; ++l) {
    const unsigned g = l / 4, t = l % 4;
    for (unsigned k = 0; k < depth / 2; ++k)
      a[g + 8 * (k / 2 % 2)][2 * t + k % 2 + 8 * (k / 4)] = number(i.from[k / 2], l, k % 2);
    for (unsigned k = 0; k < depth / 4; ++k) b[2 * t + k % 2 + 8 * (k / 2)][g] = number(i.from[4 + k / 2], l, k % 2);
  }
  float d[4][lanes];
  for (unsigned l = 0; l < lanes; ++l) {
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned row = l / 4 + 8 * (k / 2), column = l % 4 * 2 + k % 2;
      const Slot c = k < 2 ? i.from[6 + k] : i.to[4 + k];  // C's last two have no room among the ten
      double sum = w.reg<float>(c)[l];
      for (unsigned m = 0; m < depth; ++m) sum += static_cast<double>(a[row][m]) * b[m][column];
      d[k][l] = static_cast<float>(sum);
    }
  }
  for (unsigned k = 0; k < 4; ++k) std::memcpy(w.reg<float>(i.to[k]), d[k], sizeof d[k]);
}

}  // namespace ptx::doing
