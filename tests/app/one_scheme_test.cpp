// tests > [app]: records with tags and records with entities in one file, or in files that are checked together, are
// read in one scheme by every command.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/app/program.hpp"

namespace app_one_scheme_test {
using namespace test;

namespace {

const std::string
    tags = "{\"tokens\":[\"Ada\",\"Lee\",\"met\",\"Bo\"],\"ner_tags\":[\"B-PER\",\"I-PER\",\"O\",\"B-PER\"]}\n",
    spans = "{\"text\":\"Eva Ray met Al\",\"spans\":[[0,7,\"PER\"],[12,14,\"PER\"]]}\n";

TEST_CASE("app: tags in BIO next to entities: check, train, evaluate, score and convert read BIO") {
  const Scratch folder;
  const std::string mixed = folder / "mixed.jsonl";
  put(mixed, tags + spans + tags + spans);
  const Ran checked = run({"check", mixed});
  CAPTURE(checked.out);
  CHECK(checked.exit == 0);
  CHECK(has(checked.out, "  layout: JSON lines; entities are read as BIO tags, as other files have tags\n"));
  CHECK(has(checked.out, "fits BIO"));
  CHECK(has(checked.out, "4 sentences, 16 tokens, 8 entities"));
  CHECK(!has(checked.out, "against the scheme"));

  for (const std::vector<std::string>& how :
       {std::vector<std::string>{}, {"--stream"}, {"--cache", folder / "cache"}, {"--cache", folder / "cache"}}) {
    std::vector<std::string> arguments{"train", "--train",  mixed,        "--repair",    "drop",      "--max-steps",
                                       "1",     "--output", folder / "m", "--overwrite", "--threads", "1"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const Ran ran = run(arguments);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(has(ran.err, "4 sentences, 16 words, 8 entities\n"));
    CHECK(has(ran.err, "fits BIO; read as BIO (B- and I- occur)\n"));
    CHECK(!has(ran.err, "disagree"));
    CHECK(has(ran.err, "\nfirst pass  4  ") == (times(ran.err, "\nsecond pass  4/4  ") == 1));
  }
  const Ran evaluated = run({"evaluate", "-m", in_home("model"), mixed});
  CAPTURE(evaluated.err);
  CHECK(evaluated.exit == 0);
  CHECK(!has(evaluated.err, "disagree"));
  const Ran scored = run({"score", mixed, mixed});
  CHECK(scored.exit == 0);
  CHECK(!has(scored.err, "disagree"));
  const std::string converted =
      "Ada\tB-PER\nLee\tI-PER\nmet\tO\nBo\tB-PER\n\nEva\tB-PER\nRay\tI-PER\nmet\tO\nAl\tB-PER\n\n";
  CHECK(run({"convert", mixed, "--to", "iob2"}).out == converted + converted);
}

TEST_CASE("app: tags that are types without a prefix next to entities are IO, or are refused record by record") {
  const Scratch folder;
  const std::string mixed = folder / "mixed.jsonl";
  const std::string alone =
      "{\"tokens\":[\"Ada\",\"Lee\",\"met\",\"Bo\"],\"ner_tags\":[\"PER\",\"PER\",\"O\",\"PER\"]}\n";
  put(mixed, alone + spans + alone + "{\"text\":\"Eva Al\",\"spans\":[[0,3,\"PER\"],[4,6,\"PER\"]]}\n");
  const Ran checked = run({"check", mixed});
  CAPTURE(checked.out);
  CHECK(checked.exit == 0);
  CHECK(has(
      checked.out,
      "  layout: JSON lines; types without a prefix, read as IO; entities are read as IOB1 tags, as other files have "
      "tags\n"));
  CHECK(has(checked.out, "4 sentences, 14 tokens, 8 entities"));
  CHECK(!has(checked.out, "no tag"));

  const std::string refusal =
      "entrain.train.3: " + mixed +
      ":1: tag 'PER': the first letter is not one of O B I E S L U M; no entity can be read from any of 6 tags that "
      "are "
      "not "
      "O, expected tags such as O, B-PER, I-PER, or types alone such as PER; --scheme io reads types without a prefix";
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{}, {"--stream"}, {"--cache", folder / "cache"}}) {
    std::vector<std::string> arguments{"train",    "--train",    mixed,         "--max-steps", "1",
                                       "--output", folder / "m", "--overwrite", "--threads",   "1"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    if (!how.empty()) {
      check_refused(run(arguments), refusal);
      arguments.insert(arguments.end(), {"--scheme", "io"});
    }
    const Ran ran = run(arguments);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(has(ran.err, how.empty() ? "4 sentences, 14 words, 8 entities\n" : "4 sentences, 14 words, 7 entities\n"));
    CHECK(has(ran.err, "1 entity that IO cannot separate from the preceding one") == !how.empty());
    CHECK(!has(ran.err, "no tag"));
  }
  check_refused(run({"convert", mixed, "--to", "iob2"}), refusal);
  CHECK(run({"convert", mixed, "--scheme", "io", "--to", "iob2"}).out ==
        "Ada\tB-PER\nLee\tI-PER\nmet\tO\nBo\tB-PER\n\nEva\tB-PER\nRay\tI-PER\nmet\tO\nAl\tB-PER\n\n"
        "Ada\tB-PER\nLee\tI-PER\nmet\tO\nBo\tB-PER\n\nEva\tB-PER\nAl\tB-PER\n\n");
  const Ran scored = run({"score", mixed, mixed});
  CAPTURE(scored.out);
  CHECK(scored.exit == 0);
  CHECK(run({"evaluate", "-m", in_home("model"), mixed}).exit == 0);
}

TEST_CASE("app: entities do not hide tags of other records none of which can be read") {
  const Scratch folder;
  const std::string mixed = folder / "mixed.jsonl";
  put(mixed, spans + "{\"tokens\":[\"Ada\",\"met\",\"Bo\"],\"ner_tags\":[\"1\",\"0\",\"1\"]}\n");
  std::vector<std::string> train{"train", "--train", mixed, "--max-steps", "1", "--output", folder / "m"},
      streamed = train;
  streamed.push_back("--stream");
  for (const std::vector<std::string>& line : {train,
                                               streamed,
                                               {"convert", mixed, "--format", "conll"},
                                               {"score", mixed, mixed},
                                               {"evaluate", "-m", in_home("model"), mixed}}) {
    CAPTURE(line[0]);
    check_refused(
        run(line),
        "entrain.train.3: " + mixed +
            ":2: tag '1': the first letter is not one of O B I E S L U M; no entity can be read from any of 3 tags "
            "that are not O");
  }
  const Ran checked = run({"check", mixed});
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, mixed + ":2: tag '1'"));
}

