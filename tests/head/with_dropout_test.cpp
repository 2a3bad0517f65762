// tests > [head]
#include "entrain/head/with_dropout.hpp"

#include "entrain/head/softmax.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/softmax/cpu.hpp"
#include "tests/head/check.hpp"

namespace dropped_test {
using namespace entrain;

namespace {
using Plain = head::Softmax<12, text::Bio>;
using Head = head::WithDropout<Plain>;
}  // namespace

TEST_CASE("Dropped head: gradients through the mask, planned bytes, accumulation and bits, awkward shapes") {
  for (const auto& lengths : std::vector<std::vector<int>>{{}, {1}, {1, 1, 1, 4}, {63, 64}, {64, 65}})
    test::check_head<Head>(lengths, 9);
}

TEST_CASE("Dropped head: training drops, decoding does not, names are those of the head inside") {
  const device::Cpu<> dev(1);
  const test::HeadProblem<Head> dropped({9, 30}, 9);
  const test::HeadProblem<Plain> plain({9, 30}, 9);
  const auto a = dropped.run(dev);
  const auto b = plain.run(dev);
  CHECK(a.loss != b.loss);
  CHECK(a.tags == b.tags);
  int zeros = 0;
  for (std::size_t i = 0; i < a.dx.size(); ++i) zeros += a.dx[i] == 0 && b.dx[i] != 0;
  CHECK(zeros > 60);  // a quarter of 468, but for rows without a target
  CHECK(zeros < 160);
  CHECK(layout_of<Head>(9).spans[0].name == "classifier.weight");
}

}  // namespace dropped_test
