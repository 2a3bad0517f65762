// tests > [text]
//
// Annotated text: against Python's own lists and offsets (golden/offsets.jsonl), and what is no such line.
#include "entrain/text/records/annotated_text.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace annotated_text_test {
using namespace entrain;
using namespace entrain::text;
using test::sentence;

namespace {

using Source = AnnotatedText<Bio, Whitespace, WholeText>;

std::string tagged(std::string_view bytes, const RecordOptions& options = {}) {
  return test::shown(test::corpus_of<Source>(bytes, options));
}
std::string refused(std::string_view bytes) {
  const std::string error = sentence([&] { tagged(bytes); });
  const std::string remedy = "; check --list all lists every such line: correct them, or skip them with --lenient";
  return error.ends_with(remedy) ? error.substr(0, error.size() - remedy.size()) : error;
}
/// The type of the one entity of "a".
std::string type_of(std::string_view literal) {
  const std::string s = tagged("a\t[(0, 1, " + std::string(literal) + ")]");
  REQUIRE(s.starts_with("a/B-"));
  return s.substr(4);
}

TEST_CASE("a text, a TAB and a list, however Python writes it") {
  const std::string ada = "Ada Lovelace wrote it\t", expected = "Ada/B-PER Lovelace/I-PER wrote/O it/B-WORK";
  for (const char* list :
       {R"([(0, 12, "PER"), (19, 21, "WORK")])", R"([(0, 12, 'PER'), (19, 21, 'WORK')])",
        R"([(19,21,'WORK'),(0,12,'PER'),])", R"([[0, 12, "PER"], [19, 21, "WORK"]])",
        R"(((0, 12, 'PER'), (19, 21, 'WORK',),))", R"(  [ ( 0 , 12 , 'PER' , ) , ( 19 , 21 , 'WORK' ) , ]  )",
        R"([(+0, 12, u'PER'), (19, 21, U"WORK", 'Q1', 7)])", "[(0, 12, 'PER'), (19, 21, 'WORK')]\r"}) {
    CAPTURE(list);
    CHECK(tagged(ada + list) == expected);
    CHECK(tagged(ada + list + "\n\n" + ada + list + "\n") == expected + "||" + expected);
  }
  for (const char* none : {"[]", "()", " [ ] "}) CHECK(tagged(std::string("so what\t") + none) == "so/O what/O");
  CHECK(tagged("\t[]\n \t \nx\t[]") == "x/O");
  CHECK(test::corpus_of<Source>("\t[]\n \t \nx\t[]").met.wordless == 1);
  CHECK(test::corpus_of<Source>("\t[]\n \t \nx\t[]").met.blank_separators == 1);
  CHECK(test::corpus_of<Source>("x\t[]").met.unlabelled == 0);
  CHECK(tagged("a\tb \tc\t[(5, 6, 'X')]") == "a/O b/O c/B-X");
}

TEST_CASE("strings as Python means them") {
  CHECK(type_of(R"('it\'s "x"')") == "it's \"x\"");
  CHECK(type_of(R"("it's \"x\"")") == "it's \"x\"");
  CHECK(type_of(R"('\\ \a\b\f\n\r\t\v')") == "\\ \a\b\f\n\r\t\v");
  CHECK(type_of(R"('\x41\xe9\u732b\U0001f600')") == "Aé猫😀");
  CHECK(type_of(R"('\0\7\101\1011\477')") == std::string("\0\7AA1\u013F", 7));
  CHECK(type_of(R"('\d\q\8')") == "\\d\\q\\8");           // Python leaves what it does not know
  CHECK(type_of(R"('\ud83d\ude00')") == "\uFFFD\uFFFD");  // two halves are no pair there
  CHECK(type_of("'猫'") == "猫");
}

TEST_CASE("what is no such line is said with its place") {
  const auto wrong = [](std::string_view line, std::string_view expected) {
    CAPTURE(line);
    CHECK(refused("\n" + std::string(line)) == expected);
  };
  wrong("a text",
        "entrain.text.42: f:2: no TAB in the line, expected a text, a TAB and a list of entities: [(0, 3, \"PER\"), "
        "...]");
  wrong("a\t", "entrain.text.40: f:2: the end of the line, expected '[' or '('; byte 3 of the line");
  wrong("a\tnone", "entrain.text.40: f:2: 'none', expected '[' or '('; byte 3 of the line");
  wrong("a\t[] x", "entrain.text.40: f:2: 'x', expected the end of the line; byte 6 of the line");
  wrong("a\t[", "entrain.text.40: f:2: the end of the line, expected '[' or '('; byte 4 of the line");
  wrong("a\t[(0, 1, 'X')", "entrain.text.40: f:2: the end of the line, expected ',' or ']'; byte 15 of the line");
  wrong("a\t[(0, 1, 'X']", "entrain.text.40: f:2: ']', expected ',' or ')'; byte 14 of the line");
  wrong("a\t[(0 1, 'X')]", "entrain.text.40: f:2: '1, 'X')]', expected ',' or ')'; byte 7 of the line");
  wrong("a\t[,]", "entrain.text.40: f:2: ',]', expected '[' or '('; byte 4 of the line");
  wrong("a\t[(0,, 1, 'X')]", "entrain.text.40: f:2: ', 1, 'X')]', expected a whole number; byte 7 of the line");
  wrong("a\t[(0, 'X', 1)]", "entrain.text.40: f:2: ''X', 1)]', expected a whole number; byte 8 of the line");
  wrong("a\t[(0, 1, X)]", "entrain.text.40: f:2: 'X)]', expected a string; byte 11 of the line");
  wrong("a\t[(0, 1, 'X)]",
        "entrain.text.40: f:2: the end of the line, expected the end of the string; byte 15 of the line");
  wrong("a\t[(0, 1, 'X\\", "entrain.text.40: f:2: '\\', expected the end of the string; byte 13 of the line");
  wrong("a\t[(0, 1, b'X')]", "entrain.text.40: f:2: 'b'X')]', expected a string; byte 11 of the line");
  wrong("a\t[(0, 1, 'X', Nope)]", "entrain.text.40: f:2: 'Nope)]', expected a value; byte 16 of the line");
  wrong("a\t[(0, 1, '\\x4')]", "entrain.text.40: f:2: '\\x4')]', expected 2 hexadecimal digits; byte 12 of the line");
  wrong("a\t[(0, 1, '\\u12')]", "entrain.text.40: f:2: '\\u12')]', expected 4 hexadecimal digits; byte 12 of the line");
  wrong("a\t[(0, 1, '\\U00110000')]",
        "entrain.text.40: f:2: '\\U00110000')]', expected 8 hexadecimal digits; byte 12 of the line");
  wrong("a\t[(0, 1, '\\N{BULLET}')]",
        "entrain.text.40: f:2: '\\N{BULLET}')]', expected another escape than \\N; byte 12 of the line");
  for (const char* number : {"1.0", "1.", "1e5", "1_0", "0x1", "01", "--1", "+-1", "-+1", "-", "1e99999999"})
    wrong(std::string("a\t[(") + number + ")]", "entrain.text.40: f:2: '" + std::string(number) +
                                                    ")]', expected a whole number below 2^63; byte 5 of the line");
  wrong("a\t[()]", "entrain.text.42: f:2: an entity of 0 values, expected start, end and label");
  wrong("a\t[(0, 1)]", "entrain.text.42: f:2: an entity of 2 values, expected start, end and label");
  wrong("a\t[(0, 1, '')]", "entrain.text.42: f:2: an entity whose label is empty, expected its type");
  wrong("a\xFF\t[]",
        "entrain.text.43: f:2: bytes that are not UTF-8, expected text in UTF-8; convert it with iconv -t UTF-8");
  wrong("ab\t[(0, 1, 'X')]",
        "entrain.text.41: f:2: entity [0, 1) X ends inside a word: '|a|b', expected [0, 2) 'ab'; correct it, or use "
        "--misaligned snap or --misaligned drop; check --list all lists every such entity");
  RecordOptions options;
  options.lenient = true;
  const Corpus c = test::corpus_of<Source>("no\nab c\t[(3, 4, 'X')]\nc\t[(]\n", options);
  CHECK(test::shown(c) == "ab/O c/B-X");
  CHECK(c.met.malformed == 2);
  CHECK(test::problems(c).starts_with("1: no TAB in the line, expected"));
  options.misaligned = Misaligned::snap;
  CHECK(tagged("ab c\t[(1, 4, 'X')]", options) == "ab/B-X c/I-X");
}

/// What strict reading finds, as [begin, end, type].
nlohmann::json entities_of(const Corpus& c) {
  auto found = nlohmann::json::array();
  Types types;
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < c.size(); ++i) marks.push_back(read_mark(c.tag_name(i), types));
  strict<Bio>(marks, [&](const Span& s) { found.push_back({s.begin, s.end, types.name(s.type)}); });
  return found;
}

TEST_CASE("offsets and lists as Python counts and prints them: the golden file") {
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/text/golden/offsets.jsonl");
  REQUIRE(file.good());
  int lines = 0, entities = 0, differ = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const auto golden = nlohmann::json::parse(line);
    const std::string code_points = golden["code_points"], bytes = golden["bytes"], utf16 = golden["utf16"],
                      annotated = golden["annotated"];
    using Rows = Jsonl<Bio, Whitespace, WholeText>;
    RecordOptions in_bytes, in_utf16;
    in_bytes.unit = OffsetUnit::bytes;
    in_utf16.unit = OffsetUnit::utf16;
    const auto check = [&](const Corpus& c) {
      CAPTURE(line);
      CHECK(c.size() == golden["words"].size());
      for (std::size_t i = 0; i < c.size(); ++i) CHECK(c.token(i) == golden["words"][i].get<std::string>());
      CHECK(entities_of(c) == golden["entities"]);
    };
    check(test::corpus_of<Rows>(code_points));
    check(test::corpus_of<Rows>(bytes, in_bytes));
    check(test::corpus_of<Rows>(utf16, in_utf16));
    check(test::corpus_of<Source>(annotated));
    entities += static_cast<int>(golden["entities"].size());
    differ += sentence([&] { test::corpus_of<Rows>(bytes); }) != "";  // units matter
  }
  CHECK(lines == 60);
  CHECK(entities > 60);
  CHECK(differ > 30);
}

}  // namespace

}  // namespace annotated_text_test
