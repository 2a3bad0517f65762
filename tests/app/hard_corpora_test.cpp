// tests > [app]: corpora that are legal and hard to learn from: handled, warned about, counted.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/app/program.hpp"
#include "tests/sanitized.hpp"

namespace hard_corpora_test {
using namespace test;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_ours = false;  // a sanitizer takes a multiple of it
#else
constexpr bool memory_is_ours = true;
#endif

/// The number after `name`, as in "F1": 0.5.
double number_after(const std::string& text, std::string_view name) {
  const auto at = text.find(name);
  REQUIRE(at != text.npos);
  return std::strtod(text.c_str() + at + name.size(), nullptr);
}

/// `words` words in sentences of `length`, as CoNLL. Only the first is an entity.
std::string long_corpus(int words, int length) {
  std::string s = "Ada\tB-PER\n";
  for (int i = 1; i < words; ++i) {
    if (i % length == 0) s += '\n';
    s.append("word").append(std::to_string(i % 5000)).append("\tO\n");
  }
  return s + "\n";
}

constexpr int giant = 200'000;

}  // namespace

TEST_CASE("hard: a corpus without any entity trains, is warned about and predicts nothing") {
  const Scratch folder;
  std::string all_o;
  for (int i = 0; i < 20; ++i) all_o += "nothing\tO\nhere\tO\n\n";
  put(folder / "o.conll", all_o);
  const Ran ran = run({"train", "--train", folder / "o.conll", "--dev", folder / "o.conll", "--test",
                       folder / "o.conll", "--output", folder / "m", "--max-steps", "3"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(times(ran.err, "warning: " + (folder / "o.conll") + ": no entity in 40 words, all are O") == 3);
  CHECK(has(ran.err, "labels      0 types in BIOES: none"));
  CHECK(has(ran.err, "3 warnings\n"));
  CHECK(has(ran.out, "0.00"));
  CHECK(!has(ran.out, "nan"));
  CHECK(!has(ran.err, "nan"));
  const Ran predicted = run({"predict", "-m", folder / "m", "--format", "colour"},
                            {.input = "Ada met Bo in Oslo .\n", .environment = {{"NO_COLOR", "1"}}});
  CHECK(predicted.exit == 0);
  CHECK(predicted.out == "Ada met Bo in Oslo .\n");
  // what has entities can be evaluated with it: all are missed
  const Ran scored = run({"evaluate", "-m", folder / "m", "--test", in_home("test.conll"), "--json"});
  CHECK(scored.exit == 0);
  CHECK(times(scored.err, "was never seen in training: its ") == 2);
  CHECK(has(scored.out, "\"gold\":60"));
}

TEST_CASE("hard: a corpus with one label trains and is warned about") {
  const Scratch folder;
  std::string one;
  for (int i = 0; i < 20; ++i) one += "Ada\tB-PER\nsings\tO\n\n";
  put(folder / "one.conll", one);
  const Ran ran = run({"train", "--train", folder / "one.conll", "--dev", folder / "one.conll", "--output",
                       folder / "m", "--max-steps", "30"});
  CHECK(ran.exit == 0);
  CHECK(times(ran.err, "warning: " + (folder / "one.conll") + ": one label only, 'PER' (20 mentions)") == 2);
  CHECK(has(ran.err, "labels      1 type in BIOES: PER"));
  CHECK(has(ran.err, "2 warnings\n"));
  const Ran predicted = run({"predict", "-m", folder / "m", "--format", "colour"},
                            {.input = "Ada sings\n", .environment = {{"NO_COLOR", "1"}}});
  CHECK(predicted.out == "[Ada](PER) sings\n");
}

TEST_CASE("hard: a label unseen in training is warned about, and each mention counts as missed") {
  const Scratch folder;
  put(folder / "test.conll", sentences(10) + "Acme\tB-ORG\nmet\tO\nAda\tB-PER\n\nInitech\tB-ORG\nGmbH\tI-ORG\n\n");
  const Ran ran = run({"evaluate", "-m", in_home("model"), "--test", folder / "test.conll"});
  CAPTURE(ran.out);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: " + (folder / "test.conll") +
                         ": label 'ORG' was never seen in training: its 2 mentions count as missed"));
  const auto row = ran.out.find("ORG");
  REQUIRE(row != std::string::npos);
  const std::string line = ran.out.substr(row, ran.out.find('\n', row) - row);
  CHECK(has(line, " 0.00 "));
  CHECK(line.ends_with("         0        0"));  // predicted, correct
  CHECK(has(line, " 2 "));                       // gold
  const Ran once =
      run({"train", "--data", home(), "--test", folder / "test.conll", "--output", folder / "m", "--max-steps", "1"});
  CHECK(once.exit == 0);
  CHECK(has(once.err, "label 'ORG' was never seen in training: its 2 mentions count as missed"));
}

