// tests > [app]
//
// The program, killed in the middle of training and resumed: the same model, byte for byte.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/app/killed.hpp"
#include "tests/app/program.hpp"

namespace resume_test {
using namespace test;

namespace {

std::vector<std::string> train(const std::string& output, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"train", "--data", home(), "--output", output, "--threads", "1", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("app: killed in mid-run, again and again, and resumed: the same model, byte for byte") {
  const Scratch folder;
  const std::vector<std::string> options{"--epochs", "40", "--save-steps", "1"};
  const Ran whole = run(train(folder / "whole", options));
  REQUIRE(whole.exit == 0);
  CHECK(!has(whole.err, "warning"));
  std::vector<std::string> resumed = train(folder / "parts", options);
  kill_after_a_state(resumed, folder / "parts");
  resumed.push_back("--resume");
  for (int i = 0; i < 3; ++i) kill_after_a_state(resumed, folder / "parts");
  const Ran rest = run(resumed);
  CAPTURE(rest.err);
  CHECK(rest.exit == 0);
  CHECK(has(rest.err, "resumed     " + (folder / "parts") + "/" + state + ": after step "));
  CHECK(!has(rest.err, "warning"));
  same_model(folder / "whole", folder / "parts");
  const auto scores = [](const Ran& ran) { return ran.out.substr(ran.out.find("\"test\"")); };
  CHECK(scores(whole) == scores(rest));
  CHECK(get((folder / "parts") + "/" + state).empty());  // nothing is left to go on with
}

TEST_CASE("app: --resume where nothing is to go on with is refused, and makes no folder") {
  const Scratch folder;
  const std::string nowhere = folder / "nowhere";
  check_refused(run(train(nowhere, {"--resume", "--quiet"})),
                "entrain.checkpoint.70: " + nowhere + "/" + state +
                    ": no such file, expected the state of a training that was stopped; check --output; a training "
                    "that is over, or was stopped before its first state, left none: begin without --resume");
  CHECK(folder.names().empty());
}

TEST_CASE("app: --resume with other options, files or files of the state is refused, and the state stays") {
  const Scratch folder;
  const std::string output = folder / "m", path = output + "/" + state;
  const std::vector<std::string> options{"--epochs", "40", "--save-steps", "5"};
  kill_after_a_state(train(output, options), output);
  const std::string kept = get(path);
  REQUIRE(!kept.empty());
  const auto refused = [&](std::vector<std::string> more, const std::string& sentence) {
    std::vector<std::string> resumed = train(output, options);
    resumed.insert(resumed.end(), {"--resume", "--quiet"});
    resumed.insert(resumed.end(), more.begin(), more.end());
    check_refused(run(resumed), "entrain.train.24: " + path + ": " + sentence);
    CHECK(get(path) == kept);
  };
  const std::string remedy = "; go on with what it began with, or begin anew without --resume";
  refused({"--learning-rate", "0.5"},
          "learning_rate of the training that was stopped: 0.01, expected as now: 0.5" + remedy);
  refused({"--seed", "3"}, "seed of the training that was stopped: 0, expected as now: 3" + remedy);
  refused({"--token-budget", "48"}, "token_budget of the training that was stopped: 64, expected as now: 48" + remedy);
  refused({"--max-steps", "9"}, "max_steps of the training that was stopped: 0, expected as now: 9" + remedy);
  refused({"--no-calibrate"}, "calibrate of the training that was stopped: true, expected as now: false" + remedy);
  put(folder / "other.conll", sentences(59));
  refused({"--train", folder / "other.conll"},
          "training file " + (folder / "other.conll") +
              " of the training that was stopped: 60 sentences, 360 words, sha256 ");
  std::string renamed = get(in_home("dev.conll"));
  renamed.replace(renamed.find("Ada"), 3, "Eve");
  put(folder / "dev.conll", renamed);
  refused({"--dev", folder / "dev.conll"},
          "dev file " + (folder / "dev.conll") + " of the training that was stopped: 20 sentences, 120 words, sha256 ");
  // The state is of use still.
  std::vector<std::string> resumed = train(output, options);
  resumed.insert(resumed.end(), {"--resume", "--threads", "2", "--token-budget", "auto"});
  resumed.erase(resumed.begin() + 5, resumed.begin() + 7);  // the first --threads
  const Ran ran = run(resumed);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "of at most 64"));
}

TEST_CASE(
    "app: a training that begins anew says what it will replace; without the options none is kept of a short one") {
  const Scratch folder;
  const std::string output = folder / "m";
  kill_after_a_state(train(output, {"--epochs", "40", "--save-steps", "5"}), output);
  const Ran anew = run(train(output, {"--max-steps", "3"}));
  CHECK(anew.exit == 0);
  CHECK(has(anew.err, "warning: " + output + "/" + state +
                          ": a training that was stopped left its state; --resume goes on from it, and this one begins "
                          "anew\n"));
  CHECK(get(output + "/" + state).empty());
  CHECK(!has(run(train(output, {"--max-steps", "3"})).err, "warning"));
}

TEST_CASE("app: a state that cannot be written is a warning, and training goes on") {
  const Scratch folder;
  const std::size_t model = get(in_home("model/model.safetensors")).size();
  const Ran ran = run(train(folder / "m", {"--save-steps", "4"}), {.longest_file = model + 4096});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: entrain.checkpoint.1: " + (folder / "m") + "/" + state + ": cannot write: "));
  CHECK(has(ran.err, "; training goes on\n"));
}

}  // namespace resume_test
