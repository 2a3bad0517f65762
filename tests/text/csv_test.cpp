// tests > [text]
//
// Comma-separated values: against Python's csv module (golden/csv.txt), against a reader that goes letter by letter,
// and a corpus whose counts are known.
#include "entrain/text/csv/csv.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "tests/scratch.hpp"
#include "tests/text/csv_by_letter.hpp"

namespace csv_test {
using namespace entrain;
using namespace entrain::text;

namespace {

static_assert(batch::Divided<Csv>);

using test::Scratch, test::sentence, test::csv_row;
std::string shown(const Texts& t) {
  std::string s;
  for (std::size_t i = 0; i < t.size(); ++i) s += csv_row(t.line[i], t.text(i), t.label_name(i));
  return s;
}

struct Read {
  std::string rows, problems;
  Met met;
};
template <class S> Read rest_of(S& stage) {
  Read all;
  for (Texts texts; stage.next(texts);) {
    all.rows += shown(texts);
    for (const Problem& p : texts.problems)
      all.problems += texts.name + ":" + std::to_string(p.line) + ": " + p.reason + "\n";
    all.met.lines += texts.met.lines, all.met.separators += texts.met.separators;
    all.met.crlf += texts.met.crlf, all.met.bom += texts.met.bom, all.met.malformed += texts.met.malformed;
  }
  return all;
}
Read read(const std::vector<std::string>& files, const CsvOptions& options = {}, std::size_t block = 1 << 18,
          int workers = 0) {
  batch::Workers<Csv> stage(Csv(files, options, block), {workers});
  stage.start(0, {});
  return rest_of(stage);
}

CsvOptions lenient() {
  CsvOptions options;
  options.lenient = true;
  return options;
}
CsvOptions with(char delimiter) {
  CsvOptions options;
  options.delimiter = delimiter;
  return options;
}
CsvOptions columns(const std::string& text, const std::string& label, bool header = true) {
  CsvOptions options;
  options.text = text, options.label = label, options.header = header;
  return options;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  if (hex != "-")
    for (std::size_t i = 0; i < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST_CASE("records and fields are those of Python's csv module") {
  std::ifstream golden(std::string(ENTRAIN_SOURCE_DIR) + "/tests/text/golden/csv.txt");
  const Scratch folder;
  std::string path, expected;
  char delimiter = ',';
  int files = 0, rows = 0, bad = 0;
  const auto compare = [&] {
    if (path.empty()) return;
    ++files;
    for (const std::size_t block : {std::size_t{1}, std::size_t{20}, std::size_t{1} << 18}) {
      if (expected == "bad") {
        CHECK(sentence([&] { read({path}, with(delimiter), block); }).starts_with("entrain.text.50: " + path + ":"));
        continue;
      }
      CHECK(read({path}, with(delimiter), block).rows == expected);
      CHECK(read({path}, {}, block).rows == expected);  // found out
    }
  };
  for (std::string line; std::getline(golden, line);) {
    std::istringstream in(line);
    std::string word, a, b, c;
    in >> word >> a >> b >> c;
    if (word == "file") {
      compare();
      path = folder.file("a.csv", from_hex(b));
      delimiter = static_cast<char>(std::stoi(a));
      expected.clear();
    } else if (word == "bad") {
      expected = "bad";
      ++bad;
    } else {
      expected += csv_row(std::stoul(a), from_hex(b), from_hex(c));
      ++rows;
    }
  }
  compare();
  CHECK(files > 400);
  CHECK(rows > 1000);
  CHECK(bad >= 6);
}

TEST_CASE("any letters: the records of a reader that goes letter by letter, in blocks of any size") {
  const Scratch folder;
  std::mt19937 draw(17);
  std::uint64_t rows = 0, bad = 0;
  for (int k = 0; k < 1500; ++k) {
    std::string bytes = "text,label\n";
    for (int n = static_cast<int>(draw() % 40); n > 0; --n) bytes += "ab,,\"\"\n\r"[draw() % 8];
    const std::string path = folder.file("a.csv", bytes);
    const test::CsvByLetter expected(bytes, {{}, 2, 0, 1, 1});
    CAPTURE(bytes);
    for (const std::size_t block : {std::size_t{1}, std::size_t{2 + draw() % 30}, std::size_t{1} << 18}) {
      const Read got = read({path}, lenient(), block);
      CHECK(got.rows == expected.rows);
      CHECK(got.met.malformed == expected.bad);
    }
    rows += !expected.rows.empty(), bad += expected.bad;
  }
  CHECK(rows > 50);
  CHECK(bad > 300);
}

const std::string table =
    "id,label,text\r\n1,good,\"a \"\"fine\"\" one, really\"\r\n2,bad,\"two\nlines\"\r\n\r\n3,good,\r\n4,\"so, "
    "so\",last";

TEST_CASE("the same for any size of blocks and any number of workers, from any block on, over shards") {
  const Scratch folder;
  const std::vector<std::string> files{folder.file("a.csv", "\xEF\xBB\xBF" + table),
                                       folder.file("b.tsv", "text\tcategory\n\"t\tt\"\tgood\nu\tworse\n"),
                                       folder.file("c.csv", "\n\nlabel;text;x\ngood;\"a;b\";\"\"\nbad;c;1\n\n")};
  const std::string whole = csv_row(2, "a \"fine\" one, really", "good") + csv_row(3, "two\nlines", "bad") +
                            csv_row(6, "", "good") + csv_row(7, "last", "so, so") + csv_row(2, "t\tt", "good") +
                            csv_row(3, "u", "worse") + csv_row(4, "a;b", "good") + csv_row(5, "c", "bad");
  for (std::size_t block = 1; block < 120; block += block < 30 ? 1 : 17) {
    const int workers = static_cast<int>(block % 4);
    const Read all = read(files, {}, block, workers);
    CHECK(all.rows == whole);
    CHECK(all.met.lines == 7 + 3 + 6);
    CHECK(all.met.crlf == 5);
    CHECK(all.met.bom == 1);
    CHECK(all.met.separators == 1 + 3);
    batch::Workers<Csv> stage(Csv(files, {}, block), {workers});
    stage.start(0, {});
    std::string before;
    for (Texts texts;;) {
      batch::Workers<Csv> again(Csv(files, {}, block), {3 - workers});
      again.start(0, stage.cursor());
      CHECK(before + rest_of(again).rows == whole);
      if (!stage.next(texts)) break;
      before += shown(texts);
    }
  }
}

TEST_CASE("a header of many bytes is seen, and a block may begin after it") {
  const Scratch folder;
  std::string header = "text";
  for (int i = 0; i < 3000; ++i) header += ",column " + std::to_string(i);
  std::string rows;
  for (int r = 0; r < 5; ++r) {
    rows += "t" + std::to_string(r);
    for (int i = 0; i < 3000; ++i) rows += ",";
    rows += ",l\n";
  }
  const std::string path = folder.file("wide.csv", header + ",label\n" + rows);
  std::string expected;
  for (std::uint64_t r = 0; r < 5; ++r) expected += csv_row(2 + r, "t" + std::to_string(r), "l");
  CHECK(read({path}, {}, 100).rows == expected);
  batch::InTurn<Csv> stage(Csv({path}, {}, 100));
  stage.start(0, {});
  Texts texts;
  while (stage.next(texts) && texts.size() == 0) continue;
  const auto at = stage.cursor();
  batch::InTurn<Csv> again(Csv({path}, {}, 100));
  again.start(0, at);
  CHECK(shown(texts) + rest_of(again).rows == expected);
}

TEST_CASE("columns by name, by number, or as usual; delimiters by option or found out") {
  const Scratch folder;
  const std::string named = folder.file("a.csv", "Utterance,Intent,text\nx,y,z\n"),
                    bare = folder.file("b.csv", "one;a, b\ntwo;c\nthree;d, e, f\n"),
                    pipes = folder.file("c.csv", "text|label\na,b|c\n"),
                    literal = folder.file("d.tsv", "text\tlabel\n5\" tape\tp\n\"no\" is \"no\tq\n");
  CHECK(read({named}, columns("Utterance", "Intent")).rows == csv_row(2, "x", "y"));
  CHECK(read({named}, columns("1", "2")).rows == csv_row(2, "x", "y"));
  CHECK(read({named}, columns("", "Intent")).rows == csv_row(2, "z", "y"));
  CHECK(read({bare}, columns("", "", false)).rows ==
        csv_row(1, "one", "a, b") + csv_row(2, "two", "c") + csv_row(3, "three", "d, e, f"));
  CHECK(read({bare}, columns("2", "1", false)).rows ==
        csv_row(1, "a, b", "one") + csv_row(2, "c", "two") + csv_row(3, "d, e, f", "three"));
  CHECK(read({pipes}, with('|')).rows == csv_row(2, "a,b", "c"));
  CsvOptions options;
  options.quotes = false;
  CHECK(read({literal}, options).rows == csv_row(2, "5\" tape", "p") + csv_row(3, "\"no\" is \"no", "q"));
  options = {};
  options.labels = false;
  CHECK(read({named}, options).rows == csv_row(2, "z", ""));
  const std::string alone = folder.file("e.csv", "text\n\"a, b\"\n\nc\n");
  CHECK(read({alone}, options).rows == csv_row(2, "a, b", "") + csv_row(4, "c", ""));
}

TEST_CASE("a first line that names the delimiter, as Excel has it") {
  const Scratch folder;
  const auto rows = [&](const std::string& bytes, const CsvOptions& options = {}) {
    const std::string path = folder.file("a.csv", bytes);
    std::string all;
    for (const std::size_t block : {std::size_t{1}, std::size_t{1} << 18}) {
      all = read({path}, options, block).rows;
      CHECK(read({path}, options).rows == all);
    }
    return all;
  };
  CHECK(rows("sep=;\r\ntext;label\r\na,b;x\r\n") == csv_row(3, "a,b", "x"));
  CHECK(rows("\xEF\xBB\xBFsep=|\ntext|label\na|x\n") == csv_row(3, "a", "x"));
  CHECK(rows("sep=\t\ntext\tlabel\na\tx\n") == csv_row(3, "a", "x"));
  CHECK(rows("sep=;\na;x\n", columns("", "", false)) == csv_row(2, "a", "x"));
  CHECK(rows("sep=;\ntext,label\na;b,x\n", with(',')) == csv_row(3, "a;b", "x"));  // who says it knows better
  CHECK(rows("sep=;\n\n").empty());
  CHECK_THROWS_WITH(rows("sep=\xFF\na,x\n", columns("", "", false)),  // a part of a letter separates nothing
                    doctest::Contains(":1: no column 2, expected a number from 1 to 1"));
  CHECK(rows("text,label\nsep=;,x\n") == csv_row(2, "sep=;", "x"));
  CsvOptions commas = columns("", "", false);
  commas.delimiter = ',';
  CHECK(rows("sep=;;,x\n", commas) == csv_row(1, "sep=;;", "x"));
}

TEST_CASE("columns that are not there, and delimiters that may be several") {
  const Scratch folder;
  const std::string named = folder.file("a.csv", "\nUtterance;Intent;text\nx;y;z\n"),
                    both = folder.file("b.csv", "a,b;c\nd,e;f\n"), cr = folder.file("c.csv", "text,label\ra,b\r");
  CHECK(sentence([&] { read({named}); }) ==
        "entrain.text.51: " + named +
            ":2: no column named label or category, expected one of the columns in its first record: Utterance, "
            "Intent, text; name it with --label-column, or use --no-header if the first record is data, or use "
            "--no-labels if there are no labels");
  CHECK(sentence([&] {
          read({named}, columns("Text", "Intent"));
        }).starts_with("entrain.text.51: " + named + ":2: no column named Text, "));
  CHECK(sentence([&] {
          read({named}, columns("4", "Intent"));
        }).starts_with("entrain.text.51: " + named + ":2: no column named 4, "));
  CHECK(sentence([&] { read({named}, columns("0", "Intent")); }).starts_with("entrain.text.51: "));
  CHECK(sentence([&] { read({named}, columns("1x", "Intent")); }).starts_with("entrain.text.51: "));
  CHECK(sentence([&] { read({named}, columns("1", "7", false)); }) ==
        "entrain.text.51: " + named +
            ":2: no column 7, expected a number from 1 to 3; name it with --label-column, or use --no-labels if there "
            "are no labels");
  CHECK(sentence([&] { read({both}, columns("", "", false)); }) ==
        "entrain.text.52: " + both +
            ":1: an ambiguous delimiter: , or ;, expected one of them; name it with --delimiter");
  CHECK(sentence([&] {
          read({named}, with('"'));
        }).starts_with("entrain.text.52: " + named + ": a quote or a line end as delimiter"));
  CHECK(sentence([&] { read({cr}); }) ==
        "entrain.text.10: " + cr + ": lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'");
  const std::string none = folder.file("none.csv", ""), blank = folder.file("blank.csv", "\n\r\n\n");
  CHECK(sentence([&] { read({none}); }) == "entrain.text.4: " + none + ": empty, expected text");
  CHECK(read({blank}).rows.empty());
  CHECK(read({folder.file("header.csv", "text,label")}).rows.empty());
}

TEST_CASE("text and label in one column are refused, however it is named") {
  const Scratch folder;
  const std::string named = folder.file("a.csv", "\ntext;a\tb;label\nx;y;z\n"),
                    bare = folder.file("b.csv", "a,b\nc,d\n"), alone = folder.file("c.csv", "text\nx\n"),
                    twice = folder.file("d.csv", "text,text\nx,y\n"), two = folder.file("e.csv", "a,b;c\nd,e;f\n");
  const auto refused = [](const std::string& path, const CsvOptions& options, const std::string& found) {
    for (const std::size_t block : {std::size_t{1}, std::size_t{1} << 18})
      CHECK(sentence([&] { read({path}, options, block); }) ==
            "entrain.text.54: " + path + ":" + found +
                ", expected two columns; name them with --text-column and --label-column, or use --no-labels if there "
                "are no labels");
  };
  const std::string both = "text and label both in column ";
  refused(named, columns("text", "text"), "2: " + both + "1 'text'");
  refused(named, columns("a\tb", "2"), "2: " + both + "2 'a\\tb'");
  refused(named, columns("3", "3"), "2: " + both + "3 'label'");
  refused(named, columns("label", ""), "2: " + both + "3 'label'");  // where a label is usual
  refused(named, columns("", "1"), "2: " + both + "1 'text'");
  refused(bare, columns("1", "1", false), "1: " + both + "1");
  refused(bare, columns("2", "", false), "1: " + both + "2");
  refused(alone, columns("", "text"), "1: " + both + "1 'text'");
  refused(twice, columns("text", "text"), "1: " + both + "1 'text'");
  refused(two, columns("2", "2", false), "1: " + both + "2");  // whatever separates them
  CHECK(read({twice}, columns("1", "2")).rows == csv_row(2, "x", "y"));
  // with ; both would be in column 1, which is called 2; with , the label is in column 2
  CHECK(read({folder.file("f.csv", "2;x,y\na;b,c\n")}, columns("1", "2")).rows == csv_row(2, "a;b", "c"));
  CsvOptions options = columns("text", "text");
  options.labels = false;  // the label is not asked for
  CHECK(read({named}, options).rows == csv_row(3, "x", ""));
}

TEST_CASE("a column that is found by its name must have a name of its own") {
  const Scratch folder;
  const std::string file = folder.file("a.csv", "text,label,text,label\na,b,c,d\n");
  CHECK(sentence([&] { read({file}, {}); }) ==
        "entrain.text.51: " + file +
            ":1: column 'text' twice, columns 1 and 3, expected one; name one by its number, as in "
            "--text-column 1");
  CHECK(sentence([&] { read({file}, columns("3", "label")); }) ==
        "entrain.text.51: " + file +
            ":1: column 'label' twice, columns 2 and 4, expected one; name one by its number, as in "
            "--label-column 2");
  CHECK(read({file}, columns("3", "2")).rows == csv_row(2, "c", "b"));
  CsvOptions options = columns("3", "");
  options.labels = false;  // labels are not read
  CHECK(read({file}, options).rows == csv_row(2, "c", ""));
}

TEST_CASE("what is wrong with a record, by its first line; lenient reading leaves it out and counts it") {
  const Scratch folder;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a\n", "1 field, expected 2 as in its first record"},
      {"a,b,c\n", "3 fields, expected 2 as in its first record"},
      {"\"x\ny\",b,\n", "3 fields, expected 2 as in its first record"},
      {"a,\n", "no label"},
      {"a,\"\"\n", "no label"},
      {"5\" tape,b\n", "a quote in a field that does not begin with one"},
      {"a,b \"\"\n", "a quote in a field that does not begin with one"},
      {"\"a\"b,c\n", "text after a closing quote"},
      {"a,\"b\" \n", "text after a closing quote"},
      {"a\rb,c\n", "a carriage return in a field without quotes"},
      {"a,b\r\r\n", "a carriage return in a field without quotes"},
      {"caf\xE9,b\n", "bytes that are not UTF-8"},
  };
  for (const auto& [record, reason] : cases) {
    const std::string path = folder.file("a.csv", "text,label\n\"p\nq\",r\n" + record + "s,t\n");
    CAPTURE(record);
    CHECK(sentence([&] { read({path}); }) ==
          "entrain.text.50: " + path + ":4: " + reason + "; correct it, or skip such records with --lenient");
    const std::string s_line = std::to_string(5 + std::count(record.begin(), record.end() - 1, '\n'));
    for (const std::size_t block : {1u, 13u, 1000u}) {
      const Read got = read({path}, lenient(), block, 2);
      CHECK(got.rows == csv_row(2, "p\nq", "r") + csv_row(std::stoul(s_line), "s", "t"));
      CHECK(got.problems == path + ":4: " + reason + "\n");
      CHECK(got.met.malformed == 1);
    }
  }
  const std::string open = folder.file("open.csv", "text,label\na,b\n\"c,d\ne,f\n");
  CHECK(sentence([&] { read({open}); })
            .starts_with("entrain.text.50: " + open +
                         ":3: a quote that is not closed: the rest of the file is one field; "));
  CHECK(read({open}, lenient()).rows == csv_row(2, "a", "b"));
}

TEST_CASE("a long field with quotes in it is passed once, not once a quote") {
  // with a search for the line's end at each quote this would take a quarter of an hour
  std::string record;
  while (record.size() < std::size_t{1} << 23) record += "a\"";
  record += ",x\n";
  CHECK(csv_record_end(record, 0, {}) == record.size());
  CHECK(csv_record_end(record + "b,\"y\nz\"\n", record.size(), {}) == record.size() + 8);
}

TEST_CASE("a quote that stays open is given up after 16 MiB") {
  const Scratch folder;
  std::string bytes = "text,label\na,b\n\"";
  while (bytes.size() < (std::size_t{1} << 24) + 100) bytes.append(1 << 20, 'x').append(",y\n");
  const std::string path = folder.file("open.csv", bytes);
  CHECK(sentence([&] { read({path}); }) ==
        "entrain.text.30: " + path +
            ":3: 16777216 bytes without the end of a record, expected at most 16777216; "
            "if a quote is not closed, --no-quotes reads quotes as ordinary characters");
}

TEST_CASE("labels of all blocks have one list of numbers") {
  const Scratch folder;
  std::string bytes = "text,label\n";
  for (int i = 0; i < 300; ++i) bytes += "t," + std::string(1, static_cast<char>('a' + i * i % 17)) + "\n";
  const std::string path = folder.file("a.csv", bytes);
  std::vector<std::int32_t> expected;
  Types known;
  for (int i = 0; i < 300; ++i) expected.push_back(known.add(std::string(1, static_cast<char>('a' + i * i % 17))));
  for (const std::size_t block : {10u, 100u, 100'000u}) {
    batch::Workers<Csv> stage(Csv({path}, {}, block), {2});
    stage.start(0, {});
    Types all;
    std::vector<std::int32_t> numbers, again;
    for (Texts texts; stage.next(texts);) {
      append_labels(texts, all, numbers);
      append_known_labels(texts, known, again);
    }
    CHECK(numbers == expected);
    CHECK(again == expected);
    CHECK(all.names() == known.names());
  }
  batch::InTurn<Csv> stage(Csv({path}));
  stage.start(0, {});
  Texts texts;
  std::vector<std::int32_t> numbers;
  REQUIRE(stage.next(texts));
  CHECK(sentence([&] {
          append_known_labels(texts, Types({"a", "b"}), numbers);
        }) ==
        "entrain.text.53: " + path + ":4: label 'e', expected one of the 2 labels that are known; check the spelling");
}

TEST_CASE("banking77: as many rows, classes, line feeds, commas and quotes as its description counts") {
  const char* data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  struct Counts {
    std::string file;
    std::size_t rows, least, most, line_feeds, commas, quotes;
  };
  for (const Counts& c :
       {Counts{"train.csv", 10'003, 35, 187, 10, 1341, 21}, Counts{"test.csv", 3080, 40, 40, 3, 373, 8}}) {
    const std::string path = std::string(data) + "/banking77/" + c.file;
    for (const std::size_t block : {std::size_t{900}, std::size_t{1} << 18}) {
      batch::Workers<Csv> stage(Csv({path}, {}, block), {2});
      stage.start(0, {});
      Types all;
      std::vector<std::int32_t> numbers;
      std::size_t line_feeds = 0, commas = 0, quotes = 0;
      for (Texts texts; stage.next(texts);) {
        append_labels(texts, all, numbers);
        for (std::size_t i = 0; i < texts.size(); ++i) {
          line_feeds += texts.text(i).find('\n') != std::string_view::npos;
          commas += texts.text(i).find(',') != std::string_view::npos;
          quotes += texts.text(i).find('"') != std::string_view::npos;
        }
      }
      CHECK(numbers.size() == c.rows);
      CHECK(all.size() == 77);
      std::vector<std::size_t> of(77);
      for (const std::int32_t n : numbers) ++of[static_cast<std::size_t>(n)];
      CHECK(*std::min_element(of.begin(), of.end()) == c.least);
      CHECK(*std::max_element(of.begin(), of.end()) == c.most);
      CHECK(line_feeds == c.line_feeds);
      CHECK(commas == c.commas);
      CHECK(quotes == c.quotes);
    }
  }
}

}  // namespace

}  // namespace csv_test
