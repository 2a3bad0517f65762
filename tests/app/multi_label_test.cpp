// tests > [app]: the commands of a program that learns any number of classes for a text.
#include <string>
#include <vector>

#include "tests/app/tiny_classifier.hpp"

namespace multi_label_test {
using namespace test;

namespace {
Ran run_topics(const std::vector<std::string>& arguments, const std::string& input = {}) {
  return run_of(classify<entrain::task::Many, 12>, arguments, input);
}
/// A text has each topic whose word it has: none to all three.
bool has_topic(int i, std::size_t k) { return (i * 5 % 8 >> k & 1) != 0; }
std::string words_of(int i) {
  const std::string words[] = {"card", "rate", "pin"};
  std::string text = "number " + std::to_string(i * 7 % 11);
  for (std::size_t k = 0; k < 3; ++k)
    if (has_topic(i, k)) text += " and " + words[k];
  return text;
}
std::vector<std::string> topics_of(int i) {
  const std::string topics[] = {"cards", "rates", "pins"};
  std::vector<std::string> of;
  for (std::size_t k = 0; k < 3; ++k)
    if (has_topic(i, k)) of.push_back(topics[k]);
  return of;
}
std::string joined(const std::vector<std::string>& all, const std::string& between, const std::string& quote = {}) {
  std::string s;
  for (const std::string& one : all) s += (s.empty() ? "" : between) + quote + one + quote;
  return s;
}
std::string rows(int count, int from = 0) {
  std::string text = "text,labels\n";
  for (int i = from; i < from + count; ++i) text += words_of(i) + ",\"" + joined(topics_of(i), ",") + "\"\n";
  return text;
}
std::string lines(int count, int from = 0) {
  std::string text;
  for (int i = from; i < from + count; ++i)
    text += "{\"text\":\"" + words_of(i) + "\",\"labels\":[" + joined(topics_of(i), ",", "\"") + "]}\n";
  return text;
}
const std::string& home() {
  static const Scratch folder;
  static const bool made = [] {
    put(folder / "train.csv", rows(80));
    put(folder / "train.jsonl", lines(80));
    put(folder / "dev.csv", rows(24, 80));
    put(folder / "test.csv", rows(24, 104));
    keep_training(folder, run_topics({"train", "--train", folder / "train.csv", "--dev", folder / "dev.csv", "--test",
                                      folder / "test.csv", "--output", folder / "model", "--threads", "1", "--json"}));
    return true;
  }();
  REQUIRE(made);
  return folder.path();
}
std::string in_topics(const std::string& name) { return home() + "/" + name; }
}  // namespace

TEST_CASE("multi-label: train reads any number of classes from CSV, and says so") {
  const std::string err = get(in_topics("train.err")), out = get(in_topics("train.out"));
  CAPTURE(err);
  CHECK(has(err, "80 texts, "));
  CHECK(has(err, "3 classes, any number for each text: cards, pins, rates"));
  CHECK(has(err, "reloaded    " + in_topics("model") + ": the same probabilities for 24 texts of "));
  CHECK(has(out, "\"texts\":24"));
  CHECK(has(out, "\"correct\":24,\"accuracy\":1,"));  // a text is correct if all its classes are
  CHECK(has(get(in_topics("model/config.json")), "\"problem_type\": \"multi_label_classification\""));
}

TEST_CASE("multi-label: lists of JSON Lines train the same model as fields of CSV") {
  const Scratch folder;
  const Ran ran = run_topics({"train", "--train", in_topics("train.jsonl"), "--dev", in_topics("dev.csv"), "--output",
                              folder / "model", "--threads", "1"});
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  CHECK(has(ran.err, "JSON lines, each with a text and its labels"));
  CHECK(get(folder / "model/model.safetensors") == get(in_topics("model/model.safetensors")));
  const auto evaluate = [&](const std::string& file) {
    return run_topics({"evaluate", "-m", in_topics("model"), "--threads", "1", "--json", file});
  };
  put(folder / "test.jsonl", lines(24, 104));
  const Ran csv = evaluate(in_topics("test.csv")), json = evaluate(folder / "test.jsonl");
  CAPTURE(json.err);
  CHECK(csv.exit == 0);
  CHECK(json.exit == 0);
  CHECK(csv.out == json.out);
  put(folder / "test.tsv", "labels\ttext\ncards|pins\tnumber 1 and card and pin\n");
  const Ran tsv = run_topics({"evaluate", "-m", in_topics("model"), "--threads", "1", "--json", "--label-delimiter",
                              "|", folder / "test.tsv"});
  CAPTURE(tsv.err);
  CHECK(tsv.exit == 0);
  CHECK(has(tsv.out, "\"gold\":2"));
}

TEST_CASE("multi-label: predict writes all classes of a text, also none") {
  const Ran table =
      run_topics({"predict", "-m", in_topics("model")}, "number 3 and card and pin\nnumber 3 and rate\nnumber 4\n\n");
  CAPTURE(table.out);
  CHECK(table.exit == 0);
  CHECK(table.out.starts_with("cards,pins\t"));
  CHECK(has(table.out, "\nrates\t"));
  CHECK(table.out.ends_with("\n\t\n-\t-\n"));
  const Ran json = run_topics({"predict", "-m", in_topics("model"), "--format", "jsonl", in_topics("train.jsonl")});
  CHECK(json.exit == 0);
  CHECK(times(json.out, "\n") == 80);
  CHECK(json.out.starts_with("{\"text\":\"number 0\",\"labels\":[],\"scores\":[]}\n"));
}

TEST_CASE("multi-label: predict puts another character between classes, and refuses one that a class has") {
  const std::string text = "number 3 and card and pin\n";
  const Ran bars = run_topics({"predict", "-m", in_topics("model"), "--label-delimiter", "|"}, text);
  CHECK(bars.out.starts_with("cards|pins\t"));
  CHECK(times(bars.out, ",") == 1);  // between the probabilities
  const Ran refused = run_topics({"predict", "-m", in_topics("model"), "--label-delimiter", "r"}, text);
  check_refused(refused, "entrain.app.93: " + in_topics("model") +
                             ": class 'cards', expected classes without 'r', which is between two of them in a line; "
                             "name another character with --label-delimiter, or use --format jsonl");
  const Ran json =
      run_topics({"predict", "-m", in_topics("model"), "--label-delimiter", "r", "--format", "jsonl"}, text);
  CHECK(json.exit == 0);
  CHECK(has(json.out, "\"labels\":[\"cards\",\"pins\"]"));
}

TEST_CASE("multi-label: check and convert keep all labels of a text") {
  const Scratch folder;
  const Ran check = run_topics({"check", in_topics("train.jsonl")});
  CAPTURE(check.out);
  CHECK(has(check.out, "  cards: 40"));
  CHECK(has(check.out, "  pins: 40"));
  CHECK(has(check.out, "  rates: 40"));
  const auto convert = [&](const std::string& from, const std::string& to, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"convert", from, "--output", to};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run_topics(arguments);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    return get(to);
  };
  CHECK(convert(in_topics("train.csv"), folder / "a.jsonl") == lines(80));
  const std::string csv = convert(folder / "a.jsonl", folder / "b.csv", {"--format", "csv"});
  CHECK(csv.starts_with("text,labels\nnumber 0,\n"));
  CHECK(convert(folder / "b.csv", folder / "c.jsonl") == lines(80));
  put(folder / "comma.jsonl", "{\"text\":\"a\",\"labels\":[\"x, y\",\"z\"]}\n");
  const Ran refused = run_topics({"convert", folder / "comma.jsonl", "--output", folder / "d.csv", "--format", "csv"});
  CHECK(refused.exit == 1);
  CHECK(has(refused.err, "entrain.app.91: " + (folder / "comma.jsonl") +
                             ":1: label 'x, y', expected labels without ',', which is between two of them; name "
                             "another character with --label-delimiter, or write jsonl"));
  convert(folder / "comma.jsonl", folder / "e.csv", {"--format", "csv", "--label-delimiter", "|"});
  CHECK(get(folder / "e.csv") == "text,labels\na,\"x, y|z\"\n");
}

