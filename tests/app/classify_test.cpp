// tests > [app]: the commands of a program that learns classes of texts.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/killed.hpp"
#include "tests/app/tiny_classifier.hpp"

namespace classify_test {
using namespace test;

namespace {
constexpr auto classify = test::classify<entrain::task::One, 8>;
Ran run_classify(const std::vector<std::string>& arguments, const std::string& input = {}) {
  return run_of(classify, arguments, input);
}
/// `card 3 is lost,"lost, card"` and so on: the first word decides the class, which has a comma.
std::string rows(int count, int from = 0) {
  std::string text = "text,category\n";
  for (int i = from; i < from + count; ++i) {
    const char* const kinds[] = {"card", "rate", "\"\"pin\"\""};
    const char* const classes[] = {"\"lost, card\"", "rates", "pin"};
    text += "\"" + std::string(kinds[i % 3]) + ", number " + std::to_string(i * 7 % 11) + " please\"," +
            classes[i % 3] + "\n";
  }
  return text;
}
const std::string& home() {
  static const Scratch folder;
  static const bool made = [] {
    put(folder / "train.csv", rows(90));
    put(folder / "dev.csv", rows(30, 90));
    put(folder / "test.csv", rows(30, 120));
    keep_training(folder,
                  run_classify({"train", "--train", folder / "train.csv", "--dev", folder / "dev.csv", "--test",
                                folder / "test.csv", "--output", folder / "model", "--threads", "1", "--json"}));
    return true;
  }();
  REQUIRE(made);
  return folder.path();
}
std::string in_classes(const std::string& name) { return home() + "/" + name; }
}  // namespace

TEST_CASE("classify: train names the classes and the steps before the first of them, and proves the saved model") {
  const std::string out = get(in_classes("train.out")), err = get(in_classes("train.err"));
  CHECK(out.starts_with("{\"steps\":"));
  CHECK(has(out, "\"best_dev_accuracy\":1"));
  CHECK(has(out, "\"test\":{\"texts\":30,\"correct\":30,\"accuracy\":1"));
  CHECK(has(out, "\"lost, card\":{"));
  CHECK(has(err, "90 texts, 510 words, 3 classes\n"));
  CHECK(has(err, "labels      3 classes, one for each text: lost, card, pin, rates\n"));
  CHECK(has(err, " optimisation steps, batches of at most 64 words"));
  CHECK(err.find("optimisation steps") < err.find("dev accuracy"));
  CHECK(has(err, "reloaded    " + in_classes("model") + ": the same probabilities for 30 texts of " +
                     in_classes("test.csv")));
  CHECK(!has(err, "warning: " + home()));
  const std::string config = get(in_classes("model/config.json"));
  CHECK(has(config, "\"0\": \"lost, card\""));
  CHECK(has(config, "\"best_dev_accuracy\": 1"));
}

TEST_CASE("classify: evaluate prints each class, and counts one that the model does not have as missed") {
  const Scratch folder;
  put(folder / "a.csv", rows(3) + "\"something else\",new\n");
  const Ran ran = run_classify({"evaluate", "-m", in_classes("model"), folder / "a.csv"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "precision  recall      F1     AUC     gold  predicted  correct\n"));
  CHECK(has(ran.out, "  new*"));
  CHECK(has(ran.out, "75.00 % of 4 texts have the right class\n"));
  CHECK(has(ran.out, "* not among the model's classes: counted as missed\n"));
  CHECK(has(ran.err, "warning: " + (folder / "a.csv") +
                         ":5: class 'new' was never seen in training: its 1 text counts as missed\n"));
}

TEST_CASE("classify: predict writes a line for every text, also for one without a word") {
  const Ran table =
      run_classify({"predict", "-m", in_classes("model")}, "card, number 4 please\n\nrate, number 2 please\r\n");
  CHECK(table.exit == 0);
  CHECK(times(table.out, "\n") == 3);
  CHECK(table.out.starts_with("lost, card\t0."));
  CHECK(has(table.out, "\n-\t-\nrates\t0."));
  CHECK(has(table.err, "warning: standard input:2: 1 text of standard input has no word, and so no class\n"));
  const Scratch folder;
  put(folder / "a.jsonl", "{\"text\": \"rate, number 1 please\"}\n{\"text\": \"\"}\n");
  const Ran json = run_classify({"predict", "-m", in_classes("model"), "--format", "jsonl", folder / "a.jsonl"});
  CHECK(json.exit == 0);
  CHECK(json.out.starts_with("{\"text\":\"rate, number 1 please\",\"label\":\"rates\",\"score\":0."));
  CHECK(has(json.out, "\n{\"text\":\"\",\"label\":null}\n"));
  const Ran csv = run_classify({"predict", "-m", in_classes("model"), in_classes("test.csv")});
  CHECK(times(csv.out, "\n") == 30);
}

TEST_CASE("classify: killed in mid-run, again and again, and resumed: the same model, byte for byte") {
  const Scratch folder;
  const auto train = [](const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"train",
                                       "--train",
                                       in_classes("train.csv"),
                                       "--dev",
                                       in_classes("dev.csv"),
                                       "--test",
                                       in_classes("test.csv"),
                                       "--output",
                                       output,
                                       "--threads",
                                       "1",
                                       "--epochs",
                                       "40",
                                       "--save-steps",
                                       "1",
                                       "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  Around around;
  around.main = classify;
  const Ran whole = run(train(folder / "whole"), around);
  REQUIRE(whole.exit == 0);
  const std::string parts = folder / "parts";
  kill_after_a_state(train(parts), parts, around);
  for (int i = 0; i < 2; ++i) kill_after_a_state(train(parts, {"--resume"}), parts, around);
  const std::string kept = get(parts + "/" + state);
  const Ran other = run(train(parts, {"--resume", "--learning-rate", "0.5"}), around);
  CHECK(other.exit == 1);
  CHECK(has(other.err, "learning_rate of the stopped training: 0.02, expected the current 0.5"));
  CHECK(get(parts + "/" + state) == kept);
  const Ran rest = run(train(parts, {"--resume", "--loader-workers", "2"}), around);
  CAPTURE(rest.err);
  CHECK(rest.exit == 0);
  CHECK(has(rest.err, "resumed     " + parts + "/" + state + ": after step "));
  same_model(folder / "whole", parts);
  const auto scores = [](const Ran& ran) { return ran.out.substr(ran.out.find("\"test\"")); };
  CHECK(scores(whole) == scores(rest));
  CHECK(get(parts + "/" + state).empty());
}

TEST_CASE("classify: a folder of text files trains the model that its texts in a file train") {
  const Scratch folder;
  const auto train = [&](const std::string& from, const std::string& output) {
    const Ran ran = run_classify(
        {"train", "--train", from, "--dev", from, "--output", folder / output, "--threads", "1", "--epochs", "2"});
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    return ran.err;
  };
  const std::string texts = folder / "texts";
  for (int i = 0; i < 24; ++i) {
    const std::string label = i % 2 == 0 ? "card" : "rate";
    std::filesystem::create_directories(texts + "/" + label);
    put(texts + "/" + label + "/" + std::to_string(i) + ".txt", label + " number " + std::to_string(i * 7 % 11) + "\n");
  }
  const std::string said = train(texts, "of_folder");
  CHECK(has(said,
            texts + "/card/0.txt and 23 files more\n            a file for each text, in the folder of its label\n"));
  const Ran convert = run_classify({"convert", texts, "--output", folder / "texts.jsonl"});
  CAPTURE(convert.err);
  CHECK(convert.exit == 0);
  CHECK(get(folder / "texts.jsonl").starts_with("{\"text\":\"card number 0\\u000a\",\"label\":\"card\"}\n"));
  train(folder / "texts.jsonl", "of_file");
  CHECK(get(folder / "of_folder/model.safetensors") == get(folder / "of_file/model.safetensors"));
  const Ran evaluated = run_classify({"evaluate", "-m", folder / "of_folder", "--threads", "1", texts});
  CHECK(evaluated.exit == 0);
  put(texts + "/card/more.csv", "a");
  const Ran refused = run_classify({"evaluate", "-m", folder / "of_folder", "--threads", "1", texts});
  CHECK(refused.exit == 1);
  CHECK(has(refused.err, "entrain.text.56: " + texts + "/card/more.csv: a file whose name does not end in .txt"));
  const Ran lenient = run_classify({"evaluate", "-m", folder / "of_folder", "--threads", "1", "--lenient", texts});
  CAPTURE(lenient.err);
  CHECK(lenient.exit == 0);
  CHECK(has(lenient.err, texts + "/card/more.csv:1: a file whose name does not end in .txt"));
  CHECK(lenient.out == evaluated.out);
}

TEST_CASE("classify: check names the files of a folder of texts") {
  const Scratch folder;
  const std::string texts = folder / "texts", other = folder / "other";
  for (const std::string& file : {texts + "/card/2.txt", texts + "/card/10.txt", texts + "/rate/1.txt",
                                  texts + "/rate/2.txt", other + "/rate/1.txt", other + "/Rate/1.txt"}) {
    std::filesystem::create_directories(file.substr(0, file.rfind('/')));
    put(file, file.substr(0, file.size() - 4) + " is a text\n");
  }
  const Ran clean = run_classify({"check", texts, "--rare", "0"});
  CAPTURE(clean.out);
  CHECK(clean.exit == 0);
  CHECK(has(clean.out, texts + ": 4 texts, "));
  CHECK(has(clean.out, "  layout: a file for each text, in the folder of its label\n"));
  CHECK(has(clean.out, "  each label has 2 texts\n"));
  CHECK(has(clean.out, "nothing to report\n"));

  put(texts + "/card/10.txt", "Two words\n");
  put(texts + "/rate/1.txt", "two  words");
  put(texts + "/rate/2.txt", " \n");
  put(texts + "/rate/notes.csv", "a,b\n");
  put(texts + "/rate/3.txt", "\xff\n");
  put(other + "/rate/1.txt", "TWO words");
  const Ran checked = run_classify({"check", texts, other, "--rare", "0"});
  CAPTURE(checked.out);
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, texts + "/rate/1.txt:1: 'two  words' is also at " + texts +
                             "/card/10.txt:1, spelled differently, labelled 'card' there and 'rate' here\n"));
  CHECK(has(checked.out, texts + "/rate/2.txt:1: the text is blank: "));
  CHECK(has(checked.out, texts + "/rate/3.txt:1: bytes that are not UTF-8\n"));
  CHECK(has(checked.out, texts + "/rate/notes.csv:1: a file whose name does not end in .txt\n"));
  CHECK(has(checked.out, other + "/rate/1.txt:1: 'TWO words' is also at " + texts + "/card/10.txt:1"));
  CHECK(has(checked.out, other + "/Rate/1.txt:1: label 'Rate' (1 here) never occurs in " + texts + "\n"));
  CHECK(has(checked.out, "(" + texts + "/card/2.txt:1), mean "));
  const Ran fix = run_classify({"check", texts, "--fix", folder / "fixed"});
  CHECK(fix.exit == 1);
  CHECK(has(fix.err, "entrain.app.36: --fix: " + texts +
                         " (folder), expected CoNLL files or JSON Lines; make JSON "
                         "Lines of it: convert " +
                         texts + " --format jsonl"));
}

