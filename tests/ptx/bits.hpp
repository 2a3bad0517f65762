// tests > [ptx]
//
// What instructions do to the bits of a number.
//
// source    PTX ISA 9.0, popc to bmsk, lop3, shf and prmt
#pragma once
#include "tests/ptx/values.hpp"

namespace ptx::doing {

inline void run_count(Warp& w, const Instruction& i) {
  each_lane(w.mask,
            [&](unsigned l) { w.reg<u32>(i.to[0])[l] = static_cast<u32>(std::popcount(w.reg<u32>(i.from[0])[l])); });
}
inline void run_count_long(Warp& w, const Instruction& i) {
  each_lane(w.mask,
            [&](unsigned l) { w.reg<u32>(i.to[0])[l] = static_cast<u32>(std::popcount(w.reg<u64>(i.from[0])[l])); });
}
template <class T> void run_leading(Warp& w, const Instruction& i) {
  each_lane(w.mask,
            [&](unsigned l) { w.reg<u32>(i.to[0])[l] = static_cast<u32>(std::countl_zero(w.reg<T>(i.from[0])[l])); });
}
struct Reversed {
  template <class T> static T of(T a) {
    if constexpr (std::is_unsigned_v<T>) {
      T b = 0;
      for (int k = 0; k < bits_of<T>; ++k) b = static_cast<T>(b << 1 | (a >> k & 1));
      return b;
    } else {
      return a;
    }
  }
};
template <class T> void run_insert(Warp& w, const Instruction& i) {  // bfi: of a, into b
  each_lane(w.mask, [&](unsigned l) {
    const u32 at = w.reg<u32>(i.from[2])[l] & 0xff, n = w.reg<u32>(i.from[3])[l] & 0xff;
    T it = w.reg<T>(i.from[1])[l];
    for (u32 k = 0; k < n && at + k < bits_of<T>; ++k) {
      const T one = static_cast<T>(T(1) << (at + k));
      it = static_cast<T>((it & ~one) | (w.reg<T>(i.from[0])[l] >> k & 1) << (at + k));
    }
    w.reg<T>(i.to[0])[l] = it;
  });
}
template <class T> void run_extract(Warp& w, const Instruction& i) {  // bfe
  each_lane(w.mask, [&](unsigned l) {
    const u32 at = w.reg<u32>(i.from[1])[l] & 0xff, n = w.reg<u32>(i.from[2])[l] & 0xff;
    const auto a = static_cast<Unsigned<T>>(w.reg<T>(i.from[0])[l]);
    const auto bit = [&](u32 k) { return k < bits_of<T> ? a >> k & 1 : 0; };
    const bool fill = std::is_signed_v<T> && n != 0 && bit(std::min<u32>(at + n - 1, bits_of<T> - 1)) != 0;
    Unsigned<T> it = 0;
    for (u32 k = 0; k < bits_of<T>; ++k) {
      const bool one = k < n && at + k < bits_of<T> ? bit(at + k) != 0 : fill;
      it = static_cast<Unsigned<T>>(it | static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(one) << k));
    }
    w.reg<T>(i.to[0])[l] = static_cast<T>(it);
  });
}
inline void run_mask(Warp& w, const Instruction& i) {  // bmsk: b ones from bit a on
  each_lane(w.mask, [&](unsigned l) {
    const bool wraps = i.choice != 0;
    u32 a = w.reg<u32>(i.from[0])[l], b = w.reg<u32>(i.from[1])[l];
    if (wraps) a &= 31, b &= 31;
    const u64 ones = b >= 32 ? 0xffffffffu : (u64(1) << b) - 1;
    w.reg<u32>(i.to[0])[l] = a >= 32 ? 0 : static_cast<u32>(ones << a);
  });
}
inline void run_funnel(Warp& w, const Instruction& i) {  // shf: choice 1: to the left; 2: by at most 32
  each_lane(w.mask, [&](unsigned l) {
    const u64 both = static_cast<u64>(w.reg<u32>(i.from[1])[l]) << 32 | w.reg<u32>(i.from[0])[l];
    u32 n = w.reg<u32>(i.from[2])[l];
    n = (i.choice & 2) != 0 ? std::min<u32>(n, 32) : n & 31;
    w.reg<u32>(i.to[0])[l] = static_cast<u32>((i.choice & 1) != 0 ? both << n >> 32 : both >> n);
  });
}
inline void run_table(Warp& w, const Instruction& i) {  // lop3: a table of the eight cases
  each_lane(w.mask, [&](unsigned l) {
    const u32 a = w.reg<u32>(i.from[0])[l], b = w.reg<u32>(i.from[1])[l], c = w.reg<u32>(i.from[2])[l];
    const u32 table = w.reg<u32>(i.from[3])[l];
    u32 it = 0;
    for (u32 k = 0; k < 8; ++k)
      if ((table >> k & 1) != 0) it |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    w.reg<u32>(i.to[0])[l] = it;
  });
}
inline void run_permute(Warp& w, const Instruction& i) {  // prmt, without a mode
  each_lane(w.mask, [&](unsigned l) {
    const u64 both = static_cast<u64>(w.reg<u32>(i.from[1])[l]) << 32 | w.reg<u32>(i.from[0])[l];
    const u32 by = w.reg<u32>(i.from[2])[l];
    u32 it = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 which = by >> 4 * k & 15;
      u32 one = static_cast<u32>(both >> 8 * (which & 7)) & 255;
      if ((which & 8) != 0) one = (one & 128) != 0 ? 255 : 0;
      it |= one << 8 * k;
    }
    w.reg<u32>(i.to[0])[l] = it;
  });
}

}  // namespace ptx::doing
