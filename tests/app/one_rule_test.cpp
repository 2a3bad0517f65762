// tests > [app]: what is wrong with a record is said alike by every command that reads it.
#include <doctest/doctest.h>

#include "tests/app/program.hpp"

namespace one_rule_test {
using namespace test;

namespace {

std::vector<std::string> with(std::vector<std::string> line, const std::vector<std::string>& more) {
  line.insert(line.end(), more.begin(), more.end());
  return line;
}
std::vector<std::string> train(const Scratch& folder, const std::string& file) {
  return {"train", "--train", file, "--max-steps", "1", "--output", folder / "m", "--overwrite"};
}

}  // namespace

TEST_CASE("one rule: entities under an unknown key, and texts that do not say any") {
  const Scratch folder;
  const std::string path = folder / "m.jsonl";
  put(path,
      "{\"text\":\"Bo Al\",\"label\":[[0,2,\"PER\"]]}\n"
      "{\"text\":\"Cy Di\",\"annotations\":[{\"start_offset\":0,\"end_offset\":2,\"label\":\"PER\"}]}\n"
      "{\"text\":\"Ed Fy\"}\n");
  const std::string reason =
      path +
      ":2: \"annotations\", an unknown key that seems to contain entities, expected \"entities\", \"spans\", "
      "\"label\", \"labels\" or \"ner\"; rename it";
  const Ran checked = run({"check", path});
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, reason + "\n"));
  CHECK(has(checked.out, path + ":3: a text without an entity list, read as a text without entities\n"));
  CHECK(has(checked.out, "\n1 malformed line, 1 text without an entity list, "));
  const std::vector<std::vector<std::string>> commands{train(folder, path),
                                                       with(train(folder, path), {"--stream"}),
                                                       {"train", "--train", in_home("train.conll"), "--dev", path,
                                                        "--max-steps", "1", "--output", folder / "m", "--overwrite"},
                                                       {"convert", path},
                                                       {"score", path, path},
                                                       {"evaluate", "--model", in_home("model"), "--test", path}};
  const std::string third = "warning: " + path + ":3: a text without an entity list, read as a text without entities\n",
                    counted = "warning: " + path +
                              ": 1 text has no entity list, while 1 other has one: read as texts without entities\n";
  for (const auto& command : commands) {
    CAPTURE(command[0]);
    check_refused(run(with(command, {"--quiet"})),
                  "entrain.text.42: " + reason + "; check --list all lists every such line");
    const Ran lenient = run(with(command, {"--lenient"}));
    CAPTURE(lenient.err);
    CHECK(lenient.exit == 0);
    CHECK(has(lenient.err, "warning: " + reason + "\n"));
    CHECK(has(lenient.err, third));
    CHECK(has(lenient.err, counted));
  }
  const Ran once = run({"train", "--train", "-", "--stream", "--input-format", "jsonl", "--lenient", "--labels", "PER",
                        "--scheme", "iobes", "--max-steps", "1", "--output", folder / "m", "--overwrite"},
                       {.input = get(path)});
  CAPTURE(once.err);
  CHECK(has(once.err, "warning: standard input:2: \"annotations\", an unknown key"));
  CHECK(has(once.err, "warning: standard input:3: a text without an entity list"));
  // what is written keeps it
  const Ran written = run({"convert", "--lenient", "--format", "jsonl", path});
  CHECK(written.out ==
        "{\"text\":\"Bo Al\",\"tokens\":[[0,2],[3,5]],\"sentences\":[2],\"entities\":[{\"start\":0,\"end\":2,\"label\":"
        "\"PER\",\"text\":\"Bo\"}]}\n{\"text\":\"Ed Fy\",\"tokens\":[[0,2],[3,5]],\"sentences\":[2]}\n");
}

