// tests > [text]
#include "entrain/text/conll/conll.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/scratch.hpp"

namespace conll_test {
using namespace entrain;
using namespace entrain::text;

namespace {

ConllFile parse(const std::string& bytes, const ConllOptions& options = {}) {
  return parse_conll("t.conll", bytes, options);
}

/// `token/tag token/tag | token/tag`: sentences apart by " | ", documents after the first by " || ".
std::string shown(const Corpus& c) {
  std::string s;
  for (std::size_t k = 0, document = 0; k < c.sentences(); ++k) {
    const bool starts = document < c.document.size() && c.document[document] == k;
    document += starts;
    if (k > 0) s += starts ? " || " : " | ";
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i) {
      if (i > c.sentence[k]) s += ' ';
      s.append(c.token(i)).append("/").append(c.tag_name(i));
    }
  }
  return s;
}

std::string message_of(const std::string& bytes, const ConllOptions& options = {}) {
  try {
    parse(bytes, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

std::string listed(const ConllFile& file) {
  std::string s;
  for (const auto& p : file.problems.list) s += std::to_string(p.line) + ": " + p.reason + "\n";
  return s;
}

}  // namespace

TEST_CASE("conll: two columns, TAB or blanks, with and without a last line end") {
  for (const std::string end : {"", "\n", "\n\n", "\n\n\n"}) {
    const auto tabs = parse("Ada\tB-PER\nsees\tO\n\nOslo\tB-LOC" + end);
    CHECK(shown(tabs.corpus) == "Ada/B-PER sees/O | Oslo/B-LOC");
    CHECK(tabs.corpus.line == std::vector<std::uint32_t>{1, 2, 4});
    CHECK(tabs.layout.separator == Separator::tab);
    const auto spaces = parse("Ada B-PER\nsees O\n\nOslo B-LOC" + end);
    CHECK(shown(spaces.corpus) == "Ada/B-PER sees/O | Oslo/B-LOC");
    CHECK(spaces.layout.separator == Separator::blanks);
  }
}

TEST_CASE("conll: sentences end at empty lines and at lines of blanks only") {
  const auto file = parse("a\tO\n\t\nb\tO\n \nc\tO\n\n\t \t\nd\tO\n");
  CHECK(shown(file.corpus) == "a/O | b/O | c/O | d/O");
  CHECK(file.corpus.met.separators == 4);
  CHECK(file.corpus.met.blank_separators == 3);
}

TEST_CASE("conll: a TAB file is never trimmed: tokens may be empty, a space, or hold one") {
  const auto file = parse("a\tO\n\tO\n \tO\nb c\tB-X\n x \tO\n");
  CHECK(shown(file.corpus) == "a/O /O  /O b c/B-X  x /O");
  CHECK(file.corpus.met.empty_tokens == 1);
  CHECK(file.problems.total == 0);
}

TEST_CASE("conll: runs of blanks separate once, and are counted") {
  const auto file = parse("Ada  B-PER\n sees O\nit O \nnow \t O\nok O\n");
  CHECK(shown(file.corpus) == "Ada/B-PER sees/O it/O now/O ok/O");
  CHECK(file.corpus.met.ragged == 4);
}

TEST_CASE("conll: CR LF, a byte order mark, and both at once") {
  const auto file = parse(
      "\xEF\xBB\xBF"
      "a\tO\r\n\r\nb\tB-X\r\n\t\r\nc\tO");
  CHECK(shown(file.corpus) == "a/O | b/B-X | c/O");
  CHECK(file.corpus.met.bom == 1);
  CHECK(file.corpus.met.crlf == 4);
  CHECK(parse_conll("t.conll", "a\tO\r\nb\tO\r").corpus.met.crlf == 1);  // the last line has no end
  CHECK(parse_conll("t.conll", "a O\r\nb O\r").corpus.met.crlf == 1);
  CHECK(parse_conll("t.conll", "a\tO\r\nb\tO\r\n").corpus.met.crlf == 2);
  CHECK(file.corpus.met.lines == 5);
  CHECK(message_of("a\tO\rb\tO\r") ==
        "entrain.text.10: t.conll: lines end in CR only, expected LF or CR LF; convert "
        "them: tr '\\r' '\\n'");
  for (const char* one : {"a O", "a O\r", "a O\n", "a O\r\n"})
    CHECK(text::parse_conll("t.conll", one).corpus.size() == 1);
}

TEST_CASE("conll: -DOCSTART- starts a document and is no token") {
  const auto file = parse("-DOCSTART- -X- -X- O\n\na NN B-NP B-PER\n\nb NN O O\n-DOCSTART- -X- O O\nc NN O O\n");
  CHECK(shown(file.corpus) == "a/B-PER | b/O || c/O");
  CHECK(file.corpus.met.docstarts == 2);
  CHECK(shown(parse("-DOCSTART-\n\na\tO\n-DOCSTART-X\tO\n").corpus) == "a/O -DOCSTART-X/O");
}

TEST_CASE("conll: the tag column is found, and said in words") {
  const auto conll03 = parse("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n");
  CHECK(conll03.layout.tag_column == 3);
  CHECK(conll03.layout.words ==
        "4 columns separated by blanks; token in column 0, tag in column 3 (the last that holds tags; also 2)");
  const auto uner = parse("# sent_id = 1\n1\tAda\tB-PER\t-\tx\n2\tsees\tO\t-\t-\n");
  CHECK(uner.layout.tag_column == 2);
  CHECK(uner.layout.token_column == 1);
  CHECK(uner.layout.words ==
        "5 columns separated by TAB; token in column 1 (column 0 numbers them), tag in column 2 (the only one that "
        "holds tags); 1 line starts with #, read as comment");
  const auto germeval = parse("#\thttp://a.b\t[2009-10-17]\n1\tAda\tB-PER\tO\n2\tOslo\tB-PER\tB-LOC\n3\tx\tO\tO\n");
  CHECK(germeval.layout.tag_column == 2);
  CHECK(germeval.layout.also_tags == std::vector<int>{3});
  CHECK(shown(germeval.corpus) == "Ada/B-PER Oslo/B-PER x/O");
  CHECK(parse("O\ta\nB-X\tb\n", {.token_column = 1}).layout.tag_column == 0);
  CHECK(parse("a O B-X\nb O O\n").layout.tag_column == 2);
  CHECK(parse("a B-X O\nb O O\n").layout.tag_column == 1);  // a column of O alone gives way
}

TEST_CASE("conll: columns are what the options say") {
  const std::string text = "1\ta\tO\tB-X\n2\tb\tB-Y\tO\n";
  CHECK(shown(parse(text).corpus) == "a/O b/B-Y");
  CHECK(shown(parse(text, {.tag_column = ConllOptions::last}).corpus) == "a/B-X b/O");
  CHECK(shown(parse(text, {.tag_column = 3}).corpus) == "a/B-X b/O");
  CHECK(shown(parse(text, {.token_column = 0, .tag_column = 2}).corpus) == "1/O 2/B-Y");
  CHECK(shown(parse("a b\tO\n", {.separator = Separator::blanks}).corpus) == "a/O");
  CHECK(message_of(text, {.tag_column = 4}) ==
        "entrain.text.7: t.conll: tag column 4, expected 0 to 3, as most lines have 4 columns; columns are numbered "
        "from 0");
  CHECK(message_of(text, {.token_column = 2, .tag_column = 2}) ==
        "entrain.text.7: t.conll: token and tag both in column 2, expected two columns");
  CHECK(message_of("a\tO\n", {.token_column = -3}).find("entrain.text.7: t.conll: token column -3") == 0);
  CHECK(message_of("a\tO\n", {.tag_column = -3}).find("entrain.text.7: t.conll: tag column -3") == 0);
}

TEST_CASE("conll: files without tags are refused, or welcome on request") {
  CHECK(message_of("a\nb\n") ==
        "entrain.text.8: t.conll: one column, so no tags, expected a column of tags such as O, B-PER, I-PER; name it "
        "with --tag-column (a number from 0, or last), or name another format with --input-format");
  CHECK(message_of("a NN\nb VB\n").find("entrain.text.8: t.conll: no tags in any of 2 columns") == 0);
  const auto one = parse("Ada\n# remark\n#1\n\nx\n", {.tags = false});
  CHECK(shown(one.corpus) == "Ada/ #1/ | x/");
  CHECK(one.corpus.tag == std::vector<std::int32_t>{-1, -1, -1});
  CHECK(one.corpus.met.comments == 1);
  CHECK(shown(parse("a NN\nb VB\n", {.tags = false}).corpus) == "a/ b/");
  CHECK(shown(parse("a NN\nb VB\n", {.tag_column = 1}).corpus) == "a/NN b/VB");  // as told
}

TEST_CASE("conll: # is a token where it has the columns of one, else a comment") {
  const auto tweets = parse("#\tO\n#Oslo\tB-LOC\nx\tO\n");
  CHECK(shown(tweets.corpus) == "#/O #Oslo/B-LOC x/O");
  CHECK(tweets.layout.hash == Hash::token);
  const auto comments = parse("# text = # O\n#\n#id\n1\tx\tO\n# newdoc id = 2\n1\ty\tO\n");
  CHECK(shown(comments.corpus) == "x/O || y/O");
  CHECK(comments.corpus.met.comments == 4);
  const auto both = parse("# text = ab\n#a\tO\n#b\nx\tO\n");
  CHECK(both.layout.hash == Hash::mixed);
  CHECK(shown(both.corpus) == "#a/O x/O");
  CHECK(both.corpus.met.comments == 1);
  CHECK(listed(both) == "3: 1 column, expected 2 separated by TAB\n");  // a hashtag without its tag is no comment
  CHECK(shown(parse("#a\tO\nx\tO\n", {.hash = Hash::comment}).corpus) == "x/O");
  CHECK(listed(parse("# a\nx\tO\n", {.hash = Hash::token})) ==
        "1: 1 column, expected 2 separated by TAB; this line has only spaces\n");
}

TEST_CASE("conll: CoNLL-U lines 3-4 and 3.1 are no words") {
  const auto file = parse("1-2\tdas\t_\n1\tde\tO\n2\tas\tB-X\n2.1\tgap\t_\n10\tb\tO\n");
  CHECK(shown(file.corpus) == "de/O as/B-X b/O");
  CHECK(file.corpus.met.word_ranges == 2);
}

TEST_CASE("conll: malformed lines are listed with their reasons, capped, all counted") {
  const auto file = parse("a\tO\nb\nc O\nd\tO\tO\ne\t\nf\tB-X\ng\tO\nh\tO\n");
  CHECK(shown(file.corpus) == "a/O f/B-X g/O h/O");
  CHECK(listed(file) ==
        "2: 1 column, expected 2 separated by TAB\n"
        "3: 1 column, expected 2 separated by TAB; this line has only spaces\n"
        "4: 3 columns, expected 2 separated by TAB\n"
        "5: the tag is empty\n");
  const auto capped = parse("a\tO\nb\nc\nd\tO\ne\tO\n", {.problem_cap = 1});
  CHECK(capped.problems.list.size() == 1);
  CHECK(capped.problems.total == 2);
  CHECK(capped.corpus.met.malformed == 2);
}

TEST_CASE("conll: not strict, lines need enough columns only") {
  const std::string text = "a\tO\nb\tO\tx\nc\nd\tB-X\n";
  CHECK(shown(parse(text, {.strict = false}).corpus) == "a/O b/O d/B-X");
  CHECK(listed(parse(text, {.strict = false})) == "3: 1 column, expected at least 2 separated by TAB\n");
  CHECK(shown(parse("a x O\nb O\nc x y B-Z\n", {.tag_column = ConllOptions::last, .strict = false}).corpus) ==
        "a/O b/O c/B-Z");
}

TEST_CASE("conll: tags are kept as written") {
  const auto file = parse("a\tB-creative-work\nb\tI-creative-work\nc\tb_loc\nd\tO\n");
  CHECK(shown(file.corpus) == "a/B-creative-work b/I-creative-work c/b_loc d/O");
}

TEST_CASE("conll: nothing to read") {
  const std::string wanted = ", expected lines of a token and a tag", other = "; check that this is the intended file",
                    hash = other + " lines that start with # and have no tag are comments";
  CHECK(message_of("\n\n \n") == "entrain.text.9: t.conll: no tokens in 3 lines (3 blank lines)" + wanted + other);
  CHECK(message_of("\n") == "entrain.text.9: t.conll: no tokens in 1 line (1 blank line)" + wanted + other);
  CHECK(message_of("-DOCSTART- -X- O O\n\n-DOCSTART-\n") ==
        "entrain.text.9: t.conll: no tokens in 3 lines (2 -DOCSTART- lines, 1 blank line)" + wanted + other);
  for (const std::string& comments : {std::string("# a\n#b\n"), std::string("# a b\n# c\td\n"), std::string("#\n#a")})
    for (const ConllOptions& options : {ConllOptions{}, ConllOptions{.hash = Hash::comment}})
      CHECK(message_of(comments, options) ==
            "entrain.text.9: t.conll: no tokens in 2 lines (2 comments)" + wanted + hash);
  CHECK(message_of("-DOCSTART- O\n\n# a\n", {.tags = false}) ==
        "entrain.text.9: t.conll: no tokens in 3 lines (1 comment, 1 -DOCSTART- line, 1 blank line)" + wanted + hash);
  CHECK(message_of("# a\n# b\n", {.hash = Hash::token}).starts_with("entrain.text.8: "));  // as told
  CHECK(message_of("# a\nb\n").starts_with("entrain.text.8: "));
  CHECK(message_of("\xEF\xBB\xBF# a\r\n") ==
        "entrain.text.9: t.conll: no tokens in 1 line (1 comment)" + wanted + hash);
  CHECK(message_of(std::string("a\tO\n\0", 5)).find("entrain.text.5: t.conll: a NUL byte at offset 4") == 0);
  CHECK(message_of("") == "entrain.text.9: t.conll: no tokens" + wanted);
}

TEST_CASE("conll: where every line is malformed all are listed, and who wants the tokens is told") {
  const test::Scratch folder;
  const std::string path = folder.file("a.conll", "a\t\n\n# x\nb\t\nc\tB-X\td\n");
  ConllOptions options{.tag_column = 1};
  const ConllFile file = inspect_conll(path, options);
  CHECK(file.corpus.size() == 0);
  CHECK(listed(file) == "1: the tag is empty\n4: the tag is empty\n5: 3 columns, expected 2 separated by TAB\n");
  for (const bool lenient : {false, true}) {
    options.lenient = lenient;
    CHECK(test::sentence([&] { read_conll(path, options); }) ==
          "entrain.text.9: " + path +
              ": no tokens in 5 lines (1 comment, 1 blank line, 3 malformed lines), expected lines of a token and a "
              "tag; the first of 3 problems (check lists them) is " +
              path + ":1: the tag is empty");
  }
}

TEST_CASE("conll: bytes that are no UTF-8 are kept and counted") {
  const auto file = parse("a\xFF\tO\nb\tO\n\xC3\xA4\tO\n\xC3\tO\n");
  CHECK(file.corpus.size() == 4);
  CHECK(file.corpus.met.invalid_tokens == 2);
  CHECK(file.corpus.token(0) == "a\xFF");
}

TEST_CASE("conll: a sentence of 200,000 tokens") {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "w\tO\n";
  const auto file = parse(text);
  CHECK(file.corpus.sentences() == 1);
  CHECK(file.corpus.length(0) == 200000);
}

TEST_CASE("conll: 20,000 mutants of a small file end in a corpus that adds up, or in an Error") {
  const std::vector<std::string> seeds{
      "# text = a\n1\tAda\tB-PER\t-\tx\n2\tsees\tO\t-\t-\n\n1\tOslo\tB-LOC\t-\t-\n",
      "-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n#x NN O O\n\t\nb VB O O\n",
      "\xEF\xBB\xBF#a\tO\r\n\tO\r\n\r\nb c\tB-creative-work\r\n",
  };
  std::mt19937 random(20240607);
  const std::string spice =
      "\t\n\r #-O1\xFF\xC3\xA4"
      "B";
  int corpora = 0, errors = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (auto edits = 1 + random() % 6; edits > 0 && !text.empty(); --edits) {
      const auto at = random() % text.size();
      const char byte = random() % 3 ? spice[random() % spice.size()] : static_cast<char>(random() % 256);
      switch (random() % 3) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1 + random() % 4);
      }
    }
    ConllOptions options;
    options.tags = random() % 2;
    options.strict = random() % 2;
    options.tag_column = static_cast<int>(random() % 5) - 2;
    try {
      const auto file = parse(text, options);
      const Corpus& c = file.corpus;
      const Met& m = c.met;
      ++corpora;
      const auto accounted = c.size() + m.comments + m.docstarts + m.word_ranges + m.headers + m.malformed +
                             m.separators;  // every line is something
      REQUIRE_MESSAGE(accounted == m.lines, text);
      REQUIRE(c.begin.size() == c.size() + 1);
      REQUIRE(c.begin.back() == c.bytes.size());
      REQUIRE(c.line.size() == c.size());
      REQUIRE(c.sentence.front() == 0);
      REQUIRE(c.sentence.back() == c.size());
      REQUIRE(file.problems.total == m.malformed);
      for (std::size_t s = 0; s < c.sentences(); ++s) REQUIRE(c.length(s) > 0);
      for (const auto tag : c.tag) REQUIRE((tag == -1 || tag < static_cast<std::int32_t>(c.tags.size())));
    } catch (const Error& e) {
      ++errors;
      REQUIRE(e.id().substr(0, 13) == "entrain.text.");
    }
  }
  CHECK(corpora > 5000);
  CHECK(errors > 1000);
}

