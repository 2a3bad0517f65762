// tests > [core]
#include "entrain/core/crc32c.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace entrain;

TEST_CASE("crc32c: the sums of RFC 3720, appendix B.4") {
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAu);
  CHECK(crc32c(std::string(32, '\xFF')) == 0x62A8AB43u);
  std::string up, down;
  for (int i = 0; i < 32; ++i) up += static_cast<char>(i), down += static_cast<char>(31 - i);
  CHECK(crc32c(up) == 0x46DD794Eu);
  CHECK(crc32c(down) == 0x113FDB5Cu);
  const unsigned char read_command[48] = {0x01, 0xC0, 0, 0, 0, 0, 0,    0, 0,    0, 0, 0,    0, 0, 0, 0,
                                          0x14, 0,    0, 0, 0, 0, 0x04, 0, 0,    0, 0, 0x14, 0, 0, 0, 0x18,
                                          0x28, 0,    0, 0, 0, 0, 0,    0, 0x02, 0, 0, 0,    0, 0, 0, 0};
  CHECK(crc32c(std::string(reinterpret_cast<const char*>(read_command), 48)) == 0xD9963A56u);
  CHECK(crc32c("123456789") == 0xE3069283u);
  static_assert(crc32c("") == 0);
}
