// tests > [app]: what a model folder cannot hold is refused before step one, not when the training is over.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "entrain/text/unicode/utf8.hpp"
#include "tests/app/program.hpp"

namespace unsavable_test {
namespace text = entrain::text;
using test::check_refused;
using test::has;
using test::in_home;
using test::put;
using test::Scratch;
using test::times;

namespace {
const std::string corpus = "Ada\tB-PER\nmet\tO\n\nin\tO\nOslo\tB-LO\xC9\n.\tO\n\nLima\tB-LO\xC9\n\n";

std::vector<std::string> training(const std::string& file, const Scratch& scratch) {
  return {"train", "--train", file, "--dev", in_home("dev.conll"), "--output", scratch / "out", "--epochs", "1"};
}
}  // namespace

TEST_CASE("a label that is not UTF-8 is refused with its line, and check lists it") {
  const Scratch scratch;
  const std::string file = scratch.file("train.conll", corpus);
  const std::string refusal = "entrain.app.72: " + file +
                              ":5: label 'LO<C9>' is not UTF-8, expected UTF-8, as config.json lists the labels; "
                              "convert the file with iconv -t UTF-8; check --list all lists every line";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--stream"}}) {
    auto arguments = training(file, scratch);
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto ran = test::run(arguments);
    CHECK(ran.exit == 1);
    CHECK(has(ran.err, "error: " + refusal));
    CHECK(!std::filesystem::exists(scratch / "out"));
  }
  const auto checked = test::run({"check", file});
  CHECK(checked.exit == 1);
  const std::string finding = ": tag 'B-LO<C9>' is not UTF-8: a model with it cannot be saved\n";
  CHECK(has(checked.out, file + ":5" + finding));
  CHECK(has(checked.out, file + ":8" + finding));
  CHECK(times(checked.out, finding) == 2);
}

TEST_CASE("convert: a label that is not UTF-8 is refused for JSON, and is kept in columns") {
  const Scratch scratch;
  const std::string file = scratch.file("a.conll", corpus);
  check_refused(test::run({"convert", file, "--format", "jsonl"}),
                "entrain.app.72: " + file +
                    ":5: label 'LO<C9>' is not UTF-8, expected UTF-8, as JSON has it; convert the file with iconv -t "
                    "UTF-8; check --list all lists every line");
  const auto columns = test::run({"convert", file, "--format", "conll"});
  CHECK(columns.exit == 0);
  CHECK(times(columns.out, "\tB-LO\xC9\n") == 2);
  CHECK(times(columns.err, "warning: " + file + ":5: label 'LO<C9>' is not UTF-8\n") == 1);
  check_refused(test::run({"convert", file, "--format", "conll", "--strict"}),
                "entrain.text.43: " + file +
                    ":5: label 'LO<C9>' is not UTF-8, expected text in UTF-8; convert it with iconv -t UTF-8, or omit "
                    "--strict");
}

TEST_CASE("evaluate and score: a label that is not UTF-8 is named with its line, and is printable in what they print") {
  const Scratch scratch;
  const std::string file = scratch.file("a.conll", corpus + "Rome\tB-LO\xC8\n\n"),
                    other = scratch.file("b.conll", corpus);
  const std::string warning = "warning: " + file + ":5: label 'LO<C9>' is not UTF-8; one of 2 such labels\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"score", file, file}, {"evaluate", "-m", in_home("model"), file}}) {
    CAPTURE(command[0]);
    auto arguments = command;
    const auto table = test::run(arguments);
    CHECK(table.exit == 0);
    CHECK(has(table.err, warning));
    CHECK(has(table.out, "  LO<C9>"));
    CHECK(has(table.out, "  LO<C8>"));
    arguments.push_back("--json");
    const auto json = test::run(arguments);
    CHECK(json.exit == 0);
    CHECK(has(json.out, "\"LO<C9>\":{\"precision\":"));
    CHECK(has(json.out, "\"LO<C8>\":{\"precision\":"));
    for (const std::string& printed : {table.out, json.out, table.err, json.err}) CHECK(text::is_valid_utf8(printed));
    arguments.back() = "--strict";
    check_refused(test::run(arguments), "entrain.text.43: " + file + ":5: label 'LO<C9>' is not UTF-8");
  }
}

TEST_CASE("train: a label of the dev or the test file that is not UTF-8 is named with its line, or refused") {
  const Scratch scratch;
  const std::string train = scratch.file("train.conll", "Ada\tB-PER\nmet\tO\n\n"),
                    file = scratch.file("d.conll", corpus);
  for (const char* option : {"--dev", "--test"}) {
    CAPTURE(option);
    std::vector<std::string> arguments{"train",    "--train",     train,      option, file,
                                       "--output", scratch / "m", "--epochs", "1",    "--overwrite"};
    const auto ran = test::run(arguments);
    CHECK(ran.exit == 0);
    CHECK(times(ran.err, "warning: " + file + ":5: label 'LO<C9>' is not UTF-8\n") == 1);
    arguments.push_back("--strict");
    check_refused(test::run(arguments), "entrain.text.43: " + file + ":5: label 'LO<C9>' is not UTF-8");
  }
}

TEST_CASE("a file name that is not UTF-8 is refused: config.json names the files of a training") {
  const Scratch scratch;
  const std::string file = scratch /
                           "donn\xE9"
                           "es.conll";
  std::filesystem::copy(in_home("train.conll"), file);
  const auto ran = test::run(training(file, scratch));
  CHECK(ran.exit == 1);
  CHECK(has(ran.err, "error: entrain.app.73: " + (scratch / "donn<E9>es.conll") +
                         ": a file name that is not UTF-8, expected UTF-8, as config.json names the files of a "
                         "training; rename the file"));
  CHECK(!std::filesystem::exists(scratch / "out"));
  const auto checked = test::run({"check", file});
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, ": its name is not UTF-8: a model trained on it cannot be saved\n"));
  CHECK(has(checked.out, "1 file with a name that is not UTF-8"));
}

TEST_CASE("a file that a save could not replace is refused before step one") {
  for (const std::string name : {"model.safetensors", "config.json", "training_state.safetensors"}) {
    const Scratch scratch;
    std::filesystem::create_directories(scratch / ("out/" + name));
    const auto ran = test::run(training(in_home("train.conll"), scratch));
    CAPTURE(ran.err);
    CHECK(ran.exit == 1);
    CHECK(has(ran.err, "error: entrain.checkpoint.2: " + (scratch / ("out/" + name)) +
                           ": a folder, expected a file to write; give a file name"));
    CHECK(!has(ran.err, "epoch"));
    for (const auto& entry : std::filesystem::directory_iterator(scratch / "out"))
      CHECK(entry.path().filename() == name);
  }
}

}  // namespace unsavable_test
