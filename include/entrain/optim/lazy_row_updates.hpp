// text > batch > embed > encode > head > [optim] > checkpoint
//
// The missing steps of a table's stale rows under LazyUpdate, and the class that brings a row up to date before it is
// read. Read step.hpp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "entrain/device/step.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/step.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::optim {

/// For an optimizer that does not defer: empty.
template <class Optimizer, class D, class T, class W = T, class Scale = precision::NoScale> class LazyRowUpdates {
 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  explicit LazyRowUpdates(const Layout&) {}
  std::uint32_t* done() { return nullptr; }
  static constexpr std::size_t bytes(const Layout&) { return 0; }
  void read(const D&, const Layout&, const Numbers&, const Counters*, auto&&) {}
  void stepped(const D&, const Layout&, const Numbers&, const auto&) {}
  void remember(const D&, const Layout&, const auto&) {}
  void sweep(const D&, const Layout&, const Numbers&, const auto&) {}
  void settle(const D&, const Layout&, const Numbers&, std::uint32_t) {}
  void go_on(const D&, std::uint32_t) {}
};

/// It brings a row up to date before forward reads it, and all rows before any other reader (evaluation, saving). A
/// round-robin sweep ensures that no row misses more than `memory` steps.
template <class Optimizer, class D, class T, class W, class Scale>
requires(defers<Optimizer>) class LazyRowUpdates<Optimizer, D, T, W, Scale> {
 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  /// The maximum number of steps that a row misses. On a GPU, moving the data costs little compared with applying the
  /// steps one by one.
  static constexpr std::uint32_t memory = D::in_host_memory ? 128 : 32;

  explicit LazyRowUpdates(const Layout& layout)
      : rules_(memory), skipped_(Scale::dynamic ? memory : 0), done_(layout.stamps) {}
  std::uint32_t* done() { return done_.data(); }
  static constexpr std::size_t bytes(const Layout& layout) {
    return layout.stamps * 4 + memory * (sizeof(Rule) + (Scale::dynamic ? 4 : 0));
  }

  /// Before a forward pass: brings the rows that it reads up to date. tables(f) calls f(CsrIndex) for every table, in
  /// the order of the layout.
  void read(const D& dev, const Layout& layout, const Numbers& b, const Counters* counters, auto&& tables) {
    const auto upto = [&] {
      if constexpr (D::in_host_memory) {
        return counters->step;
      } else {
        return &counters->step;
      }
    }();
    catch_up<kernel::RowList>(dev, b, upto, [&](auto&& rows_of) {
      auto span = layout.spans.begin();
      tables([&](const CsrIndex& touched) {
        while (!span->sparse || span->frozen) ++span;
        if (waits(*span)) rows_of(*span, kernel::RowList{touched.ids, 0, touched.count});
        ++span;
      });
    });
  }
  /// After a step: remembers it, and sweeps the next rows of each table.
  ///
  /// order     the step's order, as returned by Steps::decided
  void stepped(const D& dev, const Layout& layout, const Numbers& b, const auto& order) {
    remember(dev, layout, order);
    sweep(dev, layout, b, order);
  }
  /// The same in two parts; the second must come before the next step is remembered. Rows may be read between them.
  void remember(const D& dev, const Layout& layout, const auto& order) {
    const auto first = first_that_waits(layout);
    if (first == layout.spans.end()) return;
    if constexpr (D::in_host_memory) {  // all spans with stale rows have one height, so one rule
      rules_.data()[order.step % memory] = order.template rule<Rule>(*first, layout);
    } else {
      kernel::remember(dev, order.state, order.of_tables, rules_.data(), skipped(), memory);
    }
  }
  void sweep(const D& dev, const Layout& layout, const Numbers& b, const auto& order) {
    catch_up<kernel::RowTurns>(dev, b, order.upto(), [&](auto&& rows_of) {
      for (const Span& s : layout.spans)
        if (waits(s))
          rows_of(s,
                  kernel::RowTurns{s.rows, (s.rows + static_cast<int>(memory) - 1) / static_cast<int>(memory), memory});
    });
  }
  /// Brings every row up to `steps`.
  void settle(const D& dev, const Layout& layout, const Numbers& b, std::uint32_t steps) {
    if (settled_ == steps) return;
    catch_up<kernel::RowList>(dev, b, steps, [&](auto&& rows_of) {
      for (const Span& s : layout.spans)
        if (waits(s)) rows_of(s, kernel::RowList{nullptr, 0, s.rows});
    });
    settled_ = steps;
  }
  /// Sets that every row has had `steps` steps, when a training resumes from there.
  void go_on(const D& dev, std::uint32_t steps) {
    const std::vector<std::uint32_t> all(done_.size(), steps);
    dev.upload(done_.data(), all.data(), all.size());
    settled_ = steps;
  }

 private:
  using Rule = typename Optimizer::template Rule<T>;

  static auto first_that_waits(const Layout& layout) {
    return std::find_if(layout.spans.begin(), layout.spans.end(), waits);
  }
  /// each(rows_of) calls rows_of(span, rows) for tables. Several tables share a call: on a GPU a call takes as long as
  /// the row with the most missing steps.
  template <class Rows> void catch_up(const D& dev, const Numbers& b, auto upto, auto&& each) {
    std::array<kernel::WaitingRows<Rows, T, Optimizer::moments, W>, kernel::tables_at_once> few{};
    int count = 0;
    const auto all = [&] {
      kernel::catch_up(dev, kernel::Rules<Rule>{rules_.data(), memory, skipped()}, few.data(), count, upto);
      count = 0;
    };
    each([&](const Span& s, Rows rows) {
      few[static_cast<std::size_t>(count++)] = {b.of(s), s.cols, done_.data() + s.stamp_offset, rows};
      if (count == kernel::tables_at_once) all();
    });
    if (count > 0) all();
  }

  std::uint32_t* skipped() { return Scale::dynamic ? skipped_.data() : nullptr; }

  typename D::template Buffer<Rule> rules_;
  typename D::template Buffer<std::uint32_t> skipped_;  // for a loss scale that skips steps: whether each was skipped
  typename D::template Buffer<std::uint32_t> done_;
  std::uint32_t settled_ = 0;
};

}  // namespace entrain::optim
