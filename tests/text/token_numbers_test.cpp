// tests > [text]
#include "entrain/text/records/token_numbers.hpp"

#include <doctest/doctest.h>

#include <string>

#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/text/one_block.hpp"

namespace token_numbers_test {
using namespace entrain::text;

namespace {
std::string record(const std::string& numbers, const std::string& tokens) {
  return "{\"text\":\"Ada met \xF0\x9F\x98\x80 Bo Li\",\"tokens\":" + tokens +
         ",\"spans\":[{\"start\":10,\"end\":15,\"label\":\"PER\"" + numbers + "}]}\n";
}
const std::string
    places =
        "[{\"text\":\"Ada\",\"start\":0,\"end\":3,\"id\":0},{\"start\":4,\"end\":7},{\"start\":8,\"end\":9},"
        "{\"start\":10,\"end\":12},{\"start\":13,\"end\":15}]",
    words = "[\"Ada\",\"met\",\"\xF0\x9F\x98\x80\",\"Bo\",\"Li\"]";
}  // namespace

TEST_CASE("token numbers: an entity whose tokens are not those of its place is listed, and read by its place") {
  const auto problem = [](const std::string& numbers, const std::string& tokens = places) {
    const Corpus c = test::corpus_of<Jsonl<>>(record(numbers, tokens));
    CHECK(test::shown(c) == "Ada/O met/O \xF0\x9F\x98\x80/O Bo/B-PER Li/E-PER");
    CHECK(c.met.other_texts == c.problems.size());
    for (const Problem& p : c.problems) CHECK(p.of == Concern::other_text);
    return test::problems(c);
  };
  const std::string entity = "1: entity [10, 15) 'Bo Li' PER, but its tokens ";
  for (const std::string& tokens : {places, words}) {
    CAPTURE(tokens);
    CHECK(problem(",\"token_start\":3,\"token_end\":4", tokens).empty());
    CHECK(problem(",\"token_end\":4,\"token_start\":3.0", tokens).empty());
    CHECK(problem(",\"token_start\":null", tokens).empty());
    CHECK(problem(",\"token_start\":0,\"token_end\":1", tokens) == entity + "0 to 1 are [0, 7) 'Ada met'\n");
    CHECK(problem(",\"token_start\":3,\"token_end\":3", tokens) == entity + "3 to 3 are [10, 12) 'Bo'\n");
    CHECK(problem(",\"token_start\":2", tokens) == entity + "2 to 2 are [8, 9) '\xF0\x9F\x98\x80'\n");
    CHECK(problem(",\"token_start\":3,\"token_end\":5", tokens) ==
          entity + "3 to 5 are not among the 5 tokens; token_end is the index of its last token\n");
    CHECK(problem(",\"token_start\":-7,\"token_end\":-7", tokens) == entity + "-7 to -7 are not among the 5 tokens\n");
    CHECK(problem(",\"token_start\":4,\"token_end\":3", tokens) == entity + "4 to 3 are in reverse order\n");
  }
  CHECK(problem(",\"token_start\":0,\"token_end\":0", "null").empty());  // no words to count
}

}  // namespace token_numbers_test
