// text > [batch] > embed > encode > head > optim > checkpoint
//
// How an encoded corpus lies in a file: arrays one behind the other, as they lie in memory, and at the end a table that
// says where. Written by train/cache.hpp; cached.hpp makes a corpus of it.
//
//   64 bytes      CacheOpening: what this is, before anything else
//   ...           arrays, each from a multiple of 64 bytes on, zeros between them
//   the last      CacheClosing: what is written last, so that a file which was cut has none
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/core/fingerprint.hpp"

namespace entrain::batch {

static_assert(std::endian::native == std::endian::little, "entrain: caches hold little-endian numbers.");

/// Counts up with any change of what lies in a cache: the layout, and what text is turned into (hashes of words,
/// WordPiece, windows). It is part of the key, so that what an older entrain wrote is made anew.
inline constexpr std::uint32_t cache_version = 2;

/// What a corpus was made from, and how: 64 hexadecimal digits, the SHA-256 of all that (train/cache_key.hpp).
using CacheKey = std::array<char, 64>;

/// Arrays of a file, in their order there. The vocabulary's are the last: as many as the features' has.
enum class CachePart : std::uint32_t { word, target, sentence, rows, in_pieces, about, vocabulary };
inline constexpr std::size_t cache_parts = 10;

/// Where an array lies.
struct CacheArray {
  std::uint64_t offset = 0, items = 0, item_bytes = 0;
  Fingerprint::Value sum{};

  std::uint64_t bytes() const { return items * item_bytes; }
};

struct CacheOpening {
  std::array<char, 16> magic{'e', 'n', 't', 'r', 'a', 'i', 'n', ' ', 'c', 'a', 'c', 'h', 'e', '\r', '\n', '\x1a'};
  std::uint32_t version = cache_version;
  std::uint32_t byte_order = 0x01020304;
  std::array<char, 40> zeros{};
};

struct CacheClosing {
  std::uint64_t file_bytes = 0;
  CacheKey key{};
  std::uint64_t cut = 0, pieceless = 0;          // of Encoded
  std::int32_t labels = 0;                       // targets are below
  std::int32_t twins = 0;                        // of Encoded
  std::array<CacheArray, cache_parts> arrays{};  // by CachePart
  std::array<char, 16> magic{'e', 'n', 'd'};     // of a cache
  Fingerprint::Value sum{};                      // of all before it

  const CacheArray& operator[](CachePart part) const { return arrays[static_cast<std::size_t>(part)]; }
};
static_assert(sizeof(CacheOpening) == 64 && std::has_unique_object_representations_v<CacheOpening>);
static_assert(sizeof(CacheClosing) == 8 + 64 + 24 + cache_parts * 40 + 32 &&
              std::has_unique_object_representations_v<CacheClosing>);

inline constexpr std::size_t cache_alignment = 64;

/// The sum that a closing should have.
inline Fingerprint::Value sum_of(const CacheClosing& closing) {
  return Fingerprint::of(std::as_bytes(std::span(&closing, 1)).first(sizeof closing - sizeof closing.sum));
}

/// The closing of a file, when all arrays lie inside of it, apart from each other, with the bytes that were written.
///
/// throws    entrain.batch.20: no cache, or cut      .21: of another version of entrain      .22: of a machine with the
///           other order of bytes     .23: of another key     .24: not what was written
ENTRAIN_PART CacheClosing check_cache(std::span<const std::byte> file, const CacheKey& key, const std::string& where);

/// Refuses a file whose numbers make no corpus, though they are what was written.
/// throws    entrain.batch.25
[[noreturn]] ENTRAIN_PART void refuse_cache(const std::string& where, std::string_view found,
                                            std::string_view expected);

}  // namespace entrain::batch

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/batch/cache_layout.ipp"
#endif
