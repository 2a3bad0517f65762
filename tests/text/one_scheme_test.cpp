// tests > [text]
#include "entrain/text/tags/one_scheme.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/text/one_block.hpp"

namespace one_scheme_test {
using namespace entrain::text;

namespace {
const std::string spans = "{\"text\":\"Eva Ray Cy met Al\",\"spans\":[[0,7,\"PER\"],[8,10,\"PER\"],[15,17,\"LOC\"]]}\n",
                  said = "Eva/B-PER Ray/E-PER Cy/S-PER met/O Al/S-LOC",
                  as_bio = "Eva/B-PER Ray/I-PER Cy/B-PER met/O Al/B-LOC",
                  as_iob1 = "Eva/I-PER Ray/I-PER Cy/B-PER met/O Al/I-LOC";
std::string tags(const std::string& a, const std::string& b, const std::string& c) {
  return "{\"tokens\":[\"Bo\",\"Lee\",\"met\",\"Di\"],\"ner_tags\":[\"" + a + "\",\"" + b + "\",\"O\",\"" + c +
         "\"]}\n";
}
Corpus of(const std::string& bytes) { return test::corpus_of<Jsonl<>>(bytes); }
}  // namespace

TEST_CASE("one scheme: entities become tags of the scheme that other records have") {
  const auto read = [](const std::string& bytes) {
    Corpus corpus = of(bytes);
    const auto scheme = read_in_one_scheme({&corpus});
    return std::string(scheme ? scheme_name(*scheme) : "none") + " " + test::shown(corpus);
  };
  CHECK(read(tags("B-PER", "I-PER", "B-PER") + spans) == "BIO Bo/B-PER Lee/I-PER met/O Di/B-PER||" + as_bio);
  CHECK(read(spans + tags("B-PER", "I-PER", "B-PER")) == "BIO " + as_bio + "||Bo/B-PER Lee/I-PER met/O Di/B-PER");
  CHECK(read(spans + tags("I-PER", "I-PER", "I-PER") + spans) ==
        "IOB1 " + as_iob1 + "||Bo/I-PER Lee/I-PER met/O Di/I-PER||" + as_iob1);
  CHECK(read(tags("B-PER", "E-PER", "S-PER") + spans) == "BIOES Bo/B-PER Lee/E-PER met/O Di/S-PER||" + said);
  // the tags' own faults stay: the nearest scheme
  CHECK(read(tags("B-PER", "I-PER", "I-LOC") + spans) == "BIO Bo/B-PER Lee/I-PER met/O Di/I-LOC||" + as_bio);
  CHECK(read(spans) == "none " + said);
  CHECK(read(tags("B-PER", "I-PER", "B-PER")) == "none Bo/B-PER Lee/I-PER met/O Di/B-PER");
}

TEST_CASE("one scheme: of several files, and of corpora that are appended") {
  Corpus annotated = of(spans);
  ConllFile columns = parse_conll("c", "Bo\tB-PER\nLee\tI-PER\nmet\tO\n\n");
  CHECK(read_in_one_scheme({&annotated, &columns.corpus}) == SchemeId::bio);
  CHECK(test::shown(annotated) == as_bio);
  CHECK(columns.corpus.annotated_sentences() == 0);

  Corpus all;
  for (const std::string& bytes : {spans, tags("B-PER", "I-PER", "B-PER"), spans + spans, spans}) all.append(of(bytes));
  CHECK(all.sentences() == 5);
  CHECK(all.annotated_sentences() == 4);
  REQUIRE(all.annotated.size() == 2);
  CHECK(all.annotated[1].begin == 2);
  CHECK(all.annotated[1].end == 5);
  std::vector<std::size_t> own;
  all.each_unannotated([&](std::size_t s) { own.push_back(s); });
  CHECK(own == std::vector<std::size_t>{1});
  all.clear();
  CHECK(all.annotated.empty());
}

}  // namespace one_scheme_test
