// tests > [kernel]
//
// The chain against the sum over all its paths: one scheme, in fp64.
#include "tests/kernel/crf_problem.hpp"

using namespace entrain;
using namespace entrain::test;

TEST_CASE("crf: loss, marginals, gradients and best path against all paths") {
  against_paths_of_every_kind<text::Bioes>();
}

TEST_CASE("crf: forbidden targets are counted and left out") {
  Problem<double> p({2, 3, 2, 2}, 5, 4);
  p.targets = {1, 0, /**/ 0, 4, 0, /**/ -100, -100, /**/ 2, -100};  // B O | O S O | none | I ?
  const auto r = learn<text::Bioes>(device::Cpu<>(1), p);
  CHECK(r.broken == 2);
  for (int row : {0, 1, 5, 6, 7, 8})
    for (int k = 0; k < 5; ++k) CHECK(r.d[static_cast<std::size_t>(row * 5 + k)] == 0);
  CHECK(r.d[static_cast<std::size_t>(3 * 5 + 4)] < 0);
  against_paths<text::Bioes>(p, 1e-10);
  p.targets[7] = 1;   // B ?: allowed now, as B E
  p.targets[1] = 77;  // no label: as if it had no target, so B ? is allowed as well
  against_paths<text::Bioes>(p, 1e-10);
  CHECK(learn<text::Bioes>(device::Cpu<>(1), p).broken == 0);
}

TEST_CASE("crf: what the targets of each sentence say, and how many contradict the scheme") {
  using enum kernel::Targets;
  // Sixteen sentences of two tokens, in three turns; enough that the next number in memory is no padding.
  const std::vector<std::pair<Tags, kernel::Targets>> turns{{{0, 1}, broken},   {{1, 3}, whole}, {{-100, 4}, partial},
                                                            {{-100, 77}, none}, {{4, 0}, whole}, {{0, 0}, whole}};
  for (const int wrong : {0, 1, 3}) {
    Problem<double> p(std::vector<int>(16, 2), 5, 4);
    const device::Cpu<> dev(1);
    const Shape shape = p.sentences.shape(5);
    std::vector<kernel::Targets> expected;
    for (std::size_t s = 0; s < 16; ++s) {
      const auto& [tags, kind] = turns[static_cast<int>(s) < wrong ? 0 : 1 + s % 5];
      std::copy(tags.begin(), tags.end(), p.targets.begin() + static_cast<std::ptrdiff_t>(2 * s));
      expected.push_back(kind);
    }
    test::OwnedArena memory(planned<text::Bioes>(p));
    const Step<device::Cpu<>> at{dev, shape, p.sentences.geometry(), true, Write::assign, memory.arena};
    const auto saved = kernel::CrfSaved<double>::take(memory.arena, shape);
    double loss = NAN;
    kernel::crf_forward<text::Bioes>(at, p.view(), p.chain(), p.targets.data(), saved, &loss);
    CHECK(std::equal(expected.begin(), expected.end(), saved.kind));
    CHECK(*saved.broken == wrong);
    against_paths<text::Bioes>(p, 1e-10);
  }
}

TEST_CASE("crf: scores that underflow every product are still summed exactly") {
  against_paths_far_apart<text::Bioes, double>();
}

TEST_CASE("crf: parameter gradients add, the gradient of scores is assigned") {
  Problem<double> p({4, 1, 3, 2, 4, 4, 1, 1, 2, 3, 3}, 5, 6);
  random_gold<text::Bioes>(p, 2);
  p.score(3, 2) += 2000;  // one pair of neighbours outside the range of the product
  p.score(2, 0) += 2000;
  p.targets[9] = -100;
  const device::Cpu<> dev(1);
  const auto once = learn<text::Bioes>(dev, p);
  const auto added = learn<text::Bioes>(dev, p, Write::add, 7.0);
  CHECK(added.d == once.d);
  const auto seven_more = [](const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] + 7 - b[i]));
    return worst;
  };
  CHECK(seven_more(once.transitions, added.transitions) < 1e-12);
  CHECK(seven_more(once.start, added.start) < 1e-12);
  CHECK(seven_more(once.end, added.end) < 1e-12);
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b)
      if (!text::Allowed<text::Bioes>::follows(a, b)) {
        CHECK(once.transitions[static_cast<std::size_t>(a * 5 + b)] == 0);
        CHECK(added.transitions[static_cast<std::size_t>(a * 5 + b)] == 7);
      }
}

