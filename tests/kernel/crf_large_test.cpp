// tests > [kernel]
//
// The chain in fp32, over threads, long sentences, many tags.
#include "tests/kernel/crf_problem.hpp"

using namespace entrain;
using namespace entrain::test;

TEST_CASE("crf: scores that underflow every product, in fp32") { against_paths_far_apart<text::Bioes, float>(); }

TEST_CASE("crf: same bits for any number of threads") {
  std::vector<int> lengths;
  for (int i = 0; i < 301; ++i) lengths.push_back(i * 37 % 23);
  Problem<float> p(lengths, 33, 3);
  random_gold<text::Bioes>(p, 4);
  for (std::size_t i = 0; i < p.targets.size(); i += 11) p.targets[i] = -100;
  p.score(40, 4) += 3000;
  const auto first = learn<text::Bioes>(device::Cpu<>(1), p);
  const auto tags = decode<text::Bioes>(device::Cpu<>(1), p);
  const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
  };
  for (int threads : {2, 3, 2, 3, 8}) {
    const device::Cpu<> dev(threads);
    const auto r = learn<text::Bioes>(dev, p);
    CHECK(std::memcmp(&r.loss, &first.loss, sizeof(float)) == 0);
    CHECK(same(r.d, first.d));
    CHECK(same(r.transitions, first.transitions));
    CHECK(same(r.start, first.start));
    CHECK(same(r.end, first.end));
    CHECK(decode<text::Bioes>(dev, p) == tags);
  }
}

TEST_CASE("crf: fp32 follows fp64, and 200,000 tokens are one sentence") {
  constexpr int longest = SANITIZED ? 20000 : 200000;
  const std::vector<int> lengths{3, longest, 40};
  Problem<double> exact(lengths, 9, 2);
  random_gold<text::Bioes>(exact, 5);
  Problem<float> single(lengths, 9, 2);
  single.targets = exact.targets;
  const device::Cpu<> dev(2);
  const auto a = learn<text::Bioes>(dev, exact);
  const auto b = learn<text::Bioes>(dev, single);
  CHECK(static_cast<double>(b.loss) == doctest::Approx(a.loss).epsilon(1e-5));
  CHECK(distance(b.d, a.d) < 1e-4);
  double row_sum = 0;  // marginals sum to 1 in every row, so the gradient to 0
  for (std::size_t row = 0; row < longest + 43; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += a.d[row * 9 + k];
    row_sum = std::max(row_sum, std::abs(sum));
  }
  CHECK(row_sum < 1e-13);
  const Tags tags = decode<text::Bioes>(dev, single);
  CHECK(valid<text::Bioes>({tags.begin() + 3, tags.begin() + longest + 3}));
}

TEST_CASE("crf: 2,001 tags inside the planned memory") {
  constexpr int labels = SANITIZED ? 1001 : 2001;
  Problem<float> p({5, 3, 1, 7, 2, 2, 4, 6, 3}, labels, 3);
  random_gold<text::Bioes>(p, 4);
  const auto r = learn<text::Bioes>(device::Cpu<>(2), p);
  CHECK(r.taken == planned<text::Bioes>(p));
  CHECK(r.taken < std::size_t(labels) * labels * 4 * 2);
  CHECK(std::isfinite(r.loss));
  double sum = 0, start = 0;
  for (float g : r.transitions) sum += static_cast<double>(g);
  for (float g : r.start) start += static_cast<double>(g);
  CHECK(std::abs(sum) < 1e-3);  // as many transitions are expected as are seen
  CHECK(std::abs(start) < 1e-4);
  const Tags tags = decode<text::Bioes>(device::Cpu<>(2), p);
  for (std::size_t s = 0; s < 9; ++s)
    CHECK(valid<text::Bioes>({tags.begin() + p.sentences.cu_seqlens[s], tags.begin() + p.sentences.cu_seqlens[s + 1]}));
}

TEST_CASE("crf: gradients by differences, many labels, partial targets") {
  using Scheme = text::Bioes;
  Problem<double> p({9, 1, 14, 5, 2, 2, 7, 3, 1, 30}, 33, 8, 1);
  random_gold<Scheme>(p, 3);
  for (std::size_t i = 0; i < 20; ++i) p.targets[i] = i % 2 == 0 ? -100 : p.targets[i];
  const device::Cpu<> dev(2);
  const auto r = learn<Scheme>(dev, p);
  const auto slope = [&](double& x) {
    const double keep = x, h = 1e-5;
    x = keep + h;
    const double up = learn<Scheme>(dev, p).loss;
    x = keep - h;
    const double down = learn<Scheme>(dev, p).loss;
    x = keep;
    return (up - down) / (2 * h);
  };
  double worst = 0;
  for (int row = 0; row < p.sentences.rows(); row += SANITIZED ? 45 : 9)
    for (int k = 0; k < 33; k += 7)
      worst = std::max(worst, std::abs(slope(p.score(row, k)) - r.d[static_cast<std::size_t>(row * 33 + k)]));
  for (std::size_t i = 0; i < p.transitions.size(); i += SANITIZED ? 460 : 23)
    worst = std::max(worst, std::abs(slope(p.transitions[i]) - r.transitions[i]));
  for (std::size_t i = 0; i < 33; i += SANITIZED ? 16 : 5) {
    worst = std::max(worst, std::abs(slope(p.start[i]) - r.start[i]));
    worst = std::max(worst, std::abs(slope(p.end[i]) - r.end[i]));
  }
  CHECK(worst < 1e-8);
}
