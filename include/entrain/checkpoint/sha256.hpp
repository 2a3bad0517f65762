// text > batch > embed > encode > head > optim > [checkpoint]
//
// SHA-256: the sum by which config.json identifies the weights that belong to it. `sha256sum` computes the same sum.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "entrain/core/intrinsics.hpp"

namespace entrain::checkpoint {

namespace detail {

using Sha256State = std::array<std::uint32_t, 8>;

alignas(16) inline constexpr std::array<std::uint32_t, 64> sha256_key{
    // cube roots of the first 64 primes, the bits after the point
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Updates the state with 64 more bytes.
inline void sha256_plainly(Sha256State& state, const std::byte* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::to_integer<std::uint32_t>(block[4 * i]) << 24 | std::to_integer<std::uint32_t>(block[4 * i + 1]) << 16 |
           std::to_integer<std::uint32_t>(block[4 * i + 2]) << 8 | std::to_integer<std::uint32_t>(block[4 * i + 3]);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t near = w[i - 2], far = w[i - 15];
    w[i] = w[i - 16] + (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3) + w[i - 7] +
           (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t one =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + sha256_key[i] + w[i];
    const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const std::array<std::uint32_t, 8> after{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += after[i];
}

#if defined(__x86_64__)
/// The same, four rounds at a time, with the CPU's own instructions: words a, b, e, f of the state are in one
/// register, the others in the second.
[[gnu::target("sha,sse4.1")]] inline void sha256_by_cpu(Sha256State& state, const std::byte* block) {
  const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto quad = [](const auto* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
  const auto keep = [](std::uint32_t* to, __m128i q) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), q); };
  const __m128i badc = _mm_shuffle_epi32(quad(&state[0]), 0xb1), hgfe = _mm_shuffle_epi32(quad(&state[4]), 0x1b);
  const __m128i abef_before = _mm_alignr_epi8(badc, hgfe, 8), cdgh_before = _mm_blend_epi16(hgfe, badc, 0xf0);
  __m128i abef = abef_before, cdgh = cdgh_before, w[4];
  for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(quad(block + 16 * i), swapped);
  ENTRAIN_UNROLL
  for (int i = 0; i < 16; ++i) {
    __m128i &now = w[i % 4], &last = w[(i + 3) % 4];
    const __m128i sum = _mm_add_epi32(now, quad(&sha256_key[static_cast<std::size_t>(4 * i)]));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    now = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]), _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
    now = _mm_sha256msg2_epu32(now, last);  // the results of the last four rounds are unused
  }
  const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xb1);
  keep(&state[0], _mm_blend_epi16(feba, dchg, 0xf0));
  keep(&state[4], _mm_alignr_epi8(dchg, feba, 8));
}
#endif

}  // namespace detail

/// Accepts bytes in pieces of any size.
///
///   Sha256 sum; sum.add(bytes); sum.hex();   // 64 hexadecimal digits, as sha256sum prints them
///
/// speed     about 250 MB a second on one core, 1,300 on a CPU that has instructions for it
/// source    FIPS 180-4, sections 4.1.2, 5.1.1, 6.2
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes) {
    total_ += bytes.size();
    while (!bytes.empty()) {
      if (filled_ == 0 && bytes.size() >= block_.size()) {  // whole blocks directly from the caller's memory
        compress(bytes.data());
        bytes = bytes.subspan(block_.size());
        continue;
      }
      const std::size_t n = std::min(bytes.size(), block_.size() - filled_);
      std::memcpy(block_.data() + filled_, bytes.data(), n);
      filled_ += n;
      bytes = bytes.subspan(n);
      if (filled_ == block_.size()) {
        compress(block_.data());
        filled_ = 0;
      }
    }
  }

  /// The sum of all bytes that were added. The object must not be used afterwards.
  std::string hex() {
    const std::uint64_t bits = total_ * 8;
    std::array<std::byte, 72> tail{std::byte{0x80}};  // one bit, zeros up to 56 of 64, then the length
    const std::size_t zeros = (filled_ < 56 ? 55 : 119) - filled_;
    for (std::size_t i = 0; i < 8; ++i) tail[1 + zeros + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    add(std::span(tail).first(1 + zeros + 8));
    std::string out;
    for (const std::uint32_t word : state_)
      for (int shift = 28; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(word >> shift) & 15U]);
    return out;
  }

 private:
  void compress(const std::byte* block) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1")) return detail::sha256_by_cpu(state_, block);
#endif
    detail::sha256_plainly(state_, block);
  }

  detail::Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,   // square roots of the
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};  // first eight primes
  std::array<std::byte, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace entrain::checkpoint
