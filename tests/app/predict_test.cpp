// tests > [app]: predict: every format in, every format out, streams, colours.
#include <doctest/doctest.h>

#include "tests/app/program.hpp"

namespace predict_test {
using namespace test;

namespace {

Ran predict(std::vector<std::string> more, const Around& around = {}) {
  std::vector<std::string> line{"predict", "-m", in_home("model"), "--threads", "1"};
  line.insert(line.end(), more.begin(), more.end());
  Ran ran = run(line, around);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(ran.err.empty());
  return ran;
}

const std::string line = "Ada met Chen in Oslo .\n";

}  // namespace

TEST_CASE("predict: the model has learned its corpus") {  // what follows leans on it
  CHECK(predict({"--format", "colour"}, {.input = line, .environment = {{"NO_COLOR", "1"}}}).out ==
        "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n");
}

TEST_CASE("predict: jsonl has code-point offsets, one object a line, an empty line is an empty text") {
  const std::string text = "\xC3\x89t\xC3\xA9 \xF0\x9F\x98\x80 .\n\nAda met Chen in Oslo .\r\nAda met Bo in Lima .";
  const Ran ran = predict({"--format", "jsonl"}, {.input = text});
  CHECK(times(ran.out, "\n") == 4);
  CHECK(has(ran.out,
            "{\"text\":\"\xC3\x89t\xC3\xA9 \xF0\x9F\x98\x80 "
            ".\",\"tokens\":[[0,3],[4,5],[6,7]],\"sentences\":[3],\"entities\":["));
  CHECK(has(ran.out, "{\"text\":\"\",\"tokens\":[],\"sentences\":[],\"entities\":[]}\n"));
  CHECK(has(
      ran.out,
      "{\"text\":\"Ada met Chen in Oslo .\",\"tokens\":[[0,3],[4,7],[8,12],[13,15],[16,20],[21,22]],\"sentences\":[6],"
      "\"entities\":[{\"start\":0,\"end\":3,\"label\":\"PER\",\"text\":\"Ada\"},{\"start\":8,\"end\":12,\"label\":"
      "\"PER\",\"text\":\"Chen\"},"
      "{\"start\":16,\"end\":20,\"label\":\"LOC\",\"text\":\"Oslo\"}]}\n"));
  CHECK(!has(ran.out, "\\r"));
  CHECK(predict({}, {.input = text}).out == ran.out);  // what goes to a pipe is jsonl
}

TEST_CASE("predict: conll out, in the scheme that was asked for") {
  const std::string out = predict({"--format", "conll"}, {.input = line}).out;
  CHECK(out == "Ada\tB-PER\nmet\tO\nChen\tB-PER\nin\tO\nOslo\tB-LOC\n.\tO\n\n");
  CHECK(predict({"--format", "conll", "--to", "iobes"}, {.input = line}).out ==
        "Ada\tS-PER\nmet\tO\nChen\tS-PER\nin\tO\nOslo\tS-LOC\n.\tO\n\n");
  CHECK(predict({"--format", "conll", "--to", "io"}, {.input = line}).out ==
        "Ada\tI-PER\nmet\tO\nChen\tI-PER\nin\tO\nOslo\tI-LOC\n.\tO\n\n");
}

TEST_CASE("predict: conll in, by name or by --input-format, with tags or without") {
  const Scratch folder;
  put(folder / "in.conll", "Ada\tO\nmet\tO\nChen\tO\n\nin\tO\nOslo\tO\n");
  put(folder / "words", "Ada\nmet\nChen\n\nin\nOslo\n");
  const std::string expected = predict({"--format", "conll", folder / "in.conll"}).out;
  CHECK(expected.starts_with("Ada\tB-PER\nmet\tO\nChen\tB-PER\n\nin\tO\n"));
  CHECK(times(expected, "\n") == 7);
  CHECK(predict({"--format", "conll", "--input-format", "conll", folder / "words"}).out == expected);
  CHECK(predict({"--format", "conll", "--input-format", "conll", "-"}, {.input = get(folder / "words")}).out ==
        expected);
  // as text, each of its lines is a text
  CHECK(times(predict({"--format", "jsonl", folder / "words"}).out, "\n") == 6);
}

TEST_CASE("predict: several files, - among them, go to one output") {
  const Scratch folder;
  put(folder / "a.txt", "Ada met Bo in Lima .\n");
  put(folder / "b.txt", "Emre met Dara in Accra .");
  const std::string out = predict({"--format", "colour", folder / "a.txt", "-", folder / "b.txt"},
                                  {.input = line, .environment = {{"NO_COLOR", "1"}}})
                              .out;
  CHECK(out ==
        "[Ada](PER) met [Bo](PER) in [Lima](LOC) .\n[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n"
        "[Emre](PER) met [Dara](PER) in [Accra](LOC) .\n");
  CHECK(predict({"--format", "colour", folder / "a.txt", folder / "b.txt", "-o", folder / "out"},
                {.environment = {{"NO_COLOR", "1"}}})
            .out.empty());
  CHECK(get(folder / "out") ==
        "[Ada](PER) met [Bo](PER) in [Lima](LOC) .\n[Emre](PER) met [Dara](PER) in [Accra](LOC) .\n");
  check_refused(run({"predict", "-m", in_home("model"), "--quiet", "-", folder / "a.txt", "-"}, {.input = line}),
                "entrain.text.39: standard input: named twice, by file 1 and by file 3, expected only one of them, as "
                "it can be read only once; save it in a file\n");
}

TEST_CASE("predict: colours on a terminal, none with NO_COLOR, and nothing in a text moves the cursor") {
  const Around terminal{.input = line, .terminal = true, .environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}}};
  const std::string coloured = predict({}, terminal).out;
  CHECK(has(coloured, "\x1b["));
  CHECK(has(coloured, "Oslo"));
  CHECK(!has(coloured, "[Ada]"));
  const Around plain{.input = line, .terminal = true, .environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}};
  CHECK(predict({}, plain).out == "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\r\n");  // \r: the terminal's
  const Around dumb{.input = line, .terminal = true, .environment = {{"TERM", "dumb"}, {"NO_COLOR", ""}}};
  CHECK(!has(predict({}, dumb).out, "\x1b["));
  for (const char* no_colour : {"1", ""}) {
    const std::string hostile = predict({"--format", "colour"}, {.input = "Ada met \x1b[2JChen in Oslo .\n",
                                                                 .environment = {{"NO_COLOR", no_colour}}})
                                    .out;
    CHECK(!has(hostile, "\x1b[2J"));
    CHECK(has(hostile, "\x1b") == (no_colour[0] == 0));
  }
}

