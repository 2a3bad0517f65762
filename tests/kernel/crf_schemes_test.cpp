// tests > [kernel]
//
// The chain under the other tag schemes.
#include "tests/kernel/crf_problem.hpp"

using namespace entrain;
using namespace entrain::test;

TEST_CASE_TEMPLATE("crf: against all paths, scheme by scheme", Scheme, text::Bio, text::Io, text::Iob1) {
  against_paths_of_every_kind<Scheme>();
}

TEST_CASE_TEMPLATE("crf: underflow, scheme by scheme", Scheme, text::Bio, text::Io) {
  against_paths_far_apart<Scheme, double>();
}

TEST_CASE("crf: partial targets that no path can fill are found by the walk") {
  Problem<double> p({3, 2}, 3, 4);  // O B I
  p.targets = {0, -100, 2, /**/ 0, 0};
  CHECK(learn<text::Bio>(device::Cpu<>(1), p).broken == 0);
  Problem<double> q({3, 2}, 3, 4);
  q.targets = {1, -100, 0, /**/ 1, 2};  // with Bioes over O B I every entity stays open
  const auto r = learn<text::Bioes>(device::Cpu<>(1), q);
  CHECK(r.broken == 2);
  CHECK(r.loss == 0);
  against_paths<text::Bioes>(q, 1e-10);
}

TEST_CASE("crf: the way through a state 2000 below the best one") {
  // Tag 1 is worthless at token 0 and the only way to tag 2 at token 1, which is worth everything.
  Problem<double> p({2}, 3, 1, 0);
  p.score(0, 1) = -2000;
  p.score(1, 2) = 5000;
  p.targets = {1, 2};
  against_paths<text::Bio>(p, 1e-10);
  const auto r = learn<text::Bio>(device::Cpu<>(1), p);
  CHECK(std::abs(r.loss) < 1e-9);
  CHECK(decode<text::Bio>(device::Cpu<>(1), p) == Tags{1, 2});
}

TEST_CASE("crf: a transition 2000 below the others, in a row that is not the first") {
  Problem<double> p({2}, 3, 1, 0);  // O B I
  std::fill(p.transitions.begin(), p.transitions.end(), 0.);
  p.transitions[1 * 3 + 2] = -2000;  // the only way to I at token 1, which is worth everything
  p.score(1, 2) = 5000;
  p.targets = {-100, 2};
  against_paths<text::Bio>(p, 1e-10);
  CHECK(decode<text::Bio>(device::Cpu<>(1), p) == Tags{1, 2});
}

TEST_CASE("crf: sentences of another group leave marks of underflow alone, where tags are whole packs") {
  // As above for the first sentence, with 16 tags of which any may follow any. The last sentence walks in a second
  // group.
  Problem<double> p({3, 3, 3, 3, 3, 3, 3, 3, 1}, 16, 2, 0);
  std::fill(p.transitions.begin(), p.transitions.end(), 0.);
  for (int a = 0; a < 16; ++a)
    if (a != 1) p.transitions[static_cast<std::size_t>(a * 16 + 2)] = -3000;
  p.score(0, 1) = -2000;
  p.score(1, 2) = 5000;
  std::fill(p.targets.begin(), p.targets.end(), 0);
  against_paths<text::Io>(p, 1e-9);
}

TEST_CASE("crf: a number after the last tag is no target") {
  Problem<double> p({3, 2}, 3, 7);
  p.targets = {0, 3, -1, 4, 0};
  against_paths<text::Bio>(p, 1e-10);
}

TEST_CASE("crf: a sentence with no path left is all O, and the one before it keeps its tags") {
  Problem<double> p({2, 2}, 3, 3, 0);  // O B I
  p.score(0, 1) = p.score(1, 2) = 9;
  for (int k = 0; k < 3; ++k) p.score(3, k) = NAN;
  CHECK(decode<text::Bio>(device::Cpu<>(1), p) == Tags{1, 2, 0, 0});
}

TEST_CASE("crf: the best path of a sentence of 300 tokens") {
  const Problem<double> p({300}, 5, 8);
  const Tags tags = decode<text::Bioes>(device::Cpu<>(1), p);
  CHECK(valid<text::Bioes>(tags));
  CHECK(std::abs(weight(p, 0, tags) - recursion<text::Bioes>(p, 0, false).second) < 1e-9);
}

TEST_CASE("crf: what underflows is summed over the tags alone, where they fill their room") {
  // Whatever comes before, tag 2 at token 1 costs 3000 and is worth it. The second sentence advances with the first.
  Problem<double> p({2, 2}, 32, 4, 0);
  std::fill(p.transitions.begin(), p.transitions.end(), 0.);
  for (int a = 0; a < 32; ++a) p.transitions[static_cast<std::size_t>(a * 32 + 2)] = -3000;
  p.score(1, 2) = 9000;
  p.targets = {0, 2, 1, 1};
  against_paths<text::Io>(p, 1e-9);
}
