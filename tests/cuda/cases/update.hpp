// tests > cuda > [cases]
#pragma once
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/async_optimizer.hpp"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/tensor/flat.hpp"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

/// The values' copy in the type that layers read, where that is another one. It begins as they do; what a step is to
/// write may be poisoned first.
template <class S> class Copy {
  using T = typename S::Sum;
  using W = typename S::W;
  static constexpr bool there = !std::is_same_v<W, T>;

 public:
  Copy(S& stage, const T* values, std::size_t size) : stage_(stage), values_(values), size_(size) {
    if constexpr (there) data_ = stage.put(rounded());
  }
  W* data() const { return data_; }
  void poison(std::size_t first, std::size_t count) {
    if constexpr (there) {
      const std::vector<W> none(count, W(std::numeric_limits<float>::quiet_NaN()));
      stage_.dev.upload(data_ + first, none.data(), count);
    }
  }
  void result() {
    double wrong = 0;
    if constexpr (there) {
      const std::vector<W> expected = rounded();
      std::vector<W> found(size_);
      stage_.dev.download(found.data(), data_, size_);
      for (std::size_t i = 0; i < size_; ++i) wrong += found[i].bits != expected[i].bits;
    }
    stage_.results.push_back({"copies that are not the value, rounded", {wrong}});
  }

 private:
  std::vector<W> rounded() const {
    std::vector<T> host(size_);
    stage_.dev.download(host.data(), values_, size_);
    return std::vector<W>(host.begin(), host.end());
  }

  S& stage_;
  const T* values_;
  std::size_t size_;
  W* data_ = nullptr;
};

/// Rows that wait catch up: n of three tables together, listed ones and a range, and of the last table those whose
/// turn it is. One table's rows are not of fours, one's are more than a block's threads have at once.
template <class Optimizer> struct CatchUpCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using T = typename S::Sum;
    using Rule = typename Optimizer::template Rule<T>;
    constexpr int M = Optimizer::moments;
    using W = typename S::W;
    using Listed = kernel::WaitingRows<kernel::RowList, T, M, W>;
    std::vector<Listed> tables;
    std::vector<Copy<S>> copies;
    for (const int cols : {7, 132, 1100}) {
      const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(cols);
      T* const values = stage.random_master(size);
      copies.emplace_back(stage, values, size);
      kernel::ParameterRange<T, M, W> numbers{values, nullptr, {}, size, copies.back().data()};
      for (int m = 0; m < M; ++m) numbers.moment[m] = stage.template random<T>(size, 5);
      std::vector<std::uint32_t> had;
      for (const std::int32_t x : stage.whole_numbers(static_cast<std::size_t>(n), 5))  // some have had more
        had.push_back(static_cast<std::uint32_t>(4 + x));
      tables.push_back({numbers, cols, stage.put(had), {}});
      const auto caught_up = [&](int row) {
        const bool listed = row % 2 == 1 && (cols != 132 || row < n / 2);
        const bool in_range = row >= n / 2 && (cols != 1100 || row < n / 2 + (n - n / 2) / 2);
        return listed || in_range || (cols == 1100 && row >= (n + 3) / 4 * 3);
      };
      for (int row = 0; row < n; ++row)
        if (caught_up(row) && had[static_cast<std::size_t>(row)] < 7)
          copies.back().poison(static_cast<std::size_t>(row) * static_cast<std::size_t>(cols),
                               static_cast<std::size_t>(cols));
    }
    optim::Knobs knobs;
    knobs.weight_decay = 0.1;
    std::vector<Rule> rules;
    for (std::uint32_t t = 0; t < 4; ++t) rules.emplace_back(knobs, 0.01 + 0.01 * t, t + 4, true);
    std::vector<std::int32_t> odd;
    for (std::int32_t row = 1; row < n; row += 2) odd.push_back(row);
    const kernel::Rules<Rule> latest{stage.put(rules), 4};
    const auto all = [&] { kernel::catch_up(stage.dev, latest, tables.data(), 3, 7u); };
    for (Listed& table : tables) table.rows = {stage.put(odd), 0, static_cast<int>(odd.size())};
    tables[1].rows.count /= 2;  // fewer than of the others
    all();
    for (Listed& table : tables) table.rows = {nullptr, n / 2, n - n / 2};
    tables[2].rows.count /= 2;  // the last quarter's turn comes
    all();
    const auto& [last, cols, done, rows] = tables[2];
    const kernel::WaitingRows<kernel::RowTurns, T, M, W> turns{last, cols, done, {n, (n + 3) / 4, 4}};
    kernel::catch_up(stage.dev, latest, &turns, 1, 7u);
    for (Copy<S>& copy : copies) copy.result();
    for (const Listed& table : tables) {
      stage.result("values", table.table.value, table.table.size);
      for (int m = 0; m < M; ++m) stage.result("moment", table.table.moment[m], table.table.size);
      stage.result("done", table.done, static_cast<std::size_t>(n));
    }
  }
};

