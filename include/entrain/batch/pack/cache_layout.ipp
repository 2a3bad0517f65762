// text > [batch] > embed > encode > head > optim > checkpoint
//
// Definitions of cache_layout.hpp.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "entrain/batch/pack/cache_layout.hpp"
#include "entrain/core/error.hpp"

namespace entrain::batch {
namespace detail {
inline constexpr std::string_view cache_remedy = "remove it: it is rebuilt from the corpus";

[[noreturn]] inline void refuse_damaged(const std::string& where, std::string_view found, std::string_view expected) {
  throw Error("entrain.batch.24", where, found, expected, "the file is corrupt; remove it");
}

/// Checks that the arrays follow one another between opening and closing, each with a whole number of items.
inline void check_places(const CacheClosing& closing, const std::string& where) {
  std::uint64_t free = sizeof(CacheOpening);
  const std::uint64_t end = closing.file_bytes - sizeof(CacheClosing);
  for (std::size_t i = 0; i < cache_parts; ++i) {
    const CacheArray& a = closing.arrays[i];
    const bool inside = a.offset % cache_alignment == 0 && free <= a.offset && a.offset <= end &&
                        (a.item_bytes == 0 ? a.items == 0 : a.items <= (end - a.offset) / a.item_bytes);
    if (!inside)
      refuse_damaged(where, "array " + std::to_string(i) + " is outside its range", "arrays inside the file");
    free = a.offset + a.bytes();
  }
}
}  // namespace detail

ENTRAIN_INLINE CacheClosing check_cache(std::span<const std::byte> file, const CacheKey& key,
                                        const std::string& where) {
  CacheOpening opening;
  const CacheOpening expected;
  CacheClosing closing;
  const CacheClosing empty;
  if (file.size() < sizeof opening + sizeof closing)
    throw Error("entrain.batch.20", where, std::to_string(file.size()) + " bytes", "a cache of an encoded corpus",
                detail::cache_remedy);
  std::memcpy(&opening, file.data(), sizeof opening);
  std::memcpy(&closing, file.data() + file.size() - sizeof closing, sizeof closing);
  if (opening.magic != expected.magic)
    throw Error("entrain.batch.20", where, "another kind of file", "a cache of an encoded corpus",
                detail::cache_remedy);
  if (opening.byte_order != expected.byte_order)
    throw Error("entrain.batch.22", where, "a cache with another byte order", "little-endian", detail::cache_remedy);
  if (opening.version != cache_version)
    throw Error("entrain.batch.21", where, "a cache of version " + std::to_string(opening.version),
                "version " + std::to_string(cache_version), detail::cache_remedy);
  if (closing.magic != empty.magic || closing.file_bytes != file.size())
    throw Error("entrain.batch.20", where, "an incomplete cache", "a complete one", detail::cache_remedy);
  if (closing.sum != sum_of(closing))
    detail::refuse_damaged(where, "its table of arrays changed", "the written content");
  if (closing.key != key)
    throw Error("entrain.batch.23", where, "a cache of key " + std::string(closing.key.data(), 16),
                std::string(key.data(), 16), "it was renamed; remove it");
  detail::check_places(closing, where);
  for (std::size_t i = 0; i < cache_parts; ++i) {
    const CacheArray& a = closing.arrays[i];
    if (Fingerprint::of(file.subspan(a.offset, a.bytes())) != a.sum)
      detail::refuse_damaged(where, "array " + std::to_string(i) + " changed", "the written content");
  }
  return closing;
}

ENTRAIN_INLINE void refuse_cache(const std::string& where, std::string_view found, std::string_view expected) {
  throw Error("entrain.batch.25", where, found, expected, detail::cache_remedy);
}

}  // namespace entrain::batch
