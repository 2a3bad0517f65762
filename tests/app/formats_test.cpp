// tests > [app]: check on files without tags: texts with labels, raw text, arrays of numbers; which format a file is
// in.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/app/program.hpp"

namespace formats_test {
using namespace test;

namespace {

Ran check(std::vector<std::string> more, const Around& around = {}) {
  more.insert(more.begin(), "check");
  return run(more, around);
}

/// Everything that check says, with the folder's name left out.
void check_says(const Scratch& folder, const Ran& ran, int exit, std::string expected) {
  std::string out = ran.out;
  const std::string path = folder.path() + "/";
  for (std::size_t at = 0; (at = out.find(path, at)) != out.npos;) out.erase(at, path.size());
  CAPTURE(ran.err);
  CHECK(ran.exit == exit);
  CHECK(out == expected);
}

/// A file of NumPy's, version 1.0.
std::string npy(const std::string& type, const std::string& shape, const std::string& bytes, bool fortran = false) {
  const std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  std::string s = std::string("\x93NUMPY\x01\0", 8);
  s += static_cast<char>(text.size());
  s += '\0';
  return s + text + bytes;
}
template <class T> std::string bytes_of(const std::vector<T>& numbers) {
  std::string s(numbers.size() * sizeof(T), '\0');
  std::memcpy(s.data(), numbers.data(), s.size());
  return s;
}

const std::string texts_and_labels =
    "text,label\r\n"
    "\"Where is, my card?\",card\n"    // 2
    "Where is,  my card?,card\n"       // 3: too many fields
    "\"where IS,  my card?\",money\n"  // 4
    "\n"
    "\"two\nlines\",card\n"  // 6
    "  ,card\n"              // 8
    ",money\n"               // 9
    "\"two\nlines\",card\n"  // 10
    "no label,\n"            // 12
    "a\xE2\x80\x8B,card\n"   // 13
    "\xFF,card\n"            // 14
    "caf\xC3\xA9,Card\n"     // 15
    "a \"b\",card\n"         // 16
    "\"open,card\n";         // 17

}  // namespace

TEST_CASE("check: texts with labels, every problem with its line, and the numbers") {
  const Scratch folder;
  put(folder / "a.csv", texts_and_labels);
  check_says(
      folder, check({folder / "a.csv", "--rare", "2", "--long-sentence", "5"}), 1,
      "a.csv:2: a text of 6 words\n"
      "a.csv:3: 3 fields, expected 2 as in its first record\n"
      "a.csv:4: a text of 6 words\n"
      "a.csv:4: 'where IS,  my card?' is also at a.csv:2, spelled differently, labelled 'card' there and "
      "'money' here\n"
      "a.csv:8: the text is blank: '  '\n"
      "a.csv:9: the text is empty\n"
      "a.csv:10: 'two\\nlines' is also at a.csv:6\n"
      "a.csv:12: no label\n"
      "a.csv:13: the invisible character U+200B in the text\n"
      "a.csv:14: bytes that are not UTF-8\n"
      "a.csv:15: label 'Card' (1 here) differs from 'card' by case only\n"
      "a.csv:15: rare label 'Card' (1 here)\n"
      "a.csv:16: a quote in a field that does not begin with one\n"
      "a.csv:17: a quote that is not closed: the rest of the file is one field\n"
      "a.csv: 8 texts, 19 words, 3 labels\n"
      "  words per text: min 0, median 2, 99 % 6, max 6 (line 2), mean 2.4\n"
      "  characters per text: min 0, median 4, 99 % 19, max 19 (line 4), mean 7.9\n"
      "  layout: 2 columns separated by ',': text in column 1 'text', label in column 2 'label'\n"
      "  met: 1 line ending in CR LF\n"
      "  a label has from 1 text (Card) to 5 texts (card)\n"
      "  2 empty texts, 2 texts repeat an earlier one (25.0 %), 1 with another label\n"
      "texts of each label, by file\n"
      "  card: 5 (62.5 %)\n"
      "  money: 2 (25.0 %)\n"
      "  Card: 1 (12.5 %)\n"
      "5 malformed records, 2 empty texts, 1 odd text, 2 long texts, 1 text labelled in two ways, 1 repeated text, 1 "
      "label with a variant spelling, 1 rare label\n");
}

TEST_CASE("check: what files of texts share, and what labels each lacks") {
  const Scratch folder;
  put(folder / "train.csv", "\xEF\xBB\xBFtext;label\na;x\nb;y\nc;z\n");
  put(folder / "dev.tsv", "label\ttext\nx\ta\nx\tB\nw\td\n");
  put(folder / "test.jsonl",
      "{\"text\":\"c\",\"label\":\"z\"}\n{\"text\":\"d\",\"label\":\"z\"}\n{\"text\":\"e\",\"label\":\"z\",\"answer\":"
      "\"reject\"}\n");
  const Ran ran = check({folder / "train.csv", folder / "dev.tsv", folder / "test.jsonl", "--rare", "0"});
  check_says(folder, ran, 0,
             "dev.tsv:2: 'a' is also at train.csv:2\n"
             "dev.tsv:3: 'B' is also at train.csv:3, spelled differently, labelled 'y' there and 'x' here\n"
             "dev.tsv:4: label 'w' (1 here) never occurs in train.csv\n"
             "test.jsonl: one label only: 'z'\n"
             "test.jsonl:1: 'c' is also at train.csv:4\n"
             "test.jsonl:2: 'd' is also at dev.tsv:4, labelled 'w' there and 'z' here\n"
             "train.csv: 3 texts, 3 words, 3 labels\n"
             "  words per text: min 1, median 1, 99 % 1, max 1 (line 2), mean 1.0\n"
             "  characters per text: min 1, median 1, 99 % 1, max 1 (line 2), mean 1.0\n"
             "  layout: 2 columns separated by ';': text in column 1 'text', label in column 2 'label'\n"
             "  met: 1 byte order mark\n"
             "  each label has 1 text\n"
             "dev.tsv: 3 texts, 3 words, 2 labels\n"
             "  words per text: min 1, median 1, 99 % 1, max 1 (line 2), mean 1.0\n"
             "  characters per text: min 1, median 1, 99 % 1, max 1 (line 2), mean 1.0\n"
             "  layout: 2 columns separated by TAB: text in column 2 'text', label in column 1 'label'\n"
             "  a label has from 1 text (w) to 2 texts (x)\n"
             "test.jsonl: 2 texts, 2 words, 1 label\n"
             "  words per text: min 1, median 1, 99 % 1, max 1 (line 1), mean 1.0\n"
             "  characters per text: min 1, median 1, 99 % 1, max 1 (line 1), mean 1.0\n"
             "  layout: JSON lines, each with a text and a label\n"
             "  met: 1 record not accepted\n"
             "texts of each label, by file\n"
             "  x: 1 (33.3 %) 2 (66.7 %) 0 (0.0 %)\n"
             "  z: 1 (33.3 %) 0 (0.0 %) 2 (100.0 %)\n"
             "  y: 1 (33.3 %) 0 (0.0 %) 0 (0.0 %)\n"
             "  w: 0 (0.0 %) 1 (33.3 %) 0 (0.0 %)\n"
             "dev.tsv shares with train.csv: 2 of 3 different texts (66.7 %), 1 with another label\n"
             "dev.tsv lacks 2 of the 3 labels of train.csv: y, z\n"
             "test.jsonl shares with train.csv: 1 of 2 different texts (50.0 %)\n"
             "test.jsonl lacks 2 of the 3 labels of train.csv: x, y\n"
             "test.jsonl shares with dev.tsv: 1 of 2 different texts (50.0 %), 1 with another label\n"
             "test.jsonl lacks 2 of the 2 labels of dev.tsv: x, w\n"
             "4 texts shared by files, 1 label unseen in the first file, 1 file with one label\n");
  CHECK(has(ran.err, "format      " + (folder / "dev.tsv") +
                         ": tsv, detected from its start; override with --input-format conll"));
  CHECK(times(ran.err, "format   ") == 1);
}

TEST_CASE("check: options say what no file does") {
  const Scratch folder;
  put(folder / "a.csv", "q|say \"hi|id\nyes|b|1\n");
  const Ran named =
      check({folder / "a.csv", "--text-column", "say \"hi", "--label-column", "q", "--delimiter", "|", "--no-quotes"});
  CHECK(has(named.out,
            "  layout: 3 columns separated by '|': text in column 2 'say \"hi', label in column 1 'q'; quotes are "
            "ordinary characters\n"));
  CHECK(has(named.out, "a.csv: 1 text, 1 word, 1 label\n"));
  const Ran numbers = check({folder / "a.csv", "--no-header", "--text-column", "2", "--label-column", "3",
                             "--delimiter", "|", "--no-quotes"});
  CHECK(has(numbers.out,
            "  layout: 3 columns separated by '|': text in column 2, label in column 3; no header; quotes are ordinary "
            "characters\n"));
  CHECK(has(numbers.out, "a.csv: 2 texts, 4 words, 2 labels\n"));
  put(folder / "b.tsv", "one two\tthree\n\"four\tfive\n");
  const Ran tabs = check({folder / "b.tsv", "--no-header", "--no-labels", "--delimiter", "TAB", "--no-quotes"});
  CHECK(has(tabs.out, "b.tsv: 2 texts, 4 words\n"));
  CHECK(!has(tabs.out, "label"));
  for (const char* tab : {"\\t", "\t", "tab"})
    CHECK(check({folder / "b.tsv", "--no-header", "--no-labels", "--delimiter", tab, "--no-quotes"}).out == tabs.out);
  const Ran usage = check({folder / "a.csv", "--delimiter", "ab"});
  CHECK(usage.exit == 2);
  CHECK(has(usage.err, "--delimiter: 'ab' is neither one character nor TAB"));
  put(folder / "c.jsonl", "{\"sentence\":\"a\",\"class\":1}\n");
  CHECK(has(check({folder / "c.jsonl", "--text-column", "sentence", "--label-column", "class"}).out,
            "c.jsonl: 1 text, 1 word, 1 label\n"));
  // what is there only once is not looked at: the command line says what it is
  CHECK(has(check({"-", "--input-format", "csv"}, {.input = "text,label\na,b\n"}).out, "standard input: 1 text, "));
  CHECK(has(check({"-", "--input-format", "tsv"}, {.input = "text\tlabel\na,c\tb\n"}).out, "standard input: 1 text, "));
  CHECK(has(check({"-", "--input-format", "labelled"}, {.input = "{\"text\":\"a\",\"label\":\"b\"}"}).out,
            "standard input: 1 text, "));
}

TEST_CASE("check: tables that cannot be read say why") {
  const Scratch folder;
  const auto refused = [&](const std::string& bytes, const std::string& sentence, std::vector<std::string> more = {}) {
    put(folder / "a.csv", bytes);
    more.insert(more.begin(), {"check", "--quiet", folder / "a.csv"});
    check_refused(run(more), sentence);
  };
  refused("", "entrain.text.4: " + (folder / "a.csv") + ": empty");
  refused("a,b\nc,d\n", "entrain.text.51: " + (folder / "a.csv") +
                            ":1: no column named text, expected one of the columns in its first record: a, b; name it "
                            "with --text-column, or use --no-header if the first record is data");
  refused("text,b\nc,d\n", "entrain.text.51: " + (folder / "a.csv") +
                               ":1: no column named label or category, expected one of the columns in its first "
                               "record: text, b; name it with --label-column, or use --no-header if the first record "
                               "is data, or use --no-labels if there are no labels");
  refused("a,b;c\nd,e;f\n", "entrain.text.52: " + (folder / "a.csv") + ":1: an ambiguous delimiter: , or ;",
          {"--no-header"});
  const std::string one_column = ":1: text and label both in column ",
                    name_two =
                        ", expected two columns; name them with --text-column and --label-column, or use --no-labels "
                        "if there are no labels\n";
  refused("text,label\na,b\n", "entrain.text.54: " + (folder / "a.csv") + one_column + "1 'text'" + name_two,
          {"--text-column", "text", "--label-column", "text"});
  refused("text,label\na,b\n", "entrain.text.54: " + (folder / "a.csv") + one_column + "2 'label'" + name_two,
          {"--text-column", "label"});
  refused("a,b\nc,d\n", "entrain.text.54: " + (folder / "a.csv") + one_column + "2" + name_two,
          {"--no-header", "--text-column", "2"});
  check_refused(run({"convert", "--quiet", folder / "a.csv", "--no-header", "--label-column", "1"}),
                "entrain.text.54: " + (folder / "a.csv") + one_column + "1" + name_two);
  check_refused(run({"convert", "--quiet", "-", "--input-format", "tsv", "--label-column", "text"},
                    {.input = "text\tlabel\na\tb\n"}),
                "entrain.text.54: standard input" + one_column + "1 'text'" + name_two);
  std::string many = "text,label\n";
  for (int i = 0; i < 70'000; ++i) many += "a," + std::to_string(i) + "\n";
  refused(many, "entrain.text.71: " + (folder / "a.csv") + ":");
  put(folder / "blank.csv", "\n\r\n");
  const Ran blank = check({folder / "blank.csv"});
  CHECK(blank.exit == 1);
  CHECK(has(blank.out, (folder / "blank.csv") + ": no texts in the file\n"));
  CHECK(has(blank.out, "  layout: blank lines\n"));
  CHECK(has(blank.out, "1 file without a text\n"));
  put(folder / "header.csv", "text,label\n");
  CHECK(check({folder / "header.csv"}).exit == 1);
}

TEST_CASE("check: of many findings twenty are listed, of many labels the frequent ones are shown") {
  const Scratch folder;
  std::string bytes = "text,label\n";
  for (int i = 0; i < 1500; ++i) bytes += std::to_string(i % 300) + ",l" + std::to_string(i % 250) + "\n";
  put(folder / "a.csv", bytes);
  const Ran ran = check({folder / "a.csv"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "\n1180 more texts labelled in two ways; --list all lists them\n"));
  CHECK(has(ran.out, "\n230 more rare labels; --list all lists them\n"));
  CHECK(times(ran.out, "labelled 'l") == 20);
  CHECK(times(ran.out, "rare label '") == 20);
  CHECK(times(check({folder / "a.csv", "--list", "3"}).out, "labelled 'l") == 3);
  CHECK(times(check({folder / "a.csv", "--list", "all"}).out, "labelled 'l") == 1200);
  CHECK(has(check({folder / "a.csv", "--list", "some"}).err, "--list: 'some' is neither a number from 0 nor all"));
  CHECK(has(ran.out, "  and 50 labels more\n"));
  CHECK(has(ran.out, "\n1200 texts labelled in two ways, 250 rare labels\n"));
}

TEST_CASE("check: raw text") {
  const Scratch folder;
  put(folder / "a.txt",
      "\xEF\xBB\xBF"
      "Ada met Bo. Bo met\r\nAda.\r\n\r\n"   // 1 to 3
      "the end \n\n \n"                      // 4 to 6
      "bad \xFF\xFE bytes\n"                 // 7
      "the end\n"                            // 8
      "a\x01 b\n"                            // 9
      "one two three four five six seven\n"  // 10
      "the end\t");                          // 11
  const std::string path = folder / "a.txt";
  const Ran ran = check({path, "--long-sentence", "15"});
  check_says(folder, ran, 1,
             "a.txt:7: byte 0xFF, number 5 of the line, is not UTF-8; 2 such bytes\n"
             "a.txt:7: a sentence of 18 words starts here\n"
             "a.txt:9: the control character U+0001 in the line\n"
             "a.txt: 3 paragraphs, 4 sentences, 28 words, 95 characters\n"
             "  words per sentence: min 2, median 4, 99 % 18, max 18 (line 7), mean 7.0\n"
             "  layout: text, one paragraph per text\n"
             "  met: 1 byte order mark, 3 lines ending in CR LF, 1 separator line of blanks\n"
             "  2 bytes are not UTF-8\n"
             "  2 of 8 lines that are not blank repeat an earlier one (25.0 %), such as line 8, equal to line 4\n"
             "1 line that is not UTF-8, 1 odd line, 1 long sentence\n");
  CHECK(has(ran.err, "format      " + path + ": text, detected from its start; override with --input-format conll\n"));
  const Ran lines = check({path, "--text-unit", "line", "--quiet"});
  CHECK(lines.err.empty());
  CHECK(has(lines.out, "a.txt: 8 lines, 9 sentences, 28 words, "));
  CHECK(has(lines.out, "  layout: text, one line per text\n"));
  CHECK(check({"-", "--input-format", "text"}, {.input = "Ada met Bo.\n"}).out ==
        "standard input: 1 paragraph, 1 sentence, 4 words, 11 characters\n"
        "  words per sentence: min 4, median 4, 99 % 4, max 4 (line 1), mean 4.0\n"
        "  layout: text, one paragraph per text\n"
        "  0 of 1 line that are not blank repeat an earlier one (0.0 %)\n"
        "nothing to report\n");
  check_says(folder, check({"-", "--input-format", "text"}, {.input = "\n \n"}), 1,
             "standard input: no words in the file\n"
             "standard input: 0 paragraphs, 0 sentences, 0 words, 1 character\n"
             "  words per sentence: none\n"
             "  layout: text, one paragraph per text\n"
             "  met: 1 separator line of blanks\n"
             "  0 of 0 lines that are not blank repeat an earlier one (-)\n"
             "1 file without a word\n");
  check_refused(check({"-", "--input-format", "text"}), "entrain.text.4: standard input: empty");
  std::string poem;
  for (int i = 0; i < 101; ++i) poem += "line number " + std::to_string(i) + "\n";
  CHECK(has(check({"-", "--input-format", "text"}, {.input = poem}).out,
            "  layout: text, one paragraph per text; if each line is a text, use --text-unit line\n"));
}

TEST_CASE("check: arrays of numbers") {
  const Scratch folder;
  const float nan = std::strtof("nan", nullptr), infinity = std::strtof("inf", nullptr);
  put(folder / "a.npy", npy("<f4", "(5, 3)",
                            bytes_of<float>({1, 7, -2,         //
                                             1, 7, nan,        //
                                             1, 7, -2,         //
                                             1, 7, -infinity,  //
                                             1, 7, nan})));
  check_says(
      folder, check({folder / "a.npy"}), 1,
      "a.npy: 2 NaN of 15 numbers, the first at array[1, 2]\n"
      "a.npy: 1 infinite number of 15 numbers, the first at array[3, 2]\n"
      "a.npy: 2 columns hold one number: 0, 1 of 3\n"
      "a.npy: 2 of 5 rows repeat an earlier one (40.0 %), such as array[2], equal to array[0]\n"
      "a.npy: shape (5, 3) of float32, row-major, version 1.0\n"
      "  values: min -2, max 7, mean 3\n"
      "1 file with NaN, 1 file with infinite numbers, 1 file with constant columns, 1 file with repeated rows\n");
  put(folder / "b.npy", npy("<f4", "(2, 3)", bytes_of<float>({1, 7, -2, 0, 0, 3})));
  put(folder / "y.npy", npy("<i8", "(5,)", bytes_of<std::int64_t>({1, 0, -3, 1, 1})));
  const Ran several = check({folder / "b.npy", folder / "a.npy", folder / "y.npy"});
  CHECK(has(several.out, "a.npy shares with " + (folder / "b.npy") + ": 1 of 3 different rows (33.3 %)\n"));
  CHECK(times(several.out, "shares with") == 1);
  CHECK(has(several.out,
            "y.npy: shape (5,) of int64, row-major, version 1.0\n"
            "  values: min -3, max 1, mean 0; 3 different: -3 (1), 0 (1), 1 (3)\n"));
  const Ran good = check({folder / "b.npy", "--quiet"});
  CHECK(good.exit == 0);
  CHECK(has(good.out, "\nnothing to report\n"));
  const Ran piped = check({"-", "--input-format", "npy"}, {.input = get(folder / "b.npy")});
  CHECK(has(piped.out, "standard input: shape (2, 3) of float32"));
  // what cannot be read is said, and the others are checked
  put(folder / "c.npy", npy("<f4", "(3, 2)", bytes_of<float>({1, 2, 3})));
  put(folder / "d.npy", npy("<f4", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6}), true));
  put(folder / "e.npy", npy("<i2", "(1,)", "ab"));
  put(folder / "f.npy", "no array");
  check_says(folder, check({folder / "c.npy", folder / "d.npy", folder / "e.npy", folder / "f.npy"}), 1,
             "c.npy: ends in row 2, expected 3 rows, as in its header; the file is truncated: copy it again\n"
             "d.npy: column-major order (fortran_order), expected row-major order; numpy.save(path, "
             "numpy.ascontiguousarray(array)) converts it\n"
             "e.npy: int16, expected int64; numpy.save(path, array.astype('<i8')) converts it\n"
             "f.npy: not a NumPy array, expected a file that numpy.save wrote; check the path\n"
             "c.npy: shape (3, 2) of float32, row-major, version 1.0\n"
             "d.npy: shape (2, 3) of float32, column-major, version 1.0\n"
             "e.npy: shape (1,) of int16, row-major, version 1.0\n"
             "f.npy: not read\n"
             "4 files that cannot be read\n");
}

