// tests > [head]
#include "entrain/head/classify.hpp"

#include "entrain/core/activation.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/pool/cpu.hpp"
#include "entrain/kernel/sigmoid/cpu.hpp"
#include "entrain/kernel/softmax/cpu.hpp"
#include "entrain/layer/dense.hpp"
#include "entrain/layer/identity.hpp"
#include "entrain/layer/sequence.hpp"
#include "tests/head/check.hpp"

namespace classify_test {
using namespace entrain;

namespace {
using One = task::Classification<task::One>;
using Many = task::Classification<task::Many>;
using Pooler = layer::Sequence<layer::Dense<12, 10, act::Tanh>, layer::Dropout<10>>;
template <class Head> void check_shapes() {
  for (int labels : {1, 9, 33}) {
    test::check_head<Head>({}, labels);
    test::check_head<Head>({1}, labels);
    test::check_head<Head>({0, 3, 0}, labels);  // as sentences that a GPU's batch is padded with
    test::check_head<Head>({1, 1, 1, 4, 2}, labels);
  }
  std::vector<int> lengths;
  for (int i = 0; i < 129; ++i) lengths.push_back(1 + i * i % 5);
  test::check_head<Head>(lengths, 9);
  lengths.resize(127);
  test::check_head<Head>(lengths, 9);
}
}  // namespace

TEST_CASE("Classify: gradients, planned bytes, accumulation and bits, each pooling, awkward shapes") {
  check_shapes<head::Classify<12>>();
  check_shapes<head::Classify<12, One, pool::Max>>();
  check_shapes<head::Classify<12, One, pool::First>>();
}

TEST_CASE("Classify: several classes a text, with a pooler, smoothed and focal") {
  check_shapes<head::Classify<12, Many, pool::Mean, Pooler>>();
  check_shapes<head::Classify<12, One, pool::First, Pooler>>();
  test::check_head<head::Classify<12, Many, pool::Mean, layer::Dropout<12>, loss::Smoothed>>({1, 1, 1, 4, 2}, 9);
  test::check_head<head::Classify<12, Many, pool::Mean, layer::Dropout<12>, loss::Focal>>({1, 1, 1, 4, 2}, 9);
  test::check_head<head::Classify<12, One, pool::Mean, layer::Dropout<12>, loss::Smoothed>>({1, 1, 1, 4, 2}, 9);
}

TEST_CASE("Classify: nothing between the pooled vectors and the scores") {
  check_shapes<head::Classify<12, One, pool::Mean, layer::Identity<12>>>();
  check_shapes<head::Classify<12, Many, pool::First, layer::Identity<12>>>();
  test::check_head<head::Classify<12, task::Classification<task::Binary>, pool::Mean, layer::Identity<12>>>(
      {1, 3, 1, 4, 2, 2, 1}, 1);
}

TEST_CASE("Classify: names as in BertForSequenceClassification") {
  const Layout layout = layout_of<head::Classify<12, One, pool::First, Pooler>>(9);
  REQUIRE(layout.spans.size() == 4);
  CHECK(layout.spans[0].name == "pooler.dense.weight");
  CHECK(layout.spans[1].name == "pooler.dense.bias");
  CHECK(layout.spans[2].name == "classifier.weight");
  CHECK(layout.spans[2].rows == 9);
  CHECK(layout.spans[2].cols == 10);
  CHECK(layout.spans[3].name == "classifier.bias");
}

TEST_CASE("Classify: probabilities, and the loss, by their formulas") {
  const auto check = [&]<class Task>(Task) {
    using Head = head::Classify<12, Task>;
    test::HeadProblem<Head> p({3, 4, 1}, 5);
    const auto r = p.run(device::Cpu<>(1), true);
    const double* w = p.params.data();
    const double* b = w + p.layout.spans[1].offset;
    std::size_t row = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      const std::size_t n = s == 0 ? 3 : s == 1 ? 4 : 1;
      std::vector<double> mean(12), e(5);
      for (std::size_t i = 0; i < n; ++i, ++row)
        for (std::size_t c = 0; c < 12; ++c) mean[c] += p.x[row * 12 + c] / static_cast<double>(n);
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        double z = b[k];
        for (std::size_t c = 0; c < 12; ++c) z += w[k * 12 + c] * mean[c];
        sum += e[k] = std::exp(z);
      }
      for (std::size_t k = 0; k < 5; ++k)
        CHECK(static_cast<double>(r.tags[s * 5 + k]) ==
              doctest::Approx(e[k] / (Task::exclusive ? sum : 1 + e[k])).epsilon(1e-6));
    }
  };
  check(One());
  check(Many());
}

}  // namespace classify_test
