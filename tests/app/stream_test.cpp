// tests > [app]
//
// Training files in any format, in memory or read again each epoch: the same model, byte for byte, where the sentences
// are the same and fit into the shuffle buffer.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/killed.hpp"
#include "tests/app/names.hpp"
#include "tests/app/program.hpp"

namespace stream_test {
using namespace test;

namespace {

/// `more` goes before what is usual here.
std::vector<std::string> train(const std::string& output, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"train", "--output", output, "--overwrite"};
  const std::vector<std::pair<std::string, std::string>> usual{
      {"--threads", "1"}, {"--epochs", "3"}, {"--token-budget", "60"}};
  for (const auto& [name, value] : usual)
    if (std::find(more.begin(), more.end(), name) == more.end() &&
        !(name == "--token-budget" && std::find(more.begin(), more.end(), "--batch-size") != more.end()))
      arguments.insert(arguments.end(), {name, value});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The weights that a training ends with.
std::string model_of(const std::string& output, const std::vector<std::string>& more) {
  const Ran ran = run(train(output, more));
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  return get(output + "/model.safetensors");
}

}  // namespace

TEST_CASE("app: a file that is read again each epoch trains the same model as the file in memory, with any loader") {
  const Scratch folder;
  put(folder / "train.conll", conll(200));
  put(folder / "dev.conll", conll(20, 500));
  const std::vector<std::string> files{"--train", folder / "train.conll", "--dev", folder / "dev.conll"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), files.begin(), files.end());
    return model_of(folder / "m", more);
  };
  for (const std::vector<std::string>& batches :
       {std::vector<std::string>{},
        {"--batch-size", "4"},
        {"--compounding", "10,60,1.1", "--gradient-accumulation-steps", "2"}}) {
    const auto run_with = [&](std::vector<std::string> more) {
      more.insert(more.end(), batches.begin(), batches.end());
      return with(more);
    };
    const std::string memory = run_with({});
    CHECK(run_with({"--stream"}) == memory);
    CHECK(run_with({"--loader-workers", "0"}) == memory);
    CHECK(run_with({"--stream", "--loader-workers", "0"}) == memory);
    CHECK(run_with({"--stream", "--loader-workers", "3"}) == memory);
    CHECK(run_with({"--stream", "--loader-workers", "auto", "--threads", "2"}) == memory);
    CHECK(run_with({"--stream", "--shuffle-buffer", "20"}) != memory);
    CHECK(run_with({"--stream", "--shuffle-buffer", "20", "--loader-workers", "4"}) ==
          run_with({"--stream", "--shuffle-buffer", "20"}));
  }
}

TEST_CASE("app: shards, one after the other, are one file") {
  const Scratch folder;
  put(folder / "whole.conll", conll(60));
  for (int i = 0; i < 12; ++i) put(folder / ("part-" + std::to_string(i) + ".conll"), conll(5, 5 * i));
  const std::string whole = model_of(folder / "m", {"--train", folder / "whole.conll"});
  CHECK(model_of(folder / "m", {"--train", folder / "part-*.conll"}) == whole);
  CHECK(model_of(folder / "m", {"--train", folder / "part-*.conll", "--stream"}) == whole);
  const Ran ran = run(train(folder / "m", {"--train", folder / "part-*.conll", "--stream"}));
  CHECK(has(ran.err, "part-0.conll and 11 files more: conll, read again each epoch\n"));
  CHECK(has(ran.err, "60 sentences, "));
  CHECK(has(run(train(folder / "m", {"--train", folder / "part-*.conll"})).err, "part-0.conll and 11 files more\n"));
}

