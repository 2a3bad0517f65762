// tests > [text]
#include "entrain/text/unicode/graphemes.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "entrain/text/unicode/grapheme_tables.hpp"
#include "entrain/text/unicode/graphemes.ipp"  // detail::grapheme_of
#include "entrain/text/unicode/utf8.hpp"

namespace graphemes_test {
using namespace entrain::text;

TEST_CASE("grapheme clusters: those of Unicode's rules") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/graphemes.txt");
  REQUIRE(golden.is_open());
  int cases = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line[0] == '#') continue;
    std::string text, found;
    for (std::istringstream clusters(line); !clusters.eof();) {
      std::string cluster;
      std::getline(clusters, cluster, '|');
      std::istringstream numbers(cluster);
      for (std::uint32_t cp; numbers >> std::hex >> cp;) {
        char bytes[4];
        text.append(bytes, encode(cp, bytes));
      }
    }
    for (std::size_t at = 0, end; at < text.size(); at = end) {
      end = end_of_grapheme(text, at);
      REQUIRE(end > at);
      found += at == 0 ? "" : "|";
      for (std::size_t i = at; i < end; i += decode(text, i).bytes) {
        std::ostringstream number;
        number << std::hex << std::uppercase << static_cast<std::uint32_t>(decode(text, i).cp);
        found += (i == at ? "" : " ") + number.str();
      }
    }
    CHECK(found == line);
    ++cases;
  }
  CHECK(cases == 600);
}

TEST_CASE("grapheme clusters: the class of every code point is that of its range") {
  using entrain::text::detail::Grapheme;
  using Table = entrain::text::detail::GraphemeTable;
  std::size_t range = 0, differ = 0;
  for (char32_t cp = 0; cp <= 0x10FFFF; ++cp) {
    while (range < std::size(Table::ranges) && Table::ranges[range].last < cp) ++range;
    const bool inside = range < std::size(Table::ranges) && Table::ranges[range].first <= cp;
    differ += entrain::text::detail::grapheme_of(cp) != (inside ? Table::ranges[range].cls : Grapheme::other);
  }
  CHECK(differ == 0);
  for (std::size_t i = 1; i < std::size(Table::ranges); ++i)
    CHECK(Table::ranges[i - 1].last < Table::ranges[i].first);  // in order, for the search
}

TEST_CASE("grapheme clusters: the ends of the tables, and invalid bytes") {
  const auto first = [](std::string_view text) { return end_of_grapheme(text, 0); };
  CHECK(first("a") == 1);
  CHECK(first("\xF4\x8F\xBF\xBF\xCC\x81") == 6);         // U+10FFFF, which no range has
  CHECK(first("a\xF3\xA0\x87\xAF") == 5);                // U+E01EF, the last one that extends
  CHECK(first("a\xF3\xA0\x87\xB0") == 1);                // the one after it
  CHECK(first("\xFF\xCC\x81") == 3);                     // an invalid byte is U+FFFD
  CHECK(first("a\xCC") == 1);                            // cut short
  CHECK(first(std::string_view("\0\xCC\x81", 3)) == 1);  // nothing extends a control
}

}  // namespace graphemes_test
