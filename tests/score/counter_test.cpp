// tests > [score]
#include "entrain/score/counter.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace entrain;
using text::Mark;
using text::Tag;

namespace {

using Tags = std::vector<std::string>;

const std::vector<std::string> golden_types{"PER", "creative-work", "LOC", "\xc3\xa9v\xc3\xa9nement"};

Tags spelled(const std::string& line) {  // "B2 . I0" to B-LOC O I-PER
  std::istringstream in(line);
  Tags tags;
  for (std::string word; in >> word;)
    tags.push_back(word == "." ? "O"
                               : std::string(1, word[0]) + "-" + golden_types[static_cast<std::size_t>(word[1] - '0')]);
  return tags;
}

// One `strict` or `conlleval` line: the averages, or a type's figures and counts.
void check_line(std::istringstream& in, const score::Scores& scores, const score::Tally& tally, bool averages) {
  const auto same = [&](const score::PrecisionRecallF1& f) {
    double p = -1, r = -1, f1 = -1;
    in >> p >> r >> f1;
    CHECK(f.precision == doctest::Approx(p).epsilon(1e-11));
    CHECK(f.recall == doctest::Approx(r).epsilon(1e-11));
    CHECK(f.f1 == doctest::Approx(f1).epsilon(1e-11));
  };
  if (averages) {
    same(tally.micro().figures());
    same(tally.macro());
  } else {
    std::size_t type = 99;
    score::Count expected;
    in >> type;
    const auto count = tally.of(scores.types.find(golden_types.at(type)));
    same(count.figures());
    in >> expected.gold >> expected.predicted >> expected.correct;
    CHECK(count == expected);
  }
  CHECK_FALSE(in.fail());
}

template <text::TagScheme S> void check_case(const std::vector<std::string>& lines) {
  score::Counter<S> count;
  bool strict_seen = false, conlleval_seen = false;
  std::size_t types_seen = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    INFO(lines[i]);
    const auto& s = count.scores();
    std::istringstream in(lines[i]);
    std::string word;
    in >> word;
    if (word == "g") {
      count.sentence_of_tags(spelled(lines[i].substr(1)), spelled(lines[i + 1].substr(1)));
    } else if (word == "tokens") {
      std::uint64_t correct = 0, all = 0;
      in >> correct >> all;
      CHECK(s.correct_tokens == correct);
      CHECK(s.tokens == all);
    } else if (word == "strict") {
      types_seen += strict_seen;
      check_line(in, s, s.strict, !strict_seen);
      strict_seen = true;
    } else if (word == "conlleval") {
      types_seen += conlleval_seen;
      check_line(in, s, s.conlleval, !conlleval_seen);
      conlleval_seen = true;
    }
  }
  CHECK(strict_seen);
  CHECK(conlleval_seen);
  std::size_t types_counted = 0;  // no type that seqeval does not have
  for (std::int32_t t = 0; t < count.scores().types.size(); ++t)
    types_counted += static_cast<std::size_t>(count.scores().strict.of(t).occurs()) +
                     static_cast<std::size_t>(count.scores().conlleval.of(t).occurs());
  CHECK(types_counted == types_seen);
}

}  // namespace

TEST_CASE("Counter: equals seqeval on random sequences, legal and illegal, in both readings") {
  std::ifstream in(ENTRAIN_SOURCE_DIR "/tests/score/golden/seqeval.txt");
  REQUIRE(in.good());
  std::string scheme;
  std::vector<std::string> lines;
  std::size_t cases = 0;
  const auto run = [&] {
    if (scheme.empty()) return;
    ++cases;
    INFO("case " << cases << ", " << scheme);
    text::with_scheme(text::scheme_by_name(scheme), [&](auto s) { check_case<decltype(s)>(lines); });
    lines.clear();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("case ")) {
      run();
      scheme = line.substr(5);
    } else {
      lines.push_back(line);
    }
  }
  run();
  CHECK(cases == 180);
}

TEST_CASE("Counter: a gold label unseen in training counts as missed") {
  const text::Labels<text::Bio> labels({"PER", "LOC"});
  score::Counter<text::Bio> count(labels);
  const std::vector<Mark> gold{count.mark("B-PER"), count.mark("B-MISC"), count.mark("I-MISC"), count.mark("B-LOC")};
  const std::vector<Tag> predicted{*labels.find("B-PER"), *labels.find("B-LOC"), 0, *labels.find("B-LOC")};
  count.sentence(gold, predicted);
  const auto& s = count.scores();
  const auto misc = s.types.find("MISC");
  CHECK(s.unknown(misc));
  CHECK_FALSE(s.unknown(s.types.find("LOC")));
  CHECK(s.strict.of(misc) == score::Count{1, 0, 0});
  CHECK(s.strict.of(s.types.find("LOC")) == score::Count{1, 2, 1});
  CHECK(s.strict.micro() == score::Count{3, 3, 2});
  CHECK(s.conlleval.micro() == score::Count{3, 3, 2});
  CHECK(s.correct_tokens == 2);
  CHECK(s.tokens == 4);
  CHECK(s.strict.macro().recall == doctest::Approx(2.0 / 3));
  CHECK(s.strict.macro().f1 == doctest::Approx((1.0 + 2.0 / 3 + 0) / 3));
}

TEST_CASE("Counter: the readings part where a tag continues nothing") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"O", "B-X", "I-X"}, Tags{"O", "I-X", "I-X"});
  CHECK(count.scores().strict.micro() == score::Count{1, 0, 0});
  CHECK(count.scores().conlleval.micro() == score::Count{1, 1, 1});
  CHECK(count.scores().known == -1);
  CHECK_FALSE(count.scores().unknown(0));  // two files: no label is unknown
}

