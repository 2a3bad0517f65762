// tests > [text]
// Files whose columns are not a token and a tag alone: names of columns, indexes, commas, keys, types without a prefix.
#include "entrain/text/conll/conll_table.hpp"

#include <doctest/doctest.h>

#include <string>

#include "entrain/text/check/check.hpp"
#include "entrain/text/check/repair_conll.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/conll/conll_write.hpp"
#include "tests/scratch.hpp"

namespace conll_table_test {
using namespace entrain;
using namespace entrain::text;

namespace {

/// `token/tag token/tag | token/tag` and the problems, a line each.
std::string shown(const ConllFile& file) {
  const Corpus& c = file.corpus;
  std::string s;
  for (std::size_t k = 0; k < c.sentences(); ++k) {
    if (k > 0) s += " | ";
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i)
      s.append(i > c.sentence[k] ? " " : "").append(c.token(i)).append("/").append(c.tag_name(i));
  }
  for (const Problem& p : file.problems.list) s += "\n" + std::to_string(p.line) + ": " + p.reason;
  return s;
}
std::string shown(const std::string& bytes, const ConllOptions& options = {}) {
  return shown(parse_conll("t.conll", bytes, options));
}
std::string laid(const std::string& bytes, const ConllOptions& options = {}) {
  return parse_conll("t.conll", bytes, options).layout.words;
}
std::string doubt(const std::string& bytes, const ConllOptions& options = {}) {
  return parse_conll("t.conll", bytes, options).layout.doubt;
}
std::string refused(const std::string& bytes, const ConllOptions& options = {}) {
  return test::sentence([&] { parse_conll("t.conll", bytes, options); });
}
std::string found(const ConllFile& file) { return list_findings(check({&file, 1}, {.rare = 0})); }
std::string found(const std::string& bytes) { return found(parse_conll("t.conll", bytes)); }

const std::string two = "Ada\tB-PER\nruns\tO\n\nBo\tB-LOC\nsits\tO\n";

}  // namespace

TEST_CASE("conll: a '#' line with the file's number of columns is a word, whatever its tag") {
  CHECK(shown("#Oslo\tLOC\nis\tO\n\n" + two) == "#Oslo/LOC is/O | Ada/B-PER runs/O | Bo/B-LOC sits/O");
  CHECK(found("#Oslo\tLOC\nis\tO\n\n" + two) == "t.conll:1: tag 'LOC': no '-' after the first letter\n");
  CHECK(found("#Oslo LOC\nis O\n\nAda B-PER\nBo B-LOC\n") == "t.conll:1: tag 'LOC': no '-' after the first letter\n");
  CHECK(found("#\tLOC\nis\tO\n\n" + two) == "t.conll:1: tag 'LOC': no '-' after the first letter\n");
  CHECK(found("# LOC\nis O\n\nAda B-PER\nBo B-LOC\n") == "t.conll:1: tag 'LOC': no '-' after the first letter\n");
  CHECK(found("#Oslo\tO \nis\tO\n\n" + two) == "t.conll:1: tag 'O ': O has no type\n");
  CHECK(shown("#Oslo\tB-LOC\tx\n" + two) ==  // with a column too many it is a word still
        "Ada/B-PER runs/O | Bo/B-LOC sits/O\n1: 3 columns, expected 2 separated by TAB");
  // remarks, also with TABs in them
  for (const char* remark :
       {"# text = Ada\truns\n", "# sent_id\tx\n", "#begin document (a);\tx\n", "# newdoc\n", "#id\n"}) {
    CAPTURE(remark);
    const ConllFile file = parse_conll("t.conll", remark + two);
    CHECK(file.corpus.met.comments == 1);
    CHECK(file.corpus.size() == 4);
    CHECK(file.layout.hash == Hash::comment);
  }
  CHECK(shown("# newdoc\n# a = b\nAda B-PER\nBo B-LOC\n") == "Ada/B-PER Bo/B-LOC");
  const std::string numbered = "#\tx\ty\n1\tAda\tB-PER\n2\truns\tO\n";  // GermEval's source, with as many columns
  CHECK(shown(numbered) == "Ada/B-PER runs/O");
}

