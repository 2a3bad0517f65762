// tests > [app]
#include "entrain/app/train/class_weights.hpp"

#include <doctest/doctest.h>

#include "tests/scratch.hpp"

namespace class_weights_test {
using namespace entrain;

namespace {
const std::vector<std::string> labels{"O", "B-PER", "I-PER", "B-O", "I-O"};  // a type may be called O
const std::vector<std::int32_t> targets{0, 0, 0, 0, 0, 1, 2, 2, -100, 0};
std::vector<float> weights(std::string_view wish) {
  std::vector<std::uint64_t> rows(labels.size());
  app::count_rows(rows, targets);
  return app::class_weights(wish, labels, rows);
}
std::string refusal(std::string_view wish) {
  return test::sentence([&] { weights(wish); });
}
}  // namespace

TEST_CASE("class weights: none, balanced, by type") {
  CHECK(weights("").empty());
  CHECK(weights("balanced") == std::vector<float>{0.5f, 3, 1.5f, 1, 1});  // 9 rows, 3 tags that occur
  CHECK(weights("PER=2.5") == std::vector<float>{1, 2.5f, 2.5f, 1, 1});
  CHECK(weights("O=0,PER=1e2") == std::vector<float>{0, 100, 100, 0, 0});
}

TEST_CASE("class weights: what is wrong with them") {
  CHECK(refusal("balance") ==
        "entrain.app.23: --class-weights balance: 'balance', expected balanced, or TYPE=WEIGHT,TYPE=WEIGHT ...");
  CHECK(refusal("PER=2,LOC=1") ==
        "entrain.app.23: --class-weights PER=2,LOC=1: 'LOC=1', expected O or an entity type of the training file");
  for (const char* bad : {"PER=-1", "PER=x", "PER=", "PER=1x", "PER=1e7", "PER=nan"})
    CHECK(test::has(refusal(bad), "expected a weight from 0 to 1000000"));
  CHECK(test::has(refusal("=1"), "an entity type"));
  CHECK(test::has(refusal("PER=1,,O=1"), "'', expected balanced"));
}

}  // namespace class_weights_test
