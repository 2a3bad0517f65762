// text > batch > embed > encode > head > [optim] > checkpoint
//
// What rows of a table wait for under Deferred, and who sees that none is read before it has had it. Read step.hpp
// first.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "entrain/device/step.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/step.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/tensor/segments.hpp"

namespace entrain::optim {

/// Of an optimizer that does not defer: nothing.
template <class Optimizer, class D, class T, class W = T, class Scale = precision::NoScale> class Backlog {
 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  explicit Backlog(const Layout&) {}
  std::uint32_t* done() { return nullptr; }
  static constexpr std::size_t bytes(const Layout&) { return 0; }
  void read(const D&, const Layout&, const Numbers&, const Counters*, auto&&) {}
  void stepped(const D&, const Layout&, const Numbers&, const auto&) {}
  void remember(const D&, const Layout&, const auto&) {}
  void sweep(const D&, const Layout&, const Numbers&, const auto&) {}
  void settle(const D&, const Layout&, const Numbers&, std::uint32_t) {}
  void go_on(const D&, std::uint32_t) {}
};

/// A row is brought up before forward reads it, all rows before anything else does (evaluation, saving). A round-robin
/// sweep sees that none waits for more than `memory` steps.
template <class Optimizer, class D, class T, class W, class Scale>
requires(defers<Optimizer>) class Backlog<Optimizer, D, T, W, Scale> {
 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  /// Steps that a row waits at most. What a GPU moves is little beside what it takes to go through them one by one.
  static constexpr std::uint32_t memory = D::in_host_memory ? 128 : 32;

  explicit Backlog(const Layout& layout)
      : rules_(memory), skipped_(Scale::dynamic ? memory : 0), done_(layout.stamps) {}
  std::uint32_t* done() { return done_.data(); }
  static constexpr std::size_t bytes(const Layout& layout) {
    return layout.stamps * 4 + memory * (sizeof(Rule) + (Scale::dynamic ? 4 : 0));
  }

  /// Before a forward pass: the rows that it reads. tables(f) calls f(Segments) for every table, in the order of the
  /// layout.
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
      tables([&](const Segments& touched) {
        while (!span->sparse || span->frozen) ++span;
        if (waits(*span)) rows_of(*span, kernel::RowList{touched.ids, 0, touched.count});
        ++span;
      });
    });
  }
  /// After a step: it is remembered, and the next rows of each table are swept.
  ///
  /// order     the step's, as Steps::decided says
  void stepped(const D& dev, const Layout& layout, const Numbers& b, const auto& order) {
    remember(dev, layout, order);
    sweep(dev, layout, b, order);
  }
  /// The same in two parts, the second any time before the next step is remembered. Between them rows may be read.
  void remember(const D& dev, const Layout& layout, const auto& order) {
    const auto first = first_that_waits(layout);
    if (first == layout.spans.end()) return;
    if constexpr (D::in_host_memory) {  // all that wait are at one height, so they have one rule
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
  /// Every row up to `steps`.
  void settle(const D& dev, const Layout& layout, const Numbers& b, std::uint32_t steps) {
    if (settled_ == steps) return;
    catch_up<kernel::RowList>(dev, b, steps, [&](auto&& rows_of) {
      for (const Span& s : layout.spans)
        if (waits(s)) rows_of(s, kernel::RowList{nullptr, 0, s.rows});
    });
    settled_ = steps;
  }
  /// Every row has had `steps` steps, in a training that goes on from there.
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
  /// each(rows_of) calls rows_of(span, rows) for tables. A few of them together: on a GPU a call takes as long as the
  /// row that waits for most.
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
  typename D::template Buffer<std::uint32_t> skipped_;  // of a loss scale that skips steps: whether each of them was
  typename D::template Buffer<std::uint32_t> done_;
  std::uint32_t settled_ = 0;
};

}  // namespace entrain::optim
