// bench: a trainer that repeats its batches without end, for programs that time its steps.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/gpu/device.cuh"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/core/error.hpp"
#include "entrain/device/clock.cuh"
#include "entrain/optim/optimizer_state.hpp"  // StepResult, Wait

namespace bench {

/// The training data: sentences, and the order in which batches take them.
template <class Features> struct Workload {
  entrain::batch::Encoded<Features> corpus;
  std::vector<std::uint32_t> order;
};

using Batches = std::vector<std::vector<std::uint32_t>>;

/// Batches of sentences in their order, without the last one, which is smaller.
///
/// how       `sentences:32`, or `tokens:8192`, a budget of rows that whole sentences fill
inline Batches batches_of(const std::vector<std::uint32_t>& order, std::span<const std::int32_t> rows,
                          const std::string& how) {
  const bool count = how.starts_with("sentences:");
  if (!count && !how.starts_with("tokens:"))
    throw entrain::Error("entrain.bench.2", "BATCH", how, "sentences:32, or tokens:8192");
  const int budget = std::stoi(how.substr(how.find(':') + 1));
  Batches batches(1);
  int filled = 0;
  for (const std::uint32_t s : order) {
    const int n = count ? 1 : rows[s];
    if (filled + n > budget) {
      batches.emplace_back();
      filled = 0;
    }
    batches.back().push_back(s);
    filled += n;
  }
  if (batches.size() > 1) batches.pop_back();
  return batches;
}

template <class Trainer> class Training {
 public:
  using Features = typename Trainer::Features;

  Training(Workload<Features> workload, const std::string& batch, double learning_rate, std::uint64_t seed)
      : corpus_(std::move(workload.corpus)),
        batches_(batches_of(workload.order, corpus_.rows, batch)),
        rows_(most_rows()),
        trainer_(dev_, typename Trainer::Labels({"PER", "ORG", "LOC", "MISC"}), rows_, seed),
        packer_(rows_),
        learning_rate_(learning_rate) {
    if constexpr (Trainer::Batches::resident) trainer_.hold(corpus_);
  }

  /// From now on products use the fastest of several algorithms.
  void measure_products() { dev_.products().go_by(entrain::device::Algorithms()); }
  /// Runs steps until two passes over the batches add no graph: a shape is captured when it occurs again.
  void warm_up(int steps) {
    slice(steps);
    std::size_t most = trainer_.graphs();
    for (int same = 0, passes = 0; !tiny && same < 2 && passes < 20; ++passes) {
      slice(static_cast<int>(batches_.size()));
      same = trainer_.graphs() > most ? 0 : same + 1;
      most = std::max(most, trainer_.graphs());
    }
  }
  /// Queues a step. Returns the rows of its batch.
  int step(float dropout) {
    const auto& batch = batches_[next_];
    next_ = (next_ + 1) % batches_.size();
    if constexpr (Trainer::Batches::resident) {
      queue(batch, dropout);
    } else {
      queue(packer_.pack(corpus_, batch, trainer_.labels().count()), dropout);
    }
    return rows_of(batch);
  }
  /// Runs `steps` steps to their end. Returns their rows.
  std::uint64_t slice(int steps) {
    std::uint64_t rows = 0;
    for (int i = 0; i < steps; ++i) {
      rows += static_cast<std::uint64_t>(step(0.1f));
      results([](const Result&) {});
    }
    results([](const Result&) {}, entrain::optim::Wait::for_all);
    dev_.finish();
    return rows;
  }
  /// Calls f(StepResult) for the finished steps.
  void results(auto&& f, auto... wait) { trainer_.results(f, wait...); }
  /// The GPU's activity in a slice.
  struct Share {
    double ms_of_step;  // of its time, without waiting
    double idle;        // share of the time in which nothing was queued, as the host was late
  };
  /// A slice with an event before and after each step. The first event of a step is over when all work before it is,
  /// or, if the host queues it later than that, at that time.
  Share timed_slice(int steps) {
    entrain::device::Clock clock;
    clock_ = &clock;
    slice(steps);
    clock_ = nullptr;
    const double busy = clock.busy(), idle = clock.idle();
    return {1e3 * busy / steps, idle / (busy + idle)};
  }

  const auto& dev() const { return dev_; }
  Trainer& trainer() { return trainer_; }

 private:
  using Result = entrain::optim::StepResult;
  static constexpr double max_grad_norm = 1;

  void queue(const auto& batch, float dropout) {
    if (clock_ != nullptr) clock_->begin(dev_.stream());
    trainer_.accumulate(batch, dropout);
    trainer_.update({}, learning_rate_, max_grad_norm);
    if (clock_ != nullptr) clock_->end(dev_.stream());
  }
  int rows_of(const std::vector<std::uint32_t>& batch) const {
    int rows = 0;
    for (const std::uint32_t s : batch) rows += corpus_.rows[s];
    return rows;
  }
  int most_rows() const {
    int most = 0;
    for (const auto& batch : batches_) most = std::max(most, rows_of(batch));
    return most;
  }

  typename Trainer::Device dev_;
  entrain::batch::Encoded<Features> corpus_;
  Batches batches_;
  int rows_;
  Trainer trainer_;
  entrain::batch::Packer<Features> packer_;
  double learning_rate_;
  std::size_t next_ = 0;
  entrain::device::Clock* clock_ = nullptr;
};

}  // namespace bench