/// A few parameters of all kinds: dense ones and tables, of one chunk and of several, frozen ones, two heights.
struct SomeParameters {
  template <class T> struct Frozen {
    Weight<T, 3, 3> weight;
    static void each(auto&& f, auto& w) { f("weight", w.weight, init::glorot_uniform); }
  };
  template <class T> struct Upper {
    Weight<T, 2, 3> weight;
    Table<T, 9, 130> shapes;
    Table<T, 9, 132> fours;  // rows that a lane has four neighbours of at once
    static void each(auto&& f, auto& w) {
      f("weight", w.weight, init::glorot_uniform);
      f("shapes", w.shapes, init::embedding);
      f("fours", w.fours, init::embedding);
    }
  };
  template <class T> struct Weights {
    Weight<T, 1, 5> bias;
    Weight<T, 37, 129> matrix;
    Weight<T, 32, 32> square;  // as many as a block squares at once: the next ones are another's
    Table<T, 700, 7> words;
    Frozen<T> frozen;
    Upper<T> upper;
    static void each(auto&& f, auto& w) {
      f("bias", w.bias, init::zeros);
      f("matrix", w.matrix, init::glorot_uniform);
      f("square", w.square, init::glorot_uniform);
      f("words", w.words, init::embedding);
      f.frozen(w.frozen);
      f.block("upper", w.upper);
    }
  };
};

/// More tables whose rows wait than catch up together.
struct ManyTables {
  template <class T> struct Weights {
    Table<T, 40, 4> a, b, c;
    Weight<T, 37, 129> matrix;
    Table<T, 5, 7> d;
    Table<T, 300, 3> e, f;
    static void each(auto&& f, auto& w) {
      f("a", w.a, init::embedding), f("matrix", w.matrix, init::glorot_uniform), f("b", w.b, init::embedding),
          f("c", w.c, init::embedding), f("d", w.d, init::embedding), f("e", w.e, init::embedding),
          f("f", w.f, init::embedding);
    }
  };
};

/// Poisons what every step writes: all but what is frozen and rows that may wait.
template <class Optimizer, class S> void poison(Copy<S>& copy, const Layout& layout) {
  for (const Span& s : layout.spans)
    if (!s.frozen && !(optim::defers<Optimizer> && optim::waits(s))) copy.poison(s.offset, s.size());
}

/// More of them than a block has threads.
struct ManyParameters {
  template <class T> struct Weights {
    std::array<Weight<T, 1, 3>, 300> bias;
    static void each(auto&& f, auto& w) {
      for (std::size_t i = 0; i < w.bias.size(); ++i) f(("bias." + std::to_string(i)).c_str(), w.bias[i], init::zeros);
    }
  };
};

