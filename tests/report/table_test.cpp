// tests > [report]
#include "entrain/report/table.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "entrain/report/number.hpp"

using namespace entrain::report;

TEST_CASE("table: columns are aligned, lines have no spaces at their end") {
  const std::vector<Column> titles{{"label", Align::left}, {"F1"}, {"note", Align::left}};
  const std::vector<Row> rows{{"PER", "85.22", "good"}, {"creative-work", "9.5"}, {"O", "100.00", "x", "dropped"}};
  CHECK(table(titles, rows) ==
        "label              F1  note\n"
        "PER             85.22  good\n"
        "creative-work     9.5\n"
        "O              100.00  x\n");
  CHECK(table(titles, {}) == "label  F1  note\n");
  CHECK(table({}, rows) == "\n\n\n\n");
}

TEST_CASE("table: any script stays aligned, hostile cells stay on their line") {
  const std::vector<Column> titles{{"label", Align::left}, {"n"}};
  const std::vector<Row> rows{
      {"Zoë", "1"},      {"e\u0301", "2"}, {"組織", "3"}, {"\U0001F600", "4"}, {"a\nb\x1b[2J\x7F\u0085", "5"},
      {"\xFFx\xC3", "6"}};
  CHECK(table(titles, rows) ==
        "label      n\n"
        "Zoë        1\n"
        "e\u0301          2\n"
        "組織       3\n"
        "\U0001F600         4\n"
        "a?b?[2J??  5\n"
        "\uFFFDx\uFFFD        6\n");
}

TEST_CASE("table: titles are bold where the terminal has colour") {
  const std::vector<Column> titles{{"a", Align::left}};
  const std::vector<Row> rows{{"1"}};
  CHECK(table(titles, rows, {.live = true, .colour = true}) == "\x1b[1ma\x1b[0m\n1\n");
  CHECK(painted("x", Style::red, {.live = true, .colour = false}) == "x");
  CHECK(painted("x", Style::plain, {.live = true, .colour = true}) == "x");
}

TEST_CASE("columns: widths of texts") {
  CHECK(columns("") == 0);
  CHECK(columns("abc") == 3);
  CHECK(columns("한국") == 4);
  CHECK(columns("\xF0\x9F") == 2);  // a cut character: one place for each byte
  CHECK(columns("a\u200Bb") == 2);
}

TEST_CASE("numbers: as people read them") {
  CHECK(fixed(0.87654, 2).view() == "0.88");
  CHECK(fixed(std::nan(""), 2).view() == "-");
  CHECK(fixed(1e300, 2).view() == "1e+300");
  CHECK(percent(0.87654).view() == "87.65");
  CHECK(percent(1).view() == "100.00");

  CHECK(scaled(0).view() == "0");
  CHECK(scaled(7).view() == "7");
  CHECK(scaled(7.25).view() == "7.25");
  CHECK(scaled(0.5).view() == "0.50");
  CHECK(scaled(99.96).view() == "100");
  CHECK(scaled(999.4).view() == "999");
  CHECK(scaled(999.6).view() == "1.00k");
  CHECK(scaled(15234).view() == "15.2k");
  CHECK(scaled(152340).view() == "152k");
  CHECK(scaled(-1.5e6).view() == "-1.50M");
  CHECK(scaled(3e14).view() == "300T");
  CHECK(scaled(1e30).view() == "1e+30");
  CHECK(scaled(std::numeric_limits<double>::infinity()).view() == "-");

  CHECK(with_unit(3.47e8, "FLOP").view() == "347 MFLOP");
  CHECK(with_unit(1.5e13, "FLOP").view() == "15.0 TFLOP");
  CHECK(with_unit(12, "FLOP").view() == "12 FLOP");
  CHECK(with_unit(1e30, "FLOP").view() == "1e+30 FLOP");

  CHECK(grouped(0).view() == "0");
  CHECK(grouped(999).view() == "999");
  CHECK(grouped(1000).view() == "1,000");
  CHECK(grouped(-1234567).view() == "-1,234,567");
  CHECK(grouped(std::numeric_limits<std::int64_t>::min()).view() == "-9,223,372,036,854,775,808");
  CHECK(grouped(std::numeric_limits<std::int64_t>::max()).view() == "9,223,372,036,854,775,807");

  CHECK(duration(0).view() == "0:00");
  CHECK(duration(2.9).view() == "0:02");
  CHECK(duration(63).view() == "1:03");
  CHECK(duration(3723).view() == "1:02:03");
  CHECK(duration(90'000).view() == "1d 1:00");
  CHECK(duration(-1).view() == "-:--");
  CHECK(duration(std::nan("")).view() == "-:--");
  CHECK(duration(std::numeric_limits<double>::infinity()).view() == "-:--");

  const std::string long_text(100, 'x');  // longer than any number that a report would ever print
  CHECK(Short(std::string_view(long_text)).view() == long_text.substr(0, 47));
  CHECK(Short("%s", long_text.c_str()).view() == long_text.substr(0, 47));
}
