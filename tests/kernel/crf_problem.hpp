// tests > [kernel]
//
// A chain of random numbers, what the kernels make of it, and the same by the sum over all its paths, written out.
#pragma once
#include <doctest/doctest.h>

#include <cstring>
#include <functional>

#include "entrain/kernel/crf/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/gradient.hpp"

namespace entrain::test {
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
    scores.assign(rows * static_cast<std::size_t>(LabelMatrix<T>::padded(k)), T(NAN));
    const auto e = test::noise(rows * count, seed + 3, scale);
    for (int row = 0; row < sentences.rows(); ++row)
      for (int j = 0; j < k; ++j) score(row, j) = static_cast<T>(e[static_cast<std::size_t>(row * k + j)]);
    targets.assign(rows, -100);
  }
  T& score(int row, int k) { return scores[static_cast<std::size_t>(row * LabelMatrix<T>::padded(labels) + k)]; }
  T score(int row, int k) const { return scores[static_cast<std::size_t>(row * LabelMatrix<T>::padded(labels) + k)]; }
  T transition(int a, int b) const { return transitions[static_cast<std::size_t>(a * labels + b)]; }
  kernel::Chain<const T> chain() const {
    return {{transitions.data(), labels}, {start.data(), labels}, {end.data(), labels}};
  }
  LabelMatrix<const T> view() const { return {scores.data(), sentences.rows(), labels}; }
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
  const LabelMatrix<const T> scores(nullptr, shape.rows, shape.labels);
  kernel::crf_forward<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr, saved, static_cast<T*>(nullptr));
  kernel::crf_backward<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr, saved, LabelMatrix<T>{},
                               kernel::Chain<T>{});
  kernel::crf_decode<Scheme>(at, scores, kernel::Chain<const T>{}, nullptr);
  CHECK(plan.ops == 3);
  return empty.peak;
}

/// Forward and backward in memory of exactly the planned size. `poison` is in every result before.
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
  const LabelMatrix<T> dview(d.data(), shape.rows, p.labels);
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

/// Whole, partial and forbidden targets, one tag to five.
template <class Scheme> void against_paths_of_every_kind() {
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

/// Scores, then transitions, so far apart that every product of probabilities underflows.
template <class Scheme, class T> void against_paths_far_apart() {
  const double tolerance = sizeof(T) == 4 ? 2e-3 : 1e-10;  // scores of 2000 carry 2000 * 2^-24 = 1e-4 each in fp32
  for (std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    Problem<T> p({4, 3, 1, 2, 4}, 5, seed);
    Random random(seed);
    for (int row = 0; row < p.sentences.rows(); ++row)
      for (int k = 0; k < 5; ++k)
        if (random.below(2) == 0) p.score(row, k) += random.below(2) == 0 ? T(2000) : T(-2000);
    random_gold<Scheme>(p, seed);
    against_paths<Scheme>(p, tolerance);
    p.targets[1] = p.targets[5] = -100;
    against_paths<Scheme>(p, tolerance);
    for (auto& t : p.transitions)
      if (random.below(3) == 0) t += random.below(2) == 0 ? T(1500) : T(-1500);
    against_paths<Scheme>(p, tolerance);
  }
}

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

}  // namespace entrain::test