TEST_CASE("app: the same sentences in columns, JSON lines and annotated text teach the same") {
  const Scratch folder;
  put(folder / "a.conll", conll(40));
  REQUIRE(run({"convert", folder / "a.conll", "-o", folder / "a.jsonl"}).exit == 0);
  std::string hugging_face, gliner;
  int sentences = 0;
  std::string words, tags, spans;
  int n = 0;
  for (std::size_t at = 0; at < get(folder / "a.conll").size();) {
    const std::string bytes = get(folder / "a.conll");
    const std::string line = bytes.substr(at, bytes.find('\n', at) - at);
    at += line.size() + 1;
    if (line.empty()) {
      hugging_face += "{\"tokens\":[" + words + "],\"ner_tags\":[" + tags + "]}\n";
      gliner += "{\"tokenized_text\":[" + words + "],\"ner\":[" + spans + "]}\n";
      words = tags = spans = "";
      n = 0, ++sentences;
      continue;
    }
    const std::string word = line.substr(0, line.find('\t')), tag = line.substr(line.find('\t') + 1);
    words += (n > 0 ? ",\"" : "\"") + word + "\"";
    tags += (n > 0 ? ",\"" : "\"") + tag + "\"";
    if (tag == "B-PER")
      spans +=
          std::string(spans.empty() ? "" : ",") + "[" + std::to_string(n) + "," + std::to_string(n + 1) + ",\"PER\"]";
    if (tag == "B-LOC")
      spans += std::string(spans.empty() ? "" : ",") + "[" + std::to_string(n) + "," + std::to_string(n) + ",\"LOC\"]";
    ++n;
  }
  REQUIRE(sentences == 40);
  put(folder / "hf.jsonl", hugging_face);
  put(folder / "gliner.json", gliner);
  const std::string columns = model_of(folder / "m", {"--train", folder / "a.conll"});
  for (const char* file : {"a.jsonl", "hf.jsonl", "gliner.json"}) {
    CAPTURE(file);
    CHECK(model_of(folder / "m", {"--train", folder / file}) == columns);
    CHECK(model_of(folder / "m", {"--train", folder / file, "--stream", "--loader-workers", "2"}) == columns);
  }
  put(folder / "texts", "Ada Lee0 met Bo in Oslo\t[(0, 8, \"PER\"), (19, 23, 'LOC')]\nnobody here\t[]\n");
  const Ran texts = run(train(folder / "m", {"--train", folder / "texts"}));
  CAPTURE(texts.err);
  CHECK(texts.exit == 0);
  CHECK(has(texts.err, "2 sentences, 8 words, 2 entities"));
  CHECK(has(texts.err, "texts with annotations, one per line"));
}

TEST_CASE("app: killed in the middle of an epoch over files, and resumed: the same model, byte for byte") {
  const Scratch folder;
  put(folder / "train.conll", conll(600));
  put(folder / "dev.conll", conll(20, 700));
  const auto arguments = [&](const std::string& output, const char* workers) {
    return train(output, {"--train", folder / "train.conll", "--dev", folder / "dev.conll", "--stream", "--epochs",
                          "20", "--shuffle-buffer", "50", "--save-steps", "3", "--loader-workers", workers});
  };
  const Ran whole = run(arguments(folder / "whole", "1"));
  CAPTURE(whole.err);
  REQUIRE(whole.exit == 0);
  kill_after_a_state(arguments(folder / "parts", "2"), folder / "parts");
  for (const char* workers : {"1", "0", "auto"}) {
    kill_after_a_state(resuming(arguments(folder / "parts", workers)), folder / "parts");
  }
  const Ran rest = run(resuming(arguments(folder / "parts", "3")));
  CAPTURE(rest.err);
  CHECK(rest.exit == 0);
  same_model(folder / "whole", folder / "parts");

  kill_after_a_state(arguments(folder / "other", "1"), folder / "other");
  std::vector<std::string> other = resuming(arguments(folder / "other", "1"));
  *std::find(other.begin(), other.end(), "50") = "60";
  other.push_back("--quiet");
  const Ran refused = run(other);
  CHECK(refused.exit == 1);
  CHECK(has(refused.err, "training file " + (folder / "train.conll") + " of the stopped training: 600 sentences, "));
  CHECK(has(refused.err, ", 50 sentences shuffled at a time, expected the current 600 sentences, "));
}

