// tests > [score]
#include "entrain/score/report.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/score/counter.hpp"

using namespace entrain;

namespace {
using Tags = std::vector<std::string>;

score::Counter<text::Bio> small_example() {
  score::Counter<text::Bio> count(text::Labels<text::Bio>({"PER", "LOC"}));
  count.sentence_of_tags(Tags{"B-PER", "I-PER", "O", "B-LOC"}, Tags{"B-PER", "I-PER", "O", "I-LOC"});
  count.sentence_of_tags(Tags{"B-MISC", "O", "B-PER"}, Tags{"O", "O", "B-PER"});
  return count;
}
}  // namespace

TEST_CASE("table: both readings, named, a line a type, and the label that the model cannot know") {
  const std::string expected =
      "strict (BIO)      precision  recall      F1     gold  predicted  correct\n"
      "  LOC                  0.00    0.00    0.00        1          0        0\n"
      "  MISC*                0.00    0.00    0.00        1          0        0\n"
      "  PER                100.00  100.00  100.00        2          2        2\n"
      "  micro              100.00   50.00   66.67        4          2        2\n"
      "  macro               33.33   33.33   33.33\n"
      "conlleval         precision  recall      F1     gold  predicted  correct\n"
      "  LOC                100.00  100.00  100.00        1          1        1\n"
      "  MISC*                0.00    0.00    0.00        1          0        0\n"
      "  PER                100.00  100.00  100.00        2          2        2\n"
      "  micro              100.00   75.00   85.71        4          3        3\n"
      "  macro               66.67   66.67   66.67\n"
      "71.43 % of 7 tokens have the correct tag\n"
      "* not among the model's labels: counted as missed\n";
  CHECK(score::table(small_example().scores()) == expected);
}

TEST_CASE("table: readings that count the same are printed once, and a line says so") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"B-LOC", "I-LOC", "O"}, Tags{"B-LOC", "I-LOC", "B-LOC"});
  CHECK(score::table(count.scores()) ==
        "strict (BIO)      precision  recall      F1     gold  predicted  correct\n"
        "  LOC                 50.00  100.00   66.67        1          2        1\n"
        "  micro               50.00  100.00   66.67        1          2        1\n"
        "  macro               50.00  100.00   66.67\n"
        "conlleval: the same scores\n"
        "66.67 % of 3 tokens have the correct tag\n");
}

TEST_CASE("table, json: of different schemes they say what was compared") {
  score::Counter<text::Iob1> count;
  count.predicted_in(text::SchemeId::bioes);
  count.sentence(std::vector{count.mark("I-LOC"), count.mark("I-LOC")}, std::vector{text::Span{0, 2, 0}});
  CHECK(score::table(count.scores()) ==
        "strict (IOB1)     precision  recall      F1     gold  predicted  correct\n"
        "  LOC                100.00  100.00  100.00        1          1        1\n"
        "  micro              100.00  100.00  100.00        1          1        1\n"
        "  macro              100.00  100.00  100.00\n"
        "conlleval: the same scores\n"
        "gold is in IOB1, predictions are in BIOES: entities are compared, by their words and types\n"
        "100.00 % of 2 tokens have the correct tag\n");
  CHECK(score::json(count.scores()).find(R"("scheme":"IOB1","predicted_scheme":"BIOES",)") != std::string::npos);
}

TEST_CASE("json: one line, exact figures") {
  score::Counter<text::Bio> count(text::Labels<text::Bio>({"A"}));
  count.sentence_of_tags(Tags{"B-A", "O"}, Tags{"B-A", "B-A"});
  const std::string reading =
      R"({"micro":{"precision":0.5,"recall":1,"f1":0.6666666666666666,"gold":1,"predicted":2,"correct":1},)"
      R"("macro":{"precision":0.5,"recall":1,"f1":0.6666666666666666},)"
      R"("types":{"A":{"precision":0.5,"recall":1,"f1":0.6666666666666666,"gold":1,"predicted":2,"correct":1}}})";
  CHECK(
      score::json(count.scores()) ==
      R"({"sentences":1,"tokens":2,"correct_tokens":1,"token_accuracy":0.5,"malformed":0,"scheme":"BIO","predicted_scheme":"BIO","strict":)" +
          reading + R"(,"conlleval":)" + reading + R"(,"unknown_types":[]})");
  CHECK(score::json(small_example().scores()).ends_with(R"("unknown_types":["MISC"]})"));
}

TEST_CASE("json, table: nothing scored") {
  const score::Counter<text::Bmes> count;
  const std::string nothing =
      R"({"micro":{"precision":0,"recall":0,"f1":0,"gold":0,"predicted":0,"correct":0},"macro":{"precision":0,"recall":0,"f1":0},"types":{}})";
  CHECK(
      score::json(count.scores()) ==
      R"({"sentences":0,"tokens":0,"correct_tokens":0,"token_accuracy":0,"malformed":0,"scheme":"BMES","predicted_scheme":"BMES","strict":)" +
          nothing + R"(,"conlleval":)" + nothing + R"(,"unknown_types":[]})");
  CHECK(score::table(count.scores()).ends_with("0.00 % of 0 tokens have the correct tag\n"));
}