TEST_CASE("one rule: a file of which no text says its entities is nothing to learn from, nor to be scored") {
  const Scratch folder;
  const std::string path = folder / "u.jsonl";
  put(path, "{\"text\":\"Bo Al\"}\n{\"text\":\"Cy Di\"}\n");
  const std::string refusal = "entrain.text.44: " + path +
                              ": 2 texts without an entity list, expected \"entities\", \"spans\", \"label\", "
                              "\"labels\" or \"ner\" with each; write an empty list for a text without entities";
  for (const auto& command :
       {train(folder, path), with(train(folder, path), {"--stream"}), std::vector<std::string>{"score", path, path},
        std::vector<std::string>{"evaluate", "--model", in_home("model"), "--test", path}})
    check_refused(run(with(command, {"--quiet"})), refusal);
  const Ran checked = run({"check", path});
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, path + ": none of its 2 texts has an entity list\n"));
  CHECK(!has(checked.out, path + ":1"));
  const Ran raw = run({"convert", path});
  CHECK(raw.exit == 0);
  CHECK(!has(raw.err, "warning"));
  CHECK(raw.out == "Bo\tO\nAl\tO\n\nCy\tO\nDi\tO\n\n");
}

TEST_CASE("one rule: an entity that says another text than its place holds") {
  const Scratch folder;
  const std::string path = folder / "a.jsonl";
  put(path, "{\"text\":\"Bo Al Cy\",\"spans\":[{\"start\":3,\"end\":5,\"label\":\"PER\",\"text\":\"Bo\"}]}\n");
  const std::string said =
      path + ":1: entity [3, 5) PER covers 'Al', but its text is given as 'Bo', which is at [0, 2)\n";
  const Ran checked = run({"check", path});
  CHECK(checked.exit == 1);
  CHECK(has(checked.out, said));
  CHECK(has(checked.out, "\n1 text or token that does not match its offsets, "));
  for (const auto& command : {train(folder, path), with(train(folder, path), {"--stream"}),
                              std::vector<std::string>{"score", path, path}, std::vector<std::string>{"convert", path},
                              std::vector<std::string>{"evaluate", "--model", in_home("model"), "--test", path}}) {
    const Ran ran = run(command);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(has(ran.err, "warning: " + said));
  }
  // what is written says what it holds
  const Ran written = run({"convert", "--format", "jsonl", path});
  put(folder / "b.jsonl", written.out);
  const Ran again = run({"convert", "--format", "jsonl", folder / "b.jsonl"});
  CHECK(again.out == written.out);
  CHECK(!has(again.err, "warning"));
}

TEST_CASE("one rule: tags that break their scheme, or are none, are counted with the first line") {
  const Scratch folder;
  const std::string json = folder / "t.jsonl", columns = folder / "t.conll";
  put(json,
      "{\"tokens\":[\"Ada\",\"met\",\"Bo\"],\"ner_tags\":[\"B-PER\",\"O\",\"PER\"]}\n"
      "{\"tokens\":[\"Ada\",\"met\",\"Bo\"],\"ner_tags\":[\"1\",\"0\",\"1\"]}\n"
      "{\"tokens\":[\"Ada\",\"met\",\"Bo\",\"x\"],\"ner_tags\":[\"B-PER\",\"I-ORG\",\"O\",\"I-LOC\"]}\n");
  put(columns, "Ada\tB-PER\nmet\tI-ORG\n\nBo\tB-PER\nx\tO\ny\tI-LOC\n\n");
  const auto said = [&](const std::string& path, const std::string& warning, const std::string& rule) {
    for (auto command :
         {train(folder, path), with(train(folder, path), {"--stream"}),
          std::vector<std::string>{"convert", path, "--format", "jsonl"},
          std::vector<std::string>{"convert", path, "--format", "conll"}, std::vector<std::string>{"score", path, path},
          std::vector<std::string>{"evaluate", "--model", in_home("model"), "--test", path}}) {
      if (rule == "drop") command.insert(command.end(), {"--repair", "drop"});
      const Ran ran = run(command);
      CAPTURE(command[0]);
      CAPTURE(ran.err);
      CHECK(ran.exit == 0);
      CHECK(has(ran.err, "warning: " + path + ": " + warning + "; read by the rule '" + rule + "' (--repair)\n"));
    }
  };
  for (const char* rule : {"conlleval", "drop"}) {
    said(json, "6 tags break BIO, the first is 'PER' at " + json + ":1", rule);
    said(columns, "2 tags break BIO, the first is 'I-ORG' at " + columns + ":2", rule);
  }
  CHECK(has(run({"convert", json}).err,
            "warning: " + json + ": 4 of them are not tags, the first is 'PER' at " + json + ":1; read as O\n"));
  const Ran piped = run({"convert", "--input-format", "jsonl"}, {.input = get(json)});
  CHECK(has(piped.err, "warning: standard input: 6 tags break BIO, the first is 'PER' at standard input:1; "));
  put(folder / "good.jsonl", "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[\"B-PER\",\"O\"]}\n");
  CHECK(!has(run({"convert", folder / "good.jsonl"}).err, "warning"));
}

