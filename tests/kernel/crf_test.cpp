// tests > [kernel]
//
// The chain against the sum over all its paths, written out.
#include <doctest/doctest.h>

#include <cstring>
#include <functional>

#include "entrain/kernel/crf/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/gradient.hpp"

using namespace entrain;

namespace {
using Tags = std::vector<std::int32_t>;

/// Numbers of a problem, and what the kernels make of them.
template <class T> struct Problem {
  test::Sentences sentences;
  int labels;
  std::vector<T> transitions, start, end, scores;  // scores: [rows, padded], NaN in the padding
  Tags targets;

  Problem(const std::vector<int>& lengths, int k, std::uint64_t seed, double scale = 2)
      : sentences(lengths), labels(k) {
    const auto count = static_cast<std::size_t>(k);
    const auto copy = [](const std::vector<double>& v) { return std::vector<T>(v.begin(), v.end()); };
    transitions = copy(test::noise(count * count, seed, 1));
    start = copy(test::noise(count, seed + 1, 1));
    end = copy(test::noise(count, seed + 2, 1));
    const auto rows = static_cast<std::size_t>(sentences.rows());
    scores.assign(rows * static_cast<std::size_t>(Wide<T>::padded(k)), T(NAN));
    const auto e = test::noise(rows * count, seed + 3, scale);
    for (int row = 0; row < sentences.rows(); ++row)
      for (int j = 0; j < k; ++j) score(row, j) = static_cast<T>(e[static_cast<std::size_t>(row * k + j)]);
    targets.assign(rows, -100);
  }
  T& score(int row, int k) { return scores[static_cast<std::size_t>(row * Wide<T>::padded(labels) + k)]; }
  T score(int row, int k) const { return scores[static_cast<std::size_t>(row * Wide<T>::padded(labels) + k)]; }
  T transition(int a, int b) const { return transitions[static_cast<std::size_t>(a * labels + b)]; }
  kernel::Chain<const T> chain() const {
    return {{transitions.data(), labels}, {start.data(), labels}, {end.data(), labels}};
  }
  Wide<const T> view() const { return {scores.data(), sentences.rows(), labels}; }
};

template <class T> struct Result {
  T loss = T(NAN);
  int broken = -1;
  std::vector<T> d, transitions, start, end;  // d: [rows, labels], dense
  std::size_t taken = 0;
};

template <class Scheme, class T> std::size_t planned(const Problem<T>& p) {
  Arena empty;
  device::Plan plan;
  const Shape shape = p.sentences.shape(p.labels);
  const Step<device::Plan> at{plan, shape, {}, true, Write::assign, empty};
  const auto saved = kernel::CrfSaved<T>::take(empty, shape);
  const Wide<const T> scores(nullptr, shape.rows, shape.labels);
  kernel::crf_forward<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr, saved, static_cast<T*>(nullptr));
  kernel::crf_backward<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr, saved, Wide<T>{}, kernel::Chain<T>{});
  kernel::crf_decode<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr);
  CHECK(plan.verbs == 3);
  return empty.peak;
}

/// Forward and backward in memory of exactly the planned size. `poison` stands in every result before.
template <class Scheme, class T, class D>
Result<T> learn(const D& dev, const Problem<T>& p, Write how = Write::assign, T poison = T(NAN)) {
  const auto k = static_cast<std::size_t>(p.labels), rows = static_cast<std::size_t>(p.sentences.rows());
  Result<T> r;
  std::vector<T> d(p.scores.size(), poison);
  r.transitions.assign(k * k, poison);
  r.start.assign(k, poison);
  r.end.assign(k, poison);
  test::OwnedArena memory(planned<Scheme>(p));
  const Shape shape = p.sentences.shape(p.labels);
  const Step<D> at{dev, shape, p.sentences.geometry(), true, how, memory.arena};
  const auto saved = kernel::CrfSaved<T>::take(memory.arena, shape);
  kernel::crf_forward<Scheme>(at, p.view(), p.chain(), p.targets.data(), saved, &r.loss);
  r.broken = *saved.broken;
  const Wide<T> dview(d.data(), shape.rows, p.labels);
  kernel::crf_backward<Scheme>(
      at, p.view(), p.chain(), p.targets.data(), saved, dview,
      kernel::Chain<T>{{r.transitions.data(), p.labels}, {r.start.data(), p.labels}, {r.end.data(), p.labels}});
  r.taken = memory.arena.peak;
  r.d.resize(rows * k);
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(dview.row_at(static_cast<int>(row)), k, &r.d[row * k]);
  return r;
}
template <class Scheme, class T, class D> Tags decode(const D& dev, const Problem<T>& p) {
  test::OwnedArena memory(planned<Scheme>(p));
  const Step<D> at{dev, p.sentences.shape(p.labels), p.sentences.geometry(), false, Write::assign, memory.arena};
  Tags tags(static_cast<std::size_t>(p.sentences.rows()), -7);
  kernel::crf_decode<Scheme>(at, p.view(), p.chain(), tags.data());
  return tags;
}