TEST_CASE("crf: forbidden numbers are never read") {
  Problem<double> p({4, 1, 3, 2}, 5, 6);
  random_gold<text::Bioes>(p, 2);
  const auto before = learn<text::Bioes>(device::Cpu<>(1), p);
  for (int a = 0; a < 5; ++a) {
    using Rule = text::Allowed<text::Bioes>;
    for (int b = 0; b < 5; ++b)
      if (!Rule::follows(a, b)) p.transitions[static_cast<std::size_t>(a * 5 + b)] = NAN;
    if (!Rule::starts(a)) p.start[static_cast<std::size_t>(a)] = NAN;
    if (!Rule::ends(a)) p.end[static_cast<std::size_t>(a)] = NAN;
  }
  const auto after = learn<text::Bioes>(device::Cpu<>(1), p);
  CHECK(after.loss == before.loss);
  CHECK(after.d == before.d);
  CHECK(after.transitions == before.transitions);
}

TEST_CASE("crf: nothing to do") {
  const device::Cpu<> dev(2);
  for (const std::vector<int>& lengths : {std::vector<int>{}, {0}, {0, 0, 0}})
    for (int labels : {1, 5}) {
      Problem<double> p(lengths, labels, 1);
      const auto r = learn<text::Bioes>(dev, p);
      CHECK(r.loss == 0);
      CHECK(r.broken == 0);
      for (double g : r.transitions) CHECK(g == 0);
      for (double g : r.start) CHECK(g == 0);
      for (double g : r.end) CHECK(g == 0);
      CHECK(decode<text::Bioes>(dev, p).empty());
    }
}

TEST_CASE("crf: rows after the last sentence are zero and O") {
  Problem<double> p({4, 3}, 5, 6);
  random_gold<text::Bioes>(p, 2);
  Problem<double> longer = p;
  longer.sentences.cu_seqlens = {0, 4};  // the second sentence's rows are a tail now
  const device::Cpu<> dev(1);
  const Shape shape{7, 1, 5};
  test::OwnedArena memory(planned<text::Bioes>(p) + 4096);
  const Step<device::Cpu<>> at{dev, shape, longer.sentences.geometry(), true, Write::assign, memory.arena};
  const auto saved = kernel::CrfSaved<double>::take(memory.arena, shape);
  double loss = NAN;
  std::vector<double> d(7 * 16, NAN), transitions(25, NAN);
  kernel::crf_forward<text::Bioes>(at, p.view(), p.chain(), p.targets.data(), saved, &loss);
  kernel::crf_backward<text::Bioes>(at, p.view(), p.chain(), p.targets.data(), saved,
                                    LabelMatrix<double>(d.data(), 7, 5),
                                    kernel::Chain<double>{{transitions.data(), 5}, {nullptr, 5}, {nullptr, 5}});
  double expected = 0;
  Problem<double> first({4}, 5, 6);
  first.scores.assign(p.scores.begin(), p.scores.begin() + 4 * 16);
  first.targets.assign(p.targets.begin(), p.targets.begin() + 4);
  const auto r = learn<text::Bioes>(dev, first);
  CHECK(loss == r.loss);
  CHECK(distance(transitions, r.transitions) < 1e-14);
  for (std::size_t row = 4; row < 7; ++row)
    for (std::size_t k = 0; k < 5; ++k) expected += std::abs(d[row * 16 + k]);
  CHECK(expected == 0);
  Tags tags(7, -7);
  kernel::crf_decode<text::Bioes>(at, p.view(), p.chain(), tags.data());
  for (std::size_t row = 4; row < 7; ++row) CHECK(tags[row] == 0);
}