TEST_CASE("predict: --format colour through a pipe or into a file prints colours, unless NO_COLOR says otherwise") {
  const Scratch folder;
  const Ran piped = predict({"--format", "colour"}, {.input = line, .environment = {{"NO_COLOR", ""}}});
  CHECK(has(piped.out, "\x1b[32mAda\x1b[0m\x1b[2m PER\x1b[0m met "));
  predict({"--format", "colour", "-o", folder / "o"}, {.input = line, .environment = {{"NO_COLOR", ""}}});
  CHECK(get(folder / "o") == piped.out);
  for (const char* force : {"1", "0"})  // what was asked for in words needs no FORCE_COLOR, and NO_COLOR goes before it
    CHECK(predict({"--format", "colour"}, {.input = line, .environment = {{"NO_COLOR", "1"}, {"FORCE_COLOR", force}}})
              .out == "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n");
}

TEST_CASE("predict: a byte order mark is no text") {
  CHECK(predict({"--format", "jsonl"}, {.input = "\xEF\xBB\xBF" + line}).out ==
        predict({"--format", "jsonl"}, {.input = line}).out);
  CHECK(predict({}, {.input = "\xEF\xBB\xBF"}).out.empty());
}

TEST_CASE("predict: bytes that are not UTF-8 are answered, and become U+FFFD in jsonl") {
  const Ran ran = run({"predict", "-m", in_home("model"), "--threads", "1", "--format", "jsonl"},
                      {.input = "Ada met \xFF\xC3 in Oslo .\n"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "{\"text\":\"Ada met \xEF\xBF\xBD"));
  CHECK(has(ran.out, "\"text\":\"Ada\"}"));
}