TEST_CASE("read_conll: the corpora, counted as their README counts them") {
  const char* const folder = std::getenv("ENTRAIN_DATA");
  if (!folder) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  struct Row {
    const char* file;
    std::size_t sentences, tokens, longest;
  };
  const std::vector<Row> rows{{"wnut17/train.conll", 3394, 62730, 41},
                              {"wnut17/dev.conll", 1009, 15733, 82},
                              {"wnut17/test.conll", 1287, 23394, 105},
                              {"btc/train.conll", 6338, 99933, 57},
                              {"btc/dev.conll", 1001, 15027, 41},
                              {"btc/test.conll", 2001, 35428, 41},
                              {"ncbi-disease/train.tsv", 5432, 136086, 123},
                              {"ncbi-disease/dev.tsv", 923, 23969, 86},
                              {"ncbi-disease/test.tsv", 940, 24497, 106},
                              {"uner-english/dev.iob2", 2001, 25149, 75},
                              {"uner-english/test.iob2", 2077, 25097, 81},
                              {"uner-danish/train.iob2", 4383, 80378, 91},
                              {"uner-danish/dev.iob2", 564, 10332, 73},
                              {"uner-danish/test.iob2", 565, 10023, 75},
                              {"uner-portuguese/train.iob2", 7018, 171776, 201},
                              {"uner-portuguese/dev.iob2", 1172, 28447, 132},
                              {"uner-portuguese/test.iob2", 1167, 27604, 101},
                              {"europeana/enp_DE.lft.bio", 1, 70259, 70259},
                              {"europeana/enp_DE.onb.bio", 1, 28012, 28012},
                              {"europeana/enp_FR.bnf.bio", 1, 205916, 205916},
                              {"europeana/enp_NL.kb.bio", 1, 182482, 182482}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const Corpus c = read_conll(std::string(folder) + "/" + row.file);
    CHECK(c.sentences() == row.sentences);
    CHECK(c.size() == row.tokens);
    std::size_t longest = 0;
    for (std::size_t s = 0; s < c.sentences(); ++s) longest = std::max(longest, c.length(s));
    CHECK(longest == row.longest);
  }
  const auto met = [&](const char* file) { return read_conll(std::string(folder) + "/" + file).met; };
  CHECK(met("wnut17/train.conll").blank_separators == 2394);
  CHECK(met("btc/dev.conll").empty_tokens == 3);
  CHECK(met("btc/test.conll").empty_tokens == 2);
  CHECK(met("btc/test.conll").blank_separators == 1);
  CHECK(met("uner-danish/dev.iob2").comments == 2 * 564);
  CHECK(inspect_conll(std::string(folder) + "/btc/train.conll").layout.hash_tokens == 2263);
}

