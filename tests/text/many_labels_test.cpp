// tests > [text]
//
// Texts with any number of labels: lists in JSON Lines, fields with a character between labels in CSV, and what the
// check of texts says of them.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/check/check_texts.hpp"
#include "entrain/text/check/repair_json.hpp"
#include "entrain/text/corpus/in_words.hpp"
#include "entrain/text/csv/csv.hpp"
#include "entrain/text/records/labelled_json.hpp"
#include "tests/scratch.hpp"

namespace many_labels_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch, test::sentence;

namespace {
CsvOptions many(bool lenient = false) {
  CsvOptions options;
  options.many = true, options.lenient = lenient;
  return options;
}
/// A line for each text: its line, itself and its labels; then the problems.
template <class Source> std::string read(const std::string& bytes, const CsvOptions& options, std::size_t block) {
  const Scratch folder;
  batch::InTurn source(Source({folder.file("f", bytes)}, options, block));
  source.start(0, {});
  std::string rows, problems;
  for (Texts texts; source.next(texts);) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      rows += std::to_string(texts.line[i]) + "|" + std::string(texts.text(i)) + "|";
      for (const std::int32_t label : texts.labels_of(i)) rows += texts.labels.name(label) + ";";
      rows += "\n";
    }
    for (const Problem& p : texts.problems) problems += std::to_string(p.line) + ": " + p.reason + "\n";
  }
  return rows + problems;
}
std::string json(const std::string& bytes, const CsvOptions& options = many(), std::size_t block = 1 << 18) {
  return read<LabelledJson>(bytes, options, block);
}
std::string csv(const std::string& bytes, const CsvOptions& options = many(), std::size_t block = 1 << 18) {
  return read<Csv>(bytes, options, block);
}
std::string refusal(auto&& f) {
  std::string said = sentence(f);
  const std::size_t name = said.find(": ") + 2, end = said.find("/f:", name);
  return end == said.npos ? said : said.replace(name, end + 1 - name, "");
}
}  // namespace

TEST_CASE("many labels: lists of JSON Lines, in blocks of any size") {
  const std::string bytes =
      "{\"text\":\"a\",\"labels\":[\"x\",\"y\"]}\n{\"labels\":[],\"text\":\"b\"}\n"
      "{\"text\":\"c\",\"labels\":\"x\"}\n{\"text\":\"d\",\"label\":[\"z\", 3,true "
      "]}\n{\"text\":\"e\",\"labels\":null}\n"
      "{\"text\":\"f\",\"category\":[\"c\"],\"label\":\"l\"}\n{\"text\":\"g\",\"labels\":[\"s\"],\"label\":[\"l\"]}\n"
      "{\"text\":\"h\",\"labels\":\"\"}\n";
  const std::string rows = "1|a|x;y;\n2|b|\n3|c|x;\n4|d|z;3;true;\n5|e|\n6|f|l;\n7|g|s;\n8|h|\n";
  for (const std::size_t block : {std::size_t{1}, std::size_t{60}, std::size_t{1} << 18})
    CHECK(json(bytes, many(), block) == rows);
  CsvOptions named = many();
  named.label = "topics";
  CHECK(json("{\"text\":\"a\",\"topics\":[\"x\",\"y\"],\"labels\":3}\n", named) == "1|a|x;y;\n");
}

TEST_CASE("many labels: lists of JSON Lines that are refused, or listed") {
  const auto said = [](const std::string& line) { return refusal([&] { json("\n" + line); }); };
  CHECK(said("{\"text\":\"a\"}")
            .starts_with("entrain.text.42: f:2: no label, expected labels, label or category; name its key"));
  CHECK(said("{\"text\":\"a\",\"labels\":[\"x\",\"\"]}")
            .starts_with("entrain.text.42: f:2: an empty label in a list, expected names of classes"));
  CHECK(said("{\"text\":\"a\",\"labels\":[\"x\",\"y\",\"x\"]}")
            .starts_with("entrain.text.42: f:2: label 'x' twice, expected each label once"));
  CHECK(said("{\"text\":\"a\",\"labels\":[[0,1,\"x\"]]}").starts_with("entrain.text.40: f:2: "));
  CHECK(said("{\"text\":\"a\",\"labels\":[\"x\"],\"labels\":[]}")
            .starts_with("entrain.text.42: f:2: \"labels\" twice, expected one"));
  CHECK(json("{\"text\":\"a\",\"labels\":[\"\"]}\n{\"text\":\"b\",\"labels\":[\"x\"]}\n", many(true))
            .starts_with("2|b|x;\n1: an empty label in a list"));
}

TEST_CASE("many labels: how a file begins tells lists of labels from lists of entities") {
  const LabelledKeys keys(many());
  CHECK(begins_labelled("{\"text\":\"a\",\"labels\":[\"x\"]}", keys));
  CHECK(begins_labelled("{\"text\":\"a\",\"labels\":[]}", keys));
  CHECK(begins_labelled("{\"text\":\"a\",\"label\":[1]}", keys));
  CHECK(begins_labelled("{\"text\":\"a\",\"label\":\"x\"}", keys));
  CHECK(!begins_labelled("{\"text\":\"a\",\"labels\":[[0,1,\"x\"]]}", keys));
  CHECK(!begins_labelled("{\"text\":\"a\",\"labels\":[{\"start\":0}]}", keys));
  CHECK(!begins_labelled("{\"text\":\"a\",\"labels\":[\"x\"],\"entities\":[]}", keys));
  CHECK(!begins_labelled("{\"text\":\"a\",\"labels\":[\"x\"]}", LabelledKeys()));
}