template <class Scheme> bool valid(const Tags& y) {
  using Rule = text::Allowed<Scheme>;
  bool ok = Rule::starts(y.front()) && Rule::ends(y.back());
  for (std::size_t t = 1; t < y.size(); ++t) ok = ok && Rule::follows(y[t - 1], y[t]);
  return ok;
}
template <class T> double weight(const Problem<T>& p, int first, const Tags& y) {
  double sum = static_cast<double>(p.start[static_cast<std::size_t>(y.front())]) +
               static_cast<double>(p.end[static_cast<std::size_t>(y.back())]);
  for (std::size_t t = 0; t < y.size(); ++t) {
    sum += static_cast<double>(p.score(first + static_cast<int>(t), y[t]));
    if (t > 0) sum += static_cast<double>(p.transition(y[t - 1], y[t]));
  }
  return sum;
}
template <class Scheme> void each_path(int labels, int length, const std::function<void(const Tags&)>& f) {
  Tags y(static_cast<std::size_t>(length), 0);
  for (;;) {
    if (valid<Scheme>(y)) f(y);
    std::size_t t = 0;
    while (t < y.size() && ++y[t] == labels) y[t++] = 0;
    if (t == y.size()) return;
  }
}

/// Loss and gradients by definition, and the score of the best path of each sentence.
template <class Scheme, class T> Result<double> enumerate(const Problem<T>& p, std::vector<double>& best) {
  const auto k = static_cast<std::size_t>(p.labels);
  Result<double> r;
  r.loss = 0;
  r.broken = 0;
  r.d.assign(static_cast<std::size_t>(p.sentences.rows()) * k, 0);
  r.transitions.assign(k * k, 0);
  r.start.assign(k, 0);
  r.end.assign(k, 0);
  best.clear();
  for (int s = 0; s < p.sentences.count(); ++s) {
    const int first = p.sentences.cu_seqlens[static_cast<std::size_t>(s)];
    const int length = p.sentences.cu_seqlens[static_cast<std::size_t>(s) + 1] - first;
    best.push_back(-INFINITY);
    if (length == 0) continue;
    bool observed = false;
    const auto agrees = [&](const Tags& y) {
      for (std::size_t t = 0; t < y.size(); ++t) {
        const auto target = p.targets[static_cast<std::size_t>(first) + t];
        const bool tagged = target >= 0 && target < p.labels;
        observed = observed || tagged;
        if (tagged && target != y[t]) return false;
      }
      return true;
    };
    double top[2] = {-INFINITY, -INFINITY}, z[2] = {0, 0};
    each_path<Scheme>(p.labels, length, [&](const Tags& y) {
      const double w = weight(p, first, y);
      top[0] = std::max(top[0], w);
      if (agrees(y)) top[1] = std::max(top[1], w);
    });
    best.back() = top[0];
    if (!observed) continue;
    if (top[1] == -INFINITY) {
      ++r.broken;
      continue;
    }
    each_path<Scheme>(p.labels, length, [&](const Tags& y) {
      const double w = weight(p, first, y);
      z[0] += std::exp(w - top[0]);
      if (agrees(y)) z[1] += std::exp(w - top[1]);
    });
    r.loss += top[0] + std::log(z[0]) - top[1] - std::log(z[1]);
    each_path<Scheme>(p.labels, length, [&](const Tags& y) {
      const double w = weight(p, first, y);
      const double share = std::exp(w - top[0]) / z[0] - (agrees(y) ? std::exp(w - top[1]) / z[1] : 0);
      r.start[static_cast<std::size_t>(y.front())] += share;
      r.end[static_cast<std::size_t>(y.back())] += share;
      for (std::size_t t = 0; t < y.size(); ++t) {
        r.d[(static_cast<std::size_t>(first) + t) * k + static_cast<std::size_t>(y[t])] += share;
        if (t > 0) r.transitions[static_cast<std::size_t>(y[t - 1]) * k + static_cast<std::size_t>(y[t])] += share;
      }
    });
  }
  return r;
}

