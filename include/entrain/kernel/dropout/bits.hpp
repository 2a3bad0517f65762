// core > device, precision > tensor > [kernel] > layer
//
// Dropout's random bits on the CPU, drawn four blocks at a time: shared by dropout in rows and dropout on attention's
// probabilities.
#pragma once
#include <cstring>

#include "entrain/core/pack.hpp"
#include "entrain/kernel/dropout/contract.hpp"

namespace entrain::kernel::detail {

#if ENTRAIN_VECTOR_BYTES > 16
/// dropout_words of four neighbouring blocks at once: a word in the low half of each 64-bit lane.
inline void four_dropout_blocks(const Counters& counters, RngStream rng_stream, int row, int block,
                                std::uint16_t* bits) {
  const auto all = [](std::uint32_t w) { return _mm256_set1_epi64x(static_cast<long long>(w)); };
  const __m256i low = all(0xFFFFFFFFu);
  const auto key = dropout_key(counters);
  __m256i c0 = all(static_cast<std::uint32_t>(row)), c2 = all(rng_stream), c3 = all(counters.step);
  __m256i c1 = _mm256_add_epi64(all(static_cast<std::uint32_t>(block)), _mm256_set_epi64x(3, 2, 1, 0));
  std::uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const __m256i a = _mm256_mul_epu32(all(0xD2511F53u), c0), b = _mm256_mul_epu32(all(0xCD9E8D57u), c2);
    c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(b, 32), c1), all(k0));
    c1 = _mm256_and_si256(b, low);
    c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(a, 32), c3), all(k1));
    c3 = _mm256_and_si256(a, low);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const __m256i front = _mm256_or_si256(c0, _mm256_slli_epi64(c1, 32)),
                back = _mm256_or_si256(c2, _mm256_slli_epi64(c3, 32));
  const __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits), _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits + 16), _mm256_permute2x128_si256(even, odd, 0x31));
}
#endif

/// Eight 16-bit numbers for each of the blocks first ... first + count - 1 of a row: word i / 2 of a block holds the
/// bits of channel i, low half first.
inline void dropout_bits(const Counters& counters, RngStream rng_stream, int row, int first, int count,
                         std::uint16_t* bits) {
  const int end = first + count;
#if ENTRAIN_VECTOR_BYTES > 16
  for (; end - first >= 4; first += 4, bits += 32) four_dropout_blocks(counters, rng_stream, row, first, bits);
#endif
  for (; first < end; ++first, bits += 8) {
    const auto words = dropout_words(counters, rng_stream, row, first);
    std::memcpy(bits, words.of, 16);
  }
}

/// The factor of a number: 0 where its bits are below p * 65536, else 1 / (1 - p).
template <class T> struct DropoutFactor {
  std::int32_t limit;
  T scale;

  explicit DropoutFactor(const Counters& counters)
      : limit(static_cast<std::int32_t>(counters.dropout * 65536.0f + 0.5f)),
        scale(T(1) / (T(1) - static_cast<T>(limit) / T(65536))) {}
  Pack<T> operator()(const std::uint16_t* bits, Pack<T> x = T(1)) const {
    return select(Pack<T>::widen(bits) < limit, Pack<T>(T(0)), x * Pack<T>(scale));
  }
  T operator()(std::uint16_t bits, T x) const { return bits < limit ? T(0) : x * scale; }
};

}  // namespace entrain::kernel::detail
