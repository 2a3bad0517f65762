// [core] > device, precision > tensor > kernel > layer
//
// A checksum that detects a changed byte: CRC-32C, as TensorFlow's records carry it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace entrain {
namespace detail {

inline constexpr std::array<std::uint32_t, 256> crc32c_of_byte = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t c = byte;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1) * 0x82F63B78u;
    table[byte] = c;
  }
  return table;
}();

}  // namespace detail

/// source    Castagnoli, Braeuer, Herrmann 1993; RFC 3720, section 12.1 and appendix B.4
constexpr std::uint32_t crc32c(std::string_view bytes) noexcept {
  std::uint32_t c = ~std::uint32_t{0};
  for (const char b : bytes) c = c >> 8 ^ detail::crc32c_of_byte[(c ^ static_cast<unsigned char>(b)) & 0xFF];
  return ~c;
}

}  // namespace entrain
