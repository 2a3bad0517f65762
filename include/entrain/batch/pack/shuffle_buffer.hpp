// text > [batch] > embed > encode > head > optim > checkpoint
//
// The sentences that batches are taken from, in their order: the whole corpus, or the part of it that is in memory.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

template <class FeaturesType> struct ShuffleBuffer {
  using Features = FeaturesType;
  std::shared_ptr<const Encoded<Features>> sentences;
  std::vector<std::uint32_t> order;  // of all of them, by their numbers
};

/// A source: a corpus in memory, as one buffer an epoch, shuffled as Budget::shuffled does. The caller keeps the
/// corpus.
template <class Features> class Whole {
 public:
  using Item = ShuffleBuffer<Features>;
  static constexpr std::string_view name = "shuffle";
  struct Cursor {
    bool over = false;
    static void each(auto& c, auto&& f) { f(c.over); }
  };

  Whole(const Encoded<Features>& corpus, std::uint64_t seed)
      : corpus_(std::shared_ptr<const Encoded<Features>>(), &corpus), seed_(seed) {}

  void start(std::uint32_t epoch, const Cursor& at) { epoch_ = epoch, at_ = at; }
  Cursor cursor() const { return at_; }
  bool next(Item& buffer) {
    if (std::exchange(at_.over, true)) return false;
    buffer.sentences = corpus_;
    shuffle(buffer.order, corpus_->sentences(), seed_, epoch_);
    return true;
  }

 private:
  std::shared_ptr<const Encoded<Features>> corpus_;
  std::uint64_t seed_;
  std::uint32_t epoch_ = 0;
  Cursor at_;
};

}  // namespace entrain::batch