TEST_CASE("app: a CoNLL file in BIO and a JSON file with entities agree, and --fix keeps the tags") {
  const Scratch folder;
  put(folder / "a.conll", "Ada\tB-PER\nLee\tI-PER\nmet\tO\nBo\tB-PER\n");
  put(folder / "b.jsonl", spans);
  const Ran ran = run({"check", folder / "a.conll", folder / "b.jsonl", "--fix", folder / "out"});
  CAPTURE(ran.out);
  CHECK(ran.exit == 0);
  CHECK(!has(ran.out, "another scheme"));
  CHECK(!has(ran.out, "against the scheme"));
  CHECK(get(folder / "out/a.conll") == get(folder / "a.conll"));
}

TEST_CASE("app: an entity whose tokens are others is an error of check and a warning of train, with its line") {
  const Scratch folder;
  const std::string file = folder / "p.jsonl";
  put(file,
      "{\"text\":\"Ada "
      "met\",\"tokens\":[{\"start\":0,\"end\":3},{\"start\":4,\"end\":7}],\"spans\":[{\"start\":0,\"end\":3,"
      "\"token_start\":1,\"token_end\":1,\"label\":\"PER\"}]}\n");
  const std::string finding = file + ":1: entity [0, 3) 'Ada' PER, but its tokens 1 to 1 are [4, 7) 'met'\n";
  const Ran checked = run({"check", file});
  CAPTURE(checked.out);
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, finding));
  CHECK(has(checked.out, "1 text or token that does not match its offsets"));
  for (const bool streamed : {false, true}) {
    std::vector<std::string> arguments{"train", "--train",  file,         "--max-steps",
                                       "1",     "--output", folder / "m", "--overwrite"};
    if (streamed) arguments.push_back("--stream");
    CHECK(has(run(arguments).err, "warning: " + finding));
  }
  CHECK(has(run({"convert", file, "--to", "iob2"}).err, "warning: " + finding));
  CHECK(has(run({"evaluate", "-m", in_home("model"), file}).err, "warning: " + finding));
}

}  // namespace
}  // namespace app_one_scheme_test
