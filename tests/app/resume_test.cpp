// tests > [app]
//
// The program, killed in the middle of training and resumed: the same model, byte for byte.
#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
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
                    "that finished, or stopped before its first state was stored, has none: start without --resume");
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
  const std::string remedy = "; use the original value, or start again without --resume";
  refused({"--learning-rate", "0.5"}, "learning_rate of the stopped training: 0.01, expected the current 0.5" + remedy);
  refused({"--seed", "3"}, "seed of the stopped training: 0, expected the current 3" + remedy);
  refused({"--token-budget", "48"}, "token_budget of the stopped training: 64, expected the current 48" + remedy);
  refused({"--max-steps", "9"}, "max_steps of the stopped training: 0, expected the current 9" + remedy);
  refused({"--no-calibrate"}, "calibrate of the stopped training: true, expected the current false" + remedy);
  put(folder / "other.conll", sentences(59));
  refused({"--train", folder / "other.conll"},
          "training file " + (folder / "other.conll") + " of the stopped training: 60 sentences, 360 words, sha256 ");
  std::string renamed = get(in_home("dev.conll"));
  renamed.replace(renamed.find("Ada"), 3, "Eve");
  put(folder / "dev.conll", renamed);
  refused({"--dev", folder / "dev.conll"},
          "dev file " + (folder / "dev.conll") + " of the stopped training: 20 sentences, 120 words, sha256 ");
  // The state is of use still.
  std::vector<std::string> resumed = train(output, options);
  resumed.insert(resumed.end(), {"--resume", "--threads", "2", "--token-budget", "auto"});
  resumed.erase(resumed.begin() + 5, resumed.begin() + 7);  // the first --threads
  const Ran ran = run(resumed);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "of at most 64"));
}

TEST_CASE("app: a training where a stopped one left its state is refused, and --overwrite discards the state") {
  const Scratch folder;
  const std::string output = folder / "m", path = output + "/" + state;
  kill_after_a_state(train(output, {"--epochs", "40", "--save-steps", "5"}), output);
  CHECK(!get(output + "/training.lock").empty());  // of a killed program: the next one takes it
  const std::string kept = get(path);
  const std::string log = folder / "steps.jsonl";
  put(log, "as it was");
  check_refused(run(train(output, {"--max-steps", "3", "--quiet", "--log-steps", log})),
                "entrain.app.82: " + path +
                    ": the state of a training that was stopped, expected a folder without one; the same command with "
                    "--resume continues from it; --overwrite discards it; or name another folder with --output\n");
  CHECK(get(path) == kept);
  CHECK(get(log) == "as it was");
  check_wrong_usage(run(train(output, {"--resume", "--overwrite", "--quiet"})),
                    "entrain.app.84: train: both --resume and --overwrite, expected one of them");
  CHECK(run(train(output, {"--plan"})).exit == 0);
  CHECK(get(path) == kept);
  const Ran anew = run(train(output, {"--max-steps", "3", "--overwrite"}));
  CHECK(anew.exit == 0);
  CHECK(has(anew.err, "overwrite   " + path + ": the state of a stopped training is removed\n"));
  CHECK(get(path).empty());
  CHECK(get(output + "/training.lock").empty());
  CHECK(run(train(output, {"--max-steps", "3"})).exit == 0);  // the same data and composition
}

TEST_CASE("app: a finished model of other data or another composition is not replaced without --overwrite") {
  const Scratch folder;
  const std::string output = folder / "m", config = output + "/config.json";
  REQUIRE(run(train(output, {"--max-steps", "3"})).exit == 0);
  const std::string model = get(config);
  CHECK(run(train(output, {"--max-steps", "3", "--stream"})).exit == 0);  // the same data, read otherwise
  CHECK(run(train(output, {"--max-steps", "3"})).exit == 0);
  put(folder / "other.conll", sentences(59));
  const std::string remedy = "; name another folder with --output, or discard it with --overwrite\n";
  const Ran other = run(train(output, {"--max-steps", "3", "--train", folder / "other.conll", "--quiet"}));
  check_refused(other, "entrain.app.83: " + config + ": a model trained on other data, " + in_home("train.conll") +
                           " (60 sentences, 360 words, sha256 ");
  CHECK(has(other.err, "), which would be replaced, expected one of " + (folder / "other.conll") +
                           " (59 sentences, 354 words, sha256 "));
  CHECK(other.err.ends_with(remedy));
  std::string renamed = sentences(60);  // as many words
  renamed.replace(renamed.find("Ada"), 3, "Eve");
  put(folder / "other.conll", renamed);
  check_refused(run(train(output, {"--max-steps", "3", "--train", folder / "other.conll", "--quiet"})),
                "entrain.app.83: " + config + ": a model trained on other data");
  CHECK(get(config) == model);
  const std::vector<std::string> piped{"--train",  "-",    "--stream",    "--labels", "PER,LOC",
                                       "--scheme", "iob2", "--max-steps", "3",        "--quiet"};
  const auto not_compared = [&](const std::string& trained_on) {
    check_refused(run(train(output, piped), {.input = sentences(60)}),
                  "entrain.app.83: " + config + ": a model trained on " + trained_on);
  };
  not_compared(in_home("train.conll") + " (60 sentences, 360 words, sha256 ");
  std::vector<std::string> anew = piped;
  anew.push_back("--overwrite");
  CHECK(run(train(output, anew), {.input = sentences(60)}).exit == 0);
  not_compared(
      "standard input, which would be replaced, expected the same training data, and standard input cannot be "
      "compared" +
      remedy);
  CHECK(run(train(output, {"--max-steps", "3", "--overwrite"})).exit == 0);
  CHECK(get(config) == model);
  std::string wider = model;
  wider.replace(wider.find("Window<16, 1>"), 13, "Window<16, 2>");
  put(config, wider);
  check_refused(run(train(output, {"--max-steps", "3", "--quiet"})),
                "entrain.app.83: " + config +
                    ": a model with Window<16, 2>, which would be replaced, expected Window<16, 1>, as this training "
                    "has" +
                    remedy);
  put(config, "{\"model_type\":\"bert\"}");
  check_refused(run(train(output, {"--max-steps", "3", "--quiet"})),
                "entrain.app.83: " + config +
                    ": a model of another program, which would be replaced, expected a model "
                    "of this composition" +
                    remedy);
  put(config, "{");
  check_refused(run(train(output, {"--max-steps", "3", "--quiet"})), "entrain.app.83: " + config + ": cannot be read");
  CHECK(get(config) == "{");
  CHECK(run(train(output, {"--max-steps", "3", "--overwrite"})).exit == 0);
  CHECK(get(config) == model);
}

