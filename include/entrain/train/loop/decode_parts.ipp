// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of decode_parts.hpp.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/free_memory.hpp"
#include "entrain/train/loop/decode_parts.hpp"

namespace entrain::train {
namespace detail {
inline std::string mebibytes(std::size_t n) { return std::to_string(n >> 20) + " MiB"; }
}  // namespace detail

ENTRAIN_INLINE NoRoom::NoRoom(int rows, std::size_t bytes, std::size_t free, const std::string& where)
    : Error("entrain.train.50", where,
            "a sentence of " + std::to_string(rows) + " rows takes " + detail::mebibytes(bytes),
            "less than the " + detail::mebibytes(free) + " of free memory", "split it, or stop other programs"),
      rows_(rows),
      bytes_(bytes),
      free_(free) {}

ENTRAIN_INLINE void refuse_no_room(std::size_t bytes, int rows) {
  constexpr std::size_t always = std::size_t{1} << 28;  // too small to ask the system for free memory
  if (bytes < always) return;
  const std::size_t free = free_memory();
  if (bytes < free) return;
  throw NoRoom(rows, bytes, free);
}

}  // namespace entrain::train