TEST_CASE("conll: a stream judges '#' as a whole file does") {
  test::Scratch folder;
  for (const std::string& bytes : {"#Oslo\tLOC\nis\tO\n\n" + two, "#id\n" + two, "#Oslo\tO\n\n" + two, "# a\tb\n" + two,
                                   "token\ttag\n" + two, "\xEF\xBB\xBFToken\tNER\r\n" + two}) {
    CAPTURE(bytes);
    const std::string path = folder.file("t.conll", bytes);
    Conll<Bio> source({path});
    source.start(0, {});
    auto work = source.work();
    Conll<Bio>::Raw raw;
    Corpus corpus;
    REQUIRE(source.read(raw));
    work(raw, corpus);
    ConllFile whole = inspect_conll(path);
    CHECK(to_conll(corpus) == to_conll(whole.corpus));
    CHECK(corpus.line == whole.corpus.line);
  }
}

TEST_CASE("conll: a line that names the columns is no word") {
  for (const char* header : {"token\ttag\n", "Word\tNER\n", "text\tlabel\n", "\xEF\xBB\xBFTOKEN\tNER_TAG\r\n",
                             "#word\ttag\n", "\n-DOCSTART-\tO\n\ntokens\tner_tags\n"}) {
    CAPTURE(header);
    const ConllFile file = parse_conll("t.conll", header + two);
    CHECK(shown(file) == "Ada/B-PER runs/O | Bo/B-LOC sits/O");
    CHECK(file.corpus.met.headers == 1);
    CHECK(found(file).empty());
  }
  CHECK(laid("token\ttag\n" + two) ==
        "2 columns separated by TAB, named by line 1; token in column 0 ('token'), tag in column 1 ('tag')");
  // the names choose the columns
  CHECK(shown("id\tlemma\tword\tner\tchunk\n1\tada\tAda\tB-PER\tB-NP\n2\trun\truns\tO\tB-VP\n") == "Ada/B-PER runs/O");
  // a word with a broken tag is none
  CHECK(found("Word\tNN\tPER\nis\tV\tO\nBo\tN\tB-PER\nat\tP\tO\nAl\tN\tB-LOC\n") ==
        "t.conll:1: tag 'PER': the first letter is not one of O B I E S L U M\n");
  CHECK(shown("token\tO\nword\tB-X\n") == "token/O word/B-X");
  CHECK(shown("token\ttag\n" + two, {.plain = true}) == "token/tag Ada/B-PER runs/O | Bo/B-LOC sits/O");
  CHECK(shown("word\tpos\nAda\tNN\n", {.tags = false}) == "Ada/");
  CHECK(shown("word\nAda\n", {.tags = false}) == "word/ Ada/");  // of one column alone nothing says so
}

TEST_CASE("conll: a first word over placeholders or punctuation is no header") {
  for (const char* none : {"_", "-", "--", "*", ""}) {
    CAPTURE(none);
    const std::string between = std::string("\t") + none + "\t" + none + "\t";
    const std::string bytes = "Ada" + between + "PER\nmet" + between + "O\nParis" + between + "LOC\n";
    CHECK(shown(bytes) == "Ada/I-PER met/O Paris/I-LOC");
    CHECK(shown(bytes, {.token_column = 0, .tag_column = 3}) == "Ada/I-PER met/O Paris/I-LOC");
    CHECK(laid(bytes) ==
          "4 columns separated by TAB; token in column 0, tag in column 3 (the only one that holds tags); types "
          "without a prefix, read as IO");
  }
  CHECK(shown("`` ``\nHello UH\n. .\n", {.tags = false}) == "``/ Hello/ ./");
  CHECK(shown(". .\nHello UH\n", {.tags = false}) == "./ Hello/");
  // a placeholder among names: the names alone decide
  CHECK(shown("word\t-\tner\nAda\tx\tB-PER\nruns\ty\tO\n") == "Ada/B-PER runs/O");
  CHECK(shown("word\t-\t-\nAda\tx\ty\n", {.tags = false}) == "word/ Ada/");
  // pandas writes no name for its index, the first column
  CHECK(shown("\tword\tmine\n0\tAda\tB-PER\n1\truns\tO\n") == "Ada/B-PER runs/O");

  // a line for words written together comes before the words
  const ConllFile range = parse_conll("t.conllu", "1-2\tNo\tno\t_\n1\tN\tn\t_\n2\to\to\t_\n", {.tags = false});
  CHECK(shown(range) == "N/ o/");
  CHECK(range.corpus.met.word_ranges == 1);
  CHECK(range.layout.words == "4 columns separated by TAB; token in column 1 (column 0 numbers them), no tags");
}

