// [core] > device, precision > tensor > kernel > layer
//
// A fingerprint of bytes, computed at the speed of memory. It tells whether a corpus is the one that a cache was made
// from, and whether a cache is still as it was written. It does not protect against bytes chosen on purpose: its keys
// are public.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "entrain/core/random.hpp"

namespace entrain {

static_assert(std::endian::native == std::endian::little, "entrain: fingerprints read bytes as little-endian numbers.");

/// 128 bits for any number of bytes, however they are split into pieces.
///
/// The bytes are cut into blocks of 128 words w of 64 bits, the last one padded with zeros. Each block is summed to
///
///   n = sum over i of (w[2i] + k[2i]) * (w[2i+1] + k[2i+1])      brackets modulo 2^64, the sum modulo 2^128
///
/// The lower and upper halves of all n, then the number of bytes, are the coefficients of a polynomial. It is evaluated
/// at a separate key modulo 2^127 - 1.
///
/// bounds    for keys drawn at random, two inputs agree with a probability below 2^-64 + bytes * 2^-132
/// source    Black, Halevi, Krawczyk, Krovetz, Rogaway 1999, "UMAC", CRYPTO, section 3 (NH); Carter, Wegman 1979
class Fingerprint {
  __extension__ using U128 = unsigned __int128;

 public:
  void add(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;  // its pointer may be null, and memcpy must not get that
    total_ += bytes.size();
    if (filled_ > 0) {
      const std::size_t n = std::min(bytes.size(), block_bytes - filled_);
      std::memcpy(block_.data() + filled_, bytes.data(), n);
      filled_ += n;
      bytes = bytes.subspan(n);
      if (filled_ < block_bytes) return;
      block(block_.data());
      filled_ = 0;
    }
    for (; bytes.size() >= block_bytes; bytes = bytes.subspan(block_bytes)) block(bytes.data());
    if (!bytes.empty()) std::memcpy(block_.data(), bytes.data(), filled_ = bytes.size());
  }

  using Value = std::array<std::uint64_t, 2>;  // lower half first
  /// The fingerprint of all bytes added so far.
  Value value() const {
    Fingerprint last = *this;
    if (filled_ > 0) {
      std::fill(last.block_.begin() + static_cast<std::ptrdiff_t>(filled_), last.block_.end(), std::byte{0});
      last.block(last.block_.data());
    }
    last.coefficient(total_);
    const U128 sum = last.sum_ == prime ? 0 : last.sum_;
    return {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64)};
  }
  /// The value as 32 hexadecimal digits, the highest first.
  std::string hex() const {
    const Value v = value();
    std::string digits;
    for (const std::uint64_t half : {v[1], v[0]})
      for (int shift = 60; shift >= 0; shift -= 4) digits.push_back("0123456789abcdef"[half >> shift & 15]);
    return digits;
  }
  static Value of(std::span<const std::byte> bytes) {
    Fingerprint f;
    f.add(bytes);
    return f.value();
  }

 private:
  static constexpr std::size_t words = 128, block_bytes = 8 * words;
  static constexpr U128 prime = (U128{1} << 127) - 1;

  /// One key for each word, then the polynomial's key.
  static constexpr std::array<std::uint64_t, words + 2> keys = [] {
    std::array<std::uint64_t, words + 2> drawn{};
    Random random(0x656E747261696E21u, 0x6670u);
    for (auto& k : drawn) {
      const std::uint64_t upper = random.word();
      k = upper << 32 | random.word();
    }
    return drawn;
  }();

  void block(const std::byte* at) {
    U128 sums[2] = {0, 0};  // two, so that no addition waits for the one before it
    for (std::size_t i = 0; i < words; i += 4)
      for (std::size_t j = 0; j < 2; ++j) {
        std::uint64_t w[2];
        std::memcpy(w, at + 8 * (i + 2 * j), sizeof w);
        sums[j] += U128{w[0] + keys[i + 2 * j]} * (w[1] + keys[i + 2 * j + 1]);
      }
    const U128 n = sums[0] + sums[1];
    coefficient(static_cast<std::uint64_t>(n));
    coefficient(static_cast<std::uint64_t>(n >> 64));
  }

  /// sum * key + c modulo 2^127 - 1; not always below it.
  void coefficient(std::uint64_t c) {
    constexpr std::uint64_t k0 = keys[words], k1 = keys[words + 1] >> 2;
    const auto s0 = static_cast<std::uint64_t>(sum_), s1 = static_cast<std::uint64_t>(sum_ >> 64);
    const U128 middle = U128{s0} * k1 + U128{s1} * k0, upper = U128{s1} * k1;  // 2^128 is 2
    sum_ = folded(folded(U128{s0} * k0) + folded(upper << 1));
    sum_ = folded(sum_ + (middle >> 63) + c);
    sum_ = folded(sum_ + ((middle << 64) & prime));
  }
  static U128 folded(U128 x) { return (x & prime) + (x >> 127); }

  U128 sum_ = 0;
  std::uint64_t total_ = 0;
  std::size_t filled_ = 0;
  std::array<std::byte, block_bytes> block_;  // the bytes that do not fill a block yet
};

}  // namespace entrain
