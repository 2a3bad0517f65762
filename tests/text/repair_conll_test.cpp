// tests > [text]
#include "entrain/text/check/repair_conll.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/check/check.hpp"
#include "entrain/text/check/check_words.hpp"

namespace repair_conll_test {
using namespace entrain;
using namespace entrain::text;

namespace {

Repaired repaired(const std::string& bytes, const std::string& rules, const ConllOptions& options = {}) {
  return repair_conll("t", bytes, check(std::vector{parse_conll("t", bytes, options)}, {.scheme = SchemeId::bio}),
                      Rules::named(rules), options);
}
std::string changes(const std::string& bytes, const std::string& rules, const ConllOptions& options = {}) {
  return list_changes("t", repaired(bytes, rules, options));
}

const std::string bom = "\xEF\xBB\xBF";

}  // namespace

TEST_CASE("repair_conll: each rule changes what it is named for, and says so") {
  const std::string text = bom + "# remark\r\nAda\tB-PER\r\n \t\r\n\tO\r\nsolo\nOslo\tI-LOC\nBo\tB-Per\nEva\tB-PER\n";
  CHECK(repaired(text, "bom").bytes == text.substr(3));
  CHECK(changes(text, "bom") == "t:1: bom: U+FEFF -> dropped\n");
  CHECK(repaired(text, "crlf").bytes ==
        bom + "# remark\nAda\tB-PER\n \t\n\tO\nsolo\nOslo\tI-LOC\nBo\tB-Per\nEva\tB-PER\n");
  CHECK(changes(text, "crlf") ==
        "t:1: crlf: CR LF -> LF\nt:2: crlf: CR LF -> LF\nt:3: crlf: CR LF -> LF\nt:4: crlf: CR LF -> LF\n");
  CHECK(changes(text, "blank-separators") == "t:3: blank-separators: \" \\t\" -> \"\"\n");
  CHECK(changes(text, "empty-tokens") == "t:4: empty-tokens: \"\\tO\" -> dropped\n");
  CHECK(changes(text, "malformed") == "t:5: malformed: \"solo\" -> dropped\n");
  CHECK(changes(text, "scheme") == "t:6: scheme: I-LOC -> B-LOC\n");
  CHECK(changes(text, "case") == "t:7: case: B-Per -> B-PER\n");
  const Repaired all = repaired(text, "all");
  CHECK(all.bytes == "# remark\nAda\tB-PER\n\nOslo\tB-LOC\nBo\tB-PER\nEva\tB-PER\n");
  CHECK(all.changes.size() == 1 + 4 - 1 + 1 + 1 + 1 + 1 + 1);  // the CR LF of line 4 goes with its line
}

TEST_CASE("a token that begins with the mark's bytes is not taken for the mark when it becomes the first") {
  const std::string token = bom + "a\tO\nb\tO\n";
  CHECK(repaired("solo\n" + token, "malformed").bytes == "\n" + token);
  CHECK(repaired(bom + token, "bom").bytes == "\n" + token);
  CHECK(repaired(bom + "solo\n" + token, "bom,malformed").bytes == "\n" + token);
  CHECK(repaired(bom + "solo\n" + token, "malformed").bytes == bom + token);
  CHECK(repaired("c\tO\n" + token, "all").bytes == "c\tO\n" + token);
}

TEST_CASE("repair_conll: no rule, no change; a clean file has none to make") {
  const std::string text = bom + "a\tI-X\r\n \n\tO\nb\n";
  CHECK(repair_conll("t", text, check(std::vector{parse_conll("t", text)}), Rules{}).bytes == text);
  const std::string clean = "# text\n1\tAda\tB-PER\t-\n2\tLee\tI-PER\t-\n\n1\tx\tO\t-";
  CHECK(repaired(clean, "all").bytes == clean);
  CHECK(repaired(clean, "all").changes.empty());
}

TEST_CASE("repair_conll: other columns, blanks and comments stay as they are") {
  const std::string text = "# id\n1\tAda\tI-PER\tI-PER\tz\n2\tLee\tI-PER\t\tz\n";
  CHECK(repaired(text, "all").bytes == "# id\n1\tAda\tB-PER\tI-PER\tz\n2\tLee\tI-PER\t\tz\n");
  CHECK(repaired("Ada  NN \t I-PER \nx NN O\ny NN B-PER\n", "all").bytes == "Ada  NN \t B-PER \nx NN O\ny NN B-PER\n");
  const ConllOptions last{.tag_column = ConllOptions::last, .strict = false};
  CHECK(repaired("I-X y I-X\nz O\nb B-X\n", "all", last).bytes == "I-X y B-X\nz O\nb B-X\n");
}

TEST_CASE("repair_conll: one tag can change twice, and each step is listed") {
  const std::string text = "a\tB-PER\nb\tO\nc\tI-Per\nd\tI-PER\n";
  CHECK(changes(text, "all") == "t:3: case: I-Per -> I-PER\nt:3: scheme: I-PER -> B-PER\n");
  CHECK(repaired(text, "all").bytes == "a\tB-PER\nb\tO\nc\tB-PER\nd\tI-PER\n");
  // a line that goes takes its part of the entity along
  CHECK(changes("x\tB-A\n\tB-X\nb\tI-X\n", "all") ==
        "t:2: empty-tokens: \"\\tB-X\" -> dropped\nt:3: scheme: I-X -> B-X\n");
  CHECK(changes("x\tB-A\ny\tO\nz\tO\nb\tB_A\n", "scheme") == "t:4: scheme: B_A -> O\n");
}

TEST_CASE("repair_conll: tags are repaired in the scheme of the check") {
  const std::string text = "a\tB-X\nb\tI-X\nc\tS-Y\n";
  const auto in = [&](SchemeId scheme) {
    return repair_conll("t", text, check(std::vector{parse_conll("t", text)}, {.scheme = scheme}),
                        Rules::named("scheme"))
        .bytes;
  };
  CHECK(in(SchemeId::bioes) == "a\tB-X\nb\tE-X\nc\tS-Y\n");
  CHECK(in(SchemeId::bio) == "a\tB-X\nb\tI-X\nc\tB-Y\n");
  CHECK(in(SchemeId::io) == "a\tI-X\nb\tI-X\nc\tI-Y\n");
}

TEST_CASE("repair_conll: rules by name") {
  CHECK(Rules::named("all").has(Rule::scheme));
  CHECK(Rules::named("crlf,bom").has(Rule::bom));
  CHECK_FALSE(Rules::named("crlf,bom").has(Rule::scheme));
  for (const char* bad : {"", "schema", "crlf,", "crlf, bom", "Scheme"}) CHECK_THROWS_AS(Rules::named(bad), Error);
  try {
    Rules::named("crlf,schema");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) ==
          "entrain.text.13: --fix-rules: rule 'schema', expected one or more of all, bom, crlf, blank-separators, "
          "malformed, "
          "empty-tokens, form, case, scheme");
  }
}

