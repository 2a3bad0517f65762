// tests > [checkpoint]
#include "entrain/checkpoint/sha256.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace sha256_test {
using entrain::checkpoint::Sha256;

namespace {
std::string sum_of(std::string_view text, std::size_t piece = 1 << 20) {
  Sha256 sum;
  for (std::size_t at = 0; at < text.size(); at += piece) sum.add(std::as_bytes(std::span(text.substr(at, piece))));
  return sum.hex();
}
}  // namespace

TEST_CASE("Sha256: the examples of FIPS 180-4") {
  CHECK(sum_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sum_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sum_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("Sha256: the size of the pieces does not matter, at every length around a block") {
  std::string text;
  for (int n = 0; n < 200; ++n) {
    for (const std::size_t piece : {1u, 3u, 63u, 64u, 65u}) CHECK(sum_of(text, piece) == sum_of(text));
    text.push_back(static_cast<char>(n * 7));
  }
}

TEST_CASE("Sha256: lengths around a block, as sha256sum prints them") {
  CHECK(sum_of(std::string(55, 'x')) == "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  CHECK(sum_of(std::string(56, 'x')) == "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  CHECK(sum_of(std::string(64, 'x')) == "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  CHECK(sum_of(std::string(119, 'x')) == "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
  CHECK(sum_of(std::string(120, 'x')) == "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98");
}

#if defined(__x86_64__)
TEST_CASE("Sha256: the CPU's instructions do what the formula does") {
  if (!__builtin_cpu_supports("sha")) {
    MESSAGE("skipped: this CPU has none");
    return;
  }
  namespace detail = entrain::checkpoint::detail;
  detail::Sha256State plain{}, fast{};
  std::array<std::byte, 64> block{};
  for (std::uint32_t n = 0; n < 1000; ++n) {
    for (std::uint32_t i = 0; i < 64; ++i) block[i] = static_cast<std::byte>((n * 64 + i) * 2654435761U >> 24);
    detail::sha256_plainly(plain, block.data());
    detail::sha256_by_cpu(fast, block.data());
    REQUIRE(plain == fast);
  }
}
#endif

}  // namespace sha256_test
