// tests > [head]
//
// Any head's gradients, in fp64, against central differences; planned bytes against taken bytes; bits over threads.
#pragma once
#include <doctest/doctest.h>

#include <type_traits>

#include "entrain/device/cpu.hpp"
#include "tests/gradient.hpp"

namespace entrain::test {

/// The target of row or sentence i: none for some, and of sets some are empty.
template <class Target> Target some_target(int i, int labels) {
  if constexpr (std::is_integral_v<Target>) {
    return i % 7 == 5 ? no_target<Target>() : i * 5 % labels;
  } else {
    if (i % 7 == 5) return no_target<Target>();
    Target set = Target::none();
    for (int k = i % 3; i % 4 != 3 && k < labels; k += 1 + i % 5) set.add(k);
    return set;
  }
}

/// A head with parameters, input and targets, and memory of exactly the planned size.
template <class Head, class P = precision::Fp64> struct HeadProblem {
  using T = typename P::Sum;
  static constexpr int C = Head::in;

  Sentences sentences;
  Shape shape;
  Layout layout;
  std::vector<T> params, x;
  using Targets = typename Head::Task::Targets;
  using Prediction = typename Head::Task::Prediction;
  std::vector<typename Targets::Number> targets;
  std::size_t planned = 0;

  HeadProblem(const std::vector<int>& lengths, int labels)
      : sentences(lengths), shape(sentences.shape(labels)), layout(layout_of<Head>(labels)) {
    const auto some = [](std::size_t n, std::uint64_t seed) {
      const auto v = noise(n, seed);
      return std::vector<T>(v.begin(), v.end());
    };
    params = some(layout.size, 1);
    x = some(static_cast<std::size_t>(shape.rows) * C, 2);
    for (std::size_t i = 0; i < Targets::count(shape); ++i)
      targets.push_back(some_target<typename Targets::Number>(static_cast<int>(i), labels));
    planned = plan();
  }

  struct Run {
    T loss = T(NAN);
    std::vector<T> dx, grads;
    std::vector<typename Prediction::Number> tags;  // or what else the task predicts
    std::size_t taken = 0;
  };
  template <class D> Run run(const D& dev, bool back = true, Write how = Write::assign, T poison = T(NAN)) const {
    using Real = Impl<Head, P, D>;
    Run r;
    r.dx.assign(x.size(), poison);
    r.grads.assign(layout.size, poison);
    r.tags.assign(Prediction::count(shape), -7);
    OwnedArena memory(planned);
    const Counters counters{
        .seed = 42, .step = 3, .dropout = 0.25f, .loss = {.label_smoothing_factor = 0.125f, .focal_gamma = 1.5f}};
    const Step<D> at{dev, shape, sentences.geometry(), true, how, memory.arena, &counters};
    const auto w = bind<Head, const T>(params.data(), shape.labels);
    const Rows<const T, C> input(x.data(), shape.rows);
    auto saved = Real::allocate_saved(memory.arena, shape);
    Real::forward(at, w, input, targets.data(), &r.loss, saved);
    if (back) {
      Real::backward(at, w, saved, targets.data(), {r.dx.data(), shape.rows},
                     bind<Head, T>(r.grads.data(), shape.labels));
      Real::decode(at, w, input, r.tags.data());
    }
    r.taken = memory.arena.peak;
    return r;
  }

 private:
  std::size_t plan() const {
    using Planned = Impl<Head, P, device::Plan>;
    Arena empty;
    device::Plan dev;
    const Step<device::Plan> at{dev, shape, {}, true, Write::assign, empty};
    const auto w = bind<Head, const T>(nullptr, shape.labels);
    auto saved = Planned::allocate_saved(empty, shape);
    Planned::forward(at, w, {nullptr, shape.rows}, nullptr, nullptr, saved);
    Planned::backward(at, w, saved, nullptr, {nullptr, shape.rows}, bind<Head, T>(nullptr, shape.labels));
    Planned::decode(at, w, {nullptr, shape.rows}, nullptr);
    CHECK(dev.ops >= 9);
    return empty.peak;
  }
};

/// Everything that holds for every head.
template <class Head> void check_head(const std::vector<int>& lengths, int labels) {
  CAPTURE(labels);
  HeadProblem<Head> p(lengths, labels);
  const device::Cpu<> one(1);
  const auto first = p.run(one);
  CHECK(first.taken == p.planned);
  CHECK(std::isfinite(first.loss));

  const auto added = p.run(one, true, Write::add, 3.0);
  CHECK(added.dx == first.dx);
  double worst_sum = 0, worst = 0;
  std::string text;
  for (const Span& s : p.layout.spans)
    for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) {
      const double e = std::abs(first.grads[i] + 3 - added.grads[i]);
      worst_sum = !(e <= worst_sum) ? e : worst_sum;
    }
  CHECK(worst_sum < 1e-12);  // and so every gradient was written

  const auto differences = [&](const std::string& name, double* values, const double* gradient, std::size_t size) {
    for (std::size_t i = 0; i < size; i += 1 + size / 40) {
      const double keep = values[i];
      values[i] = keep + 1e-5;
      const double up = p.run(one, false).loss;
      values[i] = keep - 1e-5;
      const double down = p.run(one, false).loss;
      values[i] = keep;
      const double error = std::abs((up - down) / 2e-5 - gradient[i]) / (1 + std::abs(gradient[i]));
      if (!(error <= worst)) {
        worst = std::isnan(error) ? INFINITY : error;
        text = name + "[" + std::to_string(i) + "]: by differences " + std::to_string((up - down) / 2e-5) +
               ", by backward " + std::to_string(gradient[i]);
      }
    }
  };
  for (const Span& s : p.layout.spans) differences(s.name, &p.params[s.offset], &first.grads[s.offset], s.size());
  differences("input", p.x.data(), first.dx.data(), p.x.size());
  CHECK_MESSAGE(worst < 1e-7, text);

  HeadProblem<Head, precision::Fp32> single(lengths, labels);
  const auto narrow = single.run(one);
  CHECK(static_cast<double>(narrow.loss) == doctest::Approx(first.loss).epsilon(1e-5));
  for (int threads : {2, 3}) {
    const auto r = single.run(device::Cpu<>(threads));
    CHECK(std::memcmp(&r.loss, &narrow.loss, sizeof(float)) == 0);
    CHECK(r.dx == narrow.dx);
    CHECK(r.tags == narrow.tags);
    for (const Span& s : p.layout.spans)
      if (s.size() > 0) CHECK(std::memcmp(&r.grads[s.offset], &narrow.grads[s.offset], s.size() * sizeof(float)) == 0);
  }
}

}  // namespace entrain::test