TEST_CASE("app: what is wrong with a file that is read again is reported before step one, with its line") {
  const Scratch folder;
  put(folder / "bad.conll", conll(30) + "alone\n\n");
  const Ran bad = run(train(folder / "m", {"--train", folder / "bad.conll", "--stream", "--quiet"}));
  CHECK(bad.exit == 1);
  CHECK(has(bad.err, "error: entrain.text.11: " + (folder / "bad.conll") + ":"));
  put(folder / "bad.jsonl", "{\"text\": \"Ada met Bo\", \"label\": [[0, 2, \"PER\"]]}\n");
  const Ran misaligned = run(train(folder / "m", {"--train", folder / "bad.jsonl", "--quiet"}));
  CHECK(misaligned.exit == 1);
  CHECK(has(misaligned.err, "error: entrain.text.41: " + (folder / "bad.jsonl") + ":1: "));
  CHECK(has(misaligned.err, "--misaligned snap"));
  const Ran snapped = run(train(folder / "m", {"--train", folder / "bad.jsonl", "--misaligned", "snap"}));
  CAPTURE(snapped.err);
  CHECK(snapped.exit == 0);
  CHECK(has(snapped.err, "warning: " + (folder / "bad.jsonl") + ":1: "));
  CHECK(has(snapped.err, "1 sentence, 3 words, 1 entity"));
  const auto usage = [&](const char* option, const char* value, const char* sentence) {
    const Ran ran = run(train(folder / "m", {"--train", folder / "bad.jsonl", option, value}));
    CHECK(ran.exit == 2);
    CAPTURE(ran.err);
    CHECK(has(ran.err, sentence));
  };
  usage("--misaligned", "maybe", "--misaligned");
  usage("--offsets", "letters", "--offsets");
  usage("--input-format", "xml", "--input-format");
  usage("--loader-workers", "many", "'many' is neither auto nor a number from 0 to 256");
  usage("--loader-workers", "-1", "'-1' is neither auto nor a number from 0 to 256");
  usage("--shuffle-buffer", "0", "--shuffle-buffer");
  usage("--augment-drop", "nan", "'nan' is not a number from 0 to 1");
  CHECK(has(
      run(train(folder / "m", {"--train", folder / "bad.jsonl", "--misaligned", "drop", "--shuffle-buffer", "9"})).err,
      "warning: --shuffle-buffer has no effect without --stream"));
}

TEST_CASE("app: sentences that change each epoch need no pass over all epochs, unless they may outgrow a batch") {
  const Scratch folder;
  put(folder / "train.conll", conll(60));
  const auto trained = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--train", folder / "train.conll", "--max-steps", "20"});
    const Ran ran = run(train(folder / "m", more));
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    return ran.err;
  };
  const std::string first =
      "augment     swapped entities may make sentences longer than a batch: all epochs are scanned first, as the "
      "longest sentence determines the memory plan\n";
  const std::vector<std::string> swap{"--augment-swap", "0.5", "--augment-drop", "0.1", "--augment-case", "0.2"};
  const auto with = [&](const char* option, const char* value) {
    std::vector<std::string> more = swap;
    more.insert(more.end(), {option, value});
    return more;
  };
  CHECK(!has(trained(with("--token-budget", "100")), first));
  const std::string passes = trained(with("--token-budget", "10"));
  CHECK(has(passes, first));
  CHECK(has(passes, "\nscanning  "));
  CHECK(has(passes, "/20  "));
  CHECK(has(trained(with("--batch-size", "4")), first));
  CHECK(!has(trained({"--augment-drop", "0.1", "--augment-case", "0.2", "--batch-size", "4"}), first));
  CHECK(!has(trained({"--augment-case", "0.2", "--token-budget", "4"}), first));
  // each pass over files before step one shows its progress
  const std::string streamed = trained({"--stream"});
  CHECK(has(streamed, "\nfirst pass  60  "));
  CHECK(has(streamed, "\nscanning  60/60  "));
  CHECK(!has(streamed, "second pass"));
  CHECK(times(trained(with("--token-budget", "100")), "\nlooking for long sentences  60/60  ") == 2);
  const std::string cached = trained({"--cache", folder / "cache"});
  CHECK(has(cached, "\nfirst pass  60  "));
  CHECK(has(cached, "\nbuilding the cache  60/60  "));
  CHECK(!has(trained({"--cache", folder / "cache"}), "60/60"));
  // what a pass over each epoch counts is said
  const Ran epochs = run(train(folder / "m", {"--train", folder / "train.conll", "--stream"}));
  CHECK(has(epochs.err, "steps       counted in a pass over the files for each of 3 epochs\nscanning  "));
}

}  // namespace stream_test