TEST_CASE("classify: faults of files are one sentence each, and lines that are left out are named") {
  const Scratch folder;
  const auto refused = [&](const std::string& content, std::vector<std::string> more = {}) {
    put(folder / "a.csv", content);
    std::vector<std::string> arguments{"train",       "--train", folder / "a.csv", "--output", folder / "m",
                                       "--max-steps", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_classify(arguments);
  };
  const std::string a = folder / "a.csv";
  const Ran ragged = refused("text,label\none,x,more\n");
  CHECK(ragged.exit == 1);
  CHECK(has(ragged.err, "error: entrain.text.50: " + a + ":2: 3 fields, expected 2 as in its first record"));
  CHECK(has(refused("text,label\none,\n").err, "error: entrain.text.50: " + a + ":2: no label"));
  CHECK(has(refused("text,label\n  ,x\n").err, "error: entrain.app.87: " + a +
                                                   ": no text with a word, expected at least one; "
                                                   "the only problem is " +
                                                   a + ":2: a text without a word, left out"));
  const Ran empty = refused("text,label\n  ,x\none two,y\nthree,z\n");
  CHECK(empty.exit == 0);
  CHECK(has(empty.err, "warning: " + a + ":2: a text without a word, left out\n"));
  CHECK(has(empty.err, "warning: " + a + ": 1 text has no word and cannot be learned or scored: left out\n"));
  CHECK(has(refused("text,label\none,x\ntwo,x\n", {"--overwrite"}).err, "warning: " + a + ": one class only, 'x'\n"));
  put(folder / "tags.conll", "Ada\tB-PER\nis\tO\n");
  const Ran tags = run_classify({"train", "--train", folder / "tags.conll", "--output", folder / "m"});
  CHECK(has(tags.err, "error: entrain.app.86: " + (folder / "tags.conll") +
                          ": sentences of words with tags, expected texts with labels: CSV, TSV, JSON Lines with "
                          "\"text\" and \"label\", or a folder for each label; convert the file, or name its format "
                          "with --input-format"));
  put(folder / "some.csv", "text,label\ncard one,a\nrate two,b,c\nrate three,b\n");
  const std::vector<std::string> some{"train",       "--train", folder / "some.csv", "--output", folder / "some",
                                      "--max-steps", "1"};
  const Ran strict = run_classify(some);
  CHECK(strict.exit == 1);
  CHECK(has(strict.err, "error: entrain.text.50: " + (folder / "some.csv") +
                            ":3: 3 fields, expected 2 as in its first record; correct it, or skip such records with "
                            "--lenient"));
  std::vector<std::string> leniently = some;
  leniently.push_back("--lenient");
  const Ran lenient = run_classify(leniently);
  CAPTURE(lenient.err);
  CHECK(lenient.exit == 0);
  CHECK(has(lenient.err, (folder / "some.csv") + ":3: 3 fields, expected 2 as in its first record"));
  CHECK(has(lenient.err, "2 texts, "));
  const std::vector<std::string> some_texts{"predict", "-m", in_classes("model"), folder / "some.csv"};
  CHECK(run_classify(some_texts).exit == 1);
  std::vector<std::string> predicting = some_texts;
  predicting.push_back("--lenient");
  const Ran predicted = run_classify(predicting);
  CAPTURE(predicted.err);
  CHECK(predicted.exit == 0);
  CHECK(times(predicted.out, "\n") == 2);
  CHECK(has(predicted.err, (folder / "some.csv") + ":3: 3 fields, expected 2 as in its first record, skipped"));
  const Ran none = run_classify({"train", "--output", folder / "m"});
  CHECK(none.exit == 2);
  CHECK(has(none.err, "error: entrain.app.8: --train: no training file"));
  const Ran stream = refused("text,label\none,x\n", {"--stream"});
  CHECK(has(stream.err,
            "error: entrain.app.88: --stream, --cache or --augment-case, -swap, -drop: texts, which are kept in "
            "memory, expected an option for classes of texts; omit it"));
  CHECK(run_classify({"train", "--scheme", "io"}).exit == 2);
  CHECK(run_classify({"predict", "-m", in_classes("model"), "--format", "conll"}, "x\n").exit == 2);
}

TEST_CASE("classify: --help speaks of classes") {
  const Ran ran = run_classify({"--help"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "entrain trains and runs models that give texts their classes."));
  CHECK(has(ran.out, "Give texts their classes with a saved model"));
  CHECK(has(run_classify({"train", "--help"}).out, "--label-column"));
  CHECK(!has(run_classify({"train", "--help"}).out, "--scheme"));
}

}  // namespace classify_test
