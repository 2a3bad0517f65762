// tests > [app]
#include "entrain/app/evaluate/baseline.hpp"

#include <doctest/doctest.h>

#include "entrain/app/input/corpora.hpp"
#include "entrain/app/output/render.hpp"
#include "tests/scratch.hpp"

namespace baseline_test {
using namespace entrain;
using test::has;

namespace {

train::Tagged of(const std::vector<std::vector<std::pair<const char*, const char*>>>& sentences) {
  text::Corpus corpus;
  for (const auto& s : sentences) {
    for (const auto& [token, tag] : s) corpus.push(token, tag, 1);
    corpus.end_sentence();
  }
  return train::tagged(std::move(corpus), {});
}

std::vector<text::Span> found(const app::Dictionary& dictionary, const std::vector<const char*>& words) {
  text::Corpus corpus;
  for (const char* word : words) corpus.push(word, 1);
  corpus.end_sentence();
  std::vector<text::Span> spans;
  dictionary.find(corpus, 0, [&](const text::Span& s) { spans.push_back(s); });
  return spans;
}

}  // namespace

TEST_CASE("Dictionary: the longest entity at a place, from left to right, case-sensitive") {
  const app::Dictionary names(of({{{"New", "B-LOC"}, {"York", "I-LOC"}, {"calls", "O"}, {"York", "B-LOC"}},
                                  {{"New", "B-ORG"}, {"York", "I-ORG"}, {"Times", "I-ORG"}}}),
                              "conlleval");
  CHECK(names.size() == 3);
  CHECK(names.types() == std::vector<std::string>{"LOC", "ORG"});
  CHECK(found(names, {"New", "York", "Times", "York"}) == std::vector<text::Span>{{0, 3, 1}, {3, 4, 0}});
  CHECK(found(names, {"New", "York", "times"}) == std::vector<text::Span>{{0, 2, 0}});
  CHECK(found(names, {"New", "New", "York"}) == std::vector<text::Span>{{1, 3, 0}});
  CHECK(found(names, {"new", "york", "New"}).empty());
}

TEST_CASE("Dictionary: an entity of several types has its most frequent one, the first of equals") {
  const app::Dictionary names(
      of({{{"Paris", "B-PER"}}, {{"Paris", "B-LOC"}}, {{"Paris", "B-LOC"}}, {{"Ada", "B-LOC"}}, {{"Ada", "B-PER"}}}),
      "conlleval");
  CHECK(found(names, {"Paris"}) == std::vector<text::Span>{{0, 1, names.types()[0] == "LOC" ? 0 : 1}});
  CHECK(found(names, {"Ada"}) == std::vector<text::Span>{{0, 1, 0}});  // PER and LOC once each: PER was seen first
}

TEST_CASE("resolve: which files a corpus, a folder or no option selects") {
  const auto files = [](app::Files f) {
    app::resolve(f, "examples");
    return f.train + "|" + f.dev + "|" + f.test;
  };
  CHECK(files({}) == "examples/train.conll|examples/dev.conll|examples/test.conll");
  CHECK(files({.train = "a", .dev = "", .test = "", .corpus = "", .data = ""}) == "a||");
  CHECK(files({.train = "", .dev = "b", .test = "", .corpus = "", .data = "d"}) == "d/train.conll|b|d/test.conll");
  const test::Variable data("ENTRAIN_DATA");
  data.set("/data");
  const auto named = [&](const char* name) {
    return files({.train = "", .dev = "", .test = "", .corpus = name, .data = ""});
  };
  CHECK(named("ncbi-disease") == "/data/ncbi-disease/train.tsv|/data/ncbi-disease/dev.tsv|/data/ncbi-disease/test.tsv");
  CHECK(named("uner-english") == "|/data/uner-english/dev.iob2|/data/uner-english/test.iob2");
  CHECK(test::sentence([&] { named("conll"); }) ==
        "entrain.app.2: --corpus: corpus 'conll', expected one of wnut17, btc, ncbi-disease, uner-danish, "
        "uner-portuguese, uner-english");
  data.unset();
  CHECK(has(test::sentence([&] { named("wnut17"); }), "entrain.app.3: --corpus wnut17: ENTRAIN_DATA is not set"));
}

TEST_CASE("append_conll: neighbours of one type stay apart in every scheme that can say so") {
  app::Document d;
  for (const char* word : {"Ada", "Bo", "Li"}) d.add_word(word);
  d.end_sentence();
  d.add_word("Emre");
  d.end_sentence();
  d.mentions = {{0, 1, "PER"}, {1, 3, "PER"}, {3, 4, "PER"}};
  std::size_t joined = 0;
  const auto written = [&](text::SchemeId scheme) {
    std::string s;
    joined = app::append_conll(s, d, scheme);
    return s;
  };
  CHECK(written(text::SchemeId::bio) == "Ada\tB-PER\nBo\tB-PER\nLi\tI-PER\n\nEmre\tB-PER\n\n");
  CHECK(written(text::SchemeId::iob1) == "Ada\tI-PER\nBo\tB-PER\nLi\tI-PER\n\nEmre\tI-PER\n\n");
  CHECK(written(text::SchemeId::bioes) == "Ada\tS-PER\nBo\tB-PER\nLi\tE-PER\n\nEmre\tS-PER\n\n");
  CHECK(joined == 0);
  CHECK(written(text::SchemeId::io) == "Ada\tI-PER\nBo\tI-PER\nLi\tI-PER\n\nEmre\tI-PER\n\n");
  CHECK(joined == 1);
}

TEST_CASE("append_jsonl: any text becomes a JSON string") {
  app::Document d;
  d.add_word("a\"b\\c\x01\x1F\x7F\n");
  d.add_word("\xFF\xE2\x82");
  d.end_sentence();
  std::string s;
  app::append_jsonl(s, d);
  CHECK(s.starts_with("{\"text\":\"a\\\"b\\\\c\\u0001\\u001f\x7F\\u000a \xEF\xBF\xBD"));
  CHECK(s.ends_with("\"sentences\":[2],\"entities\":[]}\n"));
}

}  // namespace baseline_test
