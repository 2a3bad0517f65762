// tests > [head]
#include "entrain/head/softmax.hpp"

#include "entrain/head/with_dropout.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/softmax/cpu.hpp"
#include "tests/head/check.hpp"

namespace softmax_test {
using namespace entrain;

namespace {
using Head = head::Softmax<12, text::Bio>;
std::vector<int> rows_of(int n) { return {n / 2, n - n / 2}; }
}  // namespace

TEST_CASE("Softmax head: gradients, planned bytes, accumulation and bits, awkward shapes") {
  for (int labels : {1, 9, 33}) {
    test::check_head<Head>({}, labels);
    test::check_head<Head>({0, 0}, labels);
    test::check_head<Head>({1}, labels);
    test::check_head<Head>({1, 1, 1, 4}, labels);
  }
  test::check_head<Head>(rows_of(127), 9);
  test::check_head<Head>(rows_of(129), 9);
}

TEST_CASE("Softmax head: smoothed and focal") {
  test::check_head<head::Softmax<12, text::Bio, loss::Smoothed>>({1, 1, 1, 4}, 9);
  test::check_head<head::Softmax<12, text::Bio, loss::Focal>>({1, 1, 1, 4}, 9);
}

TEST_CASE("Softmax head: names, shapes and the scheme") {
  const Layout layout = layout_of<Head>(9);
  REQUIRE(layout.spans.size() == 2);
  CHECK(layout.spans[0].name == "classifier.weight");
  CHECK(layout.spans[0].rows == 9);
  CHECK(layout.spans[0].cols == 12);
  CHECK(layout.spans[1].name == "classifier.bias");
  CHECK(layout.spans[1].cols == 9);
  static_assert(std::is_same_v<Head::Task::Scheme, text::Bio>);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  static_assert(std::is_same_v<Head::Scheme, text::Bio>);
  static_assert(std::is_same_v<head::WithDropout<Head>::Scheme, text::Bio>);
#pragma GCC diagnostic pop
}

TEST_CASE("Softmax head: the tag of a row is its largest score, and the loss is that of the scores") {
  test::HeadProblem<Head> p({3, 4}, 9);
  const auto r = p.run(device::Cpu<>(1));
  const double* w = p.params.data();
  const double* b = w + p.layout.spans[1].offset;
  double loss = 0;
  for (std::size_t n = 0; n < 7; ++n) {
    std::vector<double> score(9);
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) {
      score[k] = b[k];
      for (std::size_t c = 0; c < 12; ++c) score[k] += w[k * 12 + c] * p.x[n * 12 + c];
      sum += std::exp(score[k]);
    }
    CHECK(r.tags[n] == std::max_element(score.begin(), score.end()) - score.begin());
    if (p.targets[n] >= 0) loss += std::log(sum) - score[static_cast<std::size_t>(p.targets[n])];
  }
  CHECK(r.loss == doctest::Approx(loss).epsilon(1e-12));
}

}  // namespace softmax_test
