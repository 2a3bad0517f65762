// tests > [app]: any number of warnings of a kind takes twenty lines and a count, and a name no more than 80
// characters.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "tests/app/program.hpp"

namespace many_warnings_test {
using namespace test;

namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

/// One entity a sentence, each of a type of its own.
std::string of_types(int count, int first = 0) {
  std::string s;
  for (int i = first; i < first + count; ++i) s += "Ada\tB-T" + std::to_string(i) + "\nmet\tO\n\n";
  return s;
}

}  // namespace

TEST_CASE("app: labels that training never saw: twenty lines and how many more") {
  const Scratch folder;
  put(folder / "train.conll", sentences(20));
  put(folder / "dev.conll", of_types(5'000) + "Bo\tB-" + std::string(1 << 20, 'x') + "\n\n");
  const Ran ran = run({"train", "--train", folder / "train.conll", "--dev", folder / "dev.conll", "--output",
                       folder / "m", "--max-steps", "1", "--threads", "1"});
  CHECK(ran.exit == 0);
  CHECK(times(ran.err, "' was never seen in training: its 1 mention counts as missed\n") == 20);
  CHECK(times(ran.err, "warning: 4,981 more labels that were never seen in training\n") == 1);
  CHECK(longest_line(ran.err) < 1'000);
  CHECK(has(ran.err, "\n5001 warnings\n"));
  const Ran evaluated = run({"evaluate", "-m", folder / "m", "--test", folder / "dev.conll", "--threads", "1"});
  CHECK(evaluated.exit == 0);
  CHECK(times(evaluated.err, "' was never seen in training: ") == 20);
  CHECK(longest_line(evaluated.out) < 200);
  CHECK(times(evaluated.out, "\n") < 500);
  CHECK(has(evaluated.out,
            " rarer types are omitted from the table, but counted in micro and macro; --json lists all\n"));
}

TEST_CASE("app: many labels to learn are named up to a number") {
  const Scratch folder;
  put(folder / "train.conll", "Bo\tB-" + std::string(1 << 20, 'x') + "\n\n" + of_types(300));
  const Ran ran =
      run({"train", "--train", folder / "train.conll", "--output", folder / "m", "--max-steps", "1", "--threads", "1"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "labels      301 types in BIOES: " + std::string(80, 'x') + "..., T0, T1, "));
  CHECK(has(ran.err, ", T48 and 251 more\n"));
  CHECK(longest_line(ran.err) < 1'000);
  const Ran check = run({"check", folder / "train.conll"});
  CHECK(times(check.out, ": rare label '") == 20);
  CHECK(has(check.out, "\n281 more rare labels; --list all lists them\n"));
  CHECK(longest_line(check.out) < 1'000);
}

TEST_CASE("app: records and lines that convert leaves out, and labels of standard input, likewise") {
  const Scratch folder;
  std::string records, text;
  for (int i = 0; i < 50; ++i) {
    records += "{\"text\":\"Ada met\",\"label\":[[1,2,\"PER\"]]}\n";
    text += "\xFF\n\n";
  }
  put(folder / "a.jsonl", records);
  const Ran ran = run({"convert", folder / "a.jsonl", "--misaligned", "drop"});
  CHECK(ran.exit == 0);
  CHECK(times(ran.err, "warning: " + (folder / "a.jsonl") + ":") == 11);
  CHECK(has(ran.err, "warning: " + (folder / "a.jsonl") + ":10: entity "));
  CHECK(has(ran.err, "warning: " + (folder / "a.jsonl") + ": 50 bad entities; check --list all lists them\n"));
  put(folder / "a.txt", text + "a b\n");
  const Ran lenient = run({"convert", folder / "a.txt", "--input-format", "text", "--lenient"});
  CHECK(times(lenient.err, "bytes that are not UTF-8: this paragraph is skipped\n") == 20);
  CHECK(has(lenient.err, "warning: 30 more paragraphs that are not UTF-8 and are skipped\n"));
  const Ran once = run({"train", "--train", "-", "--stream", "--labels", "PER", "--scheme", "iob2", "--max-steps", "9",
                        "--output", folder / "m", "--threads", "1"},
                       {.input = of_types(60) + "Bo\tB-PER\n\n"});
  CHECK(times(once.err, "' is not among --labels: its entities are learned as O\n") <= 20);
}

TEST_CASE("talk: each kind has its own twenty lines, and the rest is said once") {
  // without a terminal: quiet says nothing, and counts all the same
  entrain::app::Console console(true);
  for (int i = 0; i < 100; ++i) console.warn_of("lines", "a line");
  console.say_rest();
  console.say_warnings();
}

}  // namespace many_warnings_test
