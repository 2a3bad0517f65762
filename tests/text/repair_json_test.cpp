// tests > [text]
#include "entrain/text/check/repair_json.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "entrain/text/check/check.hpp"
#include "entrain/text/check/repair_conll.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/types_alone.hpp"
#include "tests/text/look_alike.hpp"
#include "tests/text/one_block.hpp"

namespace repair_json_test {
using namespace entrain;
using namespace entrain::text;
using test::fixed, test::nfc, test::nfd, test::zero;

namespace {

ConllFile read(const std::string& bytes, const RecordOptions& options = {}) {
  RecordOptions lenient = options;
  lenient.lenient = true;
  lenient.misaligned = Misaligned::drop;
  ConllFile file;
  file.corpus = test::corpus_of<Jsonl<>>(bytes, lenient);
  file.layout.types_alone = read_types_alone(file.corpus);
  return file;
}
Repaired repaired(const std::string& bytes, const std::string& names = "all", const RecordOptions& options = {}) {
  const ConllFile file = read(bytes, options);
  const Rules rules = Rules::named(names);
  return repair_json("t", bytes, UsualLabels(check({&file, 1}), rules), options, file.layout.types_alone);
}
/// The labels of the file after it, the changes, and that a second time changes nothing.
std::string changes(const std::string& bytes, const std::string& after, const std::string& names = "all",
                    const RecordOptions& options = {}) {
  const Repaired once = repaired(bytes, names, options);
  CHECK(once.bytes == after);
  const Repaired twice = repaired(once.bytes, names, options);
  CHECK(twice.bytes == once.bytes);
  CHECK(twice.changes.empty());
  return list_changes("t", once);
}
std::size_t alike(const std::string& bytes) {
  const ConllFile file = read(bytes);
  return check({&file, 1}).count(Kind::label_case);
}

}  // namespace

TEST_CASE("repair_json: labels under every key and in every shape; each other byte stays") {
  const auto lines = [](const std::string& a, const std::string& b) {
    return "{\"text\" : \"Ada met Bo\", \"spans\":[ {\"start\":0,\"label\":\"" + a +
           "\",\"end\":3}, [8,10,\"PER\"] ]," + "\"id\":\"" + b + "\"}\r\n \n" +                     // CR LF, blanks
           "{\"text\":\"Ada\",\"label\":[[0,3,\"" + a + "\"]],\"n\":1.50e1}\n" +                     //
           "{\"text\":\"Ada\",\"labels\":[{\"start_offset\":0,\"end_offset\":3,\"label\":\"" + a +   //
           "\"}]}\n{\"text\":\"Ada\",\"entities\":[[0,3,\"" + a + "\",\"Ada\"]]}\n" +                //
           "[\"Ada and Bo\",{\"entities\":[[0,3,\"" + a + "\"],[8,10,\"PER\"]]}]\n" +                //
           "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[\"S-" + a + "\",\"O\"]}\n" +                 //
           "{\"tokens\":[\"Ada\",\"met\"],\"tags\":[\"S-" + a + "\",\"O\"]}\n" +                     //
           "{\"tokenized_text\":[\"Ada\",\"met\"],\"ner\":[[0,0,\"" + a + "\"],[1,1,\"PER\"]]}\n" +  //
           "{\"text\":\"Ada Bo Al Cy Di Ed Fi Gu Hu\",\"spans\":[[0,3,\"PER\"],[4,6,\"PER\"],[7,9,\"PER\"]," +
           "[10,12,\"PER\"],[13,15,\"PER\"],[16,18,\"PER\"],[19,21,\"PER\"],[22,24,\"PER\"]]}";
  };
  std::string expected;
  for (const int line : {1, 3, 4, 5, 6, 9}) expected += "t:" + std::to_string(line) + ": form: \"PER \" -> \"PER\"\n";
  const auto with_tags = [](std::string s, const std::string& name) {
    const std::string tags = "t:7: form: \"S-" + name + "\" -> \"S-PER\"\nt:8: form: \"S-" + name + "\" -> \"S-PER\"\n";
    return s.insert(s.find("t:9"), tags);
  };
  const std::string before = lines("PER ", "PER ");
  CHECK(alike(before) == 1);
  CHECK(changes(before, lines("PER", "PER "), "form") == with_tags(expected, "PER "));
  CHECK(alike(lines("PER", "PER ")) == 0);
  for (const std::string& label : {"PER" + zero, fixed + "PER"}) {
    CHECK(changes(lines(label, label), lines("PER", label)) != "");
    CHECK(alike(lines("PER", label)) == 0);
  }
  CHECK(repaired(lines("per", "x"), "form").changes.empty());
  CHECK(repaired(lines("per", "x"), "case").bytes == lines("PER", "x"));
  CHECK(repaired("\xEF\xBB\xBF" + before, "form").bytes == "\xEF\xBB\xBF" + lines("PER", "PER "));
}

TEST_CASE("repair_json: a label is escaped as JSON needs it, and ASCII stays ASCII") {
  const auto file = [](const std::string& first, const std::string& literal) {
    return "{\"text\":\"a b c\",\"spans\":[[0,1,\"" + first + "\"],[2,3,\"" + first + "\"],[4,5,\"" + literal +
           "\"]]}\n";
  };
  const auto once = [&](const std::string& usual, const std::string& odd, const std::string& repaired) {
    CHECK(changes(file(usual, odd), file(usual, repaired)) == "t:1: form: \"" + odd + "\" -> \"" + repaired + "\"\n");
    CHECK(alike(file(usual, repaired)) == 0);
  };
  once("PER", "P\\u200bER", "PER");
  once("PER", "\\u0050ER ", "PER");
  once("a\\\"b\\\\", "a\\u0022b\\\\ ", "a\\\"b\\\\");
  once(nfc, "E\\u0301te\\u0301", "\\u00c9t\\u00e9");
  once(nfc, nfd, nfc);
  once("\xF0\x9F\x98\x80" + nfc, "\\ud83d\\ude00E\\u0301te\\u0301", "\\ud83d\\ude00\\u00c9t\\u00e9");
}

TEST_CASE("repair_json: tags that are tags but for blanks, types alone, two rules for one label") {
  const auto tags = [](const std::string& a, const std::string& b, const std::string& c) {
    return "{\"tokens\":[\"a\",\"b\",\"c\"],\"ner_tags\":[\"" + a + "\",\"" + b + "\",\"" + c + "\"]}\n";
  };
  CHECK(changes(tags("O ", " S-PER", "O"), tags("O", "S-PER", "O")) ==
        "t:1: form: \"O \" -> \"O\"\nt:1: form: \" S-PER\" -> \"S-PER\"\n");
  CHECK(changes(tags("PER", "PER", "O") + tags("O", "PER" + zero, "per"),
                tags("PER", "PER", "O") + tags("O", "PER", "PER")) ==
        "t:2: form: \"PER" + zero + "\" -> \"PER\"\nt:2: case: \"per\" -> \"PER\"\n");
  CHECK(changes(tags("S-PER", "S-PER", "S-Per "), tags("S-PER", "S-PER", "S-PER")) ==
        "t:1: form: \"S-Per \" -> \"S-Per\"\nt:1: case: \"S-Per\" -> \"S-PER\"\n");
  // by case and by form at once
  const std::string small = "e\xCC\x81te\xCC\x81";
  CHECK(changes(tags("S-" + nfc, "S-" + nfc, "S-" + small), tags("S-" + nfc, "S-" + nfc, "S-" + nfc)) ==
        "t:1: case: \"S-" + small + "\" -> \"S-" + nfc + "\"\n");
  // numbers are no strings
  const std::string numbers = "{\"tokens\":[\"a\",\"b\"],\"ner_tags\":[0,1]}\n";
  CHECK(repaired(numbers, "all", {.tag_names = {"O", "S-PER "}}).bytes == numbers);
}

TEST_CASE("repair_json: what is not read stays, and so does a label of which nothing would be left") {
  const std::string good = "{\"text\":\"a b\",\"spans\":[[0,1,\"PER\"],[2,3,\"PER\"]]}\n";
  for (const std::string& other :
       {std::string("{\"text\":\"a\",\"spans\":[[0,1,\"PER \"]],\"answer\":\"reject\"}\n"),
        std::string("{\"text\":\"a\",\"spans\":[[0,1,\"PER \"]]\n"),
        std::string("{\"text\":\"a\",\"spans\":[{\"start\":0,\"label\":\"PER \"}]}\n"),
        std::string("{\"text\":\"\xE9\",\"spans\":[[0,1,\"PER \"]]}\n"), std::string("PER \tB-PER \n"),
        "{\"text\":\"a\",\"spans\":[[0,1,\"" + zero + "\"]]}\n"}) {
    CAPTURE(other);
    CHECK(repaired(good + other).bytes == good + other);
    CHECK(repaired(good + other).changes.empty());
  }
}

TEST_CASE("repair_json: one label a text") {
  const auto file = [](const std::string& a, const std::string& b) {
    return "{\"text\":\"x\",\"label\":\"card\"}\n{\"label\":\"card\",\"text\":\"card \"}\n{\"text\":\"y\", \"label\" : "
           "\"" +
           a + "\"}\n{\"text\":\"z\",\"label\":" + b + "}\n{\"text\":\"v\",\"label\":\"True\"}\n" +
           "{\"text\":\"w\",\"label\":\"True\",\"category\":\"CARD \"}\n";
  };
  const std::vector<std::string> labels{"card", "card ", "true", "True"};
  const std::vector<std::uint64_t> texts{2, 1, 1, 2};
  const UsualLabels usual(labels, texts, Rules::named("form,case"));
  const Repaired m = repair_labelled_json("t", file("card ", "true"), usual, {});
  CHECK(m.bytes == file("card", "\"True\""));
  CHECK(list_changes("t", m) == "t:3: form: \"card \" -> \"card\"\nt:4: case: true -> \"True\"\n");
  CHECK(repair_labelled_json("t", m.bytes, usual, {}).changes.empty());
}

TEST_CASE("repair_json: 3,000 mutants of a file: labels alone change, and a second time none does") {
  const std::string seed =
      "{\"text\":\"Ada met Bo\",\"spans\":[[0,3,\"PER \"],{\"start\":8,\"end\":10,\"label\":\"p\\u200ber\"}]}\n"
      "{\"tokens\":[\"a\",\"b\"],\"ner_tags\":[\"B-PER\",\"I-PER \"]}\r\n{\"text\":\"x\",\"label\":[]}\n";
  const std::string spice = "\"\\{}[],: \nOBPu0";
  std::mt19937 random(7);
  int changed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = seed;
    for (auto edits = random() % 4; edits > 0; --edits) {
      const auto at = random() % bytes.size();
      if (random() % 2)
        bytes.insert(at, 1, spice[random() % spice.size()]);
      else
        bytes.erase(at, 1 + random() % 2);
    }
    CAPTURE(bytes);
    const Repaired once = repaired(bytes);
    changed += !once.changes.empty();
    REQUIRE((once.bytes == bytes) == once.changes.empty());
    const ConllFile before = read(bytes), after = read(once.bytes);
    REQUIRE(before.corpus.size() == after.corpus.size());
    REQUIRE(before.corpus.bytes == after.corpus.bytes);
    REQUIRE(before.corpus.met.malformed == after.corpus.met.malformed);
    REQUIRE(repaired(once.bytes).changes.empty());
  }
  CHECK(changed > 1000);
}

}  // namespace repair_json_test
