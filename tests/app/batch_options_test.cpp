// tests > [app]: --token-budget, --batch-size, --group-by-length, --compounding: which go together, and what is said.
#include "entrain/app/options/batch_options.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "tests/app/program.hpp"

namespace batch_options_test {
using namespace test;
using entrain::batch::Compounding;
namespace app = entrain::app;
namespace train = entrain::train;

namespace {

/// One step of a training with these options, on 60 sentences of 6 words.
Ran trained(std::vector<std::string> more) {
  const Scratch folder;
  std::vector<std::string> line{"train", "--data", home(), "--output", folder / "m", "--threads", "1"};
  line.insert(line.end(), more.begin(), more.end());
  return run(line);
}
std::string dumped(std::vector<std::string> options) {
  options.insert(options.begin(), "train");
  options.push_back("--dump-config");
  return run(options).out;
}

/// Given on the line, in the file or nowhere; what comes of it.
struct Settled {
  int token_budget = 0, batch_size = 0;
  bool automatic = false;
  friend bool operator==(const Settled&, const Settled&) = default;
};
Settled settled(app::Settings s, const app::GivenSizes& given) {
  app::settle_sizes(s, given);
  return {s.training.token_budget, s.training.batch_size, s.auto_budget};
}
app::Settings with(int token_budget, int batch_size, const Compounding& compounding = {}, bool automatic = false) {
  app::Settings s;
  s.training.token_budget = token_budget;
  s.training.batch_size = batch_size;
  s.training.compounding = compounding;
  s.auto_budget = automatic;
  return s;
}
constexpr auto nowhere = app::Given::nowhere, file = app::Given::in_the_file, line = app::Given::on_the_line;

}  // namespace

TEST_CASE("compounding: three numbers that lead from one to the other") {
  const auto is = [](const char* text, const Compounding& expected) {
    CAPTURE(text);
    const auto sizes = app::compounding_of(text);
    REQUIRE(sizes);
    CHECK(*sizes == expected);
    CHECK(app::compounding_of(app::text_of(*sizes)) == sizes);
  };
  is("100,1000,1.001", {100, 1000, 1.001});
  is("1,16777216,2", {1, 1 << 24, 2});
  is("64,8,0.99", {64, 8, 0.99});
  is("1.5,2.5,1.0001", {1.5, 2.5, 1.0001});
  is("8,8,1", {8, 8, 1});
  is("8,8,3", {8, 8, 3});
  CHECK(app::text_of({100, 1000, 1.001}) == "100,1000,1.001");
  CHECK(app::text_of({}).empty());
  for (const char* wrong : {"",
                            "100",
                            "100,1000",
                            "100,1000,",
                            "100,1000,1.001,2",
                            ",1000,1.001",
                            "100,,1.001",
                            "100,1000,x",
                            "a,1000,2",
                            "100 ,1000,2",
                            " 100,1000,2",
                            "100,1000,1",
                            "100,1000,0.9",
                            "100,10,1",
                            "100,10,1.1",
                            "100,10,0",
                            "100,10,-1",
                            "0.5,10,2",
                            "0,10,2",
                            "-1,10,2",
                            "10,0.5,0.5",
                            "1,16777217,2",
                            "16777217,1,0.5",
                            "nan,10,2",
                            "1,nan,2",
                            "1,2,nan",
                            "1,2,inf",
                            "1,inf,2",
                            "8,8,0"}) {
    CAPTURE(wrong);
    CHECK(!app::compounding_of(wrong));
  }
}

TEST_CASE("sizes of a batch: sentences or words, whichever was said nearer") {
  CHECK(settled(with(64, 0), {}) == Settled{64, 0});
  CHECK(settled(with(64, 8), {}) == Settled{64, 8});  // the program's own
  CHECK(settled(with(64, 8), {nowhere, line}) == Settled{64, 8});
  CHECK(settled(with(64, 8), {file, line}) == Settled{64, 8});
  CHECK(settled(with(64, 8), {line, file}) == Settled{64, 0});
  CHECK(settled(with(64, 8), {line, nowhere}) == Settled{64, 0});  // the program's own sentences give way
  CHECK(settled(with(64, 0), {line, line}) == Settled{64, 0});     // --batch-size 0
  CHECK(settled(with(64, 8, {}, true), {file, line}) == Settled{64, 8});
  CHECK(settled(with(64, 8, {}, true), {line, file}) == Settled{64, 0, true});
  CHECK(settled(with(64, 0, {}, true), {line, nowhere}) == Settled{64, 0, true});
  const std::string both =
      "entrain.app.31: train: both --token-budget and --batch-size, expected one of them; a budget counts the words or "
      "pieces of a batch, a batch size its sentences";
  CHECK(sentence([] { settled(with(64, 8), {line, line}); }) == both);
  CHECK(sentence([] { settled(with(64, 8, {}, true), {file, file}); }) == both);
}

TEST_CASE("sizes of a batch: as large as --compounding gets") {
  const Compounding words{100, 1000, 1.001}, down{32, 4, 0.9};
  CHECK(settled(with(64, 0, words), {nowhere, nowhere, line}) == Settled{1000, 0});
  CHECK(settled(with(64, 0, words), {file, nowhere, line}) == Settled{1000, 0});  // the line's goes before
  CHECK(settled(with(1000, 0, words), {line, nowhere, line}) == Settled{1000, 0});
  CHECK(settled(with(64, 0, down), {nowhere, nowhere, line}) == Settled{32, 0});
  CHECK(settled(with(64, 32, down), {nowhere, line, line}) == Settled{64, 32});
  CHECK(settled(with(64, 8, down), {nowhere, file, line}) == Settled{64, 32});
  CHECK(settled(with(64, 8, down), {nowhere, nowhere, line}) == Settled{64, 32});    // the program counts sentences
  CHECK(settled(with(64, 0, words), {}) == Settled{1000, 0});                        // the program's own sizes
  CHECK(settled(with(500, 0, words), {line, nowhere, nowhere}) == Settled{500, 0});  // cut at what was said
  CHECK(settled(with(64, 0, {1, 2.5, 1.1}), {nowhere, nowhere, line}) == Settled{2, 0});
  CHECK(sentence([&] {
          settled(with(256, 0, words), {line, nowhere, line});
        }) ==
        "entrain.app.33: --compounding 100,1000,1.001: --token-budget 256, and sizes up to 1000, expected the same; "
        "omit --token-budget");
  CHECK(sentence([&] { settled(with(256, 0, words), {line, nowhere, file}); }).starts_with("entrain.app.33: "));
  CHECK(sentence([&] {
          settled(with(64, 16, down), {nowhere, file, file});
        }) ==
        "entrain.app.33: --compounding 32,4,0.9: --batch-size 16, and sizes up to 32, expected the same; set "
        "--batch-size to 32");
  CHECK(sentence([&] {
          settled(with(64, 0, words, true), {line, nowhere, line});
        }) ==
        "entrain.app.32: --compounding 100,1000,1.001: --token-budget auto, which cuts steps of one size, expected one "
        "of them; remove one: compounding sizes are fixed by the option");
  CHECK(settled(with(64, 32, down, true), {file, line, line}) == Settled{64, 32});  // auto is of a budget
}

TEST_CASE("a batch in words") {
  train::Options o;
  o.token_budget = 1024;
  const auto words = [&] { return app::batches_in_words(o, "pieces"); };
  CHECK(words() == "batches of at most 1,024 pieces");
  o.group_by_length = true;
  CHECK(words() == "batches of at most 1,024 pieces of similar length");
  o.compounding = {100, 1000, 1.001};
  o.token_budget = 1000;
  CHECK(words() == "batches of at most 100 to 1,000 pieces of similar length, each size 1.001 times the one before it");
  o.token_budget = 500;
  CHECK(words().starts_with("batches of at most 100 to 500 pieces of"));
  o = {};
  o.batch_size = 8;
  CHECK(words() == "batches of 8 sentences");
  o.batch_size = 1;
  CHECK(words() == "batches of 1 sentence");
  o.batch_size = 32;
  o.compounding = {32, 4, 0.99};
  CHECK(words() == "batches of 32 to 4 sentences, each size 0.99 times the one before it");
  CHECK(app::rows_before_alone(o) > 1 << 30);
  o.batch_size = 0;
  CHECK(app::rows_before_alone(o) == o.token_budget);
}

TEST_CASE("rows of --batch-size sentences, the longest ones, which a plan has room for") {
  train::Options o;
  o.batch_size = 3;
  const std::vector<std::int32_t> rows{4, 9, 1, 9, 5, 8'000'000};
  CHECK(app::rows_of_batch_size(o, std::span(rows).first(5), "words") == 23);
  CHECK(app::rows_of_batch_size(o, rows, "words") == 8'000'018);
  CHECK(app::rows_of_batch_size(o, {}, "words") == 0);
  const std::vector<std::int32_t> many(3, 8'000'000);
  CHECK(sentence([&] { app::rows_of_batch_size(o, many, "pieces"); }) ==
        "entrain.app.34: --batch-size 3: a batch of 24,000,000 pieces, of the longest sentences, expected at most "
        "16,777,216; lower it, or split longer sentences");
}

TEST_CASE("app: --batch-size counts sentences, and steps and memory follow from it") {
  const Ran ran = trained({"--batch-size", "8", "--epochs", "2", "--json"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "steps       16 optimisation steps, batches of 8 sentences; "));  // 60 sentences: 8 batches
  CHECK(has(ran.err, " for 48 words "));                                               // of 6 words each
  CHECK(has(ran.out, "{\"steps\":16,"));
  CHECK(!has(ran.err, "warning"));
  const Ran alias = trained({"--per-device-train-batch-size", "60", "--num-train-epochs", "2",
                             "--gradient-accumulation-steps", "4", "--group-by-length"});
  CHECK(has(alias.err, "steps       2 optimisation steps, batches of 60 sentences of similar length, 4 per step; "));
  CHECK(has(alias.err, " for 360 words "));
}

TEST_CASE("app: --compounding of words and of sentences") {
  const Ran words = trained({"--compounding", "6,60,2", "--epochs", "2", "--json"});
  CAPTURE(words.err);
  // 1 2 4 8 10 10 10 10 5 sentences, then six of 10
  CHECK(has(
      words.err,
      "steps       15 optimisation steps, batches of at most 6 to 60 words, each size 2 times the one before it; "));
  CHECK(has(words.out, "{\"steps\":15,"));
  CHECK(has(words.err, " for 60 words "));
  const Ran sentences = trained({"--compounding", "1,16,2", "--batch-size", "16", "--epochs", "1", "--json"});
  CHECK(has(sentences.out, "{\"steps\":7,"));  // 1 2 4 8 16 16 13
}

TEST_CASE("app: sizes that say different things are refused, in one line, before a file is read") {
  const auto refused = [](std::vector<std::string> options, const std::string& message) {
    options.insert(options.begin(), {"train", "--data", "nowhere"});
    check_wrong_usage(run(options), message);
  };
  refused({"--token-budget", "64", "--batch-size", "8"}, "entrain.app.31: train: both --token-budget and --batch-size");
  refused({"--token-budget", "auto", "--batch-size", "8"}, "entrain.app.31: train: both");
  refused({"--token-budget", "auto", "--compounding", "1,8,2"}, "entrain.app.32: --compounding 1,8,2: --token-budget");
  refused({"--token-budget", "9", "--compounding", "1,8,2"}, "entrain.app.33: --compounding 1,8,2: --token-budget 9");
  refused({"--batch-size", "7", "--compounding", "1,8,2"}, "entrain.app.33: --compounding 1,8,2: --batch-size 7, and");
  const Ran wrong = run({"train", "--data", home(), "--compounding", "100,1000"});
  CHECK(wrong.exit == 2);
  CHECK(wrong.err ==
        "error: --compounding: '100,1000' is not START,STOP,FACTOR, as in 100,1000,1.001: sizes from 1 to 16777216, "
        "and a factor that leads from one to the other; see --help\n");
  for (const char* size : {"-1", "16777217", "x"})
    CHECK(run({"train", "--data", home(), "--batch-size", size}).exit == 2);
}

TEST_CASE("app: sizes of a configuration file, and as --dump-config prints them") {
  CHECK(has(dumped({}), "\ntoken-budget = \"64\"\n"));
  CHECK(has(dumped({}), "\nbatch-size = \"0\"\n"));
  CHECK(has(dumped({}), "\ngroup-by-length = false\n"));
  CHECK(has(dumped({}), "\n# compounding = \"\"\n"));
  const Scratch folder;
  const auto again = [&](const std::vector<std::string>& options) {
    const std::string first = dumped(options);
    put(folder / "c.ini", first);
    CHECK(dumped({"--config", folder / "c.ini"}) == first);
    return first;
  };
  const std::string sentences = again({"--batch-size", "8", "--group-by-length"});
  CHECK(has(sentences, "\n# token-budget = \"\"\n"));
  CHECK(has(sentences, "\nbatch-size = \"8\"\n"));
  CHECK(has(sentences, "\ngroup-by-length = true\n"));
  const std::string words = again({"--compounding", "100,1000,1.001"});
  CHECK(has(words, "\ntoken-budget = \"1000\"\n"));
  CHECK(has(words, "\ncompounding = \"100,1000,1.001\"\n"));
  CHECK(has(again({"--token-budget", "auto"}), "\ntoken-budget = \"auto\"\n"));
  CHECK(has(again({"--batch-size", "16", "--compounding", "2,16,1.1"}), "\nbatch-size = \"16\"\n"));

  put(folder / "c.ini", "token-budget = 100\n");  // the line goes before the file
  CHECK(has(dumped({"--config", folder / "c.ini", "--batch-size", "8"}), "\nbatch-size = \"8\"\n"));
  CHECK(has(again({"--config", folder / "c.ini", "--batch-size", "8"}), "\n# token-budget = \"\"\n"));
  put(folder / "c.ini", "token-budget = 100\n");
  CHECK(has(again({"--config", folder / "c.ini", "--compounding", "2,16,1.1"}), "\ntoken-budget = \"16\"\n"));
  put(folder / "c.ini", "per-device-train-batch-size = 5\n");
  CHECK(has(dumped({"--config", folder / "c.ini"}), "\nbatch-size = \"5\"\n"));
  CHECK(has(dumped({"--config", folder / "c.ini", "--token-budget", "90"}), "\nbatch-size = \"0\"\n"));
  put(folder / "c.ini", "num-train-epochs = 7\noutput-dir = there\n");
  CHECK(has(dumped({"--config", folder / "c.ini"}), "\nepochs = \"7\"\n"));
  CHECK(has(dumped({"--config", folder / "c.ini"}), "\noutput = \"there\"\n"));
  CHECK(has(dumped({"--config", folder / "c.ini", "--output", "here"}), "\noutput = \"here\"\n"));
  put(folder / "c.ini", "batch-size = 5\ntoken-budget = 90\n");
  check_wrong_usage(run({"train", "--config", folder / "c.ini"}), "entrain.app.31: train: both");
}

}  // namespace batch_options_test
