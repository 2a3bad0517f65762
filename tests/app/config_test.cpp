// tests > [app]: --config and --dump-config.
#include <doctest/doctest.h>

#include "entrain/app/options/parse.hpp"
#include "tests/app/program.hpp"

namespace config_test {
using namespace test;

namespace {

/// --dump-config of a command line: every option with its value.
std::string dump(std::vector<std::string> arguments) {
  arguments.push_back("--dump-config");
  const Ran ran = run(arguments);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.err.empty());
  return ran.out;
}

void refused(const std::vector<std::string>& arguments, int exit, std::string_view sentence) {
  const Ran ran = run(arguments);
  CAPTURE(ran.err);
  CHECK(ran.exit == exit);
  CHECK(ran.out.empty());
  CHECK(times(ran.err, "\n") == 1);
  CHECK(ran.err.starts_with("error: "));
  CHECK(has(ran.err, sentence));
}

}  // namespace

TEST_CASE("config: keys without a section belong to the command that runs") {
  const Scratch folder;
  put(folder / "c.ini", "epochs = 3\nlearning-rate=0.25\nscheme = \"iobes\"\ntrain = a b.conll\n# a comment\n");
  const std::string out = dump({"train", "--config", folder / "c.ini"});
  CHECK(has(out, "\nepochs = \"3\"\n"));
  CHECK(has(out, "\nlearning-rate = \"0.25\"\n"));
  CHECK(has(out, "\nscheme = \"iobes\"\n"));
  CHECK(has(dump({"--config", folder / "c.ini", "train"}), "\nepochs = \"3\"\n"));
}

TEST_CASE("config: a section belongs to the command of its name") {
  const Scratch folder;
  put(folder / "c.ini", "[train]\nepochs = 3\n[evaluate]\nsplit = dev\nmodel = m2\n[predict]\nmodel = m3\n");
  const std::string train = dump({"train", "--config", folder / "c.ini"});
  CHECK(has(train, "[train]\n"));
  CHECK(has(train, "\nepochs = \"3\"\n"));
  const std::string evaluate = dump({"evaluate", "--config", folder / "c.ini"});
  CHECK(has(evaluate, "\nsplit = \"dev\"\n"));
  CHECK(has(evaluate, "\nmodel = \"m2\"\n"));
  CHECK(has(dump({"predict", "--config", folder / "c.ini"}), "\nmodel = \"m3\"\n"));
  put(folder / "dots.ini", "train.epochs = 4\nevaluate.split = dev\n");
  CHECK(has(dump({"train", "--config", folder / "dots.ini"}), "\nepochs = \"4\"\n"));
}

TEST_CASE("config: the command line goes before the file, whatever their order") {
  const Scratch folder;
  put(folder / "c.ini", "epochs = 3\nseed = 9\nquiet = true\ncalibrate = true\n");
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"train", "--config", folder / "c.ini", "--epochs", "5", "--no-calibrate"},
        std::vector<std::string>{"train", "--epochs", "5", "--no-calibrate", "--config", folder / "c.ini"}}) {
    const std::string out = dump(line);
    CHECK(has(out, "\nepochs = \"5\"\n"));
    CHECK(has(out, "\nseed = \"9\"\n"));
    CHECK(has(out, "\ncalibrate = false\n"));
  }
}

TEST_CASE("config: flags") {
  const Scratch folder;
  const auto with = [&](const std::string& text) {
    put(folder / "c.ini", text);
    return dump({"train", "--config", folder / "c.ini"});
  };
  CHECK(has(with("quiet = true\n"), "\nquiet = true\n"));
  CHECK(has(with("quiet = false\n"), "\nquiet = false\n"));
  CHECK(has(with("lenient = true\njson = 1\n"), "\nlenient = true\n"));
  CHECK(has(with("calibrate = false\n"), "\ncalibrate = false\n"));
  CHECK(has(with("calibrate = true\n"), "\ncalibrate = true\n"));
  CHECK(has(with("no-calibrate = true\n"), "\ncalibrate = false\n"));
  CHECK(has(with("seed = 1\n"), "\nquiet = false\n"));
  CHECK(has(with("seed = 1\n"), "\ncalibrate = true\n"));  // the default
  put(folder / "c.ini", "quiet = perhaps\n");
  refused({"train", "--config", folder / "c.ini", "--dump-config"}, 2, "quiet");
}

