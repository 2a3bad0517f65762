// text > [batch] > embed > encode > head > optim > checkpoint
//
// The layout of an encoded corpus in a file: the arrays one after another, as they are in memory, and at the end a
// table of their offsets. train/state/cache.hpp writes it; cached.hpp makes a corpus of it.
//
//   64 bytes      CacheOpening: identifies the file, before anything else
//   ...           arrays, each from a multiple of 64 bytes on, zeros between them
//   the last      CacheClosing: written last, so that a truncated file has none
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/fingerprint.hpp"

namespace entrain::batch {

static_assert(std::endian::native == std::endian::little, "entrain: caches hold little-endian numbers.");

/// Incremented whenever the content of caches changes: the layout, or how text is encoded (hashes of words, WordPiece,
/// windows). It is part of the key, so that a cache of an older entrain is written again.
inline constexpr std::uint32_t cache_version = 2;

/// What a corpus was made from, and how: 64 hexadecimal digits, the SHA-256 of all inputs and options
/// (train/state/cache_key.hpp).
using CacheKey = std::array<char, 64>;

/// Arrays of a file, in their order there. The vocabulary's arrays are the last; their number depends on the features.
enum class CachePart : std::uint32_t { word, target, sentence, rows, in_pieces, about, vocabulary };
inline constexpr std::size_t cache_parts = 10;

/// The location of an array.
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
  std::int32_t unknown_word_copies = 0;          // of Encoded
  std::array<CacheArray, cache_parts> arrays{};  // by CachePart
  std::array<char, 16> magic{'e', 'n', 'd'};     // of a cache
  Fingerprint::Value sum{};                      // of all before it

  const CacheArray& operator[](CachePart part) const { return arrays[static_cast<std::size_t>(part)]; }
};
static_assert(sizeof(CacheOpening) == 64 && std::has_unique_object_representations_v<CacheOpening>);
static_assert(sizeof(CacheClosing) == 8 + 64 + 24 + cache_parts * 40 + 32 &&
              std::has_unique_object_representations_v<CacheClosing>);

inline constexpr std::size_t cache_alignment = 64;

/// The checksum that a closing should have.
inline Fingerprint::Value sum_of(const CacheClosing& closing) {
  return Fingerprint::of(std::as_bytes(std::span(&closing, 1)).first(sizeof closing - sizeof closing.sum));
}

/// The closing of a file, if all arrays are inside the file, do not overlap, and have the bytes that were written.
///
/// throws    entrain.batch.20: no cache, or truncated      .21: of another version of entrain
///           .22: of a machine with the other byte order
///           .23: of another key      .24: not the bytes that were written
ENTRAIN_INLINE CacheClosing check_cache(std::span<const std::byte> file, const CacheKey& key, const std::string& where);

/// Refuses a file whose numbers make no corpus, although they are the bytes that were written.
/// throws    entrain.batch.25
[[noreturn]] ENTRAIN_INLINE void refuse_cache(const std::string& where, std::string_view found,
                                              std::string_view expected);

}  // namespace entrain::batch

#if !defined(ENTRAIN_COMPILED)
#include "entrain/batch/pack/cache_layout.ipp"
#endif
