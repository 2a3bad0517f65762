// tests > [text]
//
// The place of a byte, as std::string::find returns it, for any text, byte and step.
#include "entrain/text/files/byte_finder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace byte_finder_test {
using namespace entrain::text;

TEST_CASE("byte finder: every place that find gives, asked for in turn or in steps") {
  std::mt19937 draw(3);
  std::size_t found = 0;
  for (std::size_t size = 0; size < 300; ++size)
    for (const char byte : {'\n', '\t', '\0', '\x7F', '\x80', '\xFF', '\x01'}) {
      std::string text(size, ' ');
      // the byte, and its neighbours by one bit or by one, which a borrow would take for it
      const char others[] = {byte, static_cast<char>(byte ^ 1), static_cast<char>(byte + 1),
                             static_cast<char>(byte ^ 0x80), 'x'};
      for (char& c : text) c = others[draw() % 5];
      CHECK(count_byte(text, byte) == static_cast<std::size_t>(std::count(text.begin(), text.end(), byte)));
      ByteFinder finder(text, byte), in_steps(text, byte);
      for (std::size_t at = 0; at <= size; ++at) {
        const std::size_t place = std::min(text.find(byte, at), size);
        REQUIRE(finder(at) == place);
        found += place < size;
      }
      for (std::size_t at = 0; at <= size; at += 1 + draw() % 150)
        REQUIRE(in_steps(at) == std::min(text.find(byte, at), size));
    }
  CHECK(found > 10'000);
}

TEST_CASE("byte finder: nothing to find") {
  CHECK(ByteFinder({}, '\n')(0) == 0);
  CHECK(ByteFinder("", '\0')(0) == 0);
  CHECK(count_byte({}, '\0') == 0);
  const std::string none(1000, 'a');
  ByteFinder finder(none, 'b');
  CHECK(finder(0) == 1000);
  CHECK(finder(1000) == 1000);
}

}  // namespace byte_finder_test
