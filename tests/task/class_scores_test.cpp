// tests > [task]
#include "entrain/task/class_scores.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scratch.hpp"

namespace class_scores_test {
using namespace entrain;

namespace {
task::Classes numbered(int count) {
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return task::Classes(names);
}
/// A text of one word with these classes.
void add(text::Corpus& corpus, const std::vector<std::string>& classes) {
  std::vector<std::int32_t> ids;
  for (const std::string& name : classes) {
    std::size_t id = 0;
    while (id < corpus.classes.names.size() && corpus.classes.names[id] != name) ++id;
    if (id == corpus.classes.names.size()) corpus.classes.names.push_back(name);
    ids.push_back(static_cast<std::int32_t>(id));
  }
  corpus.push("word", static_cast<std::uint32_t>(corpus.sentences() + 1));
  corpus.end_sentence(ids);
}
bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : std::abs(a - b) < 1e-12; }
}  // namespace

TEST_CASE("class scores: those of scikit-learn, one class a text and many") {
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/task/golden/classes.txt");
  std::string line;
  int problems = 0;
  text::Corpus gold;
  std::vector<std::vector<float>> p;
  bool exclusive = true;
  int classes = 0;
  task::ClassScores scores;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string key;
    in >> key;
    if (key == "case") {
      std::string kind;
      in >> kind >> classes;
      exclusive = kind == "one";
      gold.clear();
      p.clear();
    } else if (key == "t") {
      std::string of;
      in >> of;
      std::vector<std::string> names;
      std::istringstream list(of == "-" ? "" : of);
      for (std::string name; std::getline(list, name, ',');) names.push_back(name);
      add(gold, names);
      p.emplace_back();
      for (double x = 0; in >> x;) p.back().push_back(static_cast<float>(x));
    } else if (key == "scores") {
      ++problems;
      task::ClassScorer scorer(gold, numbered(classes), exclusive);
      for (std::size_t s = 0; s < p.size(); ++s) scorer.sentence(s, p[s]);
      scores = scorer.scores();
      std::vector<std::string> numbers;
      for (std::string n; in >> n;) numbers.push_back(n);
      REQUIRE(numbers.size() == 4);
      CHECK(same(scores.accuracy(), std::stod(numbers[0])));
      CHECK(same(scores.macro_f1(), std::stod(numbers[1])));
      CHECK(same(scores.micro().f1(), std::stod(numbers[2])));
      CHECK(same(scores.macro_auc(), std::stod(numbers[3])));
    } else if (key == "class") {
      std::size_t k = 0;
      std::string precision, recall, f1, auc;
      in >> k >> precision >> recall >> f1 >> auc;
      CHECK(same(scores.of[k].precision(), std::stod(precision)));
      CHECK(same(scores.of[k].recall(), std::stod(recall)));
      CHECK(same(scores.of[k].f1(), std::stod(f1)));
      CHECK(same(scores.auc[k], std::stod(auc)));
    }
  }
  CHECK(problems == 10);
}

TEST_CASE("class scores: a class that the model does not have counts as missed, a text without a class is not scored") {
  text::Corpus gold;
  add(gold, {"1"});
  add(gold, {"new"});
  gold.push("word", 3);
  gold.end_sentence();
  task::ClassScorer scorer(gold, numbered(2), true);
  for (std::size_t s = 0; s < 3; ++s) scorer.sentence(s, std::vector<float>{0.25f, 0.75f});
  const task::ClassScores scores = scorer.scores();
  CHECK(scores.texts == 2);
  CHECK(scores.exact == 1);
  CHECK(scores.known == 2);
  REQUIRE(scores.names == std::vector<std::string>{"0", "1", "new"});
  CHECK(scores.of[2].gold == 1);
  CHECK(scores.of[1].predicted == 2);
  CHECK(scores.confusion == std::vector<std::uint64_t>{0, 0, 0, 0, 1, 0, 0, 1, 0});
  CHECK(scores.accuracy() == 0.5);
  CHECK(task::ClassScorer::score(scores) == 0.5);
}

TEST_CASE("class scores: many classes a text: the empty set is right where gold is empty") {
  text::Corpus gold;
  add(gold, {});
  add(gold, {"0", "1"});
  task::ClassScorer scorer(gold, numbered(2), false);
  scorer.sentence(0, std::vector<float>{0.25f, 0.25f});
  scorer.sentence(1, std::vector<float>{0.5f, 0.25f});
  const task::ClassScores scores = scorer.scores();
  CHECK(scores.texts == 2);
  CHECK(scores.exact == 1);
  CHECK(scores.micro().f1() == doctest::Approx(2. / 3));
  CHECK(task::ClassScorer::score(scores) == doctest::Approx(2. / 3));
  CHECK(scores.confusion.empty());
}

TEST_CASE("class scores: the shift of a class gives the best F1 of all thresholds, and 1/2 where no other is better") {
  const auto logit = [](float p) { return std::log(double(p) / (1 - double(p))); };
  std::uint32_t state = 7;
  const auto draw = [&](std::uint32_t below) { return (state = state * 1664525u + 1013904223u) % below; };
  int moved = 0, kept = 0;
  for (int round = 0; round < 200; ++round) {
    const auto texts = static_cast<int>(1 + round % 12);
    text::Corpus gold;
    std::vector<float> p;
    std::vector<bool> has;
    for (int s = 0; s < texts; ++s) {
      has.push_back(draw(3) == 0);
      p.push_back(0.05f + 0.09f * static_cast<float>(draw(10)));
      add(gold, has.back() ? std::vector<std::string>{"0"} : std::vector<std::string>{});
    }
    task::ClassScorer scorer(gold, numbered(1), false);
    for (int s = 0; s < texts; ++s) scorer.sentence(static_cast<std::size_t>(s), {&p[static_cast<std::size_t>(s)], 1});
    const task::ClassScores scores = scorer.scores();
    REQUIRE(scores.shift.size() == 1);
    const auto f1 = [&](double threshold) {
      int chosen = 0, correct = 0, of = 0;
      for (std::size_t s = 0; s < p.size(); ++s) {
        of += has[s];
        if (logit(p[s]) < threshold) continue;
        ++chosen, correct += has[s];
      }
      return chosen + of == 0 ? 0.0 : 2.0 * correct / (chosen + of);
    };
    double best = 0;
    for (const float at : p) best = std::max({best, f1(logit(at) - 1e-3), f1(logit(at) + 1e-3)});
    if (scores.shift[0] == 0) {
      ++kept;
      const bool one_side =
          std::find(has.begin(), has.end(), true) == has.end() || std::find(has.begin(), has.end(), false) == has.end();
      CHECK((one_side || f1(0) == best));
    } else {
      ++moved;
      CHECK(f1(-scores.shift[0]) == best);
      CHECK(f1(0) < best);
    }
  }
  CHECK(moved > 50);
  CHECK(kept > 50);
  text::Corpus gold;
  add(gold, {"0"});
  add(gold, {"1"});
  task::ClassScorer one_of(gold, numbered(2), true);
  CHECK(one_of.scores().shift.empty());
}

TEST_CASE("classes: a name that occurs twice is refused") {
  CHECK(test::sentence([] {
          task::Classes({"a", "b", "a"});
        }) == "entrain.task.3: classes: 'a' twice, expected distinct names; name each class once");
}

}  // namespace class_scores_test
