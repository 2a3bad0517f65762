// tests > [app]: one F1 for one model and one file, whichever command finds it, and it is that of what predict writes.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "entrain/app/train/result_words.hpp"
#include "tests/app/program.hpp"

namespace scores_test {
using namespace test;
using nlohmann::json;

namespace {

/// "New York" and "Oslo" among other words. first, second: the tags of New and York.
std::string places(int count, const std::string& first, const std::string& second, const std::string& oslo) {
  std::string all;
  for (int s = 0; s < count; ++s) {
    const std::string word = "Word" + std::to_string(s % 13);
    all += word + "\tO\nNew\t" + first + "\nYork\t" + second + "\nand\tO\nOslo\t" + oslo + "\n" + word + "\tO\n\n";
  }
  return all;
}

json scores_of(const std::vector<std::string>& arguments) {
  const Ran ran = run(arguments);
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  return json::parse(ran.out);
}

}  // namespace

TEST_CASE("scores: New York cut in two is wrong on IO gold, for train, evaluate and score, as seqeval counts") {
  const Scratch folder;
  put(folder / "train.conll", places(60, "B-LOC", "B-LOC", "B-LOC"));  // the model learns the wrong cut
  put(folder / "dev.conll", places(5, "I-LOC", "I-LOC", "I-LOC"));
  put(folder / "test.conll", places(7, "I-LOC", "I-LOC", "I-LOC"));
  const json trained = scores_of({"train", "--data", folder.path(), "--output", folder / "m", "--json"});
  // seqeval 1.2.2, default mode: gold I-LOC I-LOC O I-LOC, predicted B-LOC B-LOC O B-LOC: 1 / 3, 1 / 2, 0.4
  CHECK(trained["best_dev_f1"] == doctest::Approx(0.4));
  const Ran predicted = run({"predict", "-m", folder / "m", folder / "test.conll", "--format", "conll"});
  CHECK(predicted.out == places(7, "B-LOC", "B-LOC", "B-LOC"));
  put(folder / "predicted.conll", predicted.out);

  const json evaluated = scores_of({"evaluate", "-m", folder / "m", "--test", folder / "test.conll", "--json"});
  const json scored = scores_of({"score", folder / "test.conll", folder / "predicted.conll", "--json"});
  for (const json& scores : {trained["test"], evaluated, scored})
    for (const char* reading : {"strict", "conlleval"}) {
      CAPTURE(scores.dump());
      CHECK(scores["scheme"] == "IOB1");
      const json& micro = scores[reading]["micro"];
      CHECK(micro["gold"] == 14);
      CHECK(micro["predicted"] == 21);
      CHECK(micro["correct"] == 7);
      CHECK(micro["f1"] == doctest::Approx(0.4));
    }
  CHECK(trained["test"] == evaluated);
  CHECK(has(run({"evaluate", "-m", folder / "m", "--test", folder / "test.conll"}).out,
            "\ngold is in IOB1, predictions are in BIOES: entities are compared, by their words and types\n"));

  // IO by the command line is the same, and so is a file that predict wrote in another scheme
  const json as_io =
      scores_of({"evaluate", "-m", folder / "m", "--test", folder / "test.conll", "--scheme", "io", "--json"});
  CHECK(as_io["scheme"] == "IO");
  CHECK(as_io["strict"] == evaluated["strict"]);
  CHECK(as_io["correct_tokens"] == evaluated["correct_tokens"]);
  for (const char* scheme : {"iobes", "iob1", "bmes"}) {
    put(folder / "predicted.conll",
        run({"predict", "-m", folder / "m", folder / "test.conll", "--format", "conll", "--to", scheme}).out);
    const json again = scores_of({"score", folder / "test.conll", folder / "predicted.conll", "--json"});
    CHECK(again["strict"] == scored["strict"]);
    CHECK(again["conlleval"] == scored["conlleval"]);
    CHECK(again["correct_tokens"] == scored["correct_tokens"]);
  }
}

TEST_CASE("scores: evaluate's are those of what predict writes, whichever scheme the gold file is in") {
  const Scratch folder;
  for (const char* scheme : {"iob1", "iob2", "iobes", "bilou", "bmes", "io"}) {
    CAPTURE(scheme);
    put(folder / "gold.conll", run({"convert", in_home("test.conll"), "--to", scheme}).out);
    const json evaluated = scores_of({"evaluate", "-m", in_home("model"), "--test", folder / "gold.conll", "--json"});
    put(folder / "predicted.conll",
        run({"predict", "-m", in_home("model"), folder / "gold.conll", "--format", "conll"}).out);
    const json scored = scores_of({"score", folder / "gold.conll", folder / "predicted.conll", "--json"});
    for (const char* same : {"strict", "conlleval", "tokens", "correct_tokens", "scheme"})
      CHECK(evaluated[same] == scored[same]);
  }
}

TEST_CASE("scores: evaluate splits raw text as its model does, and score does so with the model's splitters") {
  const Scratch folder;
  REQUIRE(run({"train", "--data", home(), "--output", folder / "m", "--max-steps", "40", "--splitter", "whitespace",
               "--sentence-splitter", "whole-text"})
              .exit == 0);
  put(folder / "gold.jsonl",
      "{\"text\":\"Ada met Bo. He left!\",\"label\":[[0,3,\"PER\"],[8,11,\"PER\"]]}\n"
      "{\"text\":\"Bo met Ada. In Oslo\",\"label\":[[0,2,\"PER\"],[7,11,\"PER\"],[15,19,\"LOC\"]]}\n");
  const json evaluated = scores_of({"evaluate", "-m", folder / "m", folder / "gold.jsonl", "--json"});
  CHECK(evaluated["tokens"] == 10);  // 13 by the default splitters
  put(folder / "predicted.conll", run({"predict", "-m", folder / "m", folder / "gold.jsonl", "--format", "conll"}).out);
  const std::vector<std::string> score{"score", folder / "gold.jsonl", folder / "predicted.conll", "--json"};
  const auto scored_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), score.begin(), score.end());
    return run(more);
  };
  const Ran scored = scored_with({"--splitter", "whitespace", "--sentence-splitter", "whole-text"});
  CAPTURE(scored.err);
  REQUIRE(scored.exit == 0);
  for (const char* same : {"strict", "conlleval", "tokens", "correct_tokens"})
    CHECK(evaluated[same] == json::parse(scored.out)[same]);
  const Ran by_default = scored_with({"--misaligned", "snap"});
  CHECK(by_default.exit == 1);
  CHECK(has(by_default.err,
            "; for text without words name the splitters of the model, with --splitter and --sentence-splitter"));

  put(folder / "cuts.jsonl", "{\"text\":\"Ada met Bo.\",\"label\":[[8,10,\"PER\"]]}\n");  // "Bo." is one word
  CHECK(has(run({"evaluate", "-m", folder / "m", folder / "cuts.jsonl"}).err, "entrain.text.41: "));
  CHECK(scores_of(
            {"evaluate", "-m", folder / "m", folder / "cuts.jsonl", "--misaligned", "snap", "--json"})["tokens"] == 3);
}

TEST_CASE("scores: what calibration did is said each time, with gain and bias") {
  entrain::train::Calibration c;
  const auto said = [&] { return entrain::app::calibration_in_words(c); };
  CHECK(said() == "not applied: the model has no tag bias");
  c.unshifted = c.score = c.best_score = 0.5, c.largest = 3.5;
  CHECK(said() == "not applied: no value up to 3.50 added to the bias of the tags that open an entity improves dev F1");
  c.best = 0.75, c.best_score = 0.504;
  CHECK(said() ==
        "not applied: 0.75 added to the bias of the tags that open an entity gains 0.40 points of dev F1, which may be "
        "chance; at least 1.00 is required");
  c.shift = c.best = 1.5, c.score = c.best_score = 0.6;
  CHECK(said() == "1.50 added to the bias of the tags that open an entity: dev F1 60.00, a gain of 10.00 points");
  CHECK(has(get(in_home("train.err")), "\ncalibrated  "));
}

}  // namespace scores_test
