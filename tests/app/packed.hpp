// tests > [app]: files as gzip and zstd write them, made without either.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace test {

/// A packed file whose bytes are stored as they are: the last eight bytes of gzip are a check sum and the length.
inline std::string gzip_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  const auto little = [](std::uint32_t n, int count) {
    std::string s;
    for (int i = 0; i < count; ++i) s += static_cast<char>(n >> 8 * i & 0xFF);
    return s;
  };
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01", 11) + little(size, 2) + little(~size, 2) + bytes +
         little(~crc, 4) + little(size, 4);
}
/// Of at most 255 bytes: one block that is not packed.
inline std::string zstd_of(const std::string& bytes) {
  std::string s("\x28\xB5\x2F\xFD\x20", 5);
  s += static_cast<char>(bytes.size());
  const std::size_t block = 1 | bytes.size() << 3;
  for (int i = 0; i < 3; ++i) s += static_cast<char>(block >> 8 * i & 0xFF);
  return s + bytes;
}

}  // namespace test