template <class T> double distance(const std::vector<T>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double e = std::abs(static_cast<double>(a[i]) - b[i]);
    worst = !(e <= worst) ? e : worst;
  }
  return worst;
}

template <class Scheme, class T> void against_paths(const Problem<T>& p, double tolerance) {
  std::vector<double> best;
  const auto expected = enumerate<Scheme>(p, best);
  const device::Cpu<> dev(1);
  const auto found = learn<Scheme>(dev, p);
  CAPTURE(p.labels);
  CHECK(std::abs(static_cast<double>(found.loss) - expected.loss) <= tolerance * (1 + std::abs(expected.loss)));
  CHECK(found.broken == expected.broken);
  CHECK(distance(found.d, expected.d) < tolerance);
  CHECK(distance(found.transitions, expected.transitions) < tolerance);
  CHECK(distance(found.start, expected.start) < tolerance);
  CHECK(distance(found.end, expected.end) < tolerance);
  CHECK(found.taken == planned<Scheme>(p));
  const Tags tags = decode<Scheme>(dev, p);
  for (int s = 0; s < p.sentences.count(); ++s) {
    const auto* cu = &p.sentences.cu_seqlens[static_cast<std::size_t>(s)];
    if (cu[1] == cu[0]) continue;
    const Tags y(tags.begin() + cu[0], tags.begin() + cu[1]);
    CHECK(valid<Scheme>(y));
    CHECK(std::abs(weight(p, cu[0], y) - best[static_cast<std::size_t>(s)]) <=
          tolerance * (1 + std::abs(best[static_cast<std::size_t>(s)])));
  }
}

/// Targets that are a path which the scheme allows, drawn at random.
template <class Scheme, class T> void random_gold(Problem<T>& p, std::uint64_t seed) {
  using Rule = text::Allowed<Scheme>;
  Random random(seed);
  for (int s = 0; s < p.sentences.count(); ++s) {
    const int first = p.sentences.cu_seqlens[static_cast<std::size_t>(s)];
    const int last = p.sentences.cu_seqlens[static_cast<std::size_t>(s) + 1];
    std::int32_t before = 0;
    for (int row = first; row < last; ++row) {
      // What comes after must be able to go on, and the last one to end.
      std::int32_t tag = 0;
      for (int tries = 0; tries < 200; ++tries) {
        tag = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(p.labels)));
        const bool in = row == first ? Rule::starts(tag) : Rule::follows(before, tag);
        bool out = row + 1 == last && Rule::ends(tag);
        for (std::int32_t next = 0; row + 1 < last && next < p.labels; ++next)
          out = out || (Rule::follows(tag, next) && (row + 2 < last || Rule::ends(next)));
        if (in && out) break;
      }
      p.targets[static_cast<std::size_t>(row)] = before = tag;
    }
    const Tags y(p.targets.begin() + first, p.targets.begin() + last);  // a type without an E may have led nowhere
    if (last > first && !valid<Scheme>(y)) std::fill(p.targets.begin() + first, p.targets.begin() + last, 0);
  }
}
}  // namespace

TEST_CASE_TEMPLATE("crf: loss, marginals, gradients and best path against all paths", Scheme, text::Bioes, text::Bio,
                   text::Io, text::Iob1) {
  for (int labels : {1, 2, 3, 4, 5})
    for (std::uint64_t seed : {1u, 2u, 3u}) {
      Problem<double> p({4, 1, 3, 0, 2, 4, 4, 1, 1, 2, 3, 3}, labels, seed * 10);
      random_gold<Scheme>(p, seed);
      against_paths<Scheme>(p, 1e-10);
      for (std::size_t i = 0; i < p.targets.size(); ++i)
        if (i % 3 != seed % 3) p.targets[i] = -100;  // partial targets
      against_paths<Scheme>(p, 1e-10);
      Random random(seed);
      for (auto& t : p.targets) t = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(labels)));
      against_paths<Scheme>(p, 1e-10);  // some of them forbidden
    }
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