TEST_CASE("crf: numbers that are not finite show in the loss, and decoding stays valid") {
  for (double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)})
    for (int column : {0, 3, 4}) {
      Problem<double> p({3, 4, 2}, 5, 6);
      random_gold<text::Bioes>(p, 2);
      p.score(4, column) = bad;
      CHECK(std::isnan(learn<text::Bioes>(device::Cpu<>(1), p).loss));
      const Tags tags = decode<text::Bioes>(device::Cpu<>(1), p);
      CHECK(valid<text::Bioes>({tags.begin() + 3, tags.begin() + 7}));
      for (int k = 0; k < 5; ++k) p.score(4, k) = bad;
      const Tags lost = decode<text::Bioes>(device::Cpu<>(1), p);
      CHECK(Tags(lost.begin() + 3, lost.begin() + 7) == Tags{0, 0, 0, 0});
    }
}

TEST_CASE("crf: widths around whole packs, against the plain recursion") {
  using Scheme = text::Bioes;
  const device::Cpu<> dev(1);
  for (int labels : {7, 8, 9, 15, 16, 17, 32, 33, 64})
    for (const std::vector<int>& lengths :
         {std::vector<int>{12}, {6, 9}, {5, 5, 8}, {3, 4, 5, 6, 7}, {2, 2, 2, 2, 2, 2, 2, 2, 3, 9}})
      for (int kind = 0; kind < 4; ++kind) {
        const bool partial = kind % 2 == 1, steep = kind / 2 == 1;  // steep: products underflow
        Problem<double> p(lengths, labels, 40);
        random_gold<Scheme>(p, 9);
        Random random(static_cast<std::uint64_t>(labels));
        for (int row = 0; steep && row < p.sentences.rows(); ++row)
          for (int k = 0; k < labels; ++k)
            if (random.below(3) == 0) p.score(row, k) += random.below(2) == 0 ? 700 : -700;
        for (std::size_t i = 1; partial && i < p.targets.size(); ++i)
          if (i % 3 != 0) p.targets[i] = -100;
        p.targets[0] = 0;
        p.targets[1] = -100;
        double loss = 0, best = 0, found = 0;
        const Tags tags = decode<Scheme>(dev, p);
        for (int s = 0; s < p.sentences.count(); ++s) {
          const auto* cu = &p.sentences.cu_seqlens[static_cast<std::size_t>(s)];
          const auto [z, top] = recursion<Scheme>(p, s, false);
          const auto observed = std::count_if(&p.targets[static_cast<std::size_t>(cu[0])], p.targets.data() + cu[1],
                                              [](int t) { return t >= 0; });
          if (observed > 0) loss += z - recursion<Scheme>(p, s, true).first;
          best += top;
          const Tags y(tags.begin() + cu[0], tags.begin() + cu[1]);
          CHECK(valid<Scheme>(y));
          found += weight(p, cu[0], y);
        }
        const auto r = learn<Scheme>(dev, p);
        CAPTURE(labels);
        CHECK(r.broken == 0);
        CHECK(r.loss == doctest::Approx(loss).epsilon(1e-12));
        CHECK(found == doctest::Approx(best).epsilon(1e-12));
        double sum = 0;  // as many transitions are expected as are seen, and as many tags
        for (double g : r.transitions) sum += g;
        CHECK(std::abs(sum) < 1e-11);
        for (std::size_t row = 0; row < p.targets.size(); ++row) {
          double all = 0;
          for (std::size_t k = 0; k < static_cast<std::size_t>(labels); ++k)
            all += r.d[row * static_cast<std::size_t>(labels) + k];
          CHECK(std::abs(all) < 1e-12);
        }
      }
}