TEST_CASE("read_conll: the malformed newspaper file") {
  const char* const folder = std::getenv("ENTRAIN_DATA");
  if (!folder) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string path = std::string(folder) + "/europeana/enp_DE.sbb.bio";
  const ConllFile file = inspect_conll(path);
  // Its README counts 46 lines with '#' and 254 others without exactly two columns, splitting at each single blank. Of
  // the 46, 42 are headers and 4 are tokens with a tag. Of the 254, 107 are ragged only and can be read.
  CHECK(file.layout.hash_tokens + file.corpus.met.comments == 46);
  CHECK(file.corpus.met.comments == 42);
  CHECK(file.problems.total + file.corpus.met.ragged == 254);
  REQUIRE(file.problems.total == 147);
  CHECK(file.problems.list.size() == 147);
  CHECK(file.corpus.size() == 47281 - 42 - 147);
  CHECK(file.problems.list[0].line == 129);
  CHECK(file.problems.list[0].reason == "1 column, expected 2 separated by blanks");
  CHECK(file.problems.list[1].line == 1509);
  CHECK(file.problems.list[146].line == 47063);
  const auto message = [&] {
    try {
      read_conll(path);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  }();
  CHECK(message == "entrain.text.11: " + path +
                       ":129: 1 column, expected 2 separated by blanks; one of 147 such lines (check lists them): "
                       "correct them, or skip with --lenient");
  CHECK(read_conll(path, {.lenient = true}).met.malformed == 147);
}

}  // namespace conll_test