TEST_CASE("conll: the token column is the one that holds words") {
  CHECK(shown("1 Ada B-PER\n2 runs O\n\n1 Bo B-PER\n2 sits O\n") == "Ada/B-PER runs/O | Bo/B-PER sits/O");
  const std::string pandas =
      "\tsentence_id\tword\ttag\n0\t1\tAda\tB-PER\n1\t1\truns\tO\n2\t2\tBo\tB-PER\n3\t2\tsits\tO\n";
  CHECK(shown(pandas) == "Ada/B-PER runs/O | Bo/B-PER sits/O");
  CHECK(laid(pandas) ==
        "4 columns separated by TAB, named by line 1; token in column 2 ('word'), tag in column 3 ('tag'); a sentence "
        "ends "
        "where column 1 changes");
  CHECK(shown("   sentence_id word   tag\n0            1  Ada B-PER\n1            1 runs     O\n2 2 Bo B-PER\n3 2 sits "
              "O\n") == "Ada/B-PER runs/O | Bo/B-PER sits/O");
  // the same without names
  CHECK(shown("0\t1\tAda\tB-PER\n1\t1\truns\tO\n\n2\t2\tBo\tB-PER\n3\t2\tsits\tO\n") ==
        "Ada/B-PER runs/O | Bo/B-PER sits/O");
  CHECK(
      laid("0\t1\tAda\tB-PER\n1\t1\truns\tO\n\n2\t2\tBo\tB-PER\n3\t2\tsits\tO\n") ==
      "4 columns separated by TAB; token in column 2 (column 0 holds numbers, column 1 holds numbers), tag in column 3 "
      "(the only one that holds tags)");
  CHECK(shown("-X-\tAda\tB-PER\n-X-\truns\tO\n-X-\tinto\tO\n") == "Ada/B-PER runs/O into/O");
  CHECK(shown("doc1 Ada B-PER\ndoc1 runs O\n\ndoc1 Bo B-PER\n") == "Ada/B-PER runs/O | Bo/B-PER");
  CHECK(shown("B-PER\tAda\nO\truns\nO\tinto\n") == "Ada/B-PER runs/O into/O");
  CHECK(shown("Ada -X- B-PER\nruns -X- O\nAda -X- O\n") == "Ada/B-PER runs/O Ada/O");
  CHECK(shown("1 Ada B-PER\n2 runs O\n1 Bo B-PER\n2 sits O\n") == "Ada/B-PER runs/O | Bo/B-PER sits/O");
  // a column of chunks before that of entities, after an index of all lines
  CHECK(shown("0\tAda\tB-NP\tB-PER\n1\truns\tB-VP\tO\n\n2\tBo\tB-NP\tB-PER\n") == "Ada/B-PER runs/O | Bo/B-PER");
  // numbers are words where nothing else is
  CHECK(shown("1\tO\n2\tB-X\n") == "1/O 2/B-X");
  CHECK(doubt("1\tO\n2\tB-X\n").empty());
}

TEST_CASE("conll: a token column that was named and holds no words is doubted") {
  CHECK(doubt("1 Ada B-PER\n2 runs O\n", {.token_column = 0}) ==
        "token column 0 holds numbers, while column 1 holds words: use --token-column 1 to read them");
  CHECK(doubt("x Ada B-PER\nx runs O\nx at O\n", {.token_column = 0}) ==
        "token column 0 has long runs of one value, while column 1 holds words: use --token-column 1 to read them");
  CHECK(doubt("1 Ada B-PER\n2 runs O\n", {.token_column = 1}).empty());
  const ConllFile file = parse_conll("t.conll", "1 Ada B-PER\n2 runs O\n", {.token_column = 0});
  CHECK(found(file).starts_with("t.conll: token column 0 holds numbers, while column 1 holds words"));
}

