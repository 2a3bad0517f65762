// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstring>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/dropout/contract.hpp"

namespace entrain::kernel {

template <class G> struct Dropout<device::Cpu<G>> {
  using D = device::Cpu<G>;

  template <class T, int C> static void run(const Step<D>& at, Rows<const T, C> x, Rows<T, C> y, Write how) {
    using P = Pack<T>;
    constexpr int blocks = (C + 7) / 8;
    const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
    const T scale = T(1) / (T(1) - static_cast<T>(limit) / T(65536));
    const auto signed_limit = static_cast<std::int32_t>(limit);
    at.dev.rows(x.n, 64, [&](int first, int last) {
      std::uint16_t bits[blocks * 8];
      for (int n = first; n < last; ++n) {
        draw<blocks>(*at.counters, at.site, n, bits);
        const T* from = x.row_at(n);
        T* to = y.row_at(n);
        int c = 0;
        for (; c + P::size <= C; c += P::size) {
          const typename P::Mask out = P::widen(bits + c) < signed_limit;
          const P value = select(out, P(T(0)), P::load(from + c) * P(scale));
          (how == Write::add ? P::load(to + c) + value : value).store(to + c);
        }
        for (; c < C; ++c) {
          const T value = bits[c] < limit ? T(0) : from[c] * scale;
          to[c] = how == Write::add ? to[c] + value : value;
        }
      }
    });
  }

 private:
  /// The bits of one row, channel by channel: word i / 2 of a block holds those of channel i, low half first.
  template <int blocks> static void draw(const Counters& counters, Site site, int row, std::uint16_t* bits) {
#if ENTRAIN_VECTOR_BYTES > 16
    constexpr int fours = blocks / 4 * 4;
    for (int block = 0; block < fours; block += 4) four(counters, site, row, block, bits + block * 8);
#else
    constexpr int fours = 0;
#endif
    for (int block = fours; block < blocks; ++block) {
      const auto words = dropout_words(counters, site, row, block);
      std::memcpy(bits + block * 8, words.of, 16);
    }
  }

#if ENTRAIN_VECTOR_BYTES > 16
  /// dropout_words of four neighbouring blocks at once: a word in the low half of each 64-bit lane.
  static void four(const Counters& counters, Site site, int row, int block, std::uint16_t* bits) {
    const auto all = [](std::uint32_t w) { return _mm256_set1_epi64x(static_cast<long long>(w)); };
    const __m256i low = all(0xFFFFFFFFu);
    const auto key = dropout_key(counters);
    __m256i c0 = all(static_cast<std::uint32_t>(row)), c2 = all(site), c3 = all(counters.step);
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
};

}  // namespace entrain::kernel
