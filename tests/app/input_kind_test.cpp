// tests > [app]: what an input of predict is, told by its name or by how it begins after unpacking, as for every other
// command; and what of it is not UTF-8.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "tests/app/packed.hpp"
#include "tests/app/program.hpp"

namespace input_kind_test {
using namespace test;

namespace {

Ran predict(std::vector<std::string> more, Around around = {}) {
  around.environment.push_back({"NO_COLOR", "1"});
  more.insert(more.begin(), {"predict", "-m", in_home("model"), "--threads", "1"});
  return run(more, around);
}
std::string answer(const std::vector<std::string>& more, const Around& around = {}) {
  const Ran ran = predict(more, around);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  return ran.out;
}

const std::string columns = "Ada\tO\nmet\tO\nChen\tO\n\nin\tO\nOslo\tO\n";
const std::string tagged = "Ada\tB-PER\nmet\tO\nChen\tB-PER\n\nin\tO\nOslo\tB-LOC\n\n";
const std::string plain = "Ada met Chen in Oslo .\n";

/// The same from a pipe, which is standard input.
Ran piped(const std::string& bytes, const std::vector<std::string>& more) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t writer = ::fork();
  REQUIRE(writer >= 0);
  if (writer == 0) {
    ::close(ends[0]);
    const auto written = ::write(ends[1], bytes.data(), bytes.size());
    ::_exit(written == static_cast<ssize_t>(bytes.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  Around around;
  around.standard_input = ends[0];
  const Ran ran = predict(more, around);
  ::close(ends[0]);
  ::waitpid(writer, nullptr, 0);
  return ran;
}

}  // namespace

TEST_CASE("predict: columns are columns, packed or not, whatever the name and the way in") {
  const Scratch folder;
  put(folder / "a.conll", columns);
  put(folder / "words", columns);
  put(folder / "a.conll.gz", gzip_of(columns));
  put(folder / "a.gz", gzip_of(columns));
  put(folder / "a.bio.zst", zstd_of(columns));
  put(folder / "a.conllu", columns);
  put(folder / "a.txt", columns);
  for (const char* name : {"a.conll", "words", "a.conll.gz", "a.gz", "a.conllu", "a.txt"}) {
    CAPTURE(name);
    CHECK(answer({"--format", "conll", folder / name}) == tagged);
    CHECK(answer({"--format", "conll"}, {.input = get(folder / name)}) == tagged);
    CHECK(piped(get(folder / name), {"--format", "conll"}).out == tagged);
  }
  if (const Ran ran = predict({"--format", "conll", folder / "a.bio.zst"}); !has(ran.err, "entrain.text.33"))
    CHECK(ran.out == tagged);
  CHECK(predict({folder / "a.gz"}).err ==
        "format      " + (folder / "a.gz") +
            ": conll, detected from its start; override with --input-format jsonl, for example\n");
  CHECK(predict({folder / "a.conll.gz"}).err.empty());
  // apart by blanks: from two lines on
  CHECK(answer({"--format", "conll"}, {.input = "Ada NNP O\nmet VBD O\nChen NNP O\n"}) ==
        "Ada\tB-PER\nmet\tO\nChen\tB-PER\n\n");
  // columns that not every line has
  std::string ragged;
  for (int i = 0; i < 20; ++i) ragged += i == 7 ? "alone\n" : "Ada\tO\n";
  put(folder / "ragged", ragged);
  check_refused(predict({"--quiet", folder / "ragged"}), "entrain.text.11: " + (folder / "ragged") + ":8: 1 column, ");
}

TEST_CASE("predict: text stays text, and a doubt is said") {
  const Scratch folder;
  put(folder / "a.txt.gz", gzip_of(plain));
  put(folder / "a.txt", plain);
  for (const char* name : {"a.txt", "a.txt.gz"}) {
    const Ran ran = predict({"--format", "colour", folder / name});
    CHECK(ran.out == "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n");
    CHECK(ran.err.empty());
  }
  CHECK(piped(plain, {"--format", "colour"}).out == "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n");
  const Ran doubt = predict({}, {.input = "He flew a B-52\n"});
  CHECK(doubt.out.starts_with("{\"text\":\"He flew a B-52\","));
  CHECK(doubt.err ==
        "warning: standard input: read as text, although some lines have a tag after a word; to read columns, use "
        "--input-format conll\n");
  CHECK(predict({"--input-format", "text"}, {.input = "He flew a B-52\n"}).err.empty());
  CHECK(answer({}, {.input = "{sic} Ada met Bo in Lima .\n"}).starts_with("{\"text\":\"{sic} Ada met Bo in Lima .\","));
}

TEST_CASE("predict: the texts and words of records and tables, and nothing else of them") {
  const Scratch folder;
  const std::string found = "[Ada](PER) met [Chen](PER) in [Oslo](LOC) .\n";
  put(folder / "a.jsonl", "{\"id\":1,\"text\":\"Ada met Chen in Oslo .\",\"label\":[[0,3,\"X\"]]}\n\n");
  put(folder / "words.jsonl",
      "{\"tokens\":[\"Ada\",\"met\",\"Chen\",\"in\",\"Oslo\",\".\"],\"ner_tags\":[0,0,0,0,0,0]}\n");
  put(folder / "labelled.jsonl", "{\"text\":\"Ada met Chen in Oslo .\",\"label\":\"news\"}\n");
  put(folder / "annotated", "Ada met Chen in Oslo .\t[(0, 3, 'X')]\n");
  put(folder / "a.csv", "text,label\nAda met Chen in Oslo .,news\n");
  put(folder / "lying.conll", get(folder / "labelled.jsonl"));
  for (const char* name : {"a.jsonl", "words.jsonl", "labelled.jsonl", "annotated", "a.csv", "lying.conll"}) {
    CAPTURE(name);
    CHECK(answer({"--format", "colour", folder / name}) == found);
  }
  CHECK(answer({"--format", "colour"}, {.input = get(folder / "a.jsonl")}) == found);
  CHECK(piped(get(folder / "labelled.jsonl"), {"--format", "colour"}).out == found);
  CHECK(
      answer({"--format", "conll"},
             {.input = "{\"text\":\"Ada met Bo .\",\"tokens\":[[0,3],[4,7],[8,10],[11,12]],\"sentences\":[2,2]}\n"}) ==
      "Ada\tB-PER\nmet\tO\n\nBo\tB-PER\n.\tO\n\n");
  put(folder / "none.jsonl", "{\"id\":1}\n");
  check_refused(predict({"--quiet", folder / "none.jsonl"}),
                "entrain.text.42: " + (folder / "none.jsonl") +
                    ":1: neither a text nor words, expected \"text\" or \"tokens\"\n");
  put(folder / "a.npy", "\x93NUMPY");
  check_refused(predict({"--quiet", folder / "a.npy"}),
                "entrain.app.60: " + (folder / "a.npy") + ": an array of numbers (npy), expected text");
}

TEST_CASE("predict: bytes that are not UTF-8 are a warning that counts them, and an error under --strict") {
  const Scratch folder;
  // 0xFF, half of a character, an overlong '/', a surrogate
  const std::string bytes = "Ada met Bo in Lima .\nAda met \xFF\xC3 in Oslo .\n\nx \xC0\xAF y\n\xED\xA0\x80\n";
  const Ran ran = predict({}, {.input = bytes});
  CHECK(ran.exit == 0);
  CHECK(ran.err ==
        "warning: standard input:2: byte 0xFF, number 9 of the line, is not UTF-8; 7 such bytes in 3 lines; such bytes "
        "are written as U+FFFD\n");
  CHECK(has(ran.out, "{\"text\":\"Ada met \xEF\xBF\xBD\xEF\xBF\xBD in Oslo .\""));
  check_refused(predict({"--strict", "--input-format", "text"}, {.input = bytes}),
                "entrain.text.43: standard input:2: byte 0xFF, number 9 of the line, is not UTF-8, expected text in "
                "UTF-8; convert it with iconv -t UTF-8, or omit --strict\n");
  CHECK(has(predict({"--format", "conll"}, {.input = "caf\xE9\n"}).err,
            "warning: standard input:1: byte 0xE9, number 4 of the line, is not UTF-8; such bytes are written as they "
            "are\n"));
  put(folder / "a.conll", "Ada\tO\nb\xFF\tO\n\n\xE9\tO\n");
  CHECK(predict({folder / "a.conll"}).err == "warning: " + (folder / "a.conll") +
                                                 ":2: byte 0xFF in the word 'b<FF>' is not UTF-8; one of 2 such words; "
                                                 "such bytes are written as U+FFFD\n");
  check_refused(predict({"--quiet", "--strict", folder / "a.conll"}),
                "entrain.text.43: " + (folder / "a.conll") + ":2: ");
  put(folder / "a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"\xFF\"}\n");
  check_refused(predict({"--quiet", folder / "a.jsonl"}),
                "entrain.text.43: " + (folder / "a.jsonl") + ":2: bytes that are not UTF-8, expected text in UTF-8");
  put(folder / "half.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b \\ud800 c \\udc00\"}\n");
  CHECK(predict({folder / "half.jsonl"}).err == "warning: " + (folder / "half.jsonl") +
                                                    ":2: half of a surrogate pair is read as U+FFFD; one of 2 such "
                                                    "halves\n");
  check_refused(predict({"--quiet", "--strict", folder / "half.jsonl"}),
                "entrain.text.43: " + (folder / "half.jsonl") + ":2: half of a surrogate pair, expected text in UTF-8");
  CHECK(predict({}, {.input = std::string("\xEF\xBB\xBF") + "Ada\n"}).err.empty());
}

TEST_CASE("train, check, convert: halves of surrogate pairs and bytes that are not UTF-8 are said with their place") {
  const Scratch folder;
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "{\"text\":\"Ada met Bo .\",\"label\":[[0,3,\"PER\"],[8,10,\"PER\"]]}\n";
  put(folder / "half.jsonl", lines + "{\"text\":\"Ada met \\ud800 .\",\"label\":[[0,3,\"PER\"]]}\n");
  const std::string said = (folder / "half.jsonl") + ":21: half of a surrogate pair";
  const std::vector<std::string> train{"train",       "--train", folder / "half.jsonl", "--output", folder / "m",
                                       "--max-steps", "1",       "--threads",           "1",        "--overwrite"};
  const auto with = [](std::vector<std::string> all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  CHECK(has(run(train).err, "warning: " + said + " in the word '\xEF\xBF\xBD' is read as U+FFFD\n"));
  CHECK(
      has(run(with(train, {"--stream"})).err, "warning: " + said + " in the word '\xEF\xBF\xBD' is read as U+FFFD\n"));
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--stream"}})
    check_refused(run(with(with(train, more), {"--strict", "--quiet"})), "entrain.text.43: " + said);
  CHECK(has(run({"convert", folder / "half.jsonl"}).err, "warning: " + said + " is read as U+FFFD\n"));
  check_refused(run({"convert", "--strict", "--quiet", folder / "half.jsonl"}), "entrain.text.43: " + said);
  const Ran check = run({"check", folder / "half.jsonl"});
  CHECK(check.exit == 0);
  CHECK(has(check.out, (folder / "half.jsonl") + ":21: U+FFFD (replacement character) in the token\n"));
  CHECK(has(check.out, "  met: 1 half of a surrogate pair, read as U+FFFD\n"));
  CHECK(run({"check", "--strict", folder / "half.jsonl"}).exit == 1);

  put(folder / "a.conll", sentences(5) + "b\xFF\tO\n\n");
  const std::string byte = (folder / "a.conll") + ":36: byte 0xFF in the word 'b<FF>' is not UTF-8";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--stream"}}) {
    std::vector<std::string> all = with(train, more);
    all[2] = folder / "a.conll";
    CHECK(has(run(all).err, "warning: " + byte + "\n"));
    check_refused(run(with(all, {"--strict", "--quiet"})), "entrain.text.43: " + byte + ", expected text in UTF-8");
  }
  CHECK(has(run({"score", folder / "a.conll", folder / "a.conll"}).err, "warning: " + byte + "\n"));
  CHECK(run({"check", folder / "a.conll"}).exit == 0);
  CHECK(run({"check", "--strict", folder / "a.conll"}).exit == 1);
  put(folder / "a.txt", "First.\n\nSecond\nof par\xFF.\n");
  CHECK(has(run({"convert", folder / "a.txt", "--input-format", "text", "--format", "conll"}).err,
            "warning: " + (folder / "a.txt") +
                ":4: byte 0xFF, number 7 of the line, is not UTF-8; such bytes are written as they are\n"));
}

TEST_CASE("predict: a long line takes time by its length") {
  const std::string line(std::size_t{24} << 20, 'a');
  const Ran ran = predict({}, {.input = line + "\nAda met Bo .\n"});
  CHECK(ran.exit == 0);
  CHECK(times(ran.out, "\n") == 2);
}

}  // namespace input_kind_test