TEST_CASE("conll: a name of the header says which columns hold tokens and tags") {
  const std::string kaggle =
      "Sentence #,Word,POS,Tag\nSentence: 1,Ada,NNP,B-per\n,runs,VB,O\nSentence: 2,Bo,NNP,B-per\n";
  const ConllOptions word{.token_name = "Word", .tag_name = "Tag"};
  CHECK(shown(kaggle, word) == "Ada/B-per runs/O | Bo/B-per");
  CHECK(laid(kaggle, word) ==
        "4 columns separated by ',', named by line 1; token in column 1 ('Word', as given), tag in column 3 ('Tag', as "
        "given); a sentence ends where column 0 changes");
  // names that nothing else would take for a header, and not the columns that would be taken
  const std::string mine = "was\tgold\tform\tner\nAda\tB-PER\tx\tO\nruns\tO\ty\tB-LOC\n";
  CHECK(shown("was\tgold\nAda\tB-PER\nruns\tO\n", {.token_name = "was"}) == "Ada/B-PER runs/O");
  CHECK(shown("was;gold\nAda;B-PER\nruns;O\n", {.tag_name = "gold"}) == "Ada/B-PER runs/O");
  CHECK(shown("was gold\nAda B-PER\nruns O\n", {.tag_name = "gold"}) == "Ada/B-PER runs/O");
  CHECK(shown(mine) == "x/O y/B-LOC");
  CHECK(shown(mine, {.token_name = "was", .tag_name = "gold"}) == "Ada/B-PER runs/O");
  CHECK(shown(mine, {.tag_column = 3, .token_name = "was"}) == "Ada/O runs/B-LOC");
  CHECK(shown(mine, {.token_column = 0, .tag_column = ConllOptions::last}) == "Ada/O runs/B-LOC");

  const std::string words = "entrain.text.7: t: no column with the name 'word', expected a name in line 1: ";
  const auto refused = [](const std::string& text, const ConllOptions& options) {
    return test::sentence([&] { parse_conll("t", text, options); });
  };
  CHECK(refused(kaggle, {.token_name = "word"}) ==
        words + "'Sentence #', 'Word', 'POS', 'Tag'; or use the column's number, from 0, or last");
  CHECK(refused(mine, {.tag_name = "word"}) ==
        words + "'was', 'gold', 'form', 'ner'; or use the column's number, from 0, or last");
  CHECK(refused("Ada\tB-PER\nruns\tO\n", {.tag_name = "Tag"}) ==
        "entrain.text.7: t: no column with the name 'Tag', as the file has no line of column names, expected a first "
        "line that contains it; use the column's number, from 0, or last");
  CHECK(refused("word\ttag\ttag\nAda\tB-PER\tO\nruns\tO\tO\n", {.tag_name = "tag"}) ==
        "entrain.text.7: t: 2 columns with the name 'tag', expected one; use the column's number, from 0");
  CHECK(shown("Ada\tB-PER\nruns\tO\n", {.token_column = ConllOptions::last, .tag_column = 0}) == "B-PER/Ada O/runs");
}

TEST_CASE("conll: types without a prefix are read as IO") {
  const std::string stanford = "Ivan\tNAME\nPetrov\tNAME\nruns\tO\n\nhere\tO\nin\tO\nOslo\tPLACE\n.\tO\n";
  CHECK(shown(stanford) == "Ivan/I-NAME Petrov/I-NAME runs/O | here/O in/O Oslo/I-PLACE ./O");
  CHECK(laid(stanford) ==
        "2 columns separated by TAB; token in column 0, tag in column 1 (the only one that holds tags); types without "
        "a prefix, read as IO");
  CHECK(found(stanford).empty());
  // a column of chunks is not taken before that of the types
  CHECK(shown("Ada NN B-NP PER\nruns V B-VP O\nhere R O O\n") == "Ada/I-PER runs/O here/O");
  // a line that does not fit is named, and not read
  std::string mostly_o;
  for (int i = 0; i < 40; ++i) mostly_o += i % 8 == 0 ? "Ivan\tNAME\n" : "w\tO\n";
  const ConllFile mixed = parse_conll("t.conll", mostly_o + "Ada\tB-PER\n");
  REQUIRE(mixed.problems.total == 1);
  CHECK(mixed.problems.list[0].line == 41);
  CHECK(mixed.problems.list[0].reason == "tag 'B-PER' among types without a prefix, which are read as IO");
  // other spellings are no types, parts of speech neither
  CHECK(found("Ada\tb-PER\nruns\tO\nat\tO\nBo\tO\n").find("tag 'b-PER'") != std::string::npos);
  CHECK(found("Ada\tPER-B\nruns\tO\nat\tO\nBo\tO\n").find("tag 'PER-B'") != std::string::npos);
  CHECK(refused("Ada\tNN\nruns\tVB\n").starts_with("entrain.text.8: t.conll: no tags in any of 2 columns"));
  CHECK(shown("Ada\tNAME\nOslo\tPLACE\n", {.types_alone = true}) == "Ada/I-NAME Oslo/I-PLACE");  // --scheme io
}