/// `steps` steps of an optimizer, their results told as they are over; the gradient of step Bad has a NaN in it. Tiny:
/// gradients whose norm is less than the 1e-6 that clipping adds to it.
template <class Optimizer, int Bad = 0, class Net = SomeParameters, bool Tiny = false> struct StepsCase {
  static void run(auto& stage, int steps) {
    using S = std::remove_reference_t<decltype(stage)>;
    using T = typename S::Sum;
    constexpr int M = Optimizer::moments;
    const Layout layout = layout_of<Net>(2);
    optim::BuffersOf<Optimizer, T, typename S::W> b{};
    b.value = stage.random_master(layout.size);
    Copy<S> copy(stage, b.value, layout.size);
    poison<Optimizer>(copy, layout);
    b.weight = copy.data();
    for (int m = 0; m < M; ++m)  // next to which a tiny gradient changes nothing, nor next to the values' decay
      b.moment[m] = Tiny ? stage.put(std::vector<T>(layout.size)) : stage.template random<T>(layout.size, 5);
    if (optim::defers<Optimizer>) b.done = stage.put(std::vector<std::uint32_t>(layout.stamps, 0));
    optim::Knobs knobs;
    knobs.weight_decay = Tiny ? 0 : 0.1;
    knobs.layerwise_lr_decay = 0.5;
    knobs.head_rate = 3;

    optim::OptimizerState<Optimizer, typename S::Device, T, typename S::W> queue(stage.dev, layout);
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
        for (const Span& s : layout.spans)  // no number is stored after a span's end
          for (std::size_t i = 0; !s.frozen && i < s.size(); ++i)
            gradient[s.gradient_offset + i] =
                static_cast<T>(stage.whole_numbers(1, 2001)[0] - 1000) / T(Tiny ? std::int64_t(1) << 34 : 256);
        if (step == Bad) gradient[layout.spans[1].gradient_offset + 4200] = std::numeric_limits<T>::quiet_NaN();
        b.gradient = stage.put(gradient);
        b.stamps = stage.put(stamps);
        queue.add_loss(stage.dev, stage.put(std::vector<T>{T(step)}), Write::assign);
        queue.add_loss(stage.dev, stage.put(std::vector<T>{T(0.25)}), Write::add);
        const double most = Tiny ? 1e-6 : step % 3 == 0 ? 0 : step % 3 == 1 ? 1 : 1e9, rate = Tiny ? 1e7 : 0.01;
        const optim::Order order{knobs, rate / step, static_cast<std::uint32_t>(step), 3.0 + step, most};
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
    copy.result();
    stage.results.push_back(told);
    stage.results.push_back(sentence);
  }
};

/// Scales for tests: one that grows soon, and one that cannot be lowered often.
struct QuickScale : precision::DynamicScale {
  static constexpr std::uint32_t growth_interval = 3;
};
struct LowScale : QuickScale {
  static constexpr float smallest_scale = 4096;
};

