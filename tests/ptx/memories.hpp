// tests > [ptx]
//
// Reading, writing, and both in one, for all spaces of memory.
//
// source    PTX ISA 9.0, ld, st, cvta, isspacep, atom and red
#pragma once
#include <cstring>

#include "tests/ptx/access.hpp"
#include "tests/ptx/values.hpp"

namespace ptx::doing {

/// choice: bytes of a register
template <class T> void run_load(Warp& w, const Instruction& i) {
  const Places at = places_of(w, i, i.from[0], sizeof(T) * i.many);
  for (std::size_t k = 0; k < i.many; ++k) {
    if (i.to[k] == nowhere) continue;
    std::byte* const to = w.image + i.to[k];
    if (i.choice == sizeof(T)) {
      each_lane(w.mask, [&](unsigned l) { std::memcpy(to + l * sizeof(T), at.of[l] + k * sizeof(T), sizeof(T)); });
    } else {
      const auto bytes = static_cast<std::size_t>(i.choice);
      each_lane(w.mask, [&](unsigned l) {
        T x;
        std::memcpy(&x, at.of[l] + k * sizeof(T), sizeof(T));
        const auto wide = static_cast<s64>(x);
        std::memcpy(to + l * bytes, &wide, bytes);
      });
    }
  }
}
template <class T> void run_store(Warp& w, const Instruction& i) {
  const Places at = places_of(w, i, i.to[0], sizeof(T) * i.many);
  const auto bytes = static_cast<std::size_t>(i.choice);
  for (std::size_t k = 0; k < i.many; ++k) {
    const std::byte* const from = w.image + i.from[k];
    each_lane(w.mask, [&](unsigned l) { std::memcpy(at.of[l] + k * sizeof(T), from + l * bytes, sizeof(T)); });
  }
}

/// cp.async. choice: bytes; from[1]: how many of them are read
inline void run_copy_async(Warp& w, const Instruction& i) {
  const auto bytes = static_cast<std::size_t>(i.choice);
  UnderWay copy{&i, w.mask, places_of(w, i, i.to[0], bytes), {}, {}};
  std::uint32_t readers = 0;
  each_lane(w.mask, [&](unsigned l) {
    copy.read[l] = w.reg<u32>(i.from[1])[l];
    if (copy.read[l] > bytes) w.fail(i, "reads more than it copies", static_cast<int>(l));
    readers |= u32(copy.read[l] != 0) << l;
  });
  Instruction reading = i;
  reading.space = Space::global;
  reading.width = i.many;
  reading.offset = i.other;
  reading.writes = false;
  w.mask = readers;
  if (readers != 0) copy.from = places_of(w, reading, i.from[0], bytes);
  w.mask = copy.mask;
  w.under_way.push_back(copy);
}
/// cp.async.wait_all: bytes arrive as late as they may.
inline void run_wait_for_copies(Warp& w, const Instruction&) {
  const u32 waiting = w.mask;
  for (UnderWay& copy : w.under_way) {
    const Instruction& begun = *copy.begun_by;
    const auto bytes = static_cast<std::size_t>(begun.choice);
    w.mask = waiting & copy.mask;
    copy.mask &= ~waiting;
    look_for_races(w, begun, copy.to, bytes);
    each_lane(w.mask, [&](unsigned l) {
      std::memset(copy.to.of[l], 0, bytes);
      if (copy.read[l] != 0) std::memcpy(copy.to.of[l], copy.from.of[l], copy.read[l]);
    });
  }
  w.mask = waiting;
  std::erase_if(w.under_way, [](const UnderWay& copy) { return copy.mask == 0; });
}

enum Atom { exchange, add, least, largest, bit_and, bit_or, bit_xor, swap, up_to, down_from };
template <class T> T after(int what, T old, T b, T c) {
  switch (what) {
    case exchange:
      return b;
    case add:
      return Add::of(old, b);
    case least:
      return Least::of(old, b);
    case largest:
      return Largest::of(old, b);
    case bit_and:
      return And::of(old, b);
    case bit_or:
      return Or::of(old, b);
    case bit_xor:
      return ExclusiveOr::of(old, b);
    case swap:
      return old == b ? c : old;
    case up_to:
      return old >= b ? T(0) : static_cast<T>(old + 1);
    default:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
}
template <class T> void run_atom(Warp& w, const Instruction& i) {
  const Places at = places_of(w, i, i.from[0], sizeof(T));
  each_lane(w.mask, [&](unsigned l) {
    T old;
    std::memcpy(&old, at.of[l], sizeof(T));
    const T b = w.reg<T>(i.from[1])[l], c = i.choice == swap ? w.reg<T>(i.from[2])[l] : b;
    const T now = after(i.choice, old, b, c);
    std::memcpy(at.of[l], &now, sizeof(T));
    if (i.to[0] != nowhere) w.reg<T>(i.to[0])[l] = old;
  });
}
inline void run_nothing(Warp&, const Instruction&) {}
inline void run_trap(Warp& w, const Instruction& i) { w.fail(i, "trap"); }

/// cvta: from a space's address to a generic one, or back.
template <class T, bool Back> void run_address(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T* const a = w.reg<T>(i.from[0]);
  each_lane(w.mask, [&](unsigned l) {
    std::uintptr_t base = 0;
    if (i.space == Space::shared) base = reinterpret_cast<std::uintptr_t>(w.block->shared);
    if (i.space == Space::local) base = reinterpret_cast<std::uintptr_t>(w.local + l * w.block->code->local);
    to[l] = static_cast<T>(Back ? a[l] - base : a[l] + base);
  });
}
inline void run_is_space(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) {
    const auto* const p = reinterpret_cast<const std::byte*>(w.reg<u64>(i.from[0])[l]);
    const std::byte* const mine = w.local + l * w.block->code->local;
    const bool shared = p >= w.block->shared && p < w.block->shared + w.block->shared_bytes;
    const bool local = p >= mine && p < mine + w.block->code->local;
    w.reg<u8>(i.to[0])[l] = i.space == Space::shared ? shared : i.space == Space::local ? local : !shared && !local;
  });
}

}  // namespace ptx::doing
