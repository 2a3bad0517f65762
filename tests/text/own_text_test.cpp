// tests > [text]
//
// What an entity says that it holds, against what is at its place; and which unit offsets count.
#include "entrain/text/records/own_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace own_text_test {
using namespace entrain;
using namespace entrain::text;
using test::problems;
using test::sentence;
using test::shown;

namespace {

using Source = Jsonl<Bio, Whitespace, WholeText>;
using Annotated = AnnotatedText<Bio, Whitespace, WholeText>;

std::string said(const std::string& line, const RecordOptions& options = {}) {
  return problems(test::corpus_of<Source>(line, options));
}

TEST_CASE("an entity whose own text is elsewhere is read by its place, counted and listed") {
  const std::string bo = R"({"text":"Bo Al Cy","spans":[{"start":3,"end":5,"label":"PER","text":"Bo"}]})";
  const Corpus c = test::corpus_of<Source>(bo);
  CHECK(shown(c) == "Bo/O Al/B-PER Cy/O");
  CHECK(problems(c) == "1: entity [3, 5) PER covers 'Al', but its text is given as 'Bo', which is at [0, 2)\n");
  CHECK(c.met.other_texts == 1);
  CHECK(c.problems[0].of == Concern::other_text);
  const auto own = [](const std::string& entity, const std::string& text = "Bo Al Cy") {
    return said("{\"text\":\"" + text + "\",\"spans\":[" + entity + "]}");
  };
  for (const char* key : {"text", "surface", "mention", "word", "value"})
    CHECK(own(std::string("{\"") + key + "\":\"Bo\",\"start\":3,\"end\":5,\"label\":\"PER\"}") == problems(c));
  CHECK(own("[3,5,\"PER\",\"Bo\"]") == problems(c));
  CHECK(problems(test::corpus_of<Annotated>("Bo Al Cy\t[(3, 5, 'PER', 'Bo')]")) == problems(c));
  CHECK(problems(test::corpus_of<Annotated>(
            "Bo Al Cy\t{'spans': [{'start': 3, 'end': 5, 'label': 'PER', 'text': 'Bo'}]}")) == problems(c));
  CHECK(own(R"({"start":3,"end":5,"label":"PER","text":"\u0042o"})") == problems(c));
  CHECK(own(R"({"start":3,"end":5,"label":"PER","text":"Di"})") ==
        "1: entity [3, 5) PER covers 'Al', but its text is given as 'Di', which is not in the text\n");
  CHECK(own(R"({"start":3,"end":5,"label":"PER","text":"Bo"})", "Bo Al Bo") ==
        "1: entity [3, 5) PER covers 'Al', but its text is given as 'Bo', which is in the text 2 times\n");
  CHECK(own(R"({"start":4,"end":6,"label":"PER","text":"Bo"})", "Bob Al Bo") ==
        "1: entity [4, 6) PER covers 'Al', but its text is given as 'Bo', which is at [7, 9)\n");
}

TEST_CASE("words that are counted, and words by their places, likewise") {
  CHECK(said(R"({"tokens":["Bo","Al"],"ner":[{"start":1,"end":1,"label":"PER","text":"Bo"}]})") ==
        "1: entity [1, 1] PER covers 'Al', but its text is given as 'Bo', which is at [0, 0]\n");
  CHECK(said(R"({"tokens":["U.S","."],"ner":[{"start":0,"end":1,"label":"LOC","text":"U.S."}]})").empty());
  CHECK(
      said(
          R"({"text":"Bo Al","tokens":[{"text":"Bo","start":0,"end":2},{"text":"Cy","start":3,"end":5}],"spans":[]})") ==
      "1: token [3, 5) covers 'Al', but its text is given as 'Cy'\n");
  CHECK(
      said(R"({"text":"😀Bo","tokens":[{"text":"😀","start":0,"end":2},{"text":"Bo","start":2,"end":3}],"spans":[]})") ==
      "1: token [0, 2) covers '😀B', but its text is given as '😀'; offsets seem to count UTF-16 units: use --offsets "
      "utf-16\n");
}

TEST_CASE("no word about what is the same, or no text at all") {
  for (const char* own : {"\"Al Cy\"", "\"al cy\"", "\"Al  Cy\"", "\"AlCy\"", "\"\"", "null", "[\"Bo\"]", "7"})
    CHECK(said(std::string("{\"text\":\"Bo Al Cy\",\"spans\":[{\"start\":3,\"end\":8,\"label\":\"PER\",\"text\":") +
               own + "}]}")
              .empty());
  // a normal form, a number of a knowledge base
  CHECK(said(R"({"text":"Bo Al","spans":[{"start":3,"end":5,"label":"PER","value":"Albert"}]})").empty());
  CHECK(said(R"({"text":"Bo Al","spans":[[3,5,"PER","Q1"]]})").empty());
  CHECK(problems(test::corpus_of<Annotated>("Bo Al\t[(3, 5, 'PER', 'Q1', 7)]")).empty());
}

TEST_CASE("the unit in which offsets would fit is named") {
  const std::string utf16 = "offsets seem to count UTF-16 units: use --offsets utf-16",
                    bytes = "offsets seem to count bytes: use --offsets bytes",
                    code_points = "offsets seem to count code points: use --offsets code-points";
  const auto refused = [](const std::string& line, OffsetUnit unit = OffsetUnit::code_points) {
    RecordOptions options;
    options.unit = unit;
    return sentence([&] { test::corpus_of<Source>(line, options); });
  };
  const std::string ilse = R"({"text":"😀 Ilse testet","entities":[{"start":3,"end":7,"label":"PER"}]})";
  CHECK(refused(ilse) ==
        "entrain.text.41: f:1: entity [3, 7) PER begins inside a word and ends after its last word: '😀 I|lse |testet', "
        "expected [2, 6) 'Ilse'; " +
            utf16 + "; check --list all lists every such entity");
  CHECK(refused(ilse, OffsetUnit::utf16).empty());
  const std::string in_bytes = R"({"text":"é Ilse","entities":[[3,7,"PER"]]})";
  CHECK(refused(in_bytes).find(bytes) != std::string::npos);
  CHECK(refused(in_bytes, OffsetUnit::bytes).empty());
  CHECK(refused(R"({"text":"é Ilse","entities":[[2,6,"PER"]]})", OffsetUnit::bytes).find(code_points) !=
        std::string::npos);
  // a place that is outside of the text, or between words
  CHECK(refused(R"({"text":"😀 Ilse","entities":[[3,7,"PER"]]})").find(utf16) != std::string::npos);
  CHECK(refused(R"({"text":"😀 a Ilse","entities":[[3,4,"PER"]]})").find(utf16) != std::string::npos);
  // nothing fits, but UTF-16 is possible
  CHECK(refused(R"({"text":"😀 Ilse testet","entities":[[3,6,"PER"]]})")
            .find("if offsets count UTF-16 units, use --offsets utf-16") != std::string::npos);
  CHECK(refused(R"({"text":"é Ilse","entities":[[3,5,"PER"]]})").find("--offsets") == std::string::npos);
  RecordOptions snap;
  snap.misaligned = Misaligned::snap;
  CHECK(said(ilse, snap) ==
        "1: entity [3, 7) PER begins inside a word and ends after its last word: '😀 I|lse |testet'; read as [2, 6) "
        "'Ilse'; " +
            utf16 + "\n");
  // whole words by chance: the text tells
  CHECK(said(R"({"text":"😀 a b","entities":[{"start":4,"end":5,"label":"X","text":"b"}]})").empty());
  CHECK(said(R"({"text":"😀😀 a b","entities":[{"start":5,"end":6,"label":"X","text":"a"}]})") ==
        "1: entity [5, 6) X covers 'b', but its text is given as 'a', which is at [3, 4); " + utf16 + "\n");
  CHECK(
      refused(R"({"text":"é Bo","tokens":[[0,2],[3,6]],"entities":[]})") ==
      "entrain.text.42: f:1: token [3, 6), expected tokens from left to right inside the text; set what offsets count: "
      "--offsets code-points, bytes or utf-16; check --list all lists every such line: correct them, or skip them with "
      "--lenient");
}

TEST_CASE("what is refused leaves nothing that was said about its other entities") {
  RecordOptions lenient;
  lenient.lenient = true;
  const Corpus c = test::corpus_of<Source>(
      R"({"text":"Bo Al Cyd","spans":[{"start":3,"end":5,"label":"PER","text":"Bo"},{"start":6,"end":8,"label":"PER"}]})",
      lenient);
  CHECK(c.met.malformed == 1);
  CHECK(c.met.other_texts == 0);
  CHECK(c.problems.size() == 1);
}

}  // namespace

}  // namespace own_text_test
