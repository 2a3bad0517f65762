// tests > [head]
#include "entrain/head/crf.hpp"

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/crf/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/head/check.hpp"

namespace crf_test {
using namespace entrain;

namespace {
template <class Scheme> using Head = head::Crf<12, Scheme>;
std::vector<int> rows_of(int n) { return {n / 2, 1, n - n / 2 - 1}; }
}  // namespace

// The targets of HeadProblem step through all tags: Io allows them all, the other schemes leave some sentences out.
TEST_CASE_TEMPLATE("Crf head: gradients, planned bytes, accumulation and bits, awkward shapes", Scheme, text::Io,
                   text::Bio, text::Bioes) {
  for (int labels : {1, 9, 33}) {
    test::check_head<Head<Scheme>>({}, labels);
    test::check_head<Head<Scheme>>({0, 0}, labels);
    test::check_head<Head<Scheme>>({1}, labels);
    test::check_head<Head<Scheme>>({1, 1, 1, 4, 2, 1, 1, 3, 1, 1, 2}, labels);
  }
  test::check_head<Head<Scheme>>(rows_of(127), 9);
  test::check_head<Head<Scheme>>(rows_of(129), 9);
}

TEST_CASE("Crf head: names and shapes") {
  const Layout layout = layout_of<Head<text::Bioes>>(9);
  const std::vector<std::string> names{"classifier.weight", "classifier.bias", "crf.transitions",
                                       "crf.start_transitions", "crf.end_transitions"};
  REQUIRE(layout.spans.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(layout.spans[i].name == names[i]);
  CHECK(layout.spans[2].rows == 9);
  CHECK(layout.spans[2].cols == 9);
  CHECK(layout.spans[3].rows == 1);
  CHECK(layout.spans[4].cols == 9);
}

TEST_CASE("Crf head: without need of parameter gradients only the input's is made") {
  using H = Head<text::Io>;
  const test::HeadProblem<H> p({4, 3, 1}, 9);
  const auto expected = p.run(device::Cpu<>(1));
  using Real = Impl<H, precision::Fp64, device::Cpu<>, Needs{false, true}>;
  const device::Cpu<> dev(1);
  test::OwnedArena memory(p.planned);
  const Step<device::Cpu<>> at{dev, p.shape, p.sentences.geometry(), true, Write::assign, memory.arena};
  const auto w = bind<H, const double>(p.params.data(), 9);
  auto saved = Real::allocate_saved(memory.arena, p.shape);
  double loss = NAN;
  std::vector<double> dx(p.x.size(), NAN);
  Real::forward(at, w, {p.x.data(), p.shape.rows}, p.targets.data(), &loss, saved);
  Real::backward(at, w, saved, p.targets.data(), {dx.data(), p.shape.rows}, bind<H, double>(nullptr, 9));
  CHECK(loss == expected.loss);
  CHECK(dx == expected.dx);
}

TEST_CASE("Crf head: a few steps of descent learn a rule that a token cannot know alone") {
  // Every token looks the same but the first, which says whether the sentence is about a name of two tokens or not.
  using H = head::Crf<2, text::Bio>;
  test::HeadProblem<H> p({3, 3, 1, 3, 3}, 3);
  std::fill(p.params.begin(), p.params.end(), 0.);
  p.targets = {1, 2, 0, /**/ 0, 0, 0, /**/ 0, /**/ 1, 2, 0, /**/ 0, 0, 0};
  for (std::size_t n = 0; n < p.targets.size(); ++n) {
    p.x[2 * n] = p.targets[n] == 1;
    p.x[2 * n + 1] = 1;
  }
  const device::Cpu<> dev(1);
  for (int step = 0; step < 200; ++step) {
    const auto r = p.run(dev);
    for (const Span& s : p.layout.spans)
      for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) p.params[i] -= 0.2 * r.grads[i];
  }
  const auto r = p.run(dev);
  CHECK(r.loss < 0.3);
  CHECK(r.tags == p.targets);
}

}  // namespace crf_test