TEST_CASE("hard: without a dev file the last values are kept, whatever --patience says") {
  const Scratch folder;
  const Ran ran =
      run({"train", "--train", in_home("train.conll"), "--output", folder / "m", "--epochs", "4", "--patience", "1"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: no dev file: the weights of the last step are saved, whatever their score"));
  CHECK(!has(ran.err, "stopped"));
  CHECK(has(ran.err, "saved       " + (folder / "m") + ", the weights of step 24"));
  CHECK(ran.out.empty());
}

TEST_CASE("hard: a sentence of 200,000 words in training: warned, trained, within the planned memory") {
  const Scratch folder;
  put(folder / "long.conll", long_corpus(giant, giant + 1));
  put(folder / "short.conll", long_corpus(giant, 20));
  const auto train = [&](const std::string& file) {
    return run({"train", "--train", folder / file, "--dev", folder / file, "--output", folder / ("m-" + file),
                "--max-steps", "1", "--threads", "1", "--no-calibrate"});
  };
  const Ran ran = train("long.conll"), usual = train("short.conll");
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  REQUIRE(usual.exit == 0);
  const std::string warned =
      "warning: " + (folder / "long.conll") + ":1: a sentence of 200,000 words; it is longer than a batch of 64 and ";
  CHECK(times(ran.err, warned + "fills a batch by itself\n") == 1);  // learned from
  CHECK(times(ran.err, warned + "is read in parts\n") == 1);         // of --dev
  CHECK(has(ran.err, " for 200,000 words"));
  CHECK(has(ran.err, "1 sentence, 200,000 words, 1 entity"));
  CHECK(!has(usual.err, "warning: " + (folder / "short.conll") + ":1: a sentence"));
  CHECK(has(ran.err, "the same tags on all 200,000 words"));
  // Besides the plan there are the corpus in numbers, a batch that is learned from and one that is evaluated: some 150
  // bytes a word. The rest is as for short ones.
  const double planned = number_after(ran.err, "memory      ") * (1 << 20);
  if (memory_is_ours) CHECK(static_cast<double>(ran.peak) < planned + static_cast<double>(usual.peak) + 150.0 * giant);
}

TEST_CASE("hard: a sentence of 200,000 words in evaluate and predict: warned, counted, answered") {
  const Scratch folder;
  put(folder / "long.conll", long_corpus(giant, giant + 1));
  const Ran scored = run({"evaluate", "-m", in_home("model"), "--test", folder / "long.conll", "--json"});
  CAPTURE(scored.err);
  CHECK(scored.exit == 0);
  CHECK(times(scored.err,
              "warning: " + (folder / "long.conll") +
                  ":1: a sentence of 200,000 words; it is longer than a batch of 64 and is read in parts") == 1);
  CHECK(has(scored.out, "\"gold\":1,"));

  std::string text = "Ada";
  for (int i = 1; i < giant; ++i) text.append(" word").append(std::to_string(i % 5000));
  put(folder / "long.txt", "Bo met Ada in Oslo .\n" + text + "\n");
  const Ran tagged = run({"predict", "-m", in_home("model"), "--format", "conll", folder / "long.txt"});
  CAPTURE(tagged.err);
  CHECK(tagged.exit == 0);
  CHECK(times(tagged.out, "\n") == giant + 6 + 2);
  CHECK(times(tagged.err,
              "warning: " + (folder / "long.txt") +
                  ":2: a sentence of 200,000 words; it is longer than a batch of 64 and is read in parts") == 1);
  const Ran conll = run({"predict", "-m", in_home("model"), "--format", "conll", folder / "long.conll"});
  CHECK(conll.exit == 0);
  CHECK(times(conll.err, "warning: " + (folder / "long.conll") +
                             ":1: a sentence of 200,000 words; it is longer than a batch of 64 and is read in parts") ==
        1);
  if (memory_is_ours) CHECK(tagged.peak < std::size_t{200} << 20);
}

TEST_CASE("hard: --init: labels that survive, new ones, and those left out are listed") {
  const Scratch folder;
  std::string corpus;
  for (int i = 0; i < 20; ++i) corpus += "Ada\tB-PER\nrents\tO\na\tO\nVolvo\tB-CAR\n\n";
  put(folder / "train.conll", corpus);
  const Ran ran = run({"train", "--init", in_home("model"), "--train", folder / "train.conll", "--dev",
                       folder / "train.conll", "--output", folder / "m", "--max-steps", "20"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "init        " + in_home("model") + ": labels that are kept: PER\n"));
  CHECK(has(ran.err, "            new labels, which are initialised: CAR\n"));
  CHECK(has(ran.err, "            labels of that model only, which are dropped: LOC\n"));
  CHECK(has(get(folder / "m/config.json"), "B-CAR"));
  check_refused(run({"train", "--quiet", "--init", folder / "none", "--data", home(), "--output", folder / "n"}),
                "entrain.checkpoint.40");
}

TEST_CASE("hard: --scheme and --repair decide what broken tags mean") {
  const Scratch folder;
  put(folder / "iob1.conll", "Ada\tI-PER\nsings\tO\n\nBo\tI-PER\nLee\tI-PER\n\n");
  const auto trained = [&](std::vector<std::string> more) {
    std::vector<std::string> line{"train",       "--train", folder / "iob1.conll", "--output", folder / "m",
                                  "--max-steps", "1"};
    line.insert(line.end(), more.begin(), more.end());
    return run(line);
  };
  CHECK(has(trained({"--scheme", "iob1"}).err, "2 sentences, 4 words, 2 entities"));
  const Ran repaired = trained({"--scheme", "iob2"});
  CHECK(has(repaired.err, "2 tags break BIO, the first is 'I-PER' at " + (folder / "iob1.conll") +
                              ":1; read by the rule 'conlleval' (--repair)"));
  CHECK(has(repaired.err, "2 sentences, 4 words, 2 entities"));
  const Ran dropped = trained({"--scheme", "iob2", "--repair", "drop"});
  CHECK(has(dropped.err, "read by the rule 'drop' (--repair)"));
  CHECK(has(dropped.err, "2 sentences, 4 words, 0 entities"));
}

}  // namespace hard_corpora_test
