// tests > [optim]
//
// Rows that wait: not a bit differs from rows that do not.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <set>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/kernel/update/cpu.hpp"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/optim/schedule.hpp"
#include "tests/gradient.hpp"
#include "tests/layout.hpp"

using namespace entrain;

namespace {

/// Three tables (one of them fewer rows than a sweep has parts, one of a single row) and a matrix.
Layout tables() {
  return test::layout(
      {{"words", 384, 20, true}, {"matrix", 3, 7, false, false, 1}, {"places", 5, 3, true}, {"segment", 1, 9, true}});
}

/// Values, gradients and moments of one optimizer.
template <class O, class T> struct Numbers {
  std::vector<T> value, gradient;
  std::vector<std::uint32_t> stamps;
  std::array<std::vector<T>, O::moments> moment;

  explicit Numbers(const Layout& layout) : value(layout.size), gradient(layout.size), stamps(layout.stamps) {
    const auto noise = test::noise(layout.size, 3);
    for (std::size_t i = 0; i < layout.size; ++i) value[i] = static_cast<T>(noise[i]);
    for (auto& m : moment) m.assign(layout.size, T(0));
  }
  optim::BuffersOf<O, T> buffers(std::uint32_t* done) {
    optim::BuffersOf<O, T> b{value.data(), gradient.data(), stamps.data(), {}, done};
    for (std::size_t k = 0; k < moment.size(); ++k) b.moment[k] = moment[k].data();
    return b;
  }
};

/// Few rows often, most rows seldom or never: rows touched by step `step` of a table, ascending.
std::vector<std::int32_t> touched_rows(Random& random, int rows) {
  std::set<std::int32_t> ids;
  for (int i = 0; i < 12; ++i) {
    const auto width = 1 + random.below(static_cast<std::uint32_t>(rows));
    ids.insert(static_cast<std::int32_t>(random.below(width)));
  }
  return {ids.begin(), ids.end()};
}

template <class T> bool same(const T* a, const T* b, std::size_t n) { return std::memcmp(a, b, n * sizeof(T)) == 0; }

template <class Inner, class T> void side_by_side(int threads, std::uint32_t steps) {
  using O = optim::LazyUpdate<Inner>;
  const device::Cpu<> dev(threads);
  const Layout layout = tables();
  Numbers<Inner, T> dense(layout);
  Numbers<O, T> waiting(layout);
  optim::LazyRowUpdates<O, device::Cpu<>, T> lazy_updates(layout);
  const optim::Knobs knobs{.weight_decay = 0.1, .layerwise_lr_decay = 0.7};
  const optim::Schedule schedule{.learning_rate = 0.01, .warmup_steps = 20, .total_steps = steps};
  Random random(5, 9);
  long waited = 0;
  for (std::uint32_t step = 1; step <= steps; ++step) {
    std::vector<std::vector<std::int32_t>> ids;
    for (const Span& s : layout.spans)
      if (s.sparse) ids.push_back(touched_rows(random, s.rows));
    Counters counters;
    counters.step = step - 1;
    lazy_updates.read(dev, layout, waiting.buffers(lazy_updates.done()), &counters, [&](auto&& f) {
      for (const auto& of_table : ids) f(CsrIndex{of_table.data(), nullptr, nullptr, int(of_table.size())});
    });
    std::size_t table = 0;
    for (const Span& s : layout.spans) {
      const auto cols = std::size_t(s.cols);
      std::vector<std::int32_t> rows;
      if (s.sparse) {
        rows = ids[table++];
      } else {
        for (int r = 0; r < s.rows; ++r) rows.push_back(r);
      }
      for (const std::int32_t r : rows) {
        const std::size_t at = s.offset + std::size_t(r) * cols;
        REQUIRE(same(&dense.value[at], &waiting.value[at], cols));  // what forward reads
        for (std::size_t c = 0; c < cols; ++c)
          dense.gradient[at + c] = waiting.gradient[at + c] = static_cast<T>(random.uniform() - 0.5);
        if (s.sparse) dense.stamps[s.stamp_offset + std::size_t(r)] = step;
      }
    }
    waiting.stamps = dense.stamps;
    const optim::Order order{knobs, schedule(step - 1), step, 3, 0.5};
    const double norm = optim::step<Inner>(dev, layout, dense.buffers(nullptr), order);
    CHECK(optim::step<O>(dev, layout, waiting.buffers(lazy_updates.done()), order) == norm);
    lazy_updates.stepped(dev, layout, waiting.buffers(lazy_updates.done()), order);
    int swept = 0;
    for (std::size_t r = 0; r < 384 + 5 + 1; ++r) {
      CHECK(lazy_updates.done()[r] + 128 >= step);
      waited += lazy_updates.done()[r] < step;
      swept += r < 384 && lazy_updates.done()[r] == step && waiting.stamps[r] != step;
    }
    CHECK(swept <= 3);  // the 128th part of a table
  }
  CHECK(waited > 100 * long(steps));  // the test tests something
  lazy_updates.settle(dev, layout, waiting.buffers(lazy_updates.done()), steps);
  CHECK(same(dense.value.data(), waiting.value.data(), layout.size));
  for (std::size_t k = 0; k < dense.moment.size(); ++k)
    CHECK(same(dense.moment[k].data(), waiting.moment[k].data(), layout.size));
}

}  // namespace

TEST_CASE("deferred: the memory of rules and of each row's last step") {
  using O = optim::LazyUpdate<optim::AdamW>;
  using Fixed = optim::LazyRowUpdates<O, device::Cpu<>, float>;
  using Scaled = optim::LazyRowUpdates<O, device::Cpu<>, float, float, precision::DynamicScale>;
  constexpr std::size_t rules = 128 * sizeof(O::Rule<float>), rows = 4 * (384 + 5 + 1);
  CHECK(Fixed::bytes(tables()) == rules + rows);
  CHECK(Scaled::bytes(tables()) == rules + rows + 4 * 128);
}

TEST_CASE("deferred: the same bits as rows that do not wait, with decay, a schedule, clipping and the average") {
  side_by_side<optim::AdamW, float>(1, 400);
  side_by_side<optim::AdamW, double>(2, 300);
  side_by_side<optim::Averaged<optim::AdamW>, float>(2, 300);
  side_by_side<optim::Adam, float>(2, 140);
  side_by_side<optim::Sgd, float>(1, 140);
}
