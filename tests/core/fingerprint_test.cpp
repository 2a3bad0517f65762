// Fingerprints against the same formula in Python's whole numbers; pieces of any sizes; what one bit changes.
#include "entrain/core/fingerprint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fingerprint_test {
using entrain::Fingerprint;
using Bytes = std::vector<std::byte>;

Bytes numbered(std::size_t n) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(i * i * 7 + 3 * i);
  return bytes;
}
std::string hex(const Bytes& bytes) {
  Fingerprint f;
  f.add(bytes);
  return f.hex();
}

TEST_CASE("a fingerprint is the formula's") {
  // By Python's integers: the sums of each block modulo 2^128, the polynomial modulo 2^127 - 1.
  CHECK(hex({}) == "00000000000000000000000000000000");
  CHECK(hex(numbered(1)) == "3ebe025dad616b3821e11209cfc9c741");
  CHECK(hex(numbered(7)) == "4084fcb5f3b24f0dd16ee00dc3b0b3bd");
  CHECK(hex(numbered(8)) == "22fcb6b4a096284137897e2664e738c0");
  CHECK(hex(numbered(1023)) == "13e29bdc4968d36bd0b0ecc87d8e53fb");
  CHECK(hex(numbered(1024)) == "19a5ce830b306b46d4c0fa3d422c8544");
  CHECK(hex(numbered(1025)) == "61fa36546d051f27c66957d68b1260a2");
  CHECK(hex(numbered(5000)) == "1147e62dec93006a91af1b37e4e5b0da");
  CHECK(hex(Bytes(3000, std::byte{255})) == "38ff3e990282b693793e6303f4e91472");
}

TEST_CASE("a fingerprint is the same however the bytes come, and may be asked between them") {
  const Bytes all = numbered(5000);
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 draw(seed);
    Fingerprint f;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t n = std::min<std::size_t>(draw() % 3 == 0 ? draw() % 3000 : draw() % 9, all.size() - at);
      if (draw() % 4 == 0) f.add({});  // bytes without an address
      f.add(std::span(all).subspan(at, n));
      at += n;
      if (draw() % 9 == 0) {
        CHECK(f.hex() == hex(Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at))));
      }
    }
    CHECK(f.hex() == hex(all));
  }
}

TEST_CASE("a bit, a zero more, and two words that change places make another fingerprint") {
  const Bytes all = numbered(2100);
  std::set<std::string> seen{hex(all)};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const unsigned bit : {0u, 7u}) {
      Bytes other = all;
      other[i] ^= static_cast<std::byte>(1u << bit);
      CHECK(seen.insert(hex(other)).second);
    }
  for (std::size_t n = 1; n < 2100; n += 7) CHECK(seen.insert(hex(Bytes(n))).second);
  for (std::size_t i = 0; i + 16 <= all.size(); i += 8) {
    Bytes other = all;
    std::swap_ranges(other.begin() + static_cast<std::ptrdiff_t>(i), other.begin() + static_cast<std::ptrdiff_t>(i + 8),
                     other.begin() + static_cast<std::ptrdiff_t>(i + 8));
    CHECK(seen.insert(hex(other)).second);
  }
}

}  // namespace fingerprint_test