TEST_CASE(
    "repair_conll: 5,000 mutants of a file: what is written can be read again, and every change is a listed one") {
  const std::string seed = bom + "# id\r\nAda\tB-PER\r\n\tO\n \t\nLee\tI-Per\nsolo\nOslo\tI-LOC\n\n#x\tS-LOC\ny\tB_X\n";
  const std::string spice = "\t\n\r #-OBI_";
  std::mt19937 random(11);
  int read = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = seed;
    for (auto edits = random() % 6; edits > 0; --edits) {
      const auto at = random() % text.size();
      if (random() % 2)
        text.insert(at, 1, spice[random() % spice.size()]);
      else
        text.erase(at, 1 + random() % 3);
    }
    ConllFile file;
    try {
      file = parse_conll("t", text);
    } catch (const Error&) {
      continue;
    }
    ++read;
    const Check c = check(std::vector{file});
    const Repaired m = repair_conll("t", text, c, Rules::named("all"));
    std::uint32_t line = 0;
    std::size_t dropped = 0;
    for (const Change& one : m.changes) {
      REQUIRE(one.line >= line);
      line = one.line;
      REQUIRE_MESSAGE(one.before != one.after, text);
      dropped += one.after == "dropped" && one.rule != Rule::bom;
    }
    const auto count = [](std::string_view s) {
      std::size_t n = 0;
      for (std::size_t at = 0; at < s.size(); ++n) entrain::text::detail::next_line(s, at);
      return n;
    };
    REQUIRE_MESSAGE(count(text) - count(m.bytes) == dropped, text);
    REQUIRE(m.bytes.find("\r\n") == m.bytes.npos);
    if (m.changes.empty()) REQUIRE(m.bytes == text);
  }
  CHECK(read > 2000);
}

TEST_CASE("repair_conll: a repaired corpus has no errors left, and repairing it again changes nothing") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  struct Row {
    const char* file;
    std::size_t changes;
  };
  for (const Row& row : std::vector<Row>{{"wnut17/train.conll", 2394},
                                         {"btc/test.conll", 1 + 2},
                                         {"ncbi-disease/train.tsv", 0},
                                         {"uner-danish/train.iob2", 6},
                                         {"europeana/enp_DE.lft.bio", 108 + 22},
                                         {"europeana/enp_NL.kb.bio", 85 + 7}}) {
    CAPTURE(row.file);
    const std::string bytes = read_file(std::string(data) + "/" + row.file);
    const Repaired first = repaired(bytes, "all");
    CHECK(first.changes.size() == row.changes);
    CHECK((first.bytes == bytes) == (row.changes == 0));
    CHECK(check(std::vector{parse_conll("t", first.bytes)}).errors() == 0);
    CHECK(repaired(first.bytes, "all").changes.empty());
  }
  const std::string german = read_file(std::string(data) + "/europeana/enp_DE.sbb.bio");
  const Repaired first = repaired(german, "all");
  const Check after = check(std::vector{parse_conll("t", first.bytes)});
  CHECK(after.errors() == 0);
  CHECK(after.count(Kind::label_case) == 0);
  CHECK(repaired(first.bytes, "all").changes.empty());
}

}  // namespace repair_conll_test
