// tests > cuda > [cases]
#pragma once
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/queued_steps.hpp"
#include "entrain/tensor/flat.hpp"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

/// Rows that wait catch up (n rows of 7), listed ones and a stretch.
template <class Optimizer> struct CatchUpCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using T = typename S::Sum;
    using Rule = typename Optimizer::template Rule<T>;
    constexpr int cols = 7, M = Optimizer::moments;
    const auto size = static_cast<std::size_t>(n) * cols;
    kernel::Stretch<T, M> numbers{stage.template random<T>(size), nullptr, {}, size};
    for (int m = 0; m < M; ++m) numbers.moment[m] = stage.template random<T>(size, 5);
    std::vector<std::uint32_t> had;
    for (const std::int32_t x : stage.whole_numbers(static_cast<std::size_t>(n), 5))  // some have had more
      had.push_back(static_cast<std::uint32_t>(4 + x));
    std::uint32_t* const done = stage.put(had);
    optim::Knobs knobs;
    knobs.weight_decay = 0.1;
    std::vector<Rule> rules;
    for (std::uint32_t t = 0; t < 4; ++t) rules.emplace_back(knobs, 0.01 + 0.01 * t, t + 4, true);
    std::vector<std::int32_t> odd;
    for (std::int32_t row = 1; row < n; row += 2) odd.push_back(row);
    const kernel::Rules<Rule> latest{stage.put(rules), 4};
    const auto catch_up = [&](auto rows) { kernel::catch_up(stage.dev, latest, numbers, cols, done, rows, 7u); };
    catch_up(kernel::RowList{stage.put(odd), 0, static_cast<int>(odd.size())});
    catch_up(kernel::RowList{nullptr, n / 3, n - n / 3});
    stage.result("values", numbers.value, size);
    for (int m = 0; m < M; ++m) stage.result("moment", numbers.moment[m], size);
    stage.result("done", done, static_cast<std::size_t>(n));
  }
};

/// A few parameters of all kinds: dense ones and tables, of one chunk and of several, frozen ones, two heights.
struct SomeParameters {
  template <class T> struct Frozen {
    Weight<T, 3, 3> weight;
    static void each(auto&& f, auto& w) { f("weight", w.weight); }
  };
  template <class T> struct Upper {
    Weight<T, 2, 3> weight;
    Table<T, 9, 130> shapes;
    static void each(auto&& f, auto& w) {
      f("weight", w.weight);
      f("shapes", w.shapes);
    }
  };
  template <class T> struct Weights {
    Weight<T, 1, 5> bias;
    Weight<T, 37, 129> matrix;
    Table<T, 700, 7> words;
    Frozen<T> frozen;
    Upper<T> upper;
    static void each(auto&& f, auto& w) {
      f("bias", w.bias);
      f("matrix", w.matrix);
      f("words", w.words);
      f.frozen(w.frozen);
      f.block("upper", w.upper);
    }
  };
};

/// More of them than a block has threads.
struct ManyParameters {
  template <class T> struct Weights {
    std::array<Weight<T, 1, 3>, 300> bias;
    static void each(auto&& f, auto& w) {
      for (auto& one : w.bias) f("bias", one);
    }
  };
};

/// `steps` steps of an optimizer, their results told as they are over; the gradient of step Bad has a NaN in it.
template <class Optimizer, int Bad = 0, class Net = SomeParameters> struct StepsCase {
  static void run(auto& stage, int steps) {
    using S = std::remove_reference_t<decltype(stage)>;
    using T = typename S::Sum;
    constexpr int M = Optimizer::moments;
    const Layout layout = layout_of<Net>(2);
    optim::BuffersOf<Optimizer, T> b{};
    b.value = stage.template random<T>(layout.size);
    for (int m = 0; m < M; ++m) b.moment[m] = stage.template random<T>(layout.size, 5);
    if (optim::defers<Optimizer>) b.done = stage.put(std::vector<std::uint32_t>(layout.stamps, 0));
    optim::Knobs knobs;
    knobs.weight_decay = 0.1;
    knobs.layerwise_lr_decay = 0.5;
    knobs.head_rate = 3;

    optim::Steps<Optimizer, typename S::Device, T> queue(stage.dev, layout);
    Result told{"results", {}};
    const auto tell = [&](const optim::StepResult& r) {
      for (const double x : {double(r.step), r.loss, r.targets, r.grad_norm}) told.values.push_back(x);
    };
    Result sentence{"sentence", {}};
    try {
      for (int step = 1; step <= steps; ++step) {
        std::vector<T> gradient(layout.gradients);
        std::vector<std::uint32_t> stamps;
        for (const std::int32_t x : stage.whole_numbers(layout.stamps, 3))
          stamps.push_back(static_cast<std::uint32_t>(step - x % 2));
        for (const Span& s : layout.spans)  // nothing stands behind a span's end
          for (std::size_t i = 0; !s.frozen && i < s.size(); ++i)
            gradient[s.gradient_offset + i] = static_cast<T>(stage.whole_numbers(1, 2001)[0] - 1000) / T(256);
        if (step == Bad) gradient[layout.spans[1].gradient_offset + 4200] = std::numeric_limits<T>::quiet_NaN();
        b.gradient = stage.put(gradient);
        b.stamps = stage.put(stamps);
        queue.add_loss(stage.dev, stage.put(std::vector<T>{T(step)}), Write::assign);
        queue.add_loss(stage.dev, stage.put(std::vector<T>{T(0.25)}), Write::add);
        const double most = step % 3 == 0 ? 0 : step % 3 == 1 ? 1 : 1e9;
        const optim::Order order{knobs, 0.01 / step, static_cast<std::uint32_t>(step), 3.0 + step, most};
        queue.run(stage.dev, layout, b, queue.send(stage.dev, layout, order));
        queue.queued(stage.dev);
        queue.results(stage.dev, layout, tell, optim::Wait::for_none);
      }
      queue.results(stage.dev, layout, tell, optim::Wait::for_all);
    } catch (const Error& e) {
      const std::string what = e.what();
      sentence.values.assign(what.begin(), what.end());
    }
    stage.result("values", b.value, layout.size);
    for (int m = 0; m < M; ++m)
      stage.result("moment", b.moment[m], optim::averages<Optimizer> && m + 1 == M ? layout.size : layout.gradients);
    if (optim::defers<Optimizer>) stage.result("done", b.done, layout.stamps);
    stage.results.push_back(told);
    stage.results.push_back(sentence);
  }
};

}  // namespace entrain::test
