// tests > [text]
#include "entrain/text/tags/labels.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace labels_test {
using namespace entrain;
using namespace entrain::text;

TEST_CASE("split_tag: at the first '-' only") {
  CHECK(split_tag("B-creative-work") == RawTag{'B', "creative-work"});
  CHECK(split_tag("S--") == RawTag{'S', "-"});
  CHECK(split_tag("O") == RawTag{'O', ""});
  CHECK(split_tag("I") == RawTag{'I', ""});
  CHECK(split_tag("M-\xc3\xa9t\xc3\xa9") == RawTag{'M', "\xc3\xa9t\xc3\xa9"});
  for (auto tag : {"O", "B", "B-creative-work", "S--"}) {
    const auto raw = split_tag(tag);
    CHECK(join_tag(raw->part, raw->type) == tag);
  }
}

TEST_CASE("split_tag: malformed tags, seen in real files, have a reason each") {
  for (std::string_view tag :
       {"", "v", "b-per", "O-LOC", "B_LOC", "B.PER", "BPER", "B-", "-", "-LOC", "PER-B", "\xff", "O "}) {
    CHECK_FALSE(split_tag(tag).has_value());
    CHECK_FALSE(tag_problem(tag).empty());
  }
  CHECK(tag_problem("") == "the tag is empty");
  CHECK(tag_problem("O-LOC") == "O has no type");
  CHECK(tag_problem("v") == "the first letter is not one of O B I E S L U M");
  CHECK(tag_problem("B_LOC") == "no '-' after the first letter");
  CHECK(tag_problem("B-") == "no type after the '-'");
  CHECK(tag_problem("B-LOC") == "");
}

TEST_CASE("Labels: O, then every part of every type, in the order given") {
  const Labels<Bioes> labels({"person", "creative-work"});
  const std::vector<std::string> expected{"O",
                                          "B-person",
                                          "I-person",
                                          "E-person",
                                          "S-person",
                                          "B-creative-work",
                                          "I-creative-work",
                                          "E-creative-work",
                                          "S-creative-work"};
  REQUIRE(labels.count() == static_cast<std::int32_t>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(labels.name(static_cast<Tag>(i)) == expected[i]);
    CHECK(labels.find(expected[i]) == static_cast<Tag>(i));
  }
  for (auto tag : {"B-place", "L-person", "B_person", "", "B"}) CHECK_FALSE(labels.find(tag).has_value());
}

TEST_CASE_TEMPLATE("Labels: 1,000 types", S, Io, Iob1, Bio, Bioes, Bilou, Bmes) {
  std::vector<std::string> types;
  for (int i = 0; i < 1000; ++i) types.push_back("t" + std::to_string(i));
  const Labels<S> labels(types);
  CHECK(labels.count() == 1 + 1000 * S::parts);
  for (Tag tag = 0; tag < labels.count(); ++tag) CHECK(labels.find(labels.name(tag)) == tag);
}

TEST_CASE("Labels: no types is one tag, and the empty type writes bare letters") {
  CHECK(Labels<Bio>().count() == 1);
  CHECK(Labels<Bio>().find("O") == 0);
  const Labels<Bio> bare({""});
  CHECK(bare.name(1) == "B");
  CHECK(bare.find("I") == 2);
}

TEST_CASE("Labels: a type twice is refused") {
  try {
    Labels<Bio>({"PER", "LOC", "PER"});
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) ==
          "entrain.text.21: entity type 'PER' twice in the label list, expected each type once");
  }
}

TEST_CASE("Types: numbers stay, whatever comes later") {
  Types types;
  for (int i = 0; i < 500; ++i) CHECK(types.add("t" + std::to_string(i)) == i);
  for (int i = 0; i < 500; ++i) CHECK(types.add("t" + std::to_string(i)) == i);
  CHECK(types.size() == 500);
  CHECK(types.name(7) == "t7");
  CHECK(types.find("t") == Types::none);
}

TEST_CASE("read_mark: keeps the file's letter and grows the types") {
  Types types;
  CHECK(read_mark("L-a-b", types) == Mark{0, 'L'});
  CHECK(read_mark("O", types) == Mark{});
  CHECK(read_mark("U-c", types) == Mark{1, 'U'});
  CHECK(read_mark("B_c", types) == Mark{Types::none, Mark::malformed});
  CHECK(types.names() == std::vector<std::string>{"a-b", "c"});
}

}  // namespace labels_test
