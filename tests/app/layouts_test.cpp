// tests > [app]
// Columns in unusual layouts, and documents, through the commands: what is read, what is said, what is refused.
#include <doctest/doctest.h>

#include <string>

#include "tests/app/program.hpp"
#include "tests/scratch.hpp"

namespace layouts_test {
using test::has;

namespace {
const std::string kaggle =
    "Sentence #,Word,POS,Tag\nSentence: 1,Thousands,NNS,O\n,of,IN,O\n,\"London\",NNP,B-geo\n,\",\",\",\",O\n"
    "Sentence: 2,Iraq,NNP,B-geo\n,wins,V,O\n";
const std::string stanford = "Ivan\tNAME\nPetrov\tNAME\nruns\tO\n\nhere\tO\nin\tO\nOslo\tPLACE\n.\tO\n";
}  // namespace

TEST_CASE("convert: tokens between commas are found in a .csv, and read") {
  test::Scratch folder;
  const std::string csv = folder.file("a.csv", kaggle);
  const auto ran = test::run({"convert", csv, "--format", "conll"});
  CHECK(ran.exit == 0);
  CHECK(ran.out == "Thousands\tO\nof\tO\nLondon\tB-geo\n,\tO\n\nIraq\tB-geo\nwins\tO\n\n");
  CHECK(has(ran.err, "a.csv: conll, detected from its start; override with --input-format csv"));
  CHECK(test::run({"convert", folder.file("a.txt", kaggle)}).out == ran.out);
  const auto dense = folder.file("d.csv", "sentence_id,word,tag\n1,Ada,B-PER\n1,met,O\n2,Bo,B-PER\n");  // O is rare
  CHECK(test::run({"convert", dense}).out == "Ada\tB-PER\nmet\tO\n\nBo\tB-PER\n\n");
  const auto texts = folder.file("t.csv", "text,label\nsend it, O\nwhat, O\n");  // of texts with labels
  CHECK(has(test::run({"check", texts}).out, "text in column 1 'text', label in column 2 'label'"));
}

TEST_CASE("train, check and convert read types without a prefix as IO, or refuse tags that are none") {
  test::Scratch folder;
  const std::string good = folder.file("good.conll", stanford);
  CHECK(test::run({"convert", good, "--to", "bio"}).out ==
        "Ivan\tB-NAME\nPetrov\tI-NAME\nruns\tO\n\nhere\tO\nin\tO\nOslo\tB-PLACE\n.\tO\n\n");
  CHECK(test::run({"convert", good, "--scheme", "io", "--to", "bio"}).out ==
        test::run({"convert", good, "--to", "bio"}).out);
  const std::string json = folder.file("good.jsonl", "{\"tokens\":[\"Ada\",\"runs\"],\"ner_tags\":[\"PER\",\"O\"]}\n");
  CHECK(has(test::run({"check", json, "--rare", "0"}).out, "JSON lines; types without a prefix, read as IO"));

  std::string bad;
  for (int i = 0; i < 40; ++i) bad += i % 8 == 3 ? "Ivan\tb-NAME\n" : "w\tO\n";
  const std::string path = folder.file("bad.conll", bad);
  test::check_refused(
      test::run({"train", "--train", path, "--output", folder.path() + "/m", "--max-steps", "1", "--quiet"}),
      "entrain.train.3: " + path +
          ":4: tag 'b-NAME': the first letter is not one of O B I E S L U M; no entity can be read from any "
          "of 5 tags that are not O, expected tags such as O, B-PER, I-PER, or types alone such as PER; "
          "check --list all lists them; if the tags are in another column, name it with --tag-column");
  CHECK(has(
      test::run({"train", "--train", path, "--stream", "--output", folder.path() + "/m", "--max-steps", "1", "--quiet"})
          .err,
      "entrain.train.3: " + path + ":4: tag 'b-NAME'"));
}

TEST_CASE("convert keeps the borders of documents, or counts them") {
  test::Scratch folder;
  const std::string path =
      folder.file("a.conll", "-DOCSTART- -X- O\n\na NN B-PER\n\nb NN O\n\n-DOCSTART- -X- O\n\nc NN O\n");
  const std::string kept = "-DOCSTART-\tO\n\na\tB-PER\n\nb\tO\n\n-DOCSTART-\tO\n\nc\tO\n\n";
  CHECK(test::run({"convert", path}).out == kept);
  CHECK(test::run({"convert", folder.file("b.conll", "# newdoc\na\tB-PER\n\nb\tO\n\n# newdoc\nc\tO\n")}).out == kept);
  CHECK(test::run({"convert", folder.file("c.conll", "a\tB-PER\n\nb\tO\n")}).out == "a\tB-PER\n\nb\tO\n\n");
  const auto json = test::run({"convert", path, "--format", "jsonl"});
  CHECK(has(json.err, "warning: " + path +
                          ": 2 documents begin with a separate line, such as -DOCSTART-, which jsonl cannot represent: "
                          "dropped; --format conll keeps these lines"));
}

TEST_CASE("predict keeps them too, and names a doubtful column") {
  test::Scratch folder;
  const std::string path = folder.file("a.conll", "-DOCSTART-\tO\n\nAda\tO\nmet\tO\n\n-DOCSTART-\tO\n\nBo\tO\n");
  const auto ran = test::run({"predict", "-m", test::in_home("model"), path, "--format", "conll"});
  CHECK(ran.exit == 0);
  CHECK(test::times(ran.out, "-DOCSTART-\tO\n\n") == 2);
  CHECK(has(test::run({"predict", "-m", test::in_home("model"), path, "--format", "jsonl"}).err,
            "2 documents begin with a separate line"));
  const std::string hash = folder.file("h.conll", "#Oslo\tLOC\nmet\tO\nBo\tB-PER\nin\tO\nat\tO\n");
  CHECK(has(test::run({"predict", "-m", test::in_home("model"), hash, "--format", "conll"}).out, "#Oslo\t"));
}

TEST_CASE("--token-column and --tag-column take names of the header, in a .csv too") {
  test::Scratch folder;
  const std::string path = folder.file("k.csv",
                                       "Sentence #,Word,POS,Tag\nSentence: 1,Ada,NNP,B-PER\n,runs,VB,O\n"
                                       "Sentence: 2,Bo,NNP,B-PER\n");
  const auto ran = test::run({"convert", path, "--token-column", "Word", "--tag-column", "Tag"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.out == "Ada\tB-PER\nruns\tO\n\nBo\tB-PER\n\n");
  test::check_refused(test::run({"convert", path, "--tag-column", "ner"}),
                      "entrain.text.7: " + path +
                          ": no column with the name 'ner', expected a name in line 1: 'Sentence #', 'Word', 'POS', "
                          "'Tag'; or use the column's number, from 0, or last");
}

TEST_CASE("a token column without words and labels that look alike are warned of") {
  test::Scratch folder;
  const std::string path = folder.file("a.conll", "1 Ada B-PER\n2 runs O\n3 at O\n");
  CHECK(has(test::run({"convert", path, "--token-column", "0"}).err,
            "warning: " + path +
                ": token column 0 holds numbers, while column 1 holds words: use --token-column 1 to read them"));
  const std::string two = folder.file("b.conll", "a\tB-PER\nb\tB-PER \n");
  CHECK(has(test::run({"convert", two}).err,
            "warning: " + two + ": label 'PER ' differs from 'PER' by blanks (U+0020) only: they are two types"));
}

}  // namespace layouts_test