TEST_CASE("predict: the answer does not depend on threads or on the sentences around a sentence") {
  std::string text, single;
  for (int i = 0; i < 40; ++i) text += i % 3 ? "Bo met Ada in Kyoto .\n" : "in Oslo . Ada met Chen in Lima .\n";
  const std::string one = predict({"--format", "jsonl"}, {.input = text}).out;
  CHECK(run({"predict", "-m", in_home("model"), "--threads", "3"}, {.input = text}).out == one);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at) + 1;
    if (at < 100) {
      const std::string alone = predict({"--format", "jsonl"}, {.input = text.substr(at, end - at)}).out;
      single += alone;
    }
    at = end;
  }
  CHECK(one.starts_with(single));
}

TEST_CASE(
    "predict: --lenient leaves out malformed lines and records and counts them, as the error without it advises") {
  const Scratch folder;
  const auto compare = [&](const std::string& file, int number, const char* reason, const char* id) {
    const std::vector<std::string> command{"predict", "-m", in_home("model"), "--threads",
                                           "1",       file, "--format",       "conll"};
    const Ran strict = run(command);
    CAPTURE(strict.err);
    CHECK(strict.exit == 1);
    CHECK(has(strict.err, "error: " + std::string(id) + ": " + file + ":" + std::to_string(number) + ": "));
    std::vector<std::string> leniently = command;
    leniently.push_back("--lenient");
    const Ran lenient = run(leniently);
    CAPTURE(lenient.err);
    CHECK(lenient.exit == 0);
    CHECK(times(lenient.err, "warning: " + file + ":" + std::to_string(number) + ": " + reason) == 1);
    CHECK(times(lenient.err, "warning: " + file + ": 1 malformed line skipped\n") == 1);
    CHECK(times(lenient.out, "Oslo\tB-LOC\n") == 2);
    return strict.err;
  };
  CHECK(has(compare(folder.file("a.conll", "Oslo\tO\n\nx\n\nOslo\tO\n"), 3, "1 column, expected 2", "entrain.text.11"),
            ", or skip with --lenient\n"));
  CHECK(has(compare(folder.file("a.csv", "text,label\nOslo,a\nb,c,d\nOslo,a\n"), 3, "3 fields, expected 2",
                    "entrain.text.50"),
            "skip such records with --lenient\n"));
  compare(folder.file("a.jsonl", "{\"text\":\"Oslo\"}\n{\"text\":\n{\"text\":\"Oslo\"}\n"), 2, "", "entrain.text.40");
  compare(folder.file("b.jsonl", "{\"text\":\"Oslo\"}\n{\"text\":\"\xFF\"}\n{\"text\":\"Oslo\"}\n"), 2,
          "bytes that are not UTF-8", "entrain.text.43");
  compare(folder.file("c.jsonl", "{\"text\":\"Oslo\"}\n{\"entities\":[]}\n{\"text\":\"Oslo\"}\n"), 2,
          "neither a text nor words", "entrain.text.42");
}

TEST_CASE("predict: a line of more than 64 MiB is refused with its number before memory for its words is taken") {
  const Scratch folder;
  const std::string file = folder.file("a.txt", line + line + std::string((std::size_t{64} << 20) + (1 << 17), 'a'));
  const Ran ran = run({"predict", "-m", in_home("model"), "--threads", "1", file});
  CHECK(ran.exit == 1);
  CHECK(has(ran.err, "error: entrain.text.30: " + file + ":3: "));
  CHECK(has(ran.err,
            " bytes without the end of a line, expected at most 67108864; each line is one text: split it into lines, "
            "for example with fold -s\n"));
}

}  // namespace predict_test