/// Steps whose loss is scaled, among them some whose gradient is not finite. A CPU, which scales nothing, takes
/// the others alone: so a step that is skipped is one that never was, and rules count what was not skipped.
template <class Optimizer, class Scale, class Net = SomeParameters> struct ScaledStepsCase {
  /// From the scale 2^14, 16384 = 65536 / 4, of 3 targets rounded up: whether step t is good, and what follows.
  struct Expected {
    double scale = 16384;
    std::uint32_t good_in_a_row = 0, good = 0;
    bool over = false;

    static bool good_at(int step) { return step != 1 && step != 2 && step != 7 && step < 16; }
    void follow(bool is_good) {
      if (!is_good && scale / 2 < double(Scale::smallest_scale)) over = true;
      if (over) return;
      good += is_good;
      good_in_a_row = is_good ? good_in_a_row + 1 : 0;
      if (!is_good) scale /= 2;
      if (good_in_a_row == Scale::growth_interval) scale *= 2, good_in_a_row = 0;
    }
  };

  static void run(auto& stage, int steps) {
    using S = std::remove_reference_t<decltype(stage)>;
    using D = typename S::Device;
    using T = typename S::Sum;
    using Used = std::conditional_t<D::in_host_memory, precision::NoScale, Scale>;
    constexpr int M = Optimizer::moments;
    const Layout layout = layout_of<Net>(2);
    optim::OptimizerState<Optimizer, D, T, typename S::W, Used> queue(stage.dev, layout);
    optim::LazyRowUpdates<Optimizer, D, T, typename S::W, Used> lazy_updates(layout);
    optim::BuffersOf<Optimizer, T, typename S::W> b{};
    b.value = stage.random_master(layout.size);
    Copy<S> copy(stage, b.value, layout.size);
    if (steps > 2) poison<Optimizer>(copy, layout);  // the first good step
    b.weight = copy.data();
    for (int m = 0; m < M; ++m) b.moment[m] = stage.template random<T>(layout.size, 5);
    b.done = lazy_updates.done();
    optim::Knobs knobs;
    knobs.weight_decay = 0.1;
    knobs.head_rate = 3;

    Result told{"results", {}};
    Result sentence{"sentence", {}};
    const auto tell = [&](const optim::StepResult& r) {
      for (const double x : {double(r.step), r.loss_scale, r.loss, r.skipped ? 0 : r.grad_norm, double(r.skipped)})
        told.values.push_back(x);
    };
    Expected expected;
    std::uint32_t latest = 0;  // as this device counts
    try {
      for (int step = 1; step <= steps; ++step) {
        const bool good = Expected::good_at(step);
        const double scale = expected.scale;
        const std::uint32_t number = D::in_host_memory ? expected.good + 1 : static_cast<std::uint32_t>(step);
        std::vector<T> gradient(layout.gradients);
        std::vector<std::uint32_t> stamps;
        for (const std::int32_t x : stage.whole_numbers(layout.stamps, 3))
          stamps.push_back(number - static_cast<std::uint32_t>(x % 2));
        for (const Span& s : layout.spans)
          for (std::size_t i = 0; !s.frozen && i < s.size(); ++i)
            gradient[s.gradient_offset + i] =
                static_cast<T>(stage.whole_numbers(1, 2001)[0] - 1000) * T(D::in_host_memory ? 1 : scale) / T(256);
        if (!good) gradient[layout.spans[1].gradient_offset + 4200] = std::numeric_limits<T>::infinity();
        b.gradient = stage.put(gradient);
        b.stamps = stage.put(stamps);
        Counters counters;
        counters.step = latest;
        lazy_updates.read(stage.dev, layout, b, stage.put(std::vector<Counters>{counters}), [&](auto&& f) {
          for (const Span& s : layout.spans) {
            if (!s.sparse) continue;
            std::vector<std::int32_t> rows;
            for (std::int32_t row = 0; row < s.rows; ++row)
              if (stamps[s.stamp_offset + static_cast<std::size_t>(row)] == number) rows.push_back(row);
            const auto count = static_cast<int>(rows.size());
            f(CsrIndex{stage.put(rows), nullptr, nullptr, count});
          }
        });
        expected.follow(good);
        const optim::Order order{knobs, 0.01 / step, number, 2.0 + step, step % 2 == 0 ? 1.0 : 0.0};
        const auto make = [&] {
          const auto& sent = queue.send(stage.dev, layout, order);
          queue.run(stage.dev, layout, b, sent);
          lazy_updates.stepped(stage.dev, layout, b, queue.decided(sent));
          queue.queued(stage.dev);
          latest = number;
        };
        if constexpr (D::in_host_memory) {
          if (expected.over)
            optim::throw_not_finite(static_cast<std::uint32_t>(step), layout.spans[1].name,
                                    ", although the loss scale is at its minimum");
          optim::StepResult r;
          const auto as_scaled = [&] { r.step = std::uint32_t(step), r.loss_scale = scale, r.skipped = !good; };
          if (good) {
            queue.add_loss(stage.dev, stage.put(std::vector<T>{T(step)}), Write::assign);
            make();
            queue.results(
                stage.dev, layout, [&](const optim::StepResult& made) { r = made; }, optim::Wait::for_all);
          }
          r.loss = step;
          as_scaled();
          tell(r);
        } else {
          const float* const there = queue.loss_scale(stage.dev, order.targets);
          if (there == nullptr || there != queue.loss_scale(stage.dev, 1000)) sentence.values.push_back(-1);
          queue.add_loss(stage.dev, stage.put(std::vector<T>{T(step)}), Write::assign);
          make();
          // Once the host knows of all, so that a rule's number of steps follows from what it was told alone.
          queue.results(stage.dev, layout, tell, step == 9 ? optim::Wait::for_all : optim::Wait::for_none);
        }
      }
      queue.results(stage.dev, layout, tell, optim::Wait::for_all);
      kernel::LossScale end{float(expected.scale), expected.good_in_a_row, std::uint32_t(steps) - expected.good};
      if constexpr (!D::in_host_memory) end = queue.scale(stage.dev);
      stage.results.push_back({"scale", {end.value, double(end.growth_tracker), double(end.skipped_steps)}});
    } catch (const Error& e) {
      const std::string what = e.what();
      sentence.values.assign(what.begin(), what.end());
    }
    lazy_updates.settle(stage.dev, layout, b, latest);
    stage.result("values", b.value, layout.size);
    for (int m = 0; m < M; ++m)
      stage.result("moment", b.moment[m], optim::averages<Optimizer> && m + 1 == M ? layout.size : layout.gradients);
    copy.result();
    stage.results.push_back(told);
    stage.results.push_back(sentence);
  }
};

