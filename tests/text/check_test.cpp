// tests > [text]
#include "entrain/text/check/check.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "entrain/text/check/check_words.hpp"

namespace check_test {
using namespace entrain;
using namespace entrain::text;

namespace {

ConllFile file(const std::string& name, const std::string& bytes, const ConllOptions& options = {}) {
  return parse_conll(name, bytes, options);
}

/// Small corpora have rare labels; these tests say when they want to hear of them.
Check quiet(const std::vector<ConllFile>& files, CheckOptions options = {}) {
  options.rare = 0;
  return check(files, options);
}

std::string findings(const ConllFile& f) { return list_findings(quiet({f})); }

const std::string two = "Ada\tB-PER\nin\tO\nOslo\tB-LOC\n\n";  // two labels, clean

}  // namespace

TEST_CASE("find_fault: what is invisible in a token") {
  const auto fault = [](std::string_view token) { return describe(find_fault(token)); };
  for (const char* fine :
       {"a", "Straße", "日本", "#tag", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xA7",  // woman mechanic
        "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE"})                                        // Persian, with a joiner inside
    CHECK(fault(fine) == "");
  CHECK(fault("") == "the token is empty");
  CHECK(fault(" ") == "the token is blank (U+0020)");
  CHECK(fault("\xC2\xA0\xE3\x80\x80") == "the token is blank (U+00A0)");
  CHECK(fault("a b") == "a space (U+0020) inside the token");
  CHECK(fault("a\x07") == "the control character U+0007 in the token");
  CHECK(fault("a b\x7F") == "the control character U+007F in the token");  // worse than the space before it
  CHECK(fault("\xC2\x84") == "the control character U+0084 in the token");
  CHECK(fault("\xC2\x85") == "the control character U+0085 in the token");
  CHECK(fault("a\xE2\x80\x8B"
              "b") == "the invisible character U+200B in the token");
  CHECK(fault("\xEF\xBB\xBF"
              "a") == "the invisible character U+FEFF in the token");
  CHECK(fault("a\xE2\x80\x8D") == "the invisible character U+200D in the token");
  CHECK(fault("\xE2\x80\x8D"
              "a") == "the invisible character U+200D in the token");
  CHECK(fault("a\xEF\xBF\xBD") == "U+FFFD (replacement character) in the token");
  CHECK(fault("\xEE\x90\x81") == "the private-use character U+E401 in the token");
  CHECK(fault("\xF4\x80\x80\x80") == "the private-use character U+100000 in the token");
  CHECK(fault("a\xFF") == "byte 0xFF in the token is not UTF-8");
  CHECK(fault("a\xC3") == "byte 0xC3 in the token is not UTF-8");
}

TEST_CASE("check: a clean corpus has nothing to report") {
  const Check c = quiet({file("train", two + two + two), file("dev", two)});
  CHECK(c.findings.empty());
  CHECK(c.errors() == 0);
  CHECK(c.taken == SchemeId::bio);
  CHECK(c.labels == std::vector<std::string>{"PER", "LOC"});
  CHECK(summarise(c).find("nothing to report\n") != std::string::npos);
}

TEST_CASE("check: each kind of problem, with its line") {
  CHECK(findings(file("t", two + "bad\n\tO\nc\tO\td\n")) ==
        "t:5: 1 column, expected 2 separated by TAB\n"
        "t:6: the token is empty\n"
        "t:7: 3 columns, expected 2 separated by TAB\n");
  CHECK(findings(file("t", two + two + two + "a\tB_LOC\nb\tv\nc\tO-PER\n")) ==
        "t:13: tag 'B_LOC': no '-' after the first letter\n"
        "t:14: tag 'v': the first letter is not one of O B I E S L U M\n"
        "t:15: tag 'O-PER': O has no type\n");
  CHECK(findings(file("t", two + two + "a\tI-PER\nb\tI-PER\nc\tI-LOC\nd\tO\ne\tI-LOC\n")) ==
        "t:9: I-PER at the start of a sentence is not allowed in BIO\n"
        "t:11: I-LOC after I-PER is not allowed in BIO\n"
        "t:13: I-LOC after O is not allowed in BIO\n");
  CHECK(findings(file("t", "a\tO\nb\tO\n")) == "t: no entities in the file\n");
  CHECK(findings(file("t", "a\tO\nb\tB-X\n")) == "t: one label only: 'X'\n");
  CHECK(findings(file("t", "a\tO\nb\tB\n")) == "t: one label only: without a name\n");
  CHECK(list_findings(quiet({file("t", two)}, {.long_sentence = 2})) == "t:1: a sentence of 3 tokens starts here\n");
  CHECK(list_findings(check(std::vector{file("t", two)})) ==
        "t:1: rare label 'PER' (1 here)\n"
        "t:3: rare label 'LOC' (1 here)\n");
  CHECK(findings(file("t", two + "a\tB-PEr\nb\tI-PEr\nc\tB-PER\n")) ==
        "t:5: label 'PEr' (1 here) differs from 'PER' by case only\n");
  CHECK(findings(file("t", two + "a\tB-\xC3\x89T\xC3\x89\nb\tB-\xC3\xA9t\xC3\xA9\n")) ==
        "t:6: label '\xC3\xA9t\xC3\xA9' (1 here) differs from '\xC3\x89T\xC3\x89' by case only\n");
}

TEST_CASE("check: what is not listed is counted by its kind") {
  ConllFile f = file("t", two + two + "x\ny\nz\n", {.problem_cap = 1});
  CHECK(findings(f) == "t: 2 more malformed lines, not listed\nt:9: 1 column, expected 2 separated by TAB\n");
  CHECK(quiet({f}).count(Kind::malformed_line) == 3);
  f.problems.total += 2;
  f.problems.annotations = 2;
  f.problems.list.push_back({10, "an entity", {}, Concern::annotation});
  CHECK(findings(f) ==
        "t: 2 more malformed lines, not listed\nt: 1 more bad entity, not listed\n"
        "t:9: 1 column, expected 2 separated by TAB\nt:10: an entity\n");
  CHECK(quiet({f}).count(Kind::malformed_line) == 3);
  CHECK(quiet({f}).count(Kind::bad_entity) == 2);
}

TEST_CASE("check: what breaks a scheme is said in that scheme's terms") {
  const auto in = [](SchemeId scheme, const std::string& bytes) {
    return list_findings(quiet({file("t", bytes + "\nx\tB-LOC\ny\tO\n")}, {.scheme = scheme}));
  };
  CHECK(in(SchemeId::bioes, "a\tB-PER\nb\tO\n") ==
        "t: fits BIO, but is read as BIOES\n"
        "t:1: B-PER before O is not allowed in BIOES\n"
        "t:4: B-LOC before O is not allowed in BIOES\n");
  CHECK(in(SchemeId::bilou, "a\tB-PER\nb\tE-PER\n") ==
        "t:1: B-PER before E-PER is not allowed in BILOU\n"
        "t:2: E-PER: BILOU has no E\n"
        "t:4: B-LOC before O is not allowed in BILOU\n");
  CHECK(in(SchemeId::io, "a\tB-PER\nb\tO\n").find("t:1: B-PER: IO has no B\n") != std::string::npos);
  CHECK(in(SchemeId::bioes, "a\tO\nb\tB-PER\n").find("t:2: B-PER at the end of a sentence is not allowed in BIOES\n") !=
        std::string::npos);
}

TEST_CASE("check: labels of later splits are held against the first") {
  const Check c = quiet({file("train", two), file("dev", two + "a\tB-MISC\nb\tO\nc\tB-MISC\n"), file("test", two)});
  CHECK(list_findings(c) == "dev:5: label 'MISC' (2 here) never occurs in train\n");
  CHECK(c.count(Kind::unseen_label) == 1);
}

TEST_CASE("check: sentences that repeat, inside a split and between splits") {
  const std::string s = "a\tB-X\nb\tO\nc\tB-Y\n", other = "a\tB-X\nb\tO\nc\tO\n", glued = "ab\tB-X\nc\tB-Y\n", e = "\n";
  const Check c =
      quiet({file("train", s + e + s + e + other + e + glued), file("dev", s + e + s)}, {.repeat_tokens = 2});
  CHECK(list_findings(c) ==
        "train:5: the sentence that starts here is also at train:1\n"
        "train:9: the sentence that starts here is also at train:1, tagged differently\n"
        "train:13: the sentence that starts here is also at train:1, split differently\n"
        "dev:1: the sentence that starts here is also at train:1\n"
        "dev:5: the sentence that starts here is also at dev:1\n");
  CHECK(c.splits[0].repeated == 3);
  CHECK(c.overlaps[0].sentences == 1);
}

TEST_CASE("check: short sentences that repeat are counted apart, and the limit is named") {
  const std::string s = "a\tB-X\nb\tO\nc\tB-Y\n", other = "Thank\tB-X\nyou\tO\n", e = "\n";
  const std::string lasting = "a\tB-X\nb\tO\nc\tO\nd\tO\ne\tO\nf\tB-Y\n";
  const Check c = quiet(
      {file("train", s + e + s + e + other + e + lasting + e + s), file("dev", s + e + other + e + s + e + lasting)});
  CHECK(list_findings(c) == "dev:12: the sentence that starts here is also at train:12\n");
  CHECK(c.splits[0].repeated == 0);
  CHECK(c.splits[0].short_repeated == 2);
  CHECK(c.splits[1].short_repeated == 1);
  CHECK(c.overlaps[0].sentences == 1);
  CHECK(c.overlaps[0].short_sentences == 2);
  const std::string words = summarise(c);
  CAPTURE(words);
  CHECK(words.find("train: 2 sentences of fewer than 6 tokens repeat an earlier one, not listed\n"
                   "dev: 1 sentence of fewer than 6 tokens repeats an earlier one, not listed\n"
                   "dev shares with train: 1 sentence of 6 tokens or more; 4 of 4 different entities") !=
        std::string::npos);
  CHECK(words.find("\ndev shares with train: 2 sentences of fewer than 6 tokens, not listed\n") != std::string::npos);
}

TEST_CASE("check: of many findings the first are listed, and of each kind the rest is counted") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "w" + std::to_string(i) + "\tB-L" + std::to_string(i) + "\nx\n\n";
  const ConllFile f = file("t", text + "Ada\tB-L299\n", {.problem_cap = 100});
  const Check c = check(std::vector{f});
  const std::string twenty = describe(c, listed_of_a_kind);
  const auto times = [&](std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = twenty.find(part); at != twenty.npos; at = twenty.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(times(": rare label '") == 20);
  CHECK(times("\n280 more rare labels; --list all lists them\n") == 1);
  CHECK(times(": 1 column, expected 2 separated by TAB\n") == 20);
  CHECK(times("\n280 more malformed lines; --list all lists them\n") == 1);
  CHECK(times("not listed") == 0);
  CHECK(times("\n  L") == 200);  // of the table
  CHECK(times("\n  L299: 2\n") == 1);
  CHECK(times("\n  and 100 rarer labels\n") == 1);
  const std::string all = list_findings(c);
  CHECK(all.find("t: 200 more malformed lines, not listed\n") == 0);
  CHECK(all.find("rare label 'L299' (2 here)") != all.npos);
}

TEST_CASE("check: one scheme for all splits; a file that has another is named") {
  const std::string bio = "a\tB-X\nb\tI-X\nc\tB-Y\n", io = "a\tI-X\nb\tI-X\nc\tI-Y\n";
  const Check c = quiet({file("train", bio + bio + bio), file("dev", io)});
  CHECK(c.taken == SchemeId::bio);
  CHECK(c.splits[1].scheme.taken == SchemeId::iob1);
  CHECK(list_findings(c).find("dev: fits IOB1, but is read as BIO\n") == 0);
  CHECK(c.count(Kind::broken_scheme) == 2);
  CHECK(c.errors() == 2);
}

TEST_CASE("check: the numbers") {
  std::string lengths;
  for (int n = 1; n <= 200; ++n) {
    for (int i = 0; i < n; ++i) lengths += "w" + std::to_string(n) + "\tO\n";
    lengths += "\n";
  }
  const Check c = check(std::vector{file("t", lengths)});
  CHECK(c.splits[0].shortest == 1);
  CHECK(c.splits[0].median == 100);
  CHECK(c.splits[0].p99 == 198);
  CHECK(c.splits[0].longest == 200);

  const Check d = quiet({file("train", "Ada\tB-PER\nLee\tI-PER\n\nOslo\tB-LOC\n"),
                         file("dev", "Ada\tB-PER\nLee\tI-PER\n\nAda\tB-PER\nLee\tI-PER\nOslo\tB-PER\n\nx\tB-LOC\n")});
  CHECK(d.splits[1].entities == 4);
  CHECK(d.splits[1].mentions == std::vector<std::uint64_t>{3, 1});
  CHECK(d.overlaps[0].entities == 1);  // Oslo is no person in train
  CHECK(d.overlaps[0].of == 3);
  CHECK(d.overlaps[0].mentions_seen == 2);
  CHECK(summarise(d).find("dev shares with train: 0 sentences of 6 tokens or more; 1 of 3 different entities (33.3 %), "
                          "2 of 4 mentions (50.0 "
                          "%)\n") != std::string::npos);
}

TEST_CASE("check: the summary, whole") {
  const std::string text = "\xEF\xBB\xBF-DOCSTART-\tO\r\n\t\r\nAda\tB-PER\r\n\tO\r\nOslo\tB-LOC\r\nbad\r\n";
  CHECK(describe(quiet({file("t.conll", text)})) ==
        "t.conll:4: the token is empty\n"
        "t.conll:6: 1 column, expected 2 separated by TAB\n"
        "t.conll: 1 sentence, 3 tokens, 2 entities, 1 document\n"
        "  tokens per sentence: min 3, median 3, 99 % 3, max 3\n"
        "  layout: 2 columns separated by TAB; token in column 0, tag in column 1 (the only one that holds tags)\n"
        "  met: 1 byte order mark, 6 lines ending in CR LF, 1 -DOCSTART- line, 1 separator line of blanks, 1 empty "
        "token, 1 malformed line\n"
        "  scheme: fits BIO; read as BIO (only B- occurs); not BIOES (2 lines), BILOU (2), IOB1 (2), IO (2), BMES (2)\n"
        "mentions of each label, by file\n"
        "  PER: 1\n"
        "  LOC: 1\n"
        "1 malformed line, 1 odd token\n");
}

TEST_CASE("check: untagged files and no files at all") {
  CHECK(findings(file("t", "a\nb\n", {.tags = false})) == "t: no entities in the file\n");
  CHECK(check({}).findings.empty());
}

TEST_CASE("check: the corpora, as their README describes them") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const auto read = [&](const std::vector<std::string>& names) {
    std::vector<ConllFile> files;
    for (const auto& name : names) files.push_back(inspect_conll(std::string(data) + "/" + name));
    return check(files);
  };
  const auto entities = [](const Check& c) {
    std::vector<std::size_t> n;
    for (const auto& split : c.splits) n.push_back(split.entities);
    return n;
  };
  using Counts = std::vector<std::size_t>;
  {
    const Check c = read({"wnut17/train.conll", "wnut17/dev.conll", "wnut17/test.conll"});
    CHECK(entities(c) == Counts{1975, 836, 1079});
    CHECK(c.errors() == 0);
    CHECK(c.count(Kind::token_fault) == 2);
    CHECK(c.count(Kind::shared_sentence) == 0);
    CHECK(c.splits[0].mentions == std::vector<std::uint64_t>{548, 264, 221, 660, 140, 142});
    // The README counts 102 sentences that repeat token by token; 18 more repeat the text with other borders.
    std::size_t split_differently = 0;
    for (const auto& f : c.findings)
      split_differently += f.split == 0 && f.reason.find("split differently") != f.reason.npos;
    CHECK(c.splits[0].repeated == 120);
    CHECK(split_differently >= 18);
    CHECK(c.splits[1].repeated == 1);
    CHECK(c.splits[2].repeated == 7);
    CHECK(c.overlaps[0].entities == 0);
    CHECK(c.overlaps[2].entities == 33);
    CHECK(c.overlaps[2].mentions_seen == 72);
  }
  {
    const Check c = read({"btc/train.conll", "btc/dev.conll", "btc/test.conll"});
    CHECK(entities(c) == Counts{8779, 1730, 4376});
    CHECK(c.errors() == 0);
    CHECK(c.count(Kind::token_fault) == 5 + 2 + 139 + 1 + 1 + 1 + 1);  // and a soft hyphen, a private character
    CHECK(c.overlaps[0].sentences == 2);
    CHECK(c.overlaps[1].sentences == 0);
    CHECK(c.overlaps[1].entities == 239);
    CHECK(c.overlaps[1].of == 2605);
    CHECK(c.overlaps[1].mentions_seen == 1784);
  }
  {
    const Check c = read({"ncbi-disease/train.tsv", "ncbi-disease/dev.tsv", "ncbi-disease/test.tsv"});
    CHECK(entities(c) == Counts{5145, 787, 960});
    CHECK(c.splits[0].repeated == 13);
    CHECK(c.splits[2].repeated == 1);
    CHECK(c.overlaps[1].sentences == 1);
    CHECK(c.count(Kind::one_label) == 3);
  }
  {
    const Check c = read({"uner-danish/train.iob2", "uner-danish/dev.iob2", "uner-danish/test.iob2"});
    CHECK(entities(c) == Counts{3028, 379, 447});
    CHECK(c.count(Kind::broken_scheme) == 4 + 2 + 1);
    CHECK(c.taken == SchemeId::bio);
  }
  {
    const Check c = read({"uner-portuguese/train.iob2", "uner-portuguese/dev.iob2", "uner-portuguese/test.iob2"});
    CHECK(entities(c) == Counts{8101, 1401, 1215});
    CHECK(c.errors() == 0);
    CHECK(c.overlaps[0].sentences == 1);
    CHECK(c.count(Kind::token_fault) == 1);
  }
  CHECK(entities(read({"uner-english/dev.iob2", "uner-english/test.iob2"})) == Counts{966, 1088});
  CHECK(read({"europeana/enp_DE.lft.bio"}).count(Kind::broken_scheme) == 108 + 22);
  CHECK(read({"europeana/enp_DE.onb.bio"}).count(Kind::broken_scheme) == 36 + 5);
  CHECK(read({"europeana/enp_FR.bnf.bio"}).taken == SchemeId::iob1);
  const Check dutch = read({"europeana/enp_NL.kb.bio"});
  CHECK(dutch.count(Kind::broken_scheme) == 85 + 7);
  CHECK(dutch.count(Kind::token_fault) == 36);
  const Check german = read({"europeana/enp_DE.sbb.bio"});
  CHECK(german.count(Kind::malformed_line) == 147);
  CHECK(german.count(Kind::label_case) == 2);  // PEr, ORg
  CHECK(german.errors() == 147 + 5 + 10);
}

}  // namespace check_test