TEST_CASE_TEMPLATE("crf: scores that underflow every product are still summed exactly", T, float, double) {
  const double tolerance = sizeof(T) == 4 ? 2e-3 : 1e-10;  // scores of 2000 carry 2000 * 2^-24 = 1e-4 each in fp32
  for (std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    Problem<T> p({4, 3, 1, 2, 4}, 5, seed);
    Random random(seed);
    for (int row = 0; row < p.sentences.rows(); ++row)
      for (int k = 0; k < 5; ++k)
        if (random.below(2) == 0) p.score(row, k) += random.below(2) == 0 ? T(2000) : T(-2000);
    random_gold<text::Bioes>(p, seed);
    against_paths<text::Bioes>(p, tolerance);
    p.targets[1] = p.targets[5] = -100;
    against_paths<text::Bioes>(p, tolerance);
    for (auto& t : p.transitions)
      if (random.below(3) == 0) t += random.below(2) == 0 ? T(1500) : T(-1500);
    against_paths<text::Bio>(p, tolerance);
    against_paths<text::Io>(p, tolerance);
  }
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

namespace {
/// log Z of one sentence by the plain recursion, and the largest score. only: keep to paths that agree with the
/// targets.
template <class Scheme> std::pair<double, double> recursion(const Problem<double>& p, int s, bool only) {
  using Rule = text::Allowed<Scheme>;
  const int first = p.sentences.cu_seqlens[static_cast<std::size_t>(s)];
  const int last = p.sentences.cu_seqlens[static_cast<std::size_t>(s) + 1];
  const auto K = static_cast<std::size_t>(p.labels);
  std::vector<long double> sum(K, 0);
  std::vector<double> top(K, -INFINITY);
  for (int row = first; row < last; ++row) {
    std::vector<long double> sum_next(K, 0);
    std::vector<double> top_next(K, -INFINITY);
    const auto target = p.targets[static_cast<std::size_t>(row)];
    for (int b = 0; b < p.labels; ++b) {
      const auto to = static_cast<std::size_t>(b);
      if (only && target >= 0 && target != b) continue;
      if (row == first && Rule::starts(b)) {
        sum_next[to] = std::exp(static_cast<long double>(p.start[to] + p.score(row, b)));
        top_next[to] = p.start[to] + p.score(row, b);
      }
      for (int before = 0; row > first && before < p.labels; ++before)
        if (Rule::follows(before, b)) {
          const auto from = static_cast<std::size_t>(before);
          const double w = p.transition(before, b) + p.score(row, b);
          sum_next[to] += sum[from] * std::exp(static_cast<long double>(w));
          top_next[to] = std::max(top_next[to], top[from] + w);
        }
    }
    sum = sum_next;
    top = top_next;
  }
  long double z = 0;
  double largest = -INFINITY;
  for (std::size_t k = 0; k < K; ++k)
    if (Rule::ends(static_cast<std::int32_t>(k))) {
      z += sum[k] * std::exp(static_cast<long double>(p.end[k]));
      largest = std::max(largest, top[k] + p.end[k]);
    }
  return {static_cast<double>(std::log(z)), largest};
}
}  // namespace

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
  for (int row = 0; row < p.sentences.rows(); row += 5)
    for (int k = 0; k < 33; k += 4)
      worst = std::max(worst, std::abs(slope(p.score(row, k)) - r.d[static_cast<std::size_t>(row * 33 + k)]));
  for (std::size_t i = 0; i < p.transitions.size(); i += 7)
    worst = std::max(worst, std::abs(slope(p.transitions[i]) - r.transitions[i]));
  for (std::size_t i = 0; i < 33; i += 2) {
    worst = std::max(worst, std::abs(slope(p.start[i]) - r.start[i]));
    worst = std::max(worst, std::abs(slope(p.end[i]) - r.end[i]));
  }
  CHECK(worst < 1e-8);
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
  const std::vector<int> lengths{3, 200000, 40};
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
  for (std::size_t row = 0; row < 200043; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += a.d[row * 9 + k];
    row_sum = std::max(row_sum, std::abs(sum));
  }
  CHECK(row_sum < 1e-13);
  const Tags tags = decode<text::Bioes>(dev, single);
  CHECK(valid<text::Bioes>({tags.begin() + 3, tags.begin() + 200003}));
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

TEST_CASE("crf: rows behind the last sentence are zero and O") {
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
  kernel::crf_backward<text::Bioes>(at, p.view(), p.chain(), p.targets.data(), saved, Wide<double>(d.data(), 7, 5),
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

TEST_CASE("crf: 2,001 tags inside the planned memory") {
  Problem<float> p({5, 3, 1, 7, 2, 2, 4, 6, 3}, 2001, 3);
  random_gold<text::Bioes>(p, 4);
  const auto r = learn<text::Bioes>(device::Cpu<>(2), p);
  CHECK(r.taken == planned<text::Bioes>(p));
  CHECK(r.taken < std::size_t(2001) * 2001 * 4 * 2);
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