/// A scale that would grow to infinity stays where it is, step after step; a CPU knows what it is then.
struct LargestScaleCase {
  static void run(auto& stage, int steps) {
    using S = std::remove_reference_t<decltype(stage)>;
    using D = typename S::Device;
    using T = typename S::Sum;
    kernel::LossScale end{0x1p127f, static_cast<std::uint32_t>(steps) % QuickScale::growth_interval, 0};
    if constexpr (!D::in_host_memory) {
      const Layout layout = layout_of<SomeParameters>(2);
      optim::OptimizerState<optim::Sgd, D, T, T, QuickScale> queue(stage.dev, layout);
      optim::BuffersOf<optim::Sgd, T> b{};
      b.value = stage.template random<T>(layout.size);
      b.moment[0] = stage.template random<T>(layout.size);
      b.gradient = stage.put(std::vector<T>(layout.gradients));
      b.stamps = stage.put(std::vector<std::uint32_t>(layout.stamps));
      queue.set_scale(stage.dev, {0x1p127f, 0, 0});
      for (int step = 1; step <= steps; ++step) {
        queue.run(stage.dev, layout, b,
                  queue.send(stage.dev, layout, {{}, 0.1, static_cast<std::uint32_t>(step), 1, 0}));
        queue.queued(stage.dev);
      }
      end = queue.scale(stage.dev);
    }
    stage.results.push_back({"scale", {end.value, double(end.growth_tracker), double(end.skipped_steps)}});
  }
};

/// Every value of T, of 16 bits, and numbers between it and the next one: halfway, and a little to either side of
/// that. A GPU rounds them by an instruction of its own. And what was rounded in fp32 again.
template <class T> struct NarrowCase {
  static void run(auto& stage, int) {
    using D = typename std::remove_reference_t<decltype(stage)>::Device;
    std::vector<float> values;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const auto at = [](std::uint32_t b) { return float(__builtin_bit_cast(T, static_cast<std::uint16_t>(b))); };
      const float value = at(bits), next = at((bits + 1) % 65536);
      if (value != value) continue;  // how a NaN is spelled is the GPU's own affair
      values.push_back(value);
      if (value - value != 0 || next - next != 0) continue;  // no number is between it and infinity
      const auto middle = __builtin_bit_cast(std::uint32_t, value / 2 + next / 2);
      for (const std::uint32_t near : {middle - 1, middle, middle + 1})
        if ((middle & 0x7fffffffu) != 0) values.push_back(__builtin_bit_cast(float, near));
    }
    std::vector<T> narrow(values.begin(), values.end());
    std::vector<float> wide(narrow.begin(), narrow.end());
    if constexpr (!D::in_host_memory) {
      T* const there = stage.template poison<T>(values.size());
      float* const back = stage.template poison<float>(values.size());
      kernel::convert(stage.dev, stage.put(values), there, values.size());
      kernel::convert(stage.dev, there, back, values.size());
      stage.dev.download(narrow.data(), there, narrow.size());
      stage.dev.download(wide.data(), back, wide.size());
    }
    Result bits{"bits", {}}, again{"bits in fp32", {}};
    for (const T x : narrow) bits.values.push_back(x.bits);
    for (const float x : wide) again.values.push_back(__builtin_bit_cast(std::uint32_t, x));
    stage.results.push_back(bits);
    stage.results.push_back(again);
  }
};

}  // namespace entrain::test