TEST_CASE("many labels: fields of CSV, in blocks of any size") {
  const std::string bytes = "text,labels\na,\"x,y\"\nb,\nc,x\n\"d, e\",\" z , \"\"q\"\" ,x\"\nf,\"  \"\n";
  const std::string rows = "2|a|x;y;\n3|b|\n4|c|x;\n5|d, e|z;\"q\";x;\n6|f|\n";
  for (const std::size_t block : {std::size_t{1}, std::size_t{20}, std::size_t{1} << 18})
    CHECK(csv(bytes, many(), block) == rows);
  CsvOptions bars = many();
  bars.label_delimiter = '|';
  CHECK(csv("text\tlabel\na\tx|y,z\n", bars) == "2|a|x;y,z;\n");
  CsvOptions one = many();
  one.many = false;
  CHECK(csv("text,label\na,\"x,y\"\n", one) == "2|a|x,y;\n");
  CsvOptions none = many();
  none.labels = false;
  CHECK(csv("text,labels\na,\"x,x\"\n", none) == "2|a|\n");
}

TEST_CASE("many labels: fields of CSV that are refused, or listed") {
  const auto said = [](const std::string& row) { return refusal([&] { csv("text,labels\n" + row); }); };
  CHECK(said("a,\"x,,y\"\n").starts_with("entrain.text.50: f:2: an empty label in 'x,,y'"));
  CHECK(said("a,\"x,\"\n").starts_with("entrain.text.50: f:2: an empty label in 'x,'"));
  CHECK(said("a,\",\"\n").starts_with("entrain.text.50: f:2: an empty label in ','"));
  CHECK(said("a,\"x, y,x\"\n").starts_with("entrain.text.50: f:2: label 'x' twice"));
  CHECK(csv("text,labels\na,\"x,x\"\nb,x\n", many(true)) == "3|b|x;\n2: label 'x' twice\n");
  CHECK(refusal([] { csv("text,kind\na,x\n"); }).find("no column named labels or label or category") !=
        std::string::npos);
}

TEST_CASE("many labels: a text with many labels is read in a time that is almost linear in their number") {
  std::string row, list;
  for (int i = 0; i < 200000; ++i) {
    row += (i > 0 ? ",l" : "l") + std::to_string(i);
    list += (i > 0 ? ",\"l" : "\"l") + std::to_string(i) + "\"";
  }
  const auto begin = std::chrono::steady_clock::now();
  CHECK(csv("text,labels\na,\"" + row + "\"\n").ends_with(";l199999;\n"));
  CHECK(json("{\"text\":\"a\",\"labels\":[" + list + "]}\n").ends_with(";l199999;\n"));
  // 0.3 s here; CSV took 58 s with each label compared with all before it
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 20);
}

TEST_CASE("many labels: a corpus has them as the classes of its texts") {
  const Scratch folder;
  const Corpus corpus = read_in_words<UnicodeWords>(
      LabelledJson({folder.file("f",
                                "{\"text\":\"a b\",\"labels\":[\"x\",\"y\"]}\n{\"text\":\"c\",\"labels\":[]}\n"
                                "{\"text\":\" \",\"labels\":[\"x\"]}\n{\"text\":\"d\",\"labels\":[\"y\"]}\n")},
                   many(), 30));
  REQUIRE(corpus.sentences() == 3);
  CHECK(corpus.classes.names == std::vector<std::string>{"x", "y"});
  CHECK(std::vector<std::int32_t>(corpus.classes_of(0).begin(), corpus.classes_of(0).end()) ==
        std::vector<std::int32_t>{0, 1});
  CHECK(corpus.classes_of(1).empty());
  REQUIRE(corpus.classes_of(2).size() == 1);
  CHECK(corpus.classes_of(2)[0] == 1);
  CHECK(corpus.met.wordless == 1);
}

TEST_CASE("many labels: the check counts each label, and compares sets") {
  TextsChecker checker({.rare = 0});
  checker.file("f");
  Texts texts;
  texts.name = "f";
  const auto add = [&](const std::string& text, const std::vector<std::string>& labels) {
    texts.bytes += text;
    for (const std::string& label : labels) texts.add_label(label);
    texts.end_text(static_cast<std::uint32_t>(texts.size() + 1));
  };
  add("one two", {"x", "y"});
  add("three", {"y"});
  add("one two", {"y", "x"});
  add("one two", {"x"});
  add("four", {});
  checker.add(texts);
  const std::string said = checker.describe();
  CAPTURE(said);
  CHECK(said.find("  x: 3 (60.0 %)\n") != std::string::npos);
  CHECK(said.find("  y: 3 (60.0 %)\n") != std::string::npos);
  CHECK(said.find("f:4: ") != std::string::npos);
  CHECK(said.find("labelled 'x, y' there and 'x' here") != std::string::npos);
  CHECK(said.find("f:3: ") != std::string::npos);
  CHECK(said.find("labelled 'x, y' there and 'x, y' here") == std::string::npos);
}

TEST_CASE("many labels: a repair changes the labels inside a list") {
  const std::vector<std::string> labels{"card", "card ", "cash"};
  const std::vector<std::uint64_t> times{9, 1, 9};
  const UsualLabels usual(labels, times, Rules::named("form"));
  const std::string bytes = "{\"text\":\"a\",\"labels\":[\"cash\", \"card \"]}\n";
  const Repaired fixed = repair_labelled_json("f", bytes, usual, LabelledKeys(many()));
  CHECK(fixed.bytes == "{\"text\":\"a\",\"labels\":[\"cash\", \"card\"]}\n");
  CHECK(fixed.changes.size() == 1);
}

}  // namespace many_labels_test