TEST_CASE("check: files that hold different things are not compared, and what has no labels is not repaired") {
  const Scratch folder;
  put(folder / "a.conll", "a\tO\n\n");
  put(folder / "b.csv", "text,label\na,b\n");
  check_refused(check({folder / "a.conll", folder / "b.csv", "--quiet"}),
                "entrain.app.42: " + (folder / "b.csv") +
                    ": texts with one label each (csv), expected sentences of words with tags (conll), as in " +
                    (folder / "a.conll") + "; check them separately, or name their format with --input-format");
  check_refused(check({folder / "b.csv", "--fix", folder / "out", "--quiet"}),
                "entrain.app.36: --fix: " + (folder / "b.csv") +
                    " (csv), expected CoNLL files or JSON Lines; make JSON Lines of it: convert " + (folder / "b.csv") +
                    " --format jsonl");
  put(folder / "c.txt", "Ada met Bo.\n");
  check_refused(check({folder / "c.txt", "--fix", folder / "out", "--quiet"}),
                "entrain.app.36: --fix: " + (folder / "c.txt") +
                    " (text), which has no labels, expected CoNLL files or JSON Lines with labels");
}

TEST_CASE("formats: what a name leaves open is found by how a file begins, and is what it was before") {
  const Scratch folder;
  const auto taken = [&](const char* name, const std::string& bytes, std::vector<std::string> more = {}) {
    put(folder / name, bytes);
    more.insert(more.begin(), folder / name);
    const Ran ran = check(more);
    const std::string begin = "format      " + (folder / name) + ": ";
    const std::size_t at = ran.err.find(begin);
    return at == ran.err.npos ? std::string()
                              : ran.err.substr(at + begin.size(), ran.err.find(',', at) - at - begin.size());
  };
  // .tsv: columns, unless its first line names a text and a label
  CHECK(taken("a.tsv", "Ada\tB-PER\nmet\tO\n\n") == "conll");
  CHECK(taken("a.tsv", "text\ttag\nAda\tB-PER\n") == "conll");
  CHECK(taken("a.tsv", "Where is it?\tcard\n") == "conll");
  CHECK(taken("a.tsv", "text label\nAda B-PER\n") == "conll");
  CHECK(taken("a.tsv", "\n\"id\"\t\"text\"\t\"category\"\r\n1\ta\tb\r\n") == "tsv");
  CHECK(taken("a.tsv", "text\tlabel") == "tsv");
  CHECK(taken("a.tsv", "Where is it?\tcard\n", {"--no-header"}) == "tsv");
  CHECK(taken("a.tsv", "q\ty\na\tb\n", {"--text-column", "q", "--label-column", "y"}) == "tsv");
  CHECK(taken("a.tsv", "Ada\t[(0, 3, 'PER')]\n") == "annotated");
  CHECK(taken("a.tsv", "{\"text\":\"a\",\"label\":[]}\n") == "jsonl");
  // .txt: text, unless half of its lines have a tag
  const std::string columns = "# a comment\n-DOCSTART- -X- O\n\nAda NNP B-PER\nmet VBD O\nBo NNP\n";
  CHECK(taken("a.txt", columns) == "conll");
  CHECK(taken("a.txt", "Ada\tB-PER\nmet\tthis\n") == "conll");
  CHECK(taken("a.txt", "Ada\tB-PER\nmet\tthis\nBo\tthat\n") == "text");
  CHECK(taken("a.txt", "Ada\tB-PER\nmet\tthis\nBo\tthat\n", {"--tag-column", "1"}) == "conll");
  CHECK(taken("a.txt", "Ada\tB-PER\nmet\tthis\nBo\tthat\n", {"--scheme", "iob2"}) == "conll");
  CHECK(taken("a.txt", "I met vitamin B\nand I\n") == "text");
  CHECK(taken("a.txt", "Ada\nmet\n") == "text");
  CHECK(taken("a.txt", "a b\t[(0, 1, \"X\")]\n") == "annotated");
  CHECK(taken("a.txt", " {\"text\":\"a\",\"label\":1}\n") == "labelled");
  CHECK(taken("a", "I met vitamin B\n") == "conll");
  CHECK(taken("a", npy("|u1", "(1,)", "a")) == "npy");
  // names that leave nothing open, and what the command line says
  CHECK(taken("a.conll", columns) == "");
  CHECK(taken("a.csv", "text,label\na,b\n") == "");
  CHECK(taken("a.jsonl", "{\"text\":\"a\",\"label\":\"x\"}\n") == "");
  CHECK(taken("a.txt", columns, {"--input-format", "text"}) == "");
  put(folder / "a.txt", columns);
  CHECK(has(check({folder / "a.txt", "--input-format", "text"}).out, "a.txt: 2 paragraphs, "));
  put(folder / "a.jsonl", "{\"text\":\"a\",\"label\":\"x\"}\n");
  check_refused(run({"convert", folder / "a.jsonl", "--input-format", "jsonl", "--quiet"}),
                "entrain.text.42: " + (folder / "a.jsonl") +
                    ":1: a label that is not a list, expected a list of entities; for one label per text, use "
                    "--input-format labelled");
}