TEST_CASE("config: it does what the command line would do") {
  const Scratch folder;
  put(folder / "c.ini", "[train]\ndata = \"" + home() + "\"\noutput = \"" + (folder / "m") +
                            "\"\nmax-steps = 3\nquiet = true\njson = true\ntoken-column = 0\ntag-column = last\n");
  const Ran ran = run({"train", "--config", folder / "c.ini"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.err.empty());
  CHECK(has(ran.out, "{\"steps\":3,"));
}

TEST_CASE("config: an unknown key, an unknown section, a section inside a section: exit code 2 and the name") {
  const Scratch folder;
  const auto file = [&](const std::string& text) {
    put(folder / "c.ini", text);
    return std::vector<std::string>{"train", "--config", folder / "c.ini"};
  };
  refused(file("epoch = 3\n"), 2, "c.ini:1: no option epoch (did you mean epochs?); see --help");
  refused(file("[train]\nepochs = 3\nlerning_rate = 1\n"), 2,
          "c.ini:3: no option train.lerning_rate (did you mean learning-rate?); see --help");
  refused(file("split = dev\n"), 2, "c.ini:1: split is an option of evaluate, not of train; see --help");
  refused(file("bf16 = true\n"), 2, "c.ini:1: bf16: this is a build option: ./dev train --precision bf16;");
  refused(file("[trian]\nepochs = 3\n"), 2, "trian.epochs");
  refused(file("[predict]\nepochs = 3\n"), 2, "predict.epochs");  // also of a command that does not run
  refused(file("[train.steps]\nepochs = 3\n"), 2, "train.steps.epochs");
  refused(file("config = other.ini\n"), 2, "config");
  refused(file("dump-config = true\n"), 2, "dump-config");
  refused(file("help = true\n"), 2, "help");
  refused(file("epochs = three\n"), 2, "epochs");
  refused(file("epochs = 0\n"), 2, "epochs");
  refused(file("epochs = 1\nepochs = 2\n"), 2, "epochs");
  refused(file("epochs =\n"), 2, "epochs");
  refused(file("epochs = 1 2\n"), 2, "c.ini:1: ");
  refused(file("epochs = 1\n[train]\nepochs = 2\n"), 2, "c.ini:3: train.epochs is given twice, first in ");
  refused(file("corpus = conll2003\n"), 2, "corpus");
  refused(file("seed = -1\n"), 2, "'-1' is below 0");
  refused(file("seed = 18446744073709551616\n"), 2, "is not a whole number from 0 to 9223372036854775807");
  refused(file("init = \"\"\n"), 2, "init: an empty value");
  refused(file("warmup-steps = 2\nwarmup-ratio = 0.1\n"), 2, "--warmup-ratio: and --warmup-steps: use one of them");
  refused(file("tag-column = 1.5\n"), 2, "'1.5' is neither a number from 0, last, auto nor a column's name");
}

TEST_CASE("config: a file that cannot be read is exit code 1 and one message") {
  const Scratch folder;
  put(folder / "empty.ini", "");
  put(folder / "binary.ini", std::string_view("epochs\0= 3\n", 11));
  check_refused(run({"train", "--config", folder / "none.ini"}), "entrain.text.1: " + (folder / "none.ini"));
  check_refused(run({"train", "--config", folder.path()}), "entrain.text.2: " + folder.path() + ": a directory");
  check_refused(run({"train", "--config", folder / "empty.ini"}), "entrain.text.4");
  check_refused(run({"train", "--config", folder / "binary.ini"}), "entrain.text.5");
}

TEST_CASE("config: a line that is none is exit code 1 and its number") {
  const Scratch folder;
  const auto broken = [&](const std::string& text, std::string_view sentence) {
    put(folder / "c.ini", text);
    check_refused(run({"train", "--config", folder / "c.ini"}),
                  "entrain.app.14: " + (folder / "c.ini") + std::string(sentence));
  };
  broken("\nepochs\n", ":2: epochs, expected [section] or key = value");
  broken("= 3\n", ":1: = 3, expected [section] or key = value");
  broken("[train\n", ":1: [train, expected [section] or key = value");
  broken("output = \"m\n", ":1: \"m, expected a value that ends with its quote");
  broken("output = \"m\" n\n", ":1: \"m\" n, expected a value that ends with its quote");
  broken("output = \"c:\\models\"\n", ":1: \\m in quotes, expected \\\\ or \\\"; write it in single quotes");
}

TEST_CASE("config: values in quotes, bare values and remarks") {
  const Scratch folder;
  put(folder / "c.ini",
      "\xEF\xBB\xBF; a remark\r\n[ train ] # mine\r\noutput = 'c:\\m; #1'  ; there\r\ninit = a#b;c # d\r\ntrain = "
      "\"\\\"\\\\\"\r\n");
  const std::string out = dump({"train", "--config", folder / "c.ini"});
  CHECK(has(out, "\noutput = \"c:\\\\m; #1\"\n"));
  CHECK(has(out, "\ninit = \"a#b;c\"\n"));
  CHECK(has(out, "\ntrain = \"\\\"\\\\\"\n"));
}

TEST_CASE("config: a list is an array as TOML has it, or values between commas") {
  const Scratch folder;
  const auto with = [&](const std::string& command, const std::string& text) {
    put(folder / "c.toml", text);
    return dump({command, "x.conll", "--config", folder / "c.toml"});
  };
  for (const char* labels : {"PER,LOC", "\"PER, LOC\"", "'PER,LOC'", "PER , LOC", "[\"PER\",\"LOC\"]",
                             "['PER', \"LOC\"]  # two", "[PER, LOC]", "[ \"PER\" , LOC , ]"}) {
    CAPTURE(labels);
    put(folder / "c.toml", "labels = " + std::string(labels) + "\n");
    CHECK(has(dump({"train", "--config", folder / "c.toml"}), "\nlabels = \"PER,LOC\"\n"));
    CHECK(has(with("check", "[check]\ntag-names = " + std::string(labels) + "\n"), "\ntag-names = \"PER,LOC\"\n"));
    CHECK(has(with("convert", "tag-names = " + std::string(labels) + "\n"), "\ntag-names = \"PER,LOC\"\n"));
  }
  CHECK(has(with("check", "tag-names = [\"a\\\"]\\\\\", 'b # c']\n"), "\ntag-names = \"a\\\"]\\\\,b # c\"\n"));
  CHECK(has(with("check", "tag-names = []\n"), "\n# tag-names = \"\"\n"));
  // the line takes precedence
  put(folder / "c.toml", "tag-names = [O, B-PER]\n");
  CHECK(has(dump({"check", "--tag-names", "O,B-LOC", "x.jsonl", "--config", folder / "c.toml"}),
            "\ntag-names = \"O,B-LOC\"\n"));

  const auto line = [&](const std::string& text) {
    put(folder / "c.toml", "\n" + text + "\n");
    return std::vector<std::string>{"train", "--config", folder / "c.toml"};
  };
  refused(line("labels = [\"PER,LOC\"]"), 2,
          "error: " + (folder / "c.toml") + ":2: labels: 'PER,LOC', expected a value without a comma; see --help");
  refused(line("labels = [\"\"]"), 2, "c.toml:2: --labels: an empty value");
  for (const char* one : {"epochs = [3]", "quiet = [true]", "train = [a.conll, b.conll]"})
    refused(line(one), 2,
            "error: " + (folder / "c.toml") + ":2: " + std::string(one).substr(0, std::string(one).find(' ')) +
                ": an array, expected one value; write a text that begins with [ in quotes; see --help");
  const auto broken = [&](const std::string& array, std::string_view expected) {
    check_refused(run(line("labels = " + array)),
                  "entrain.app.14: " + (folder / "c.toml") + ":2: " + array + ", expected " + std::string(expected));
  };
  const std::string quotes = "; write a text that begins with [ in quotes";
  for (const char* array : {"[", "[PER, LOC", "[\"PER\"", "[PER] LOC"})
    broken(array, "an array that ends with ] on its line" + quotes);
  for (const char* array : {"[PER,,LOC]", "[,PER]", "[[PER]]", "[PER \"LOC\"]", "[{a = 1}]"})
    broken(array, "items between commas, each in quotes or bare" + quotes);
  broken("[\"PER]", "a value that ends with its quote");
}

TEST_CASE("config: --labels and --tag-names take one argument each, and may be repeated") {
  const Scratch folder;
  put(folder / "t.jsonl", "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[1,0]}\n");
  const Ran ran = run({"convert", "--tag-names", "O,B-PER", folder / "t.jsonl"}, {.input = "w\tO\n"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.out == "Ada\tB-PER\nmet\tO\n\n");
  CHECK(run({"convert", "--tag-names", "O", "--tag-names", "B-PER", folder / "t.jsonl"}).out == ran.out);
  CHECK(run({"convert", "--tag-names=O, B-PER", folder / "t.jsonl"}).out == ran.out);
  CHECK(has(dump({"train", "--labels", "PER,LOC", "--labels", "ORG"}), "\nlabels = \"PER,LOC,ORG\"\n"));
  refused({"train", "--labels", "PER", "LOC"}, 2, "'LOC' was not expected: train takes files by name");
  refused({"train", "--labels", " ", "--train", "x"}, 2, "--labels: an empty value");
}

TEST_CASE("config: what --dump-config prints reads back as the same") {
  const Scratch folder;
  const std::vector<std::vector<std::string>> lines{
      {"train"},
      {"train",
       "--epochs",
       "7",
       "--no-calibrate",
       "--quiet",
       "--lenient",
       "--scheme",
       "bilou",
       "--train",
       "a b.conll",
       "--learning-rate",
       "3e-05",
       "--lr-scheduler-type",
       "cosine",
       "--tag-column",
       "last",
       "--token-column",
       "2",
       "--output",
       "c:\\models\\new",
       "--init",
       "it's; #1",
       "--data",
       "say \"hello\", [all]",
       "--labels",
       "PER,it's \"one\"",
       "--labels",
       "LOC",
       "--tag-names",
       "O,B-PER,I-PER",
       "--json"},
      {"evaluate", "--split", "dev", "--json"},
      {"predict", "--format", "conll", "--to", "iobes", "-o", "out #1.conll"},
      {"check", "x.conll", "--rare", "3", "--fix", "repaired", "--fix-rules", "bom,crlf", "--tag-names", "O,B-X"},
      {"convert", "x.conll", "--to", "bmes", "--tag-names", "O,B-X"},
      {"score", "a.conll", "b.conll", "--json"}};
  for (const auto& line : lines) {
    const std::string first = dump(line);
    put(folder / "dumped.ini", first);
    std::vector<std::string> again{line[0]};
    for (const std::string& argument : line)
      if (argument.ends_with(".conll") && line[0] != "train" && line[0] != "predict") again.push_back(argument);
    again.insert(again.end(), {"--config", folder / "dumped.ini"});
    CHECK(dump(again) == first);
  }
  CHECK(has(dump(lines[0]), "\ncalibrate = true\n"));
  CHECK(has(dump(lines[1]), "\nlabels = \"PER,it's \\\"one\\\",LOC\"\n"));
  CHECK(has(dump(lines[1]), "\ntag-names = \"O,B-PER,I-PER\"\n"));
  for (const std::size_t k : {4U, 5U}) CHECK(has(dump(lines[k]), "\ntag-names = \"O,B-X\"\n"));
  CHECK(has(dump(lines[0]), "\nlr-scheduler-type = \"constant\"\n"));
}

TEST_CASE("config: a dumped configuration trains the same bits") {
  const Scratch folder;
  const std::vector<std::string> line{"train", "--data",          home(), "--max-steps", "5", "--seed",
                                      "3",     "--learning-rate", "0.02", "--threads",   "1"};
  auto first = line;
  first.insert(first.end(), {"--output", folder / "a"});
  REQUIRE(run(first).exit == 0);
  put(folder / "dumped.ini", dump(line));
  REQUIRE(run({"train", "--config", folder / "dumped.ini", "--output", folder / "b"}).exit == 0);
  CHECK(get(folder / "a/model.safetensors") == get(folder / "b/model.safetensors"));
  CHECK(!get(folder / "a/model.safetensors").empty());
}

}  // namespace config_test