TEST_CASE("app: --resume with another --init, or without it, is refused") {
  const Scratch folder;
  const std::string output = folder / "m";
  std::filesystem::copy(in_home("model"), folder / "init");
  const std::vector<std::string> options{"--epochs", "40", "--save-steps", "5"};
  std::vector<std::string> with = train(output, options), without = with, other = with;
  with.insert(with.end(), {"--init", folder / "init"});
  kill_after_a_state(with, output);
  REQUIRE(run(train(folder / "other", {"--max-steps", "2"})).exit == 0);
  other.insert(other.end(), {"--init", folder / "other", "--resume", "--quiet"});
  const std::string start = "entrain.train.24: " + output + "/" + state + ": start of the stopped training: ";
  check_refused(run(other), start + "a folder with sha256 ");
  without.insert(without.end(), {"--resume", "--quiet"});
  const Ran none = run(without);
  check_refused(none, start);
  CHECK(has(none.err, ", expected the current none; "));
  std::filesystem::rename(folder / "init", folder / "moved");  // the same bytes
  with.back() = folder / "moved";
  with.push_back("--resume");
  CHECK(run(with).exit == 0);
}

TEST_CASE("app: after a number that is not finite no resuming is advised, as it comes again") {
  const Scratch folder;
  const Ran ran = run(train(folder / "m", {"--learning-rate", "1000", "--weight-decay", "1000", "--save-steps", "1",
                                           "--epochs", "200", "--no-calibrate"}));
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 1);
  CHECK(has(ran.err, "error: entrain.optim.2: step "));
  CHECK(has(ran.err,
            ", but a training that resumes from it will fail in the same way: change the options or the data, "
            "and start again with --overwrite\n"));
  CHECK(!has(ran.err, "This command resumes"));
}

TEST_CASE("app: a log of steps has each step once, also of a training that was killed and resumed") {
  const Scratch folder;
  const std::string log = folder / "steps.jsonl";
  const std::vector<std::string> options{"--epochs", "40", "--save-steps", "1", "--log-steps", log};
  put(log, "of another training\n");
  std::vector<std::string> command = train(folder / "m", options);
  kill_after_a_state(command, folder / "m");
  command.push_back("--resume");
  for (int i = 0; i < 2; ++i) kill_after_a_state(command, folder / "m");
  const Ran rest = run(command);
  CHECK(rest.exit == 0);
  CHECK(!has(rest.err, "warning"));
  const std::string lines = get(log);
  std::size_t at = 0, step = 0;
  while (at < lines.size() && lines.compare(at, 8, "{\"step\":") == 0) {
    ++step;
    REQUIRE(lines.substr(at + 8, lines.find(',', at) - at - 8) == std::to_string(step));
    at = lines.find('\n', at) + 1;
  }
  CHECK(at == lines.size());
  CHECK(has(rest.out, "{\"steps\":" + std::to_string(step) + ","));

  kill_after_a_state(train(folder / "n", options), folder / "n");
  std::filesystem::remove(log);
  CHECK(has(run(resuming(train(folder / "n", options))).err, "warning: " + log + ": has no lines for steps 1 to "));
}

TEST_CASE("app: a state that cannot be written is a warning, and training continues") {
  const Scratch folder;
  const std::size_t model = get(in_home("model/model.safetensors")).size();
  const Ran ran = run(train(folder / "m", {"--save-steps", "4"}), {.longest_file = model + 4096});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: entrain.checkpoint.1: " + (folder / "m") + "/" + state + ": cannot write: "));
  CHECK(has(ran.err, "; training continues\n"));
}

}  // namespace resume_test