TEST_CASE("formats: a pipe with a name is not looked at ahead, and what comes out of it says what it looks like") {
  const Scratch folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto piped = [&](const std::string& command, const std::string& bytes) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      put(pipe, bytes);
      ::_exit(0);
    }
    const Ran ran = command == "predict" ? run({command, "-m", in_home("model"), pipe}) : run({command, pipe});
    ::waitpid(writer, nullptr, 0);
    return ran;
  };
  const Ran text = piped("predict", "Ada\tB-PER\nmet\tO\n");
  CHECK(text.exit == 0);
  CHECK(text.err ==
        "format      " + pipe + ": text, as it can be read only once; override with --input-format conll\n");
  const std::string
      json = "{\"tokens\": [\"Ada\", \"met\"], \"ner_tags\": [\"B-PER\", \"O\"]}\n",
      looks =
          ": it looks like JSON lines, expected a column of tags such as O, B-PER, I-PER; use --input-format jsonl\n",
      taken = ": conll, as it can be read only once; override with --input-format jsonl, for example\n";
  const Ran ran = piped("convert", json);
  CHECK(ran.exit == 1);
  CHECK(has(ran.err, "format      " + pipe + taken));
  CHECK(has(ran.err, "error: entrain.text.8: " + pipe + ": no tags in any of 6 columns" + looks));
  CHECK(!has(ran.err, "by how it begins"));
  // standard input is looked into: a file of its own here
  CHECK(has(run({"check", "-"}, {.input = json}).err,
            "format      standard input: jsonl, detected from its start; override with --input-format conll\n"));
  CHECK(has(run({"check", "-"}, {.input = "Ada\t[(0, 3, 'PER')]\n"}).err,
            "format      standard input: annotated, detected from its start; override with --input-format conll\n"));
  CHECK(has(piped("check", "Ada\t[(0, 3, 'PER')]\n").err,
            ": it looks like texts with annotations, expected a column of tags such as O, B-PER, I-PER; use "
            "--input-format annotated\n"));
  // of what looks like nothing else in particular the message says what to name, also where nothing else is said
  const auto refused = [](const Ran& of, const std::string& name, const std::string& found) {
    check_refused(of, "entrain.text.8: " + name + ": " + found +
                          ", expected a column of tags such as O, B-PER, I-PER; name it with --tag-column (a number "
                          "from 0, or last), or name another format with --input-format\n");
  };
  const std::string table = "text,label\na,b\n";
  refused(run({"check", "--quiet", "-"}, {.input = table}), "standard input", "one column, so no tags");
  refused(run({"convert", "--quiet", "-"}, {.input = "text\tlabel\na\tb\n"}), "standard input",
          "no tags in any of 2 columns");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--stream", "--labels", "PER", "--scheme", "iob2"}}) {
    std::vector<std::string> train{"train", "--quiet", "--train", "-", "--output", folder / "m", "--max-steps", "1"};
    train.insert(train.end(), more.begin(), more.end());
    refused(run(train, {.input = "Ada met Bo.\n\nBo met Ada.\n"}), "standard input", "no tags in any of 3 columns");
  }
  CHECK(has(
      piped("check", table).err,
      pipe +
          ": one column, so no tags, expected a column of tags such as O, B-PER, "
          "I-PER; name it with --tag-column (a number from 0, or last), or name another format with --input-format\n"));
  CHECK(has(
      run({"check", "-"}, {.input = sentences(2)}).err,
      "format      standard input: conll, detected from its start; override with --input-format jsonl, for example\n"));
  CHECK(has(piped("check", npy("|u1", "(1,)", "a")).err,
            "error: entrain.text.5: " + pipe +
                ": a NUL byte at offset 7, expected text in UTF-8; this looks like an array that numpy.save wrote: "
                "check and convert read it with --input-format npy\n"));
}