TEST_CASE("Counter: same span, other type is wrong; same type, other border is wrong") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"B-X", "I-X", "O"}, Tags{"B-Y", "I-Y", "O"});
  count.sentence_of_tags(Tags{"B-X", "I-X", "O"}, Tags{"B-X", "I-X", "I-X"});
  count.sentence_of_tags(Tags{"B-X", "I-X", "O"}, Tags{"O", "B-X", "O"});
  CHECK(count.scores().strict.micro() == score::Count{3, 3, 0});
}

TEST_CASE("Counter: a wrong cut of New York is wrong, also where the gold tags are in IO") {
  const auto check = [](auto scheme) {
    using S = decltype(scheme);
    const std::vector<text::Span> cut{{0, 1, 0}, {1, 2, 0}}, whole{{0, 2, 0}};
    for (const auto& [found, right] : {std::pair{cut, false}, std::pair{whole, true}}) {
      score::Counter<S> count;
      const std::vector<Mark> gold{count.mark("I-LOC"), count.mark("I-LOC")};
      count.sentence(gold, found);
      for (const score::Tally& tally : {count.scores().strict, count.scores().conlleval})
        CHECK(tally.micro() == score::Count{1, right ? 1u : 2u, right ? 1u : 0u});
      CHECK(count.scores().correct_tokens ==
            (right ? 2 : 1));  // of the cut, York is I- in gold and B- in the prediction
      score::Counter<S> of_tags;
      const std::vector<Mark> predicted{of_tags.mark("B-LOC"), of_tags.mark(right ? "I-LOC" : "B-LOC")};
      of_tags.sentence(gold, text::SchemeId::bio, predicted);
      CHECK(of_tags.scores().strict == count.scores().strict);
      CHECK(of_tags.scores().conlleval == count.scores().conlleval);
      CHECK(of_tags.scores().correct_tokens == count.scores().correct_tokens);
    }
  };
  check(text::Io{});
  check(text::Iob1{});
}

TEST_CASE("Counter: predicted tags in a scheme of their own have both readings, and malformed ones count") {
  score::Counter<text::Bioes> count;
  std::vector<Mark> gold, predicted;
  for (const char* tag : {"S-X", "O", "B-X", "E-X", "O"}) gold.push_back(count.mark(tag));
  for (const char* tag : {"I-X", "O", "B-X", "I-X", "v"}) predicted.push_back(count.mark(tag));
  count.sentence(gold, text::SchemeId::bio, predicted);
  CHECK(count.scores().strict.micro() == score::Count{2, 1, 1});  // the first I-X continues nothing
  CHECK(count.scores().conlleval.micro() == score::Count{2, 2, 2});
  CHECK(count.scores().malformed == 1);
  CHECK(count.scores().correct_tokens == 3);  // a malformed tag is never right
  CHECK_THROWS_AS(count.sentence(gold, text::SchemeId::bio, std::vector<Mark>(4)), Error);
  CHECK_THROWS_AS(count.sentence(gold, std::vector{text::Span{4, 6, 0}}), Error);
  CHECK(count.scores().sentences == 1);
}

TEST_CASE("Counter: marks, tag ids and strings count the same") {
  const text::Labels<text::Bioes> labels({"X", "Y"});
  const Tags gold{"B-X", "E-X", "S-Y", "O", "I-Y"}, predicted{"B-X", "E-X", "S-X", "O", "O"};
  std::vector<Tag> gold_ids, predicted_ids;
  for (const auto& t : gold) gold_ids.push_back(*labels.find(t));
  for (const auto& t : predicted) predicted_ids.push_back(*labels.find(t));
  score::Counter<text::Bioes> strings(labels), marks(labels), ids(labels);
  std::vector<Mark> gold_marks, predicted_marks;
  for (const auto& t : gold) gold_marks.push_back(marks.mark(t));
  for (const auto& t : predicted) predicted_marks.push_back(marks.mark(t));
  strings.sentence_of_tags(gold, predicted);
  marks.sentence(gold_marks, predicted_marks);
  ids.sentence(gold_ids, predicted_ids);
  for (const auto* c : {&strings, &marks, &ids}) {
    CHECK(c->scores().strict.micro() == score::Count{2, 2, 1});
    CHECK(c->scores().conlleval.micro() == score::Count{3, 2, 1});
    CHECK(c->scores().correct_tokens == 3);
  }
}

TEST_CASE("Counter: malformed tags are counted, are in no entity and are never right") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"B_X", "B-X"}, Tags{"B_X", "B-X"});
  CHECK(count.scores().malformed == 2);
  CHECK(count.scores().correct_tokens == 1);
  CHECK(count.scores().strict.micro() == score::Count{1, 1, 1});
}

TEST_CASE("Counter: nothing to score gives zeros, not NaN") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{}, Tags{});
  const auto& s = count.scores();
  CHECK(s.strict.micro().figures().f1 == 0);
  CHECK(s.strict.macro().f1 == 0);
  CHECK(s.token_accuracy() == 0);
  CHECK(s.order().empty());
}

TEST_CASE("Counter: two sentences of different length are refused, and nothing is counted") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"O"}, Tags{"O"});
  try {
    count.sentence_of_tags(Tags{"O", "O"}, Tags{"O"});
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) ==
          "entrain.score.1: sentence 2: 2 gold tags and 1 predicted, expected one predicted tag for each gold tag; "
          "both must "
          "come from the same sentences");
  }
  CHECK(count.scores().tokens == 1);
  CHECK(count.scores().sentences == 1);
}
