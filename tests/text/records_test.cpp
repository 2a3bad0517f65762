// tests > [text]
//
// Sources of records as stages: blocks of any size and any number of workers give what the whole file gives, and what
// is wrong is said with its file and line.
#include "entrain/text/records/records.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace records_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch;
using test::sentence;

namespace {

static_assert(batch::Divided<Jsonl<>> && batch::Divided<AnnotatedText<>>);

/// All that a corpus says, and what it counts, in an order that blocks do not change.
struct All {
  std::string text, problems;
  Met met;
  void add(const Corpus& c) {
    for (std::size_t k = 0, document = 0; k < c.sentences(); ++k) {
      const bool begins = document < c.document.size() && c.document[document] == k;
      document += begins;
      text += begins ? "document\n" : "sentence\n";
      for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i)
        text.append(c.where(i)).append(" ").append(c.token(i)).append(" ").append(c.tag_name(i)).append("\n");
    }
    for (const Problem& p : c.problems) problems += c.name + ":" + std::to_string(p.line) + ": " + p.reason + "\n";
    met += c.met;
  }
  friend bool operator==(const All& a, const All& b) {
    const auto numbers = [](const Met& m) {
      return std::vector<std::uint64_t>{
          m.lines,      m.separators,       m.crlf,        m.bom,         m.malformed,
          m.misaligned, m.overlapping,      m.outside,     m.unaccepted,  m.unlabelled,
          m.wordless,   m.joined_sentences, m.blank_words, m.annotations, m.empty_annotations};
    };
    return a.text == b.text && a.problems == b.problems && numbers(a.met) == numbers(b.met);
  }
};

template <class Stage> All rest_of(Stage& stage) {
  All all;
  for (Corpus c; stage.next(c);) all.add(c);
  return all;
}
template <class Source>
All in_blocks(const std::vector<std::string>& files, const RecordOptions& options, std::size_t bytes, int workers) {
  batch::Workers<Source> stage(Source(files, options, bytes), {workers, 3});
  stage.start(0, {});
  return rest_of(stage);
}

/// Lines of every kind, good and bad.
std::string json_lines(unsigned seed, int lines) {
  std::mt19937 draw(seed);
  std::string all;
  for (int i = 0; i < lines; ++i) {
    switch (draw() % 9) {
      case 0:
        all += R"({"tokens": ["Ada", "L\u00e9", "x"], "ner_tags": ["B-PER", "I-PER", "O"]})";
        break;
      case 1:
        all += R"({"text": "He left. Ada stayed.", "spans": [{"start": 9, "end": 12, "label": "PER"}]})";
        break;
      case 2:
        all += R"({"text": "He left. Ada stayed.", "label": [[0, 12, "PER"], [10, 20, "X"], [3, 99, "Y"]]})";
        break;
      case 3:
        all += R"({"tokenized_text": ["a", "b"], "ner": [[1, 1, "L)" + std::to_string(draw() % 3) + "\"]]}";
        break;
      case 4:
        all += "{\"text\": \"\xC3\xA9t\xC3\xA9 \xF0\x9F\x98\x80\", \"entities\": [[0, 3, \"T\"]], \"answer\": \"" +
               std::string(draw() % 2 ? "accept" : "reject") + "\"}\r";
        break;
      case 5:
        all += draw() % 2 ? "" : " \t";
        break;
      case 6:
        all += "{\"text\": broken";
        break;
      case 7:
        all += "\xFF\xFE";
        break;
      default:
        all += R"({"text": "", "entities": []})";
    }
    all += '\n';
  }
  return all;
}
std::string annotated_lines(unsigned seed, int lines) {
  std::mt19937 draw(seed);
  std::string all;
  for (int i = 0; i < lines; ++i) {
    switch (draw() % 5) {
      case 0:
        all += "He left. Ada stayed.\t[(9, 12, 'PER')]";
        break;
      case 1:
        all += "He left. Ada stayed.\t[(0, 12, \"PER\"), (10, 20, 'X'), (3, 99, 'Y')]\r";
        break;
      case 2:
        all += "no list";
        break;
      case 3:
        break;
      default:
        all += "\xC3\xA9 \xF0\x9F\x98\x80\t[(2, 3, 'L" + std::to_string(draw() % 3) + "')]";
    }
    if (i + 1 < lines) all += '\n';
  }
  return all;
}

template <class Source, class Lines> void any_blocks_and_workers(Lines lines) {
  const Scratch folder;
  const std::vector<std::string> files{folder.file("one", "\xEF\xBB\xBF" + lines(1, 60)),
                                       folder.file("two", lines(2, 3)), folder.file("three", lines(3, 40) + "\n\n")};
  for (const Misaligned misaligned : {Misaligned::snap, Misaligned::drop, Misaligned::error}) {
    RecordOptions options;
    options.lenient = true;
    options.misaligned = misaligned;
    const All whole = in_blocks<Source>(files, options, 1 << 20, 1);
    CHECK(whole.met.lines == 60 + 3 + 42 - (std::is_same_v<Source, AnnotatedText<>> ? 1 : 0));
    CHECK(whole.met.bom == 1);
    CHECK(whole.met.malformed > 10);
    CHECK(whole.met.separators > 5);
    CHECK(whole.met.joined_sentences + whole.met.malformed > 11);
    for (const std::size_t bytes : {1u, 7u, 50u, 200u, 1000u})
      for (const int workers : {0, 1, 2, 5}) CHECK(in_blocks<Source>(files, options, bytes, workers) == whole);
  }
}