TEST_CASE("json, table: names with quotes, control characters and bytes that are not UTF-8") {
  score::Counter<text::Bio> count;
  const Tags tags{"B-a\"\\b", "B-\x1b[2J", "B-\xff\xc3", "B-\xc3\xa9", "B-line\nbreak", "B_x"};
  count.sentence_of_tags(tags, tags);
  const auto json = score::json(count.scores());
  for (auto part : {R"("a\"\\b":)", "\"\\u001b[2J\":", "\"<FF><C3>\":", "\"\xc3\xa9\":", "\"line\\u000abreak\":"})
    CHECK_MESSAGE(json.find(part) != std::string::npos, part);
  for (char c : json) CHECK((static_cast<unsigned char>(c) >= 0x20));
  const auto table = score::table(count.scores());
  CHECK(table.find('\x1b') == std::string::npos);
  CHECK(table.find("  <U+001B>[2J ") != std::string::npos);
  CHECK(table.find("  line\\nbreak ") != std::string::npos);
  CHECK(table.find("  <FF><C3> ") != std::string::npos);
  CHECK(table.ends_with("83.33 % of 6 tokens have the correct tag\n2 malformed tags are in no entity\n"));
}

TEST_CASE("json: a name with a space, or with the last control character") {
  score::Counter<text::Bio> count;
  const Tags tags{"B-two words", "B-a\x1f"};
  count.sentence_of_tags(tags, tags);
  const std::string json = score::json(count.scores());
  CHECK(json.find("\"two words\":") != std::string::npos);
  CHECK(json.find("\"a\\u001f\":") != std::string::npos);
}

TEST_CASE("table: of more than 200 types those with the most gold entities are listed, and a line counts the others") {
  /// The table of `types` types with two entities each, or one if rare(type) is true.
  const auto table_of = [](int types, auto rare) {
    score::Counter<text::Bio> count;
    for (int t = 0; t < types; ++t) {
      const std::string tag = "B-T" + std::to_string(1000 + t);
      const Tags tags(rare(t) ? 1 : 2, tag);
      count.sentence_of_tags(tags, tags);
    }
    return score::table(count.scores());
  };
  const auto lists = [](const std::string& table, int type) {
    return table.find("\n  T" + std::to_string(1000 + type) + " ") != std::string::npos;
  };
  const auto omitted = [](const std::string& table) -> std::string {
    const std::size_t end = table.find(" omitted from the table, but counted in micro and macro; --json lists all\n");
    return end == std::string::npos ? "none"
                                    : table.substr(table.rfind('\n', end) + 1, end - table.rfind('\n', end) - 1);
  };
  const auto none_rare = [](int) { return false; };
  const std::string all = table_of(200, none_rare);
  CHECK(omitted(all) == "none");
  for (int t = 0; t < 200; ++t) CHECK(lists(all, t));

  const auto is_rare = [](int t) { return t % 50 == 7; };
  const std::string four = table_of(204, [&](int t) { return is_rare(t) && t < 200; });
  CHECK(omitted(four) == "4 rarer types are");
  for (int t = 0; t < 204; ++t) CHECK_MESSAGE(lists(four, t) == !(is_rare(t) && t < 200), t);
  CHECK(four.find("  micro              100.00  100.00  100.00      404        404      404\n") != std::string::npos);

  const std::string equally_rare = table_of(201, none_rare);  // the one that was read last
  CHECK(omitted(equally_rare) == "1 rarer type is");
  for (int t = 0; t < 201; ++t) CHECK(lists(equally_rare, t) == (t < 200));
}

TEST_CASE("table: labels that differ look different, each on one line, and the columns stay below each other") {
  score::Counter<text::Bio> count;
  const std::string fifty(50, 'x');
  const Tags tags{"B-a\nb", "B-a\tb", "B-a?b", "B-a\u009b31m", "B-a\u202eb", "B-" + fifty + "1", "B-" + fifty + "2"};
  count.sentence_of_tags(tags, tags);
  const std::string table = score::table(count.scores());
  for (const std::string& label : {std::string("a\\nb"), std::string("a\\tb"), std::string("a?b"),
                                   std::string("a<U+009B>31m"), std::string("a<U+202E>b"), fifty + "1", fifty + "2"})
    CHECK_MESSAGE(table.find("\n  " + label + " ") != std::string::npos, label);
  const std::size_t width = table.find('\n');
  std::size_t lines = 0;
  for (std::size_t at = 0; table.compare(at, 10, "conlleval:") != 0; ++lines) {
    const std::size_t end = table.find('\n', at);
    if (table.compare(at, 7, "  macro") != 0) CHECK(end - at == width);
    at = end + 1;
  }
  CHECK(lines == 1 + tags.size() + 2);
}

TEST_CASE("table: long names widen the column, and a letter of two bytes is one column") {
  score::Counter<text::Bio> count;
  const Tags tags{"B-\xc3\xa9tablissement-d-enseignement", "B-x"};
  count.sentence_of_tags(tags, tags);
  std::vector<std::string> lines(1);
  for (char c : score::table(count.scores())) {
    if (c == '\n')
      lines.emplace_back();
    else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      lines.back().push_back(c);
  }
  CHECK(lines[1].size() == lines[0].size());
  CHECK(lines[2].size() == lines[0].size());
  CHECK(lines[3].size() == lines[0].size());
}

TEST_CASE("table: the empty type, of tags that are bare letters, has a name") {
  score::Counter<text::Bio> count;
  count.sentence_of_tags(Tags{"B", "I"}, Tags{"B", "I"});
  CHECK(score::table(count.scores()).find("\n  _ ") != std::string::npos);
}
