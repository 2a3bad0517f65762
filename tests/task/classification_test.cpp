// tests > [task]
#include "entrain/task/classification.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/text/corpus/in_words.hpp"
#include "entrain/text/csv/csv.hpp"
#include "entrain/text/records/labelled_json.hpp"
#include "tests/scratch.hpp"

namespace classification_test {
using namespace entrain;
using One = task::Classification<task::One>;
using Many = task::Classification<task::Many>;

namespace {
struct Taken {
  std::vector<std::int32_t> target;
};
text::Corpus three() {
  text::Texts texts;
  texts.name = "a.csv";
  for (const char* label : {"good", "bad", "odd"}) {
    texts.bytes += "a word";
    texts.add_label(label);
    texts.end_text(static_cast<std::uint32_t>(texts.size()) + 2);
  }
  return text::InWords<text::Whitespace>()(texts);
}
}  // namespace

TEST_CASE("classification: a target for each text; classes that are not among the labels are counted") {
  const text::Corpus corpus = three();
  const task::Classes labels({"bad", "good"});
  batch::GoldCounts counts;
  Taken one{std::vector<std::int32_t>(3, -7)};
  One::FileTargets<int>(labels).work()(corpus, one, counts);
  CHECK(one.target == std::vector<std::int32_t>{1, 0, -100});
  CHECK(counts.annotations == 3);
  CHECK(counts.unseen == 1);
  CHECK(counts.unseen_names == std::vector<std::string>{"odd"});

  struct {
    std::vector<LabelSet<128>> target = std::vector<LabelSet<128>>(3);
  } many;
  counts.clear();
  Many::FileTargets<int>(labels).work()(corpus, many, counts);
  CHECK(many.target[0].has(1));
  CHECK(!many.target[0].has(0));
  CHECK(many.target[1].has(0));
  CHECK(!is_target(many.target[2]));  // its only class is not known: it is no example of a text without classes
  CHECK(counts.unseen == 1);
}

TEST_CASE("classification: two classes of a text that has one are refused; more classes than the type holds, too") {
  text::Corpus corpus;
  corpus.name = "a.jsonl";
  corpus.classes.names = {"x", "y"};
  corpus.push("word", 7);
  corpus.end_sentence(std::vector<std::int32_t>{1, 0});
  const task::Classes labels({"x", "y"});
  batch::GoldCounts counts;
  Taken one{std::vector<std::int32_t>(1)};
  CHECK(test::sentence([&] { One::FileTargets<int>(labels).work()(corpus, one, counts); }) ==
        "entrain.task.5: a.jsonl:7: 2 classes, 'y' and 'x', expected one class for each text; remove one, or use "
        "task::Classification<task::Many>");
  CHECK(Many::target_of(corpus, 0, labels, counts).has(0));

  std::vector<std::string> names;
  for (int k = 0; k < 129; ++k) names.push_back("c" + std::to_string(k));
  const task::Classes more(names);
  CHECK(test::sentence([&] { Many::FileTargets<int> taken(more); }) ==
        "entrain.task.6: classes: 129 classes, expected at most 128, as the type of the task says; use "
        "task::Classification<task::ManyOf<192>>");
}

TEST_CASE("classification: labels in config.json, and those of a tagger are refused") {
  checkpoint::Config config;
  One::write_labels(task::Classes({"b", "a"}), config);
  CHECK(config.labels == std::vector<std::string>{"b", "a"});
  CHECK(One::read_labels(config, "config.json").find("a") == 1);
  config.scheme = "BIO";
  CHECK(test::sentence([&] { One::read_labels(config, "m/config.json"); }) ==
        "entrain.task.4: m/config.json: labels of tagging in BIO, expected classes of texts; run the program that "
        "trained the model");
}

TEST_CASE("texts in words: each text is a sentence with its class, and texts without a word are listed") {
  const test::Scratch folder;
  test::put(folder / "a.csv", "text,label\n\"good, really\",x\n  ,y\nbad,y\n");
  test::put(folder / "b.jsonl", "{\"text\": \"one two\", \"label\": \"z\"}\n{\"text\": \"three\", \"label\": \"x\"}\n");
  text::Corpus all = text::read_in_words<text::UnicodeWords>(text::Csv({folder / "a.csv"}));
  REQUIRE(all.sentences() == 2);
  CHECK(all.size() == 4);
  CHECK(all.token(1) == ",");
  CHECK(all.where(3) == (folder / "a.csv") + ":4");
  REQUIRE(all.problems.size() == 1);
  CHECK(all.problems[0].line == 3);
  CHECK(all.problems[0].reason == "a text without a word, left out");
  CHECK(all.met.wordless == 1);
  all.append(text::read_in_words<text::Whitespace>(text::LabelledJson({folder / "b.jsonl"})));
  REQUIRE(all.sentences() == 4);
  CHECK(all.classes.names == std::vector<std::string>{"x", "y", "z"});
  std::vector<std::string> classes;
  for (std::size_t s = 0; s < 4; ++s) {
    REQUIRE(all.classes_of(s).size() == 1);
    classes.push_back(all.classes.names[static_cast<std::size_t>(all.classes_of(s)[0])]);
  }
  CHECK(classes == std::vector<std::string>{"x", "y", "z", "x"});
  CHECK(all.document.size() == 4);
}

TEST_CASE("a corpus whose parts have classes and have none") {
  text::Corpus all;
  all.push("none", 1);
  all.end_sentence();
  all.append(three());
  all.push("none", 9);
  all.end_sentence();
  REQUIRE(all.sentences() == 5);
  CHECK(all.classes_of(0).empty());
  CHECK(all.classes_of(1).size() == 1);
  CHECK(all.classes_of(4).empty());
  text::Corpus twice;
  twice.append(all);
  twice.append(all);
  CHECK(twice.classes_of(4).empty());
  CHECK(twice.classes_of(5).empty());
  CHECK(twice.classes.names[static_cast<std::size_t>(twice.classes_of(8)[0])] == "odd");
  twice.clear();
  CHECK(twice.classes.names.empty());
  CHECK(twice.classes_of(0).empty());
}

}  // namespace classification_test
