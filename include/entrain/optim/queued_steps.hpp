// text > batch > embed > encode > head > [optim] > checkpoint
//
// Optimization steps that queue: norm, clipping and the rules are worked out on the device, nobody waits, and the host
// is told a few steps later. Read steps.hpp first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/steps.hpp"

namespace entrain::optim {

/// throws    entrain.optim.2 at the latest `under_way` steps after one whose gradient was not finite. From that step on
///           no value was changed
template <class Optimizer, class D, class T, class W>
requires(!D::in_host_memory) class Steps<Optimizer, D, T, W> {
 public:
  using Numbers = BuffersOf<Optimizer, T, W>;
  static constexpr std::uint32_t under_way = 8;

  Steps(const D& dev, const Layout& layout) {
    std::vector<kernel::Chunk> chunks;
    for (std::size_t i = 0; i < layout.spans.size(); ++i)
      if (!layout.spans[i].frozen) cut(layout, i, chunks);
    chunks_ = Buffer<kernel::Chunk>(chunks.size());
    dev.upload(chunks_.data(), chunks.data(), chunks.size());
    squares_ = Buffer<double>(chunks.size());
    rules_ = Buffer<Rule>(kinds_.size());
    for (Slot& slot : slots_) slot.rules = Pinned<Rule>(kinds_.size());
  }

  template <class Sum> void add_loss(const D& dev, const Sum* loss, Write how) {
    kernel::add_loss(dev, loss, state_.data(), how);
  }
  void step(const D& dev, const Layout& layout, const Numbers& b, const Knobs& knobs, double learning_rate,
            std::uint32_t step, double targets, double max_grad_norm) {
    if (full())
      results(
          dev, layout, [](const StepResult&) {}, Wait::for_none);
    Slot& slot = slots_[queued_ % under_way];
    *slot.order.data() = {targets, max_grad_norm, step};
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const Span& s = layout.spans[kinds_[k]];
      slot.rules.data()[k] = Rule(knobs, learning_rate * rate_of(s, layout, knobs), step, s.decays());
    }
    dev.upload(order_.data(), slot.order.data(), 1);
    dev.upload(rules_.data(), slot.rules.data(), kinds_.size());
    kernel::Flat<T, Optimizer::moments, W> flat{b.value, b.gradient, {}, b.weight, b.stamps, b.done};
    for (int m = 0; m < Optimizer::moments; ++m) flat.moment[m] = b.moment[m];
    const kernel::Chunks chunks{chunks_.data(), static_cast<int>(chunks_.size())};
    kernel::step_chunks<averages<Optimizer>>(dev, chunks, flat, order_.data(), rules_.data(), squares_.data(),
                                             state_.data());
    dev.download_later(slot.state, state_.data(), 1);
    slot.over.record(dev);
    ++queued_;
  }
  /// Where the most are under way that may be, the oldest is waited for, so that the next step need not.
  void results(const D& dev, const Layout& layout, auto&& f, Wait wait) {
    for (; told_ != queued_; ++told_) {
      Slot& slot = slots_[told_ % under_way];
      if (wait == Wait::for_none && !full() && !slot.over.over()) return;
      slot.over.wait();
      const kernel::StepState s = *slot.state.data();
      if (s.bad_step != 0) throw_bad(dev, layout, s.bad_step);
      f(StepResult{s.step, s.loss, s.targets, s.grad_norm});
    }
  }

 private:
  using Rule = typename Optimizer::template Rule<T>;
  template <class N> using Buffer = typename D::template Buffer<N>;
  template <class N> using Pinned = typename D::template Pinned<N>;
  /// What host and device tell each other of a step; the host leaves it alone until the step is over.
  struct Slot {
    Pinned<kernel::StepOrder> order{1};
    Pinned<Rule> rules;
    Pinned<kernel::StepState> state{1};
    typename D::Event over;
  };

  bool full() const { return queued_ - told_ == under_way; }
  void cut(const Layout& layout, std::size_t index, std::vector<kernel::Chunk>& chunks) {
    constexpr std::size_t most = kernel::Chunk::numbers;
    const Span& s = layout.spans[index];
    const std::uint32_t rule = kind(layout, index);
    if (s.sparse) {
      const int rows = std::max(1, static_cast<int>(most) / std::max(1, s.cols));
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
  /// Spans that have one rate, and decay or do not, share a rule.
  std::uint32_t kind(const Layout& layout, std::size_t index) {
    const Span& s = layout.spans[index];
    const auto same = [&](std::size_t i) {
      return layout.spans[i].height == s.height && layout.spans[i].decays() == s.decays();
    };
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), same);
    const auto place = static_cast<std::uint32_t>(found - kinds_.begin());
    if (found == kinds_.end()) kinds_.push_back(index);
    return place;
  }
  [[noreturn, gnu::cold]] void throw_bad(const D& dev, const Layout& layout, std::uint32_t step) {
    std::vector<double> squares(squares_.size());
    dev.download(squares.data(), squares_.data(), squares.size());
    const auto bad = std::find_if(squares.begin(), squares.end(), [](double x) { return !std::isfinite(x); });
    // Squares that are finite, each, and not in sum: too large for any parameter to be named.
    const std::string name = bad == squares.end()
                                 ? std::string("a parameter")
                                 : layout.spans[span_of_[static_cast<std::size_t>(bad - squares.begin())]].name;
    throw_not_finite(step, name);
  }

  Buffer<kernel::Chunk> chunks_;
  Buffer<double> squares_;  // of each chunk
  Buffer<kernel::StepOrder> order_{1};
  Buffer<Rule> rules_;
  Buffer<kernel::StepState> state_{1};
  Slot slots_[under_way];
  std::vector<std::size_t> kinds_, span_of_;  // a span of each rule; of each chunk
  std::uint32_t queued_ = 0, told_ = 0;
};

}  // namespace entrain::optim
