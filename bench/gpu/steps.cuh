// bench: the optimizer's step over all parameters of a model: the norm, clipping, the rule.
#pragma once
#include <cmath>
#include <string_view>

#include "bench/gpu/models.cuh"
#include "bench/gpu/rooflines.cuh"
#include "entrain/optim/async_optimizer.hpp"

namespace bench {

/// A batch of 8,192 pieces touches 2,617 rows of the tables (CoNLL's), at most a fifth of the rows. Bytes of a number:
/// gradient twice, value and two moments read and written, the bf16 copy written, 34; of a table's row that was not
/// touched 26, or none if its update is deferred.
template <class Model, class Optimizer> void steps(Rooflines& roof, std::string_view name) {
  using entrain::bf16;
  constexpr std::uint32_t now = 5;  // the step never changes, so deferred rows stay deferred
  const entrain::Layout layout = entrain::layout_of<Model>(9);
  std::vector<std::uint32_t> stamps(layout.stamps);
  double bytes = 0, numbers = 0;
  for (const entrain::Span& s : layout.spans) {
    numbers += static_cast<double>(s.size());
    const int touched = s.sparse ? std::min(2617, (s.rows + 4) / 5) : s.rows;
    for (int r = 0; s.sparse && r < touched; ++r)
      stamps[s.stamp_offset + static_cast<std::size_t>(r) * 997 % static_cast<std::size_t>(s.rows)] = now;
    const bool waits = entrain::optim::defers<Optimizer> && entrain::optim::waits(s);
    bytes += 34.0 * touched * s.cols + (waits ? 0.0 : 26.0 * (s.rows - touched) * s.cols);
  }

  Operands o(roof.dev);
  entrain::optim::BuffersOf<Optimizer, float, bf16> b{o.random<float>(layout.size, 0.05f),
                                                      o.random<float>(layout.gradients, 1e-3f),
                                                      o.put(stamps),
                                                      {},
                                                      nullptr,
                                                      nullptr};
  for (auto& moment : b.moment) moment = o.zeros<float>(layout.gradients);
  b.done = o.zeros<std::uint32_t>(layout.stamps);
  b.weight = o.zeros<bf16>(layout.size);
  entrain::optim::OptimizerState<Optimizer, Gpu, float, bf16> queue(roof.dev, layout);
  char shape[80];
  std::snprintf(shape, sizeof shape, "%s, %.0f parameters", std::string(name).c_str(), numbers);
  roof.row(
      {entrain::optim::defers<Optimizer> ? "AdamW, rows wait" : "AdamW, dense", shape, bytes, 0},
      [&] {
        queue.run(roof.dev, layout, b, queue.send(roof.dev, layout, {{}, 1e-5, now, 685, 1}));
        queue.queued(roof.dev);
      },
      [&] {
        queue.results(
            roof.dev, layout, [](const auto&) {}, entrain::optim::Wait::for_all);
      },
      static_cast<int>(decltype(queue)::under_way) - 2);
}

/// A 32nd of a table's rows, each stale for 32 steps and never touched: the rows that a step sweeps. Bytes of a number:
/// value and two moments read and written, the copy written.
template <int C> void waits(Rooflines& roof, int rows) {
  namespace kernel = entrain::kernel;
  using entrain::bf16;
  using Rule = entrain::optim::AdamW::Rule<float>;
  constexpr std::uint32_t memory = 32;
  const int part = (rows + static_cast<int>(memory) - 1) / static_cast<int>(memory);
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(part) * C;
  const kernel::ParameterRange<float, 2, bf16> table{o.random<float>(count, 0.05f),
                                                     nullptr,
                                                     {o.zeros<float>(count), o.zeros<float>(count)},
                                                     count,
                                                     o.zeros<bf16>(count)};
  std::uint32_t* const done = o.zeros<std::uint32_t>(static_cast<std::size_t>(part));
  const std::vector<std::uint32_t> none(static_cast<std::size_t>(part));
  const kernel::Rules<Rule> rules{o.put(std::vector<Rule>(memory, Rule({}, 1e-5, 5, true))), memory};
  const kernel::WaitingRows<kernel::RowList, float, 2, bf16> waiting{table, C, done, {nullptr, 0, part}};
  roof.row(
      {"catch_up, 32 steps", by(part, C), 26.0 * static_cast<double>(count), 0},
      [&] { kernel::catch_up(roof.dev, rules, &waiting, 1, memory); },
      [&] { roof.dev.upload(done, none.data(), none.size()); }, 1);
}

}  // namespace bench