TEST_CASE("multi-label: thresholds are tuned on the dev file, as biases, and kept if they gain a point") {
  const Scratch folder;
  // Every eighth text has a rare class, which half of these texts name: its probability does not reach 1/2 soon.
  const auto write = [&](const std::string& name, int count, int from) {
    std::string text = "text,labels\n";
    for (int i = from; i < from + count; ++i) {
      const bool rare = i % 8 == 3;
      text += "number " + std::to_string(i * 7 % 11) + (i % 2 == 0 ? " card" : "") +
              (rare && i % 3 != 0 ? " odd" : "") + ",\"" + (i % 2 == 0 ? "cards" : "") +
              (rare && i % 2 == 0 ? "," : "") + (rare ? "rare" : "") + "\"\n";
    }
    put(folder / name, text);
  };
  write("train.csv", 160, 0), write("dev.csv", 80, 160), write("test.csv", 80, 240);
  const auto train = [&](const std::string& output, const std::string& more) {
    const Ran ran = run_topics({"train", "--train", folder / "train.csv", "--dev", folder / "dev.csv", "--test",
                                folder / "test.csv", "--output", folder / output, "--threads", "1", "--epochs", "2",
                                "--json", more});
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    return ran;
  };
  const Ran tuned = train("tuned", "--calibrate"), plain = train("plain", "--no-calibrate");
  CAPTURE(tuned.err);
  CHECK(has(tuned.err, "calibrated  the thresholds of "));
  CHECK(has(tuned.err, ", as biases: dev F1 "));
  CHECK(!has(plain.err, "calibrated"));
  const auto micro_f1 = [](const Ran& ran) {
    const std::size_t at = ran.out.find("\"f1\":", ran.out.find("\"micro\":")) + 5;
    return std::stod(ran.out.substr(at));
  };
  CHECK(micro_f1(tuned) > micro_f1(plain) + 0.01);
  const std::string a = get(folder / "tuned/model.safetensors"), b = get(folder / "plain/model.safetensors");
  REQUIRE(a.size() == b.size());
  int other = 0;
  for (std::size_t i = 0; i < a.size(); ++i) other += a[i] != b[i];
  CHECK(other > 0);
  CHECK(other <= 2 * 4);  // the biases of two classes
  const Ran again = run_topics({"evaluate", "-m", folder / "tuned", "--threads", "1", "--json", folder / "test.csv"});
  CHECK(micro_f1(again) == micro_f1(tuned));
}

TEST_CASE("multi-label: faults of files are one sentence each") {
  const Scratch folder;
  const auto said = [&](const std::string& bytes, const std::string& name) {
    put(folder / name, bytes);
    const Ran ran = run_topics({"train", "--train", folder / name, "--output", folder / "model"});
    CHECK(ran.exit == 1);
    return ran.err;
  };
  CHECK(has(said("text,labels\na,\"x,,y\"\n", "a.csv"), "a.csv:2: an empty label in 'x,,y'"));
  CHECK(has(said("{\"text\":\"a\",\"labels\":[\"x\",\"x\"]}\n", "b.jsonl"), "b.jsonl:1: label 'x' twice"));
  CHECK(has(said("{\"text\":\"a\",\"labels\":[[0,1,\"x\"]]}\n", "c.jsonl"), "c.jsonl"));
  CHECK(run_topics({"train", "--train", "a.csv", "--label-delimiter", "||"}).exit == 2);
}

}  // namespace multi_label_test
