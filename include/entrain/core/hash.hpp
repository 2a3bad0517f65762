// [core] > device, precision > tensor > kernel > layer
//
// Two hashes, bit for bit those of spaCy, so that a word has the same id and the same rows of an embedding table there:
// bytes to a 64-bit id, and an id to four 32-bit keys.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "entrain/core/config.hpp"  // ENTRAIN_HD

namespace entrain {

static_assert(std::endian::native == std::endian::little, "entrain: hashes read bytes as little-endian numbers.");

namespace detail {

/// The bytes at p as one number, little-endian.
template <class Word> constexpr Word load(const char* p) noexcept {
  Word word = 0;
  if (std::is_constant_evaluated()) {
    for (int i = 0; i < static_cast<int>(sizeof(Word)); ++i)
      word |= static_cast<Word>(static_cast<unsigned char>(p[i])) << 8 * i;
  } else {
    std::memcpy(&word, p, sizeof(Word));
  }
  return word;
}

/// The same for 1 to 7 bytes, by overlapping loads: words are short, and the branches of a loop over their bytes would
/// be mispredicted.
constexpr std::uint64_t load_tail(const char* p, std::size_t n) noexcept {
  if (n >= 4) return load<std::uint32_t>(p) | std::uint64_t{load<std::uint32_t>(p + n - 4)} << 8 * (n - 4);
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])} << 8 * i; };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

ENTRAIN_HD constexpr std::uint64_t rotate_left(std::uint64_t x, int bits) noexcept {
  return x << bits | x >> (64 - bits);
}

/// Every bit of the result depends on every bit of x.
ENTRAIN_HD constexpr std::uint64_t avalanche(std::uint64_t x) noexcept {
  x = (x ^ x >> 33) * 0xFF51AFD7ED558CCDu;
  x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53u;
  return x ^ x >> 33;
}

/// MurmurHash64A over words of eight bytes: word(i) gives word number i, the last one padded with zeros.
template <class WordAt>
constexpr std::uint64_t hash_words(std::size_t bytes, std::uint64_t seed, WordAt word) noexcept {
  constexpr std::uint64_t m = 0xC6A4A7935BD1E995u;
  std::uint64_t h = seed ^ bytes * m;
  for (std::size_t i = 0; i < bytes / 8; ++i) {
    std::uint64_t k = word(i) * m;
    k = (k ^ k >> 47) * m;
    h = (h ^ k) * m;
  }
  if (bytes % 8 > 0) h = (h ^ word(bytes / 8)) * m;
  h = (h ^ h >> 47) * m;
  return h ^ h >> 47;
}

/// Word i of a string, as hash_words takes it.
constexpr std::uint64_t word_at(std::string_view s, std::size_t i) noexcept {
  const std::size_t left = s.size() - 8 * i;
  return left >= 8 ? load<std::uint64_t>(s.data() + 8 * i) : load_tail(s.data() + 8 * i, left);
}

}  // namespace detail

/// A 64-bit hash of bytes.
///
/// source    A. Appleby, MurmurHash64A (public domain); checked by SMHasher's verification value 0x1F0D3804
constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) noexcept {
  return detail::hash_words(bytes.size(), seed, [&](std::size_t i) { return detail::word_at(bytes, i); });
}

/// The id of a string: 0 for the empty one, else its hash with seed 1.
///
/// source    spaCy's StringStore; "coffee" is 3197928453018144401
constexpr std::uint64_t hash_string(std::string_view s) noexcept { return s.empty() ? 0 : hash_bytes(s, 1); }

/// The four keys of an id. Reduced modulo the number of rows of a table, they are the rows that are summed to embed the
/// id.
struct Keys {
  std::uint32_t key[4];
};

/// Four 32-bit keys of one 64-bit id.
///
/// beware    seed 8 cancels with the length, 8: key[0] is then always even, and half the rows of a table stay unused.
///           spaCy uses that seed for NORM. Use another one unless spaCy's rows are needed exactly.
/// source    A. Appleby, MurmurHash3_x64_128 (public domain), written out for a text of eight bytes; thinc's Ops.hash
ENTRAIN_HD constexpr Keys mix(std::uint64_t id, std::uint32_t seed) noexcept {
  constexpr std::uint64_t length = 8;
  const std::uint64_t k = detail::rotate_left(id * 0x87C37B91114253D5u, 31) * 0x4CF5AD432745937Fu;
  std::uint64_t a = (seed ^ k) ^ length, b = seed ^ length;
  a += b, b += a;
  a = detail::avalanche(a), b = detail::avalanche(b);
  a += b, b += a;
  return {{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b),
           static_cast<std::uint32_t>(b >> 32)}};
}

}  // namespace entrain