TEST_CASE("formats: training, evaluation and scores say why such files are none for them") {
  const Scratch folder;
  put(folder / "a.csv", "text,label\na,b\n");
  put(folder / "a.jsonl", "{\"text\":\"a\",\"label\":\"x\"}\n");
  put(folder / "a.txt", "Ada met Bo.\n");
  put(folder / "a.npy", npy("|u1", "(1,)", "a"));
  const std::string tagger = ", expected sentences of words with tags; ",
                    other =
                        "this program trains a tagger; ./dev train --task classify trains a classifier of texts; "
                        "--input-format conll reads columns\n",
                    annotate = "annotate their entities, or use --input-format conll if the files have columns";
  const auto refusal = [&](const char* name, const char* what) {
    return "entrain.app.41: " + (folder / name) + ": " + what + tagger;
  };
  const auto train = [&](const char* name, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"train", "--quiet", "--train", folder / name, "--output", folder / "m"});
    return run(more);
  };
  check_refused(train("a.csv"), refusal("a.csv", "texts with one label each (csv)") + other);
  check_refused(train("a.csv", {"--stream"}), refusal("a.csv", "texts with one label each (csv)") + other);
  check_refused(train("a.csv", {"--cache", folder / "c"}), refusal("a.csv", "texts with one label each (csv)") + other);
  check_refused(train("a.jsonl"), refusal("a.jsonl", "texts with one label each (labelled)") + other);
  check_refused(train("a.txt"), refusal("a.txt", "text without annotations (text)") + annotate);
  check_refused(train("a.txt", {"--input-format", "tsv"}), refusal("a.txt", "texts with one label each (tsv)") + other);
  check_refused(train("a.npy"),
                refusal("a.npy", "an array of numbers (npy)") + "batch::Npy reads it in a program of your own");
  check_refused(run({"evaluate", "--quiet", "--model", in_home("model"), "--test", folder / "a.csv"}),
                refusal("a.csv", "texts with one label each (csv)"));
  check_refused(run({"score", "--quiet", folder / "a.csv", folder / "a.csv"}),
                refusal("a.csv", "texts with one label each (csv)"));
}