TEST_CASE("JSON Lines: blocks of any size and any number of workers give the same") {
  any_blocks_and_workers<Jsonl<>>(json_lines);
}
TEST_CASE("annotated text: blocks of any size and any number of workers give the same") {
  any_blocks_and_workers<AnnotatedText<>>(annotated_lines);
}

TEST_CASE("a cursor resumes after what was taken, also in another program") {
  const Scratch folder;
  const std::vector<std::string> files{folder.file("one", json_lines(4, 30)), folder.file("two", json_lines(5, 30))};
  RecordOptions options;
  options.lenient = true;
  options.misaligned = Misaligned::snap;
  using Stage = batch::Workers<Jsonl<>>;
  const All whole = in_blocks<Jsonl<>>(files, options, 100, 1);
  Stage stage(Stage(Jsonl<>(files, options, 100), {2, 4}));
  stage.start(0, {});
  All before;
  for (Corpus c;;) {
    Stage other(Jsonl<>(files, options, 100), {2, 4});
    other.start(0, stage.cursor());
    All both = before;
    for (Corpus d; other.next(d);) both.add(d);
    CHECK(both == whole);
    if (!stage.next(c)) break;
    before.add(c);
  }
  CHECK(before == whole);
}

TEST_CASE("an error names its file and line, after all records before it") {
  const Scratch folder;
  std::string good, bad;
  for (int i = 0; i < 40; ++i) good += "{\"text\": \"a b\", \"entities\": [[0, 1, \"X\"]]}\n";
  bad = good;
  const std::size_t place = bad.find('\n', bad.size() / 2) + 1;
  const auto line = std::count(bad.begin(), bad.begin() + static_cast<std::ptrdiff_t>(place), '\n') + 1;
  const std::string one = folder.file("one", good), plain = folder.file("plain", good);
  for (const auto& [wrong, expected] : {std::pair<std::string, std::string>{"{\"text\": 1}\n", "entrain.text.40: "},
                                        {"{\"text\": \"abc\", \"entities\": [[0, 1, \"X\"]]}\n", "entrain.text.41: "},
                                        {"{}\n", "entrain.text.42: "},
                                        {"\xFF\n", "entrain.text.43: "}}) {
    const std::string two = folder.file("two", std::string(bad).insert(place, wrong));
    for (const int workers : {0, 1, 3})
      for (const std::size_t bytes : {1u, 100u, 100'000u}) {
        batch::Workers<Jsonl<>> stage(Jsonl<>({one, two, plain}, {}, bytes), {workers, 4});
        stage.start(0, {});
        std::size_t sentences = 0;
        const std::string error = sentence([&] {
          for (Corpus c; stage.next(c);) sentences += c.sentences();
        });
        CHECK(error.starts_with(expected + two + ":" + std::to_string(line) + ": "));
        if (bytes == 1) CHECK(sentences + 2 >= 40 + static_cast<std::size_t>(line) - 1);  // blocks of a line or two
        Corpus c;
        CHECK(!stage.next(c));
      }
  }
}

TEST_CASE("a file that is no text, or nothing, or nowhere") {
  const Scratch folder;
  const auto read = [](const std::string& path) { return sentence([&] { in_blocks<Jsonl<>>({path}, {}, 100, 1); }); };
  const std::string empty = folder.file("empty", ""), nul = folder.file("nul", std::string("{}\0", 3));
  CHECK(read(empty).starts_with("entrain.text.4: " + empty));
  CHECK(read(nul).starts_with("entrain.text.5: " + nul));
  CHECK(read(empty + "x").starts_with("entrain.text.1: "));
}

/// A user's own format: a word and its type on a line.
struct WordAndType {
  static void read(std::string_view bytes, const Where& where, const RecordOptions&, Record& record) {
    const std::size_t comma = bytes.find(',');
    if (comma == bytes.npos) refuse_record(where, "no comma", "word,type");
    record.text = bytes.substr(0, comma);
    record.has_text = record.has_annotations = true;
    record.annotations.push_back(
        {0, static_cast<std::int64_t>(count_code_points(record.text)), std::string(bytes.substr(comma + 1))});
  }
};

TEST_CASE("a user's own format is one function") {
  using Own = Records<WordAndType, Bio, Whitespace, WholeText>;
  static_assert(batch::Divided<Own>);
  CHECK(test::shown(test::corpus_of<Own>("Ada,PER\nNew York,LOC\n")) == "Ada/B-PER||New/B-LOC York/I-LOC");
  CHECK(sentence([] { test::corpus_of<Own>("Ada,PER\nx\n"); }) ==
        "entrain.text.42: f:2: no comma, expected word,type; check --list all lists every such line: correct them, or "
        "skip them with "
        "--lenient");
}

TEST_CASE("entities of two sentences do not touch, whatever the scheme asks") {
  const std::string line = "Ada met Bo. Cy Di ran.\t[(8, 11, \"PER\"), (12, 14, \"PER\"), (15, 17, \"PER\")]\n";
  CHECK(test::shown(test::corpus_of<AnnotatedText<Iob1>>(line)) ==
        "Ada/O met/O Bo/I-PER ./I-PER|Cy/I-PER Di/B-PER ran/O ./O");
  const Corpus io = test::corpus_of<AnnotatedText<Io>>(line);
  CHECK(test::shown(io) == "Ada/O met/O Bo/I-PER ./I-PER|Cy/I-PER Di/I-PER ran/O ./O");
  CHECK(io.met.merged_entities == 1);
}

TEST_CASE("where lines end") {
  CHECK(LineEnd::cut("") == 0);
  CHECK(LineEnd::cut("abc") == 0);
  CHECK(LineEnd::cut("a\nbc") == 2);
  CHECK(LineEnd::cut("a\n\n") == 3);
}

}  // namespace

}  // namespace records_test
