// tests > [app]: convert between tables, JSON lines, raw text and arrays: what is written, what comes back, what is
// refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/app/input/corpora.hpp"
#include "tests/app/packed.hpp"
#include "tests/app/program.hpp"

namespace formats_convert_test {
using namespace test;

namespace {

/// Exit code 0 and what went to standard output.
std::string converted(std::vector<std::string> more, const Around& around = {}) {
  more.insert(more.begin(), "convert");
  const Ran ran = run(more, around);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  return ran.out;
}

const std::string golden = std::string(ENTRAIN_SOURCE_DIR) + "/tests/batch/golden/npy/";

const std::string table =
    "id;category;text\r\n1;card;\"where is, \"\"it\"\"?\"\r\n2;card;\r\n\r\n3;two "
    "words;\"a\nb\r\nc\td\"\r\n4;x;\xC3\xA9 \r\n";
const std::string lines =
    "{\"text\":\"where is, \\\"it\\\"?\",\"label\":\"card\"}\n"
    "{\"text\":\"\",\"label\":\"card\"}\n"
    "{\"text\":\"a\\u000ab\\u000d\\u000ac\\u0009d\",\"label\":\"two words\"}\n"
    "{\"text\":\"\xC3\xA9 \",\"label\":\"x\"}\n";
const std::string comma =
    "text,label\n\"where is, \"\"it\"\"?\",card\n,card\n\"a\nb\r\nc\td\",two words\n\xC3\xA9 ,x\n";
const std::string tabs =
    "text\tlabel\n\"where is, \"\"it\"\"?\"\tcard\n\tcard\n\"a\nb\r\nc\td\"\ttwo words\n\xC3\xA9 \tx\n";

}  // namespace

TEST_CASE("convert: texts with labels between tables and JSON lines, and back") {
  const Scratch folder;
  put(folder / "a.csv", table);
  const Ran ran = run({"convert", folder / "a.csv"});
  CHECK(ran.exit == 0);
  CHECK(ran.out == lines);
  CHECK(has(ran.err, "from        " + (folder / "a.csv") +
                         ": 3 columns separated by ';': text in column 3 'text', label in column 2 'category'\n"));
  CHECK(has(ran.err, "            met 6 lines ending in CR LF\n"));
  CHECK(has(ran.err, "to          standard output: 4 texts, 3 labels in jsonl\n"));
  put(folder / "a.jsonl", lines);
  CHECK(converted({folder / "a.jsonl", "--format", "csv"}) == comma);
  CHECK(converted({folder / "a.jsonl", "-o", folder / "b.csv"}).empty());
  CHECK(get(folder / "b.csv") == comma);
  CHECK(converted({folder / "a.jsonl", "-o", folder / "b.tsv"}).empty());
  CHECK(get(folder / "b.tsv") == tabs);
  CHECK(converted({folder / "b.csv", "-o", folder / "c.tsv"}).empty());
  CHECK(get(folder / "c.tsv") == tabs);
  CHECK(converted({folder / "b.tsv"}) == lines);  // whose first line names its columns
  CHECK(converted({folder / "b.csv", "-o", folder / "d.jsonl"}).empty());
  CHECK(get(folder / "d.jsonl") == lines);
  CHECK(converted({folder / "a.jsonl"}) == lines);
  CHECK(converted({"--input-format", "csv"}, {.input = table}) == lines);
  CHECK(converted({"-", "--input-format", "labelled", "--format", "tsv"}, {.input = lines}) == tabs);
  // without labels, and without names
  CHECK(converted({"--input-format", "csv", "--no-labels", "--format", "jsonl"}, {.input = "text\na;b\n\"\"\n"}) ==
        "{\"text\":\"a;b\"}\n{\"text\":\"\"}\n");
  CHECK(converted({"--input-format", "labelled", "--no-labels", "--format", "tsv"},
                  {.input = "{\"text\":\"a;b\"}\n{\"text\":\"\"}\n"}) == "text\n\"a;b\"\n\"\"\n");
  CHECK(converted({"--input-format", "tsv", "--no-header", "--no-quotes", "--text-column", "2", "--label-column", "1",
                   "--format", "csv"},
                  {.input = "x\t\"a, b\n"}) == "text,label\n\"\"\"a, b\",x\n");
}

TEST_CASE("convert: files of a pattern, packed or not, are one") {
  const Scratch folder;
  put(folder / "p-1.csv", "text,label\na,x\n");
  put(folder / "p-2.csv", "label;text\ny;b\n");
  CHECK(converted({folder / "p-*.csv"}) == "{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":\"b\",\"label\":\"y\"}\n");
  CHECK(has(run({"convert", folder / "p-*.csv"}).err, "p-1.csv and 1 file more: 2 columns separated by ','"));
  put(folder / "z-1.csv.gz", gzip_of("text,label\na,x\n"));
  const Ran packed = run({"convert", folder / "z-1.csv.gz"});
  if (has(packed.err, "entrain.text.33")) {
    MESSAGE("skipped: this build unpacks nothing");
    return;
  }
  CHECK(packed.out == "{\"text\":\"a\",\"label\":\"x\"}\n");
  put(folder / "z-2.csv.zst", zstd_of("text,label\nb,y\n"));
  put(folder / "z.jsonl.gz", gzip_of("{\"text\":\"a\",\"label\":\"x\"}\n"));
  put(folder / "z.txt.zst", zstd_of("Ada met Bo.\n"));
  put(folder / "z.tsv.gz", gzip_of("text\tlabel\na\tx\n"));
  CHECK(converted({folder / "z.jsonl.gz", "--format", "csv"}) == "text,label\na,x\n");
  CHECK(converted({folder / "z.tsv.gz", "--format", "csv"}) == "text,label\na,x\n");
  CHECK(has(run({"check", folder / "z-1.csv.gz"}).out, ": 1 text, 1 word, 1 label\n"));
  CHECK(has(run({"check", golden + "float32.npy.gz"}).out, "shape (23, 5) of float32"));
  if (has(run({"check", folder / "z-2.csv.zst"}).err, "entrain.text.33")) return;
  CHECK(converted({folder / "z-2.csv.zst"}) == "{\"text\":\"b\",\"label\":\"y\"}\n");
  CHECK(has(converted({folder / "z.txt.zst"}), "{\"text\":\"Ada met Bo.\""));
}

TEST_CASE("convert: records that cannot be used are refused, or left out and said") {
  const Scratch folder;
  put(folder / "a.csv", "text,label\na,x\nb\nc,\nd,y\n");
  check_refused(run({"convert", "--quiet", folder / "a.csv"}),
                "entrain.text.50: " + (folder / "a.csv") +
                    ":3: 1 field, expected 2 as in its first record; correct it, or skip such records with --lenient");
  const Ran lenient = run({"convert", folder / "a.csv", "--lenient"});
  CHECK(lenient.out == "{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":\"d\",\"label\":\"y\"}\n");
  CHECK(has(lenient.err, "warning: " + (folder / "a.csv") + ":3: 1 field, expected 2 as in its first record\n"));
  CHECK(has(lenient.err, "warning: " + (folder / "a.csv") + ":4: no label\n"));
  CHECK(has(lenient.err, "met 2 malformed lines"));
  put(folder / "a.jsonl", "{\"text\":\"a\\u0000\",\"label\":\"x\"}\n");
  check_refused(run({"convert", "--quiet", folder / "a.jsonl", "-o", folder / "b.csv"}),
                "entrain.app.44: " + (folder / "a.jsonl") +
                    ":1: a NUL in a text or a label, expected text without a NUL; write jsonl");
  put(folder / "a.jsonl", "{\"text\":\"a\",\"label\":\"x\\u0000\"}\n");
  check_refused(run({"convert", "--quiet", folder / "a.jsonl", "-o", folder / "b.csv"}), "entrain.app.44: ");
}

TEST_CASE("convert: raw text to JSON lines and to columns, which say the same") {
  const Scratch folder;
  put(folder / "a.txt",
      "\xEF\xBB\xBF"
      "  Ada met\r\nBo. She left.\r\n\r\n \n\xC3\x89va\n");
  const Ran ran = run({"convert", folder / "a.txt", "-o", folder / "a.jsonl"});
  CHECK(ran.exit == 0);
  CHECK(get(folder / "a.jsonl") ==
        "{\"text\":\"Ada met\\u000d\\u000aBo. She "
        "left.\",\"tokens\":[[0,3],[4,7],[9,11],[11,12],[13,16],[17,21],[21,22]],"
        "\"sentences\":[4,3]}\n"
        "{\"text\":\"\xC3\x89va\",\"tokens\":[[0,3]],\"sentences\":[1]}\n");
  CHECK(has(ran.err, "format      " + (folder / "a.txt") + ": text, detected from its start"));
  CHECK(has(ran.err, "from        " + (folder / "a.txt") + ": text\n"));
  CHECK(has(ran.err, "met 1 byte order mark, 3 lines ending in CR LF, 1 separator line of blanks\n"));
  CHECK(has(ran.err, "a.jsonl: 2 lines, 3 sentences and 8 words in jsonl, without entities\n"));
  const std::string columns = "Ada\tO\nmet\tO\nBo\tO\n.\tO\n\nShe\tO\nleft\tO\n.\tO\n\n\xC3\x89va\tO\n\n";
  CHECK(converted({folder / "a.txt", "--format", "conll"}) == columns);
  CHECK(converted({folder / "a.txt", "-o", folder / "a.conll"}).empty());
  CHECK(get(folder / "a.conll") == columns);
  CHECK(converted({folder / "a.jsonl"}) == columns);
  CHECK(has(run({"check", folder / "a.jsonl"}).out, "2 texts without an entity list"));
  CHECK(converted({folder / "a.txt", "--format", "conll", "--text-unit", "line"}) ==
        "Ada\tO\nmet\tO\n\nBo\tO\n.\tO\n\nShe\tO\nleft\tO\n.\tO\n\n\xC3\x89va\tO\n\n");
  CHECK(converted({"--input-format", "text", "--format", "conll"}, {.input = "a b"}) == "a\tO\nb\tO\n\n");
}

TEST_CASE("convert: raw text that is not UTF-8 is refused for JSON lines, and kept and counted in columns") {
  const Scratch folder;
  const std::string text = "First.\n\nSecond\nof par\xFF.\n\nThird.\n", file = folder / "a.txt";
  put(file, text);
  check_refused(run({"convert", "--quiet", file, "-o", folder / "a.jsonl", "--input-format", "text"}),
                "entrain.text.43: " + file +
                    ":4: bytes that are not UTF-8, expected text in UTF-8; convert it with iconv -t UTF-8; check "
                    "--list all lists every such line, --lenient skips such a paragraph");
  CHECK(folder.names() == std::set<std::string>{"a.txt"});
  const Ran lenient = run({"convert", file, "--input-format", "text", "--lenient"});
  CHECK(lenient.exit == 0);
  CHECK(times(lenient.out, "\n") == 2);
  CHECK(!has(lenient.out, "\xEF\xBF\xBD"));
  CHECK(has(lenient.err, "warning: " + file + ":4: bytes that are not UTF-8: this paragraph is skipped\n"));
  CHECK(has(lenient.err, "met 1 malformed line\n"));
  CHECK(has(lenient.err, "standard output: 2 lines, 2 sentences and 4 words in jsonl"));
  const Ran by_line = run({"convert", file, "--input-format", "text", "--lenient", "--text-unit", "line"});
  CHECK(times(by_line.out, "\n") == 3);
  CHECK(has(by_line.err, ":4: bytes that are not UTF-8: this line is skipped\n"));
  const Ran columns = run({"convert", file, "--input-format", "text", "--format", "conll"});
  CHECK(columns.exit == 0);
  CHECK(has(columns.out, "\xFF"));
  CHECK(has(columns.err, "met 1 token that is not UTF-8\n"));
}

TEST_CASE("convert: arrays to tables whose numbers read back bit for bit") {
  const std::string csv = converted({golden + "float64.npy"});
  // what scripts/golden/npy.py puts at row i, column j
  std::istringstream rows(csv);
  std::string row;
  int i = 0;
  for (; std::getline(rows, row); ++i) {
    std::istringstream cells(row);
    std::string cell;
    int j = 0;
    for (; std::getline(cells, cell, ','); ++j) CHECK(std::stod(cell) == ((37 * i + 11 * j) % 101 - 50) / 2.0);
    CHECK(j == 3);
  }
  CHECK(i == 6);
  CHECK(csv.starts_with("-25,-19.5,-14\n"));
  for (const char* same : {"float16.npy", "version2.npy", "version3.npy"}) CHECK(converted({golden + same}) == csv);
  CHECK(converted({golden + "int64.npy"}).starts_with("-50,-39,-28\n"));
  CHECK(converted({golden + "float64.npy", "--format", "tsv"}).starts_with("-25\t-19.5\t-14\n"));
  CHECK(converted({golden + "labels_more.npy"}) == "-50\n-13\n24\n-40\n-3\n34\n-30\n");
  CHECK(converted({"--input-format", "npy"}, {.input = get(golden + "float64.npy")}) == csv);
  const Ran two = run({"convert", golden + "float32{,_more}.npy"});
  CHECK(times(two.out, "\n") == 30);
  CHECK(has(two.err, "to          standard output: 30 rows of 5 numbers in csv\n"));
  check_refused(run({"convert", "--quiet", golden + "bool.npy"}),
                "entrain.batch.31: " + golden + "bool.npy: bool, expected uint8; ");
  check_refused(run({"convert", "--quiet", golden + "records.npy"}), "entrain.batch.31: " + golden + "records.npy: ");
  check_refused(run({"convert", "--quiet", golden + "fortran.npy"}), "entrain.batch.32: " + golden + "fortran.npy: ");
  const Ran other = run({"convert", "--quiet", golden + "float32{,_other}.npy"});
  CHECK(other.exit == 1);
  CHECK(has(other.err, "entrain.batch.34: " + golden + "float32_other.npy: rows of 4 numbers, expected 5, as in "));
}

TEST_CASE("convert: what cannot become what it was asked for is refused in a sentence that says what can") {
  const Scratch folder;
  put(folder / "a.conll", "a\tO\n\n");
  put(folder / "a.csv", "text,label\na,b\n");
  put(folder / "a.txt", "Ada met Bo.\n");
  const std::string can =
      ", expected sentences of words with tags to conll or jsonl, texts with one label each to jsonl, csv or tsv, text "
      "without annotations to jsonl or conll, or an array of numbers to csv or tsv; ";
  const auto refused = [&](const std::string& file, const std::string& found, std::vector<std::string> more,
                           const char* remedy = "name the format with --format") {
    more.insert(more.begin(), {"convert", "--quiet", file});
    check_refused(run(more), "entrain.app.43: convert: " + file + ", " + found + can + remedy);
  };
  refused(folder / "a.conll", "sentences of words with tags (conll), to csv", {"-o", folder / "x.csv"});
  refused(folder / "a.conll", "sentences of words with tags (conll), to tsv", {"--format", "tsv"});
  refused(folder / "a.csv", "texts with one label each (csv), to conll", {"--format", "conll"});
  refused(folder / "a.csv", "texts with one label each (csv), to conll", {"-o", folder / "x.iob2"});
  refused(folder / "a.csv", "texts with one label each (csv), to npy", {"-o", folder / "x.npy"});
  refused(folder / "a.txt", "text without annotations (text), to csv", {"--format", "csv"});
  refused(golden + "int32.npy", "an array of numbers (npy), to conll", {"--format", "conll"});
  refused(golden + "int32.npy", "an array of numbers (npy), to jsonl", {"-o", folder / "x.jsonl"});
  put(folder / "a.jsonl", "{\"text\":\"a\"}\n");
  refused(folder / "a.jsonl", "sentences of words with tags (jsonl), to csv", {"--format", "csv"},
          "for one label per text, use --input-format labelled");
  check_refused(run({"convert", "--quiet", folder / "a.csv", "-o", folder / "x.jsonl.gz"}),
                "entrain.app.45: --output " + (folder / "x.jsonl.gz") +
                    ": the name of a compressed file, expected an uncompressed one; write to standard output and "
                    "compress it: | gzip > " +
                    (folder / "x.jsonl.gz"));
  check_refused(run({"convert", "--quiet", folder / "a.conll", "-o", folder / "x.conll.zst"}), "entrain.app.45: ");
  CHECK(folder.names() == std::set<std::string>{"a.conll", "a.csv", "a.jsonl", "a.txt"});
  // what a tagged corpus may be called
  CHECK(converted({folder / "a.conll", "-o", folder / "x.tsv"}).empty());
  CHECK(get(folder / "x.tsv") == "a\tO\n\n");
}

TEST_CASE("options of tags that are not read are said by convert, check and predict") {
  const Scratch folder;
  const std::string texts = folder.file("a.csv", "text,label\na,b\n"), tags = folder.file("a.conll", "Ada\tB-PER\n");
  const auto warned = [](const std::vector<std::string>& command, const std::string& warning) {
    const Ran ran = run(command);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(times(ran.err, "warning: " + warning + "\n") == 1);
    CHECK(times(ran.err, "has no effect") == 1);
  };
  const auto silent = [](const std::vector<std::string>& command) {
    const Ran ran = run(command);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(!has(ran.err, "has no effect"));
  };
  const std::string of_texts = " has no effect on texts with one label each: only sentences have tags";
  warned({"convert", texts, "--to", "iobes"}, "--to" + of_texts);
  warned({"convert", texts, "--scheme", "io"}, "--scheme" + of_texts);
  warned({"check", texts, "--scheme", "io"}, "--scheme" + of_texts);
  warned({"check", texts, "--repair", "drop"}, "--repair" + of_texts);
  warned({"convert", tags, "--to", "bmes", "--format", "jsonl"},
         "--to has no effect with --format jsonl: only conll has tags");
  warned({"predict", "-m", in_home("model"), tags, "--to", "bmes", "--format", "jsonl"},
         "--to has no effect with --format jsonl: only conll has tags");
  warned({"predict", "-m", in_home("model"), tags, "--to", "bmes"},
         "--to has no effect with --format jsonl: only conll has tags");
  warned({"check", tags, "--fix-rules", "bom"}, "--fix-rules has no effect without --fix: nothing is repaired");
  silent({"predict", "-m", in_home("model"), tags, "--to", "bmes", "--format", "conll"});
  silent({"convert", tags, "--to", "bmes", "--scheme", "iob2"});
  silent({"check", tags, "--fix-rules", "bom", "--fix", folder / "fixed"});
}

TEST_CASE("evaluate: without a file it scores an example, and names it") {
  entrain::app::Files none;
  entrain::app::resolve(none, "examples/data");
  CHECK(none.examples);
  entrain::app::Files named;
  named.dev = "dev.conll";
  entrain::app::resolve(named, "examples/data");
  CHECK(!named.examples);
  entrain::app::Files without;
  entrain::app::resolve(without, "");
  CHECK(!without.examples);
  CHECK(has(run({"evaluate", "--help"}).out, "if no option names a file"));
}

TEST_CASE("convert: real corpora come back as they were") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr || *data == '\0') {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string root = std::string(data) + "/";
  const Scratch folder;
  const std::string json = converted({root + "banking77/train.csv"});
  CHECK(times(json, "\n") == 10'003);
  std::istringstream all(json);
  std::size_t feeds = 0;
  for (std::string line; std::getline(all, line);)
    feeds += nlohmann::json::parse(line)["text"].get<std::string>().find('\n') != std::string::npos;
  CHECK(feeds == 10);
  put(folder / "a.jsonl", json);
  for (const char* name : {"b.csv", "b.tsv"}) {
    CHECK(converted({folder / "a.jsonl", "-o", folder / name}).empty());
    CHECK(converted({folder / name}) == json);
  }
  // text by either way
  const std::string speeches = root + "text/us-inaugural.txt";
  put(folder / "c.jsonl", converted({speeches}));
  CHECK(converted({folder / "c.jsonl"}) == converted({speeches, "--format", "conll"}));
}

}  // namespace formats_convert_test