TEST_CASE("conll: tokens and tags between commas") {
  const std::string csv =
      "Sentence #,Word,POS,Tag\nSentence: 1,Thousands,NNS,O\n,of,IN,O\n,\"London\",NNP,B-geo\n,\",\",\",\",O\n"
      ",\"\"\"\",.,O\nSentence: 2,Iraq,NNP,B-geo\n,wins,V,O\n";
  CHECK(shown(csv) == "Thousands/O of/O London/B-geo ,/O \"/O | Iraq/B-geo wins/O");
  CHECK(laid(csv) ==
        "4 columns separated by ',', named by line 1; token in column 1 ('Word'), tag in column 3 ('Tag'); a sentence "
        "ends "
        "where column 0 changes");
  CHECK(shown("Sentence: 1,Thousands,NNS,O\nSentence: 1,of,IN,O\nSentence: 2,London,NNP,B-geo\n") ==
        "Thousands/O of/O | London/B-geo");
  CHECK(shown("Ada;B-PER\nruns;O\n\nBo;B-PER\n") == "Ada/B-PER runs/O | Bo/B-PER");
  CHECK(
      shown("Ada,B-PER\nruns,O\nx\n\"y,O\nBo,B-PER\nat,O\nin,O\nby,O\non,O\nto,O\nup,O\nso,O\nno,O\nor,O\nif,O\nas,O\n"
            "we,O\nhe,O\nit,O\nme,O\n") ==
      "Ada/B-PER runs/O Bo/B-PER at/O in/O by/O on/O to/O up/O so/O no/O or/O if/O as/O we/O he/O it/O me/O"
      "\n3: 1 column, expected 2 separated by ','\n4: a quote that is not closed on its line");
  CHECK(shown("word,pos\nAda,NN\n", {.tags = false}) == "Ada/");
  CHECK(refused("text,label\na,b\n").starts_with("entrain.text.8: t.conll: one column, so no tags"));
  CHECK(shown("a,b O\nc,d B-X\n") == "a,b/O c,d/B-X");  // commas in words apart by blanks
}

TEST_CASE("conll: the tag may be the value of a key in a column of CoNLL-U") {
  const auto row = [](const std::string& number, const std::string& word, const std::string& misc) {
    return number + "\t" + word + "\t_\tX\t_\t_\t0\troot\t_\t" + misc + "\n";
  };
  const std::string name = "# text = Ada runs\n" + row("1-2", "x", "_") + row("1", "Ada", "SpaceAfter=No|name=B-PER") +
                           row("2", "runs", "name=O") + "\n" + row("1", "Bo", "name=B-PER") + row("2", "sits", "_");
  CHECK(shown(name) == "Ada/B-PER runs/O | Bo/B-PER sits/O");
  CHECK(laid(name) ==
        "10 columns separated by TAB; token in column 1 (column 0 numbers them), tag in column 9, the value of 'name' "
        "(the "
        "only one that holds tags); 1 line starts with #, read as comment");
  CHECK(parse_conll("t.conll", name).corpus.met.keyless == 1);
  CHECK(parse_conll("t.conll", name).corpus.met.word_ranges == 1);
  const std::string ner = row("1", "Ada", "start_char=0|end_char=3|ner=S-PERSON") + row("2", "runs", "ner=O");
  CHECK(shown(ner) == "Ada/S-PERSON runs/O");
  CHECK(shown(ner, {.tag_column = 9}) == "Ada/S-PERSON runs/O");
  CHECK(refused(row("1", "Ada", "SpaceAfter=No")).starts_with("entrain.text.8: t.conll: no tags in any of 10 columns"));
}

TEST_CASE("repair_conll: such files keep their form") {
  const auto repaired = [](const std::string& bytes) {
    const ConllFile file = parse_conll("t.conll", bytes);
    return repair_conll("t.conll", bytes, check({&file, 1}), Rules::named("case")).bytes;
  };
  CHECK(repaired("token\ttag\na\tB-PER\nb\tB-PER\nc\tB-per\n") == "token\ttag\na\tB-PER\nb\tB-PER\nc\tB-PER\n");
  CHECK(repaired("a\tNAME\nb\tO\nc\tNAME\nd\tO\ne\tName\n") == "a\tNAME\nb\tO\nc\tNAME\nd\tO\ne\tNAME\n");
  CHECK(repaired("a,B-PER\n\"b\",B-PER\nc,\"B-per\"\n") == "a,B-PER\n\"b\",B-PER\nc,\"B-PER\"\n");
  const std::string row = "\t_\t_\t_\t_\t0\t_\t_\tX=Y|ner=";
  CHECK(repaired("1\tAda" + row + "B-PER\n2\tBo" + row + "B-PER\n3\tAl" + row + "B-per|Z=_\n") ==
        "1\tAda" + row + "B-PER\n2\tBo" + row + "B-PER\n3\tAl" + row + "B-PER|Z=_\n");
}

}  // namespace conll_table_test
