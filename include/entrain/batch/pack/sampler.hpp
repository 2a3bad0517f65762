// text > [batch] > embed > encode > head > optim > checkpoint
//
// The source of a loader whose samples are made by their numbers, as torch's RandomSampler.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "entrain/batch/pack/budget.hpp"

namespace entrain::batch {

struct SamplerOptions {
  std::uint32_t samples = 0;
  std::uint32_t chunk = 128;  // samples of an item: as many as a batch has, where InOrder follows
  std::uint64_t seed = 0;
};

/// The numbers of all samples, in another order in each epoch, a chunk at a time. EachSample makes the samples of them.
class Sampler {
 public:
  using Item = std::vector<std::uint32_t>;
  using Cursor = std::uint32_t;  // samples before it
  static constexpr std::string_view name = "shuffle";

  explicit Sampler(const SamplerOptions& options) : options_(options) {}

  void start(std::uint32_t epoch, Cursor at) {
    shuffle(order_, options_.samples, options_.seed, epoch);
    at_ = at;
  }
  Cursor cursor() const { return at_; }
  bool next(Item& chunk) {
    const std::uint32_t end = std::min(options_.samples, at_ + std::max(options_.chunk, 1u));
    chunk.assign(order_.begin() + at_, order_.begin() + end);
    at_ = end;
    return !chunk.empty();
  }

 private:
  SamplerOptions options_;
  std::vector<std::uint32_t> order_;
  Cursor at_ = 0;
};

}  // namespace entrain::batch
