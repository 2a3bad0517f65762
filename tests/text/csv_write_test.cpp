// tests > [text]
//
// Tables that are written: what Python's csv module writes where it must quote, and what is read back, byte for byte,
// by our reader and by one that goes letter by letter.
#include "entrain/text/csv/csv_write.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/csv/csv.hpp"
#include "tests/scratch.hpp"
#include "tests/text/csv_by_letter.hpp"

namespace csv_write_test {
using namespace entrain;
using namespace entrain::text;

namespace {

std::string record(std::initializer_list<std::string_view> fields, char delimiter = ',') {
  std::string s;
  append_csv_record(s, fields, delimiter);
  return s;
}

}  // namespace

TEST_CASE("fields are quoted where they must be, and only there") {
  CHECK(record({"a", "b c"}) == "a,b c\n");
  CHECK(record({"", ""}) == ",\n");
  CHECK(record({""}) == "\"\"\n");
  CHECK(record({"x"}) == "x\n");
  CHECK(record({"a;b"}, '\t') == "\"a;b\"\n");
  CHECK(record({"a,b"}, '\t') == "\"a,b\"\n");
  CHECK(record({"a\tb"}) == "\"a\tb\"\n");
  CHECK(record({"a,b", "c"}) == "\"a,b\",c\n");
  CHECK(record({"a,b\tc", "d"}, '\t') == "\"a,b\tc\"\td\n");
  CHECK(record({"a,b", "d"}, '\t') == "a,b\td\n");
  CHECK(record({"\"", "a\"b"}) == "\"\"\"\",\"a\"\"b\"\n");
  CHECK(record({"a\nb", "a\rb", "\r\n"}) == "\"a\nb\",\"a\rb\",\"\r\n\"\n");
  CHECK(record({"\xEF\xBB\xBF"
                "a",
                "a\xEF\xBB\xBF"}) ==
        "\"\xEF\xBB\xBF"
        "a\",a\xEF\xBB\xBF\n");
  CHECK(record({" a ", "\xC3\xA9"}) == " a ,\xC3\xA9\n");
}

TEST_CASE("any texts and labels are read back as they were") {
  std::mt19937 random(11);
  const std::vector<std::string> pieces{"a", "\"", "\"\"",         ",",        "\t", "\n", "\r", "\r\n",
                                        " ", ";",  "\xEF\xBB\xBF", "\xC3\xA9", "'"};
  const auto any = [&](std::size_t least) {
    std::string s;
    for (std::size_t n = least + random() % 6; n > 0; --n) s += pieces[random() % pieces.size()];
    return s;
  };
  const test::Scratch folder;
  for (int round = 0; round < 300; ++round) {
    const char delimiter = random() % 2 == 0 ? ',' : '\t';
    const bool labels = random() % 4 > 0;
    std::string file, expected;
    if (labels)
      append_csv_record(file, {"text", "label"}, delimiter);
    else
      append_csv_record(file, {"text"}, delimiter);
    std::vector<std::string> texts, of;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) {
      texts.push_back(any(0)), of.push_back(labels ? any(1) : "");
      if (labels)
        append_csv_record(file, {texts.back(), of.back()}, delimiter);
      else
        append_csv_record(file, {texts.back()}, delimiter);
    }
    CAPTURE(file);
    CsvOptions options;
    options.labels = labels;
    batch::InTurn source(Csv({folder.file("t.csv", file)}, options, 16));
    source.start(0, {});
    std::size_t i = 0;
    for (Texts block; source.next(block);)
      for (std::size_t k = 0; k < block.size(); ++k, ++i) {
        REQUIRE(i < texts.size());
        CHECK(block.text(k) == texts[i]);
        CHECK(block.label_name(k) == of[i]);
      }
    CHECK(i == texts.size());
    // and by letters
    CsvLayout layout;
    REQUIRE(find_csv_layout("t", file, true, options, layout));
    const test::CsvByLetter read(file, layout);
    CHECK(read.bad == 0);
    std::size_t at = 0;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const std::size_t bar = read.rows.find('|', at);
      const std::string row = texts[k] + "|" + of[k] + "\x1E\n";
      REQUIRE(bar != std::string::npos);
      CHECK(read.rows.compare(bar + 1, row.size(), row) == 0);
      at = bar + 1 + row.size();
    }
    CHECK(at == read.rows.size());
  }
}

}  // namespace csv_write_test