TEST_CASE("check: real corpora keep their formats and their counts") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr || *data == '\0') {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string root = std::string(data) + "/";
  const Ran intents = check({root + "banking77/train.csv", root + "banking77/test.csv", "--quiet"});
  CHECK(intents.exit == 0);
  CHECK(has(intents.out, "banking77/train.csv: 10003 texts, "));
  CHECK(has(intents.out, " words, 77 labels\n"));
  CHECK(has(intents.out,
            "  a label has from 35 texts (contactless_not_working) to 187 texts (card_payment_fee_charged)\n"));
  CHECK(has(intents.out, "  0 empty texts, 4 texts repeat an earlier one (0.0 %)\n"));
  CHECK(has(intents.out, "banking77/test.csv: 3080 texts, "));
  CHECK(has(intents.out, "  each label has 40 texts\n"));
  CHECK(has(intents.out, "banking77/train.csv: 7 of 3079 different texts (0.2 %)\n"));
  const Ran tagged = check({root + "ncbi-disease/test.tsv"});
  CHECK(has(tagged.err, "ncbi-disease/test.tsv: conll, detected from its start; override with --input-format tsv"));
  CHECK(has(tagged.out, "ncbi-disease/test.tsv: 940 sentences, 24497 tokens, 960 entities"));
  const Ran lines = check({root + "sentence-polarity/pos.txt", "--text-unit", "line"});
  CHECK(lines.exit == 0);
  CHECK(has(lines.err, "sentence-polarity/pos.txt: text, detected from its start"));
  CHECK(has(lines.out, "sentence-polarity/pos.txt: 5331 lines, "));
  CHECK(has(lines.out, "  0 of 5331 lines that are not blank repeat an earlier one (0.0 %)\n"));
  const Ran book = check({root + "text/moby-dick.txt"});
  CHECK(has(book.err, "text/moby-dick.txt: text, detected from its start"));
}

TEST_CASE("formats: the report names the scheme that --scheme names, and that was read") {
  const Scratch folder;
  const std::string file = folder.file("v.conll", "Ada\tB-PER\nBo\tI-PER\nx\tO\n");
  const std::string read = "fits BIO; read as BIOES (as --scheme names)\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"convert", file, "--to", "iob2"},
        {"train", "--train", file, "--max-steps", "1", "--output", folder / "m"},
        {"train", "--train", file, "--max-steps", "1", "--output", folder / "m", "--stream"},
        {"score", file, file},
        {"evaluate", "-m", in_home("model"), file}}) {
    std::vector<std::string> with = command;
    with.insert(with.end(), {"--scheme", "iobes"});
    const Ran ran = run(with);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    CHECK(has(ran.err, read));
    CHECK(has(ran.err, "breaks BIOES"));
    CHECK(!has(ran.err, "read as BIO "));
    CHECK(has(run(command).err, "fits BIO; read as BIO (B- and I- occur)\n"));
  }
}

}  // namespace formats_test
