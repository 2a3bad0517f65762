// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The memory of a training, known before any is allocated: what a trainer requests from its device, by kind and to the
// byte, and the largest batch whose plan fits.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/batch/transfer/resident.hpp"
#include "entrain/batch/transfer/upload.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/optim/async_optimizer.hpp"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/loop/plan.hpp"

namespace entrain::train {

/// Bytes on the device of a trainer whose batches have at most `rows` rows.
struct MemoryPlan {
  int rows = 0;
  std::size_t values = 0;     // the parameters
  std::size_t copies = 0;     // of the parameters, as layers or products read them, if that differs
  std::size_t gradients = 0;  // of the parameters
  std::size_t moments = 0;    // of the optimizer, including a moving average
  std::size_t stamps = 0;     // of the rows of tables, and their deferred updates
  std::size_t steps = 0;      // the chunks of a step, and what it reports to the host
  std::size_t batch = 0;      // transfers: packed batches and their counters
  std::size_t corpus = 0;     // of batch::Resident
  std::size_t results = 0;    // predictions, loss, class weights
  Cost cost;                  // of a batch of `rows` rows, each its own sentence; cost.arena is the arena
  std::size_t rounding = 0;   // added by the device

  /// The bytes that the trainer requests.
  std::size_t asked() const {
    return values + copies + gradients + moments + stamps + steps + batch + corpus + results + cost.arena;
  }
  /// The bytes that the device then has less.
  std::size_t total() const { return asked() + rounding; }
};

namespace detail {

/// The bytes that a device adds to allocations. Drivers put small allocations together into pages and give large ones
/// their own pages; the limit is not documented.
template <class D> class Rounding {
 public:
  void operator()(std::size_t bytes) {
    if constexpr (requires { D::page_bytes; }) {
      if (bytes < D::page_bytes / 2) {
        small_ += bytes;
        packed_ += up(bytes, 512);
      } else {
        added_ += up(bytes, D::page_bytes) - bytes;
      }
    }
  }
  std::size_t added() const {
    if constexpr (requires { D::page_bytes; }) {
      return added_ + up(packed_, D::page_bytes) - small_;
    } else {
      return 0;
    }
  }

 private:
  static std::size_t up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
  std::size_t small_ = 0, packed_ = 0, added_ = 0;
};

}  // namespace detail

/// The plan of Trainer<Model, P, D, Optimizer, Batches> for batches of at most `rows` rows.
///
/// corpus    bytes of the training corpus, as batch::corpus_bytes<Batches>
template <class Model, Precision P, class D, class Optimizer, class Batches = batch::Streamed>
[[gnu::cold]] MemoryPlan memory_plan(const Layout& layout, int labels, int rows, std::size_t corpus = 0) {
  using Number = typename P::Master;
  using Weight = typename P::Weight;
  using Sum = typename P::Sum;
  constexpr std::size_t averages = optim::averages<Optimizer>;
  MemoryPlan plan;
  detail::Rounding<D> rounding;
  const auto take = [&](std::size_t& kind, std::size_t bytes, std::size_t pieces = 1) {
    kind += bytes * pieces;
    for (std::size_t i = 0; i < pieces; ++i) rounding(bytes);
  };
  plan.rows = rows;
  plan.cost = cost_of<Model, P, D>({rows, rows, labels});
  if (constexpr int fewer = device::most_rows_deferred; rows > fewer)  // a smaller batch may need more
    plan.cost.arena = std::max(plan.cost.arena, cost_of<Model, P, D>({fewer, fewer, labels}).arena);
  rounding(plan.cost.arena);
  take(plan.values, layout.size * sizeof(Number));
  if constexpr (!std::is_same_v<Weight, Number>) take(plan.copies, layout.size * sizeof(Weight), 1 + averages);
  if constexpr (kernel::copies_weights<D, Number>) take(plan.copies, layout.factors * sizeof(Number));
  take(plan.gradients, layout.gradients * sizeof(Sum));
  take(plan.moments, layout.gradients * sizeof(Number), Optimizer::moments - averages);
  take(plan.moments, layout.size * sizeof(Number), averages);
  take(plan.stamps, layout.stamps * sizeof(std::uint32_t));
  take(plan.stamps, optim::LazyRowUpdates<Optimizer, D, Number, Weight, typename P::Scale>::bytes(layout));
  take(plan.steps, optim::OptimizerState<Optimizer, D, Number, Weight, typename P::Scale>::bytes(layout));
  using Upload = batch::Upload<D, typename Model::Features>;
  using Prediction = typename Model::Task::Prediction;
  take(plan.batch, Upload::most_bytes(rows), Upload::pieces);
  if constexpr (Batches::resident) {
    using Held = batch::DeviceCorpus<D, typename Model::Features>;
    take(plan.batch, Held::order_bytes(rows), Held::pieces);
    take(plan.batch, Held::batch_bytes(rows));
  }
  take(plan.corpus, corpus);
  take(plan.results, sizeof(Sum));
  take(plan.results, static_cast<std::size_t>(labels) * sizeof(float));
  if constexpr (!D::in_host_memory)
    take(plan.results, Prediction::count({rows, rows, labels}) * sizeof(typename Prediction::Number));
  plan.rounding = rounding.added();
  return plan;
}

/// Bytes that one more row of a large batch adds, averaged over many: in an existing sentence, and the additional bytes
/// if it is its own sentence, as a plan assumes for every row.
struct BytesPer {
  std::size_t row = 0, sentence = 0;
};
template <class Model, Precision P, class D, class Batches = batch::Streamed>
[[gnu::cold]] BytesPer bytes_per(int labels) {
  constexpr int n = 4 * device::most_rows_deferred;
  using Upload = batch::Upload<D, typename Model::Features>;
  const auto sent = [&](int rows) {
    const std::size_t bytes = Upload::pieces * Upload::most_bytes(rows);
    if constexpr (Batches::resident) {
      using Held = batch::DeviceCorpus<D, typename Model::Features>;
      return bytes + Held::pieces * Held::order_bytes(rows) + Held::batch_bytes(rows);
    } else {
      return bytes;
    }
  };
  const auto arena = [&](int rows, int sentences) { return cost_of<Model, P, D>({rows, sentences, labels}).arena; };
  const std::size_t row = arena(2 * n, 1) - arena(n, 1), alone = arena(2 * n, 2 * n) - arena(n, n);
  return {(row + sent(2 * n) - sent(n)) / n, alone > row ? (alone - row) / n : 0};
}

/// The most rows whose plan takes at most `bytes` bytes; 0 if one row is too many.
///
/// total_of(rows): bytes of the plan for `rows` rows, which grow with them          most: rows that are enough
template <class TotalOf> int largest_rows(std::size_t bytes, int most, TotalOf total_of) {
  if (most < 1 || total_of(1) > bytes) return 0;
  int fits = 1, above = most + 1;
  while (fits <= most / 2 && above > most) (total_of(2 * fits) <= bytes ? fits : above) = 2 * fits;
  while (above - fits > 1) {
    const int middle = fits + (above - fits) / 2;
    (total_of(middle) <= bytes ? fits : above) = middle;
  }
  return fits;
}

}  // namespace entrain::train
