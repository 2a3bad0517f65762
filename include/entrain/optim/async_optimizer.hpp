// text > batch > embed > encode > head > [optim] > checkpoint
//
// Queued optimization steps: the device computes norm, clipping and the rules, no thread waits, and the host gets the
// results a few steps later. Read optimizer_state.hpp first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/device/ring.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/optimizer_state.hpp"

namespace entrain::optim {

/// Scale     a dynamic one is kept on the device, which knows at once whether it skips a step; the host knows some
///           steps later
/// throws    entrain.optim.2 at the latest `under_way` steps after a step whose gradient was not finite while the loss
///           scale could not be lowered any more. From that step on no value was changed
template <class Optimizer, class D, class T, class W, class Scale>
requires(!D::in_host_memory) class OptimizerState<Optimizer, D, T, W, Scale> {
  using Rule = typename Optimizer::template Rule<T>;

 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  static constexpr std::uint32_t under_way = 8;

  OptimizerState(const D& dev, const Layout& layout) {
    std::vector<kernel::Chunk> chunks;
    first_at_.assign(static_cast<std::size_t>(layout.height) + 2, 0);
    for (std::size_t i = 0; i < layout.spans.size(); ++i) {
      const Span& s = layout.spans[i];
      if (!s.frozen) cut(layout, i, chunks);
      first_at_[static_cast<std::size_t>(s.height) + 1] = static_cast<int>(chunks.size());  // heights never fall
    }
    for (std::size_t h = 1; h < first_at_.size(); ++h) first_at_[h] = std::max(first_at_[h], first_at_[h - 1]);
    chunks_ = Buffer<kernel::Chunk>(chunks.size());
    dev.upload(chunks_.data(), chunks.data(), chunks.size());
    squares_ = Buffer<double>(chunks.size());
    const auto waiting = std::find_if(kinds_.begin(), kinds_.end(), [&](std::size_t i) {
      return layout.spans[i].height == 0 && layout.spans[i].decays();
    });
    of_tables_ = static_cast<std::size_t>(waiting - kinds_.begin());
    orders_ = device::Ring<D>(order_bytes(kinds_.size() * most_lists));
    decided_ = Buffer<Rule>(kinds_.size());
  }

  /// Bytes of device memory.
  static std::size_t bytes(const Layout& layout) {
    std::size_t chunks = 0;
    std::vector<const Span*> kinds;
    for (const Span& s : layout.spans) {
      if (s.frozen) continue;
      const std::size_t whole = s.sparse ? static_cast<std::size_t>(s.rows) : s.size();
      const std::size_t most = s.sparse ? static_cast<std::size_t>(rows_of_chunk(s)) : kernel::Chunk::numbers;
      chunks += (whole + most - 1) / most;
      if (std::none_of(kinds.begin(), kinds.end(), [&](const Span* k) { return one_rule(*k, s); })) kinds.push_back(&s);
    }
    return chunks * (sizeof(kernel::Chunk) + sizeof(double)) + sizeof(kernel::StepState) + kinds.size() * sizeof(Rule) +
           device::Ring<D>::pieces * order_bytes(kinds.size() * most_lists);
  }

  /// Before each micro-batch: the address from which kernels read the loss scale. The first one's targets determine the
  /// initial scale.
  const float* loss_scale(const D& dev, double targets) {
    if constexpr (Scale::dynamic) {
      if (!scaled_) set_scale(dev, {static_cast<float>(Scale::init_scale / power_of_two_from(targets))});
      return &state_.data()->next.value;
    } else {
      return nullptr;
    }
  }
  /// The scale of the next step's loss and the counters that determine it, after all steps are over: for the resume
  /// state. 0 before the first micro-batch.
  kernel::LossScale scale(const D& dev) const {
    kernel::LossScale now;
    dev.download(&now, &state_.data()->next, 1);
    return now;
  }
  void set_scale(const D& dev, const kernel::LossScale& scale) {
    dev.upload(&state_.data()->next, &scale, 1);
    skipped_ = scale.skipped_steps;
    scaled_ = scale.value > 0;
  }

  template <class Sum> void add_loss(const D& dev, const Sum* loss, Write how) {
    kernel::add_loss(dev, loss, state_.data(), how);
  }
  /// An order in memory that the device reads.
  struct QueuedOrder {
    const kernel::StepOrder* told;
    const Rule* rules;
  };
  /// The device addresses of the last decided step.
  struct Decided {
    const kernel::StepState* state;
    const Rule* of_tables;  // the rule of stale rows, if there are any

    const std::uint32_t* upto() const { return &state->step; }
  };
  QueuedOrder send(const D& dev, const Layout& layout, const Order& order) {
    if (full())
      results(
          dev, layout, [](const StepResult&) {}, Wait::for_none);
    loss_scale(dev, order.targets);
    // A rule counts the steps that were not skipped. Any of the steps under way may be skipped, so there is one list of
    // rules for each possible number of skips.
    const std::size_t lists = Scale::dynamic ? queued_ - told_ + 1 : 1, bytes = order_bytes(kinds_.size() * lists);
    std::byte* here = orders_.piece(bytes);
    new (here) kernel::StepOrder{order.targets,
                                 order.max_grad_norm,
                                 order.step,
                                 skipped_,
                                 static_cast<std::uint32_t>(kinds_.size()),
                                 slots_[queued_ % under_way].state.data()};
    here += order_bytes(0);
    Order counted = order;
    counted.step -= skipped_;
    for (std::size_t list = 0; list < lists; ++list, --counted.step)
      for (const std::size_t kind : kinds_) {
        new (here) Rule(counted.template rule<Rule>(layout.spans[kind], layout));
        here += sizeof(Rule);
      }
    const QueuedOrder sent{reinterpret_cast<const kernel::StepOrder*>(orders_.there()),
                           reinterpret_cast<const Rule*>(orders_.there() + order_bytes(0))};
    orders_.send(dev, bytes);
    return sent;
  }
  void run(const D& dev, const Layout& layout, const Numbers& b, const QueuedOrder& order) {
    decide(dev, b, order, layout.height);
    apply(dev, b, 0, layout.height);
  }
  Decided decided(const QueuedOrder&) const { return decided(); }
  /// The same in parts, between which other work may be queued. square: the squares of the gradients of the blocks of
  /// some heights. decide: the norm and the values that follow from it, after it squares the heights up to `highest`.
  /// apply: the values of the blocks of some heights, before the next step is decided.
  void square(const D& dev, const Numbers& b, const QueuedOrder& order, int lowest, int highest) {
    const kernel::Chunks some = chunks(lowest, highest);
    kernel::square_chunks(dev, some, flat(b), order.told, state_.data(), squares_.data() + (some.of - chunks_.data()));
  }
  void decide(const D& dev, const Numbers& b, const QueuedOrder& order, int highest) {
    square(dev, b, order, 0, highest);
    kernel::decide_step<Scale>(dev, squares_.data(), first_at_.back(), order.told, order.rules, state_.data(),
                               decided_.data());
  }
  void apply(const D& dev, const Numbers& b, int lowest, int highest) {
    kernel::update_chunks<averages<Optimizer>>(dev, chunks(lowest, highest), flat(b), state_.data(), decided_.data());
  }
  Decided decided() const { return {state_.data(), decided_.data() + of_tables_}; }
  void queued(const D& dev) {
    orders_.queued(dev);
    Slot& slot = slots_[queued_ % under_way];
    slot.over.record(dev);
    ++queued_;
  }
  /// If the maximum number of steps is under way, it waits for the oldest, so that the next step need not wait.
  void results(const D& dev, const Layout& layout, auto&& f, Wait wait) {
    for (; told_ != queued_; ++told_) {
      Slot& slot = slots_[told_ % under_way];
      if (wait == Wait::for_none && !full() && !slot.over.over()) return;
      slot.over.wait();
      const kernel::StepState s = *slot.state.data();
      if (s.bad_step != 0) throw_bad(dev, layout, s.bad_step);
      skipped_ = s.next.skipped_steps;
      f(StepResult{s.step, s.loss, s.targets, s.grad_norm, Scale::dynamic ? static_cast<double>(s.loss_scale) : 1,
                   s.skipped != 0});
    }
  }

 private:
  template <class N> using Buffer = typename D::template Buffer<N>;
  template <class N> using Pinned = typename D::template Pinned<N>;
  /// The device's results of a step.
  struct Slot {
    Pinned<kernel::StepState> state{1};
    typename D::Event over;
  };

  // Lists of rules for a step: as many as steps may be under way while it is queued, itself included.
  static constexpr std::size_t most_lists = Scale::dynamic ? under_way : 1;

  /// The size of an order, followed by `rules` rules.
  static constexpr std::size_t order_bytes(std::size_t rules) {
    return (sizeof(kernel::StepOrder) + 15) / 16 * 16 + rules * sizeof(Rule);
  }
  static double power_of_two_from(double targets) { return std::exp2(std::ceil(std::log2(std::max(targets, 1.0)))); }
  bool full() const { return queued_ - told_ == under_way; }
  /// The chunks of some heights.
  kernel::Chunks chunks(int lowest, int highest) const {
    const int first = first_at_[static_cast<std::size_t>(lowest)];
    return {chunks_.data() + first, first_at_[static_cast<std::size_t>(highest) + 1] - first};
  }
  static auto flat(const Numbers& b) {
    kernel::ParameterView<T, Optimizer::moments, W> flat{b.value, b.gradient, {}, b.weight, b.stamps, b.done};
    for (int m = 0; m < Optimizer::moments; ++m) flat.moment[m] = b.moment[m];
    return flat;
  }
  void cut(const Layout& layout, std::size_t index, std::vector<kernel::Chunk>& chunks) {
    constexpr std::size_t most = kernel::Chunk::numbers;
    const Span& s = layout.spans[index];
    const std::uint32_t rule = kind(layout, index);
    if (s.sparse) {
      const int rows = rows_of_chunk(s);
      for (int first = 0; first < s.rows; first += rows) {
        const std::size_t before = static_cast<std::size_t>(first) * static_cast<std::size_t>(s.cols);
        chunks.push_back({s.offset + before, s.gradient_offset + before,
                          s.stamp_offset + static_cast<std::size_t>(first), std::min(rows, s.rows - first), s.cols,
                          rule, defers<Optimizer> && waits(s)});
      }
    } else {
      for (std::size_t first = 0; first < s.size(); first += most)
        chunks.push_back({s.offset + first, s.gradient_offset + first, 0, 0,
                          static_cast<std::int32_t>(std::min(most, s.size() - first)), rule, false});
    }
    span_of_.resize(chunks.size(), index);
  }
  /// A multiple of the rows that the device processes at once: else a wide table's chunks would leave part of it idle.
  static int rows_of_chunk(const Span& s) {
    constexpr int at_once = kernel::Update<D>::rows_at_once;
    if (defers<Optimizer> && waits(s)) return kernel::Update<D>::waiting_rows;
    const int rows = std::max(1, static_cast<int>(kernel::Chunk::numbers) / std::max(1, s.cols));
    return (rows + at_once - 1) / at_once * at_once;
  }
  /// Spans with the same rate, and both with or both without decay, share a rule.
  static bool one_rule(const Span& a, const Span& b) { return a.height == b.height && a.decays() == b.decays(); }
  std::uint32_t kind(const Layout& layout, std::size_t index) {
    const auto same = [&](std::size_t i) { return one_rule(layout.spans[i], layout.spans[index]); };
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), same);
    const auto place = static_cast<std::uint32_t>(found - kinds_.begin());
    if (found == kinds_.end()) kinds_.push_back(index);
    return place;
  }
  [[noreturn, gnu::cold]] void throw_bad(const D& dev, const Layout& layout, std::uint32_t step) {
    std::vector<double> squares(squares_.size());
    dev.download(squares.data(), squares_.data(), squares.size());
    const auto bad = std::find_if(squares.begin(), squares.end(), [](double x) { return !std::isfinite(x); });
    // Each square is finite, but their sum is not: the values are too large to name one parameter.
    const std::string name = bad == squares.end()
                                 ? std::string("a parameter")
                                 : layout.spans[span_of_[static_cast<std::size_t>(bad - squares.begin())]].name;
    if constexpr (Scale::dynamic) {
      throw_not_finite(step, name, ", although the loss scale is at its minimum");
    } else {
      throw_not_finite(step, name);
    }
  }

  Buffer<kernel::Chunk> chunks_;
  Buffer<double> squares_;  // of each chunk
  device::Ring<D> orders_;
  Buffer<kernel::StepState> state_{1};
  Buffer<Rule> decided_;
  Slot slots_[under_way];
  std::vector<std::size_t> kinds_, span_of_;  // a span of each rule; of each chunk
  std::vector<int> first_at_;                 // first chunk of each height, then the number of chunks
  std::size_t of_tables_ = 0;                 // the index of the rule of stale rows
  std::uint32_t queued_ = 0, told_ = 0;
  std::uint32_t skipped_ = 0;  // among the steps whose results the host has
  bool scaled_ = false;        // the first loss scale is set
};

}  // namespace entrain::optim