TEST_CASE("one rule: tags of which none can be read are refused, and types without a prefix are IO when told") {
  const Scratch folder;
  const std::string numbers = folder / "n.jsonl", types = folder / "t.jsonl";
  put(numbers, "{\"tokens\":[\"Ada\",\"met\",\"Bo\"],\"ner_tags\":[\"1\",\"0\",\"1\"]}\n");
  put(types,
      "{\"tokens\":[\"Ada\",\"Oslo\"],\"ner_tags\":[\"PER\",\"LOC\"]}\n"
      "{\"tokens\":[\"Bo\"],\"ner_tags\":[\"PER\"]}\n");
  const auto commands = [&](const std::string& path) {
    return std::vector<std::vector<std::string>>{train(folder, path),
                                                 with(train(folder, path), {"--stream"}),
                                                 {"convert", path, "--format", "conll"},
                                                 {"score", path, path},
                                                 {"evaluate", "--model", in_home("model"), "--test", path}};
  };
  for (const std::vector<std::string>& line : commands(numbers)) {
    CAPTURE(line[0]);
    check_refused(run(line), "entrain.train.3: " + numbers + ":1: tag '1': ");
  }
  for (const std::vector<std::string>& line : commands(types)) {
    CAPTURE(line[0]);
    const Ran ran = run(line);
    check_refused(ran, "entrain.train.3: " + types + ":1: tag 'PER': ");
    CHECK(has(ran.err, "; --scheme io reads types without a prefix\n"));
    const Ran told = run(with(line, {"--scheme", "io"}));
    CAPTURE(told.err);
    CHECK(told.exit == 0);
    CHECK(!has(told.err, "breaks"));
  }
  CHECK(run({"convert", types, "--format", "conll", "--scheme", "io", "--to", "iob2"}).out ==
        "Ada\tB-PER\nOslo\tB-LOC\n\nBo\tB-PER\n\n");
}

TEST_CASE("formats: spaCy's dictionary after a TAB is known by how it begins") {
  const Scratch folder;
  put(folder / "a.txt", "Acme is big\t{\"entities\": [[0, 4, \"ORG\"]]}\nso what\t{\"entities\": []}\n");
  const Ran ran = run({"convert", folder / "a.txt"});
  CHECK(ran.exit == 0);
  CHECK(ran.out == "Acme\tB-ORG\nis\tO\nbig\tO\n\nso\tO\nwhat\tO\n\n");
  CHECK(has(ran.err, "format      " + (folder / "a.txt") + ": annotated, detected from its start"));
  put(folder / "c.txt", "(\"Acme is big\", {\"entities\": [(0, 4, \"ORG\")]}),\n");
  CHECK(run({"convert", folder / "c.txt"}).out == "Acme\tB-ORG\nis\tO\nbig\tO\n\n");
  put(folder / "b.conll", "{\t{\tO\nAda\tN\tB-PER\n\n");
  CHECK(run({"convert", folder / "b.conll"}).out == "{\tO\nAda\tB-PER\n\n");
}

TEST_CASE("one rule: labels that look alike are told by convert as by training and check") {
  const Scratch folder;
  const std::string path = folder / "a.jsonl";
  put(path, "{\"text\":\"Bo Al\",\"label\":[[0,2,\"PER\"],[3,5,\"PER \"]]}\n");
  const Ran converted = run({"convert", path}), trained = run(train(folder, path));
  const std::string warning = "warning: " + path + ": label 'PER ' differs from 'PER' by blanks";
  CAPTURE(converted.err);
  CAPTURE(trained.err);
  CHECK(converted.exit == 0);
  CHECK(times(converted.err, warning) == 1);
  CHECK(times(trained.err, warning) == 1);
  CHECK(has(run({"check", path}).out, "'PER '"));
}

}  // namespace one_rule_test
