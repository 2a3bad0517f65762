// text > batch > kernel > [vectors] > embed > train > app
//
// Cuts a text into steps: positions with their windows and negative samples, and which rows of the tables their
// gradients change. A step is a function of the files, the options and its place, not of threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/vectors/lexicon.hpp"
#include "entrain/vectors/options.hpp"
#include "entrain/vectors/samples.hpp"
#include "entrain/vectors/subwords.hpp"

namespace entrain::vectors {

/// The slots of gradients of each row of a table, and the factor of their sum.
struct RowUpdates {
  std::vector<std::int32_t> ids, starts, items;
  std::vector<float> factor;

  CsrIndex index() const {
    return {ids.data(), starts.data(), items.data(), static_cast<int>(ids.size()), static_cast<int>(items.size())};
  }
};

struct StepOfPositions {
  std::vector<std::int32_t> tokens, begin, end, negatives;  // as kernel::PositionGroups
  RowUpdates inputs, outputs;
  int positions = 0, window = 0;
  float negative = 0, alpha = 0;
  std::uint64_t pairs = 0;
  std::uint32_t epoch = 0;
  std::uint64_t number = 0;      // of the step, in its epoch
  std::uint64_t words_read = 0;  // of this epoch, at the end of the step

  kernel::PositionGroups groups() const {
    return {tokens.data(), begin.data(), end.data(), negatives.data(), positions, window, negative};
  }
};

namespace detail {

/// Groups slots by row, in the order of the slots.
class SlotsByRow {
 public:
  explicit SlotsByRow(std::size_t rows) : segment_(rows), stamp_(rows) {}

  void begin(RowUpdates& out) {
    out_ = &out;
    out.ids.clear(), out.starts.clear(), out.items.clear(), out.factor.clear();
    slots_.clear();
    if (++now_ == 0) std::fill(stamp_.begin(), stamp_.end(), 0), now_ = 1;
  }
  /// terms: how many pairs the gradient of the slot sums up
  void add(std::int32_t row, std::int32_t slot, float terms) {
    const auto r = static_cast<std::size_t>(row);
    if (stamp_[r] != now_) {
      stamp_[r] = now_;
      segment_[r] = static_cast<std::int32_t>(out_->ids.size());
      out_->ids.push_back(row);
      out_->starts.push_back(0);
      out_->factor.push_back(0);
    }
    const auto s = static_cast<std::size_t>(segment_[r]);
    ++out_->starts[s];
    out_->factor[s] += terms;
    slots_.push_back({segment_[r], slot});
  }
  /// A row that sums up more terms than `limit` takes a step as if it had `limit` of them: all of them were computed
  /// from the same value, and a longer step would go past the minimum.
  void finish(float alpha, float limit) {
    std::int32_t before = 0;
    for (std::int32_t& start : out_->starts) before += std::exchange(start, before);
    out_->starts.push_back(before);
    out_->items.resize(slots_.size());
    for (const auto& [segment, slot] : slots_)
      out_->items[static_cast<std::size_t>(out_->starts[static_cast<std::size_t>(segment)]++)] = slot;
    for (std::size_t s = out_->starts.size() - 1; s > 0; --s) out_->starts[s] = out_->starts[s - 1];
    out_->starts[0] = 0;
    for (float& f : out_->factor) f = -alpha * (f > limit ? limit / f : 1.f);
  }

 private:
  std::vector<std::int32_t> segment_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  RowUpdates* out_ = nullptr;
  std::vector<std::pair<std::int32_t, std::int32_t>> slots_;  // segment, slot
};

}  // namespace detail

/// A divided stage: steps, from the word numbers of blocks.
///
/// From      a stage whose items have ids and ends, as BlockIds
template <kernel::Context context, class From> class Steps {
  using Groups = kernel::PositionGroups;
  using Purpose = Draws::Purpose;

 public:
  using Raw = StepOfPositions;
  using Item = StepOfPositions;
  struct Cursor {};

  /// lexicon, subwords   outlive the stage
  Steps(From from, const Options& options, const Lexicon& lexicon, const Subwords& subwords)
      : from_(std::move(from)),
        o_(options),
        lexicon_(&lexicon),
        subwords_(&subwords),
        keep_(keep_thresholds(lexicon, options.sample)),
        sampler_(lexicon, options.ns_exponent) {}

  void start(std::uint32_t epoch, const Cursor&) {
    epoch_ = epoch;
    from_.start(epoch, {});
    keeps_ = Draws(o_.seed, epoch, Purpose::keep);
    windows_ = Draws(o_.seed, epoch, Purpose::window);
    words_.clear();
    at_ = 0, text_ = 0, read_ = kept_ = number_ = 0;
    ended_ = false;
  }
  Cursor cursor() const { return {}; }

  /// Positions and their windows.
  bool read(StepOfPositions& step) {
    const auto window = static_cast<std::size_t>(o_.window), most = static_cast<std::size_t>(o_.batch_words);
    while (!ended_ && words_.size() - at_ < most + window) refill();
    const std::size_t count = std::min(most, words_.size() - at_);
    if (count == 0) return false;
    step.positions = static_cast<int>(count);
    step.window = o_.window;
    step.negative = static_cast<float>(o_.negative);
    step.tokens.resize(count + 2 * window);
    for (std::size_t t = 0; t < step.tokens.size(); ++t) {
      const std::size_t i = at_ + t;  // of the token, plus window
      step.tokens[t] = i >= window && i - window < words_.size() ? words_[i - window].id : -1;
    }
    step.begin.resize(count), step.end.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t i = at_ + p;
      std::size_t around = 1 + windows_.below(kept_++, static_cast<std::uint32_t>(o_.window)), begin = i, end = i + 1;
      for (std::size_t n = 0; n < around && begin > 0 && words_[begin - 1].text == words_[i].text; ++n) --begin;
      for (std::size_t n = 0; n < around && end < words_.size() && words_[end].text == words_[i].text; ++n) ++end;
      step.begin[p] = static_cast<std::int32_t>(begin + window - at_);
      step.end[p] = static_cast<std::int32_t>(end + window - at_);
    }
    at_ += count;
    step.words_read = at_ < words_.size() ? words_[at_].read : read_;
    const double whole = static_cast<double>(lexicon_->total());
    const double done = (epoch_ + static_cast<double>(step.words_read) / whole) / std::max(1, o_.epochs);
    step.alpha = static_cast<float>(std::max(o_.min_alpha, o_.alpha - (o_.alpha - o_.min_alpha) * done));
    step.epoch = epoch_;
    step.number = number_++;
    return true;
  }

  /// Negative samples, and the slots of each row.
  class Work {
   public:
    Work(const Options& o, const Lexicon& lexicon, const Subwords& subwords, const NegativeSampler& sampler)
        : o_(o), subwords_(&subwords), sampler_(&sampler), inputs_(subwords.table_rows()), outputs_(lexicon.size()) {}

    void operator()(StepOfPositions& raw, StepOfPositions& step) {
      std::swap(raw, step);
      constexpr int K = Groups::negatives_each, B = Groups::positions_each;
      const Groups all = step.groups();
      const int count = all.groups();
      step.negatives.resize(static_cast<std::size_t>(count * K));
      Draws draws(o_.seed, step.epoch, Purpose::negative);
      const std::uint64_t groups_of_step = static_cast<std::uint64_t>((o_.batch_words + B - 1) / B);
      std::uint64_t draw = step.number * groups_of_step * K * 2;
      for (std::int32_t& row : step.negatives) {
        const std::uint32_t cell = draws(draw), coin = draws(draw + 1);
        row = (*sampler_)(cell, coin);
        draw += 2;
      }
      inputs_.begin(step.inputs), outputs_.begin(step.outputs);
      step.pairs = 0;
      pairs_.resize(static_cast<std::size_t>(all.inputs()));
      for (int group = 0; group < count; ++group) group_slots(step, all, group);
      const auto limit = static_cast<float>(o_.row_limit);
      inputs_.finish(step.alpha, limit), outputs_.finish(step.alpha, limit);
    }

   private:
    void group_slots(StepOfPositions& step, const Groups& all, int group) {
      constexpr int K = Groups::negatives_each, B = Groups::positions_each;
      const int first = group * B, last = std::min(first + B, all.positions), outs = group * Groups::outputs;
      std::fill(pairs_.begin(), pairs_.end(), 0.f);
      float scored = 0;  // rows that negative samples meet
      for (int p = first; p < last; ++p) {
        const auto at = static_cast<std::size_t>(p);
        const int words = step.end[at] - step.begin[at] - 1, own = p + all.window;
        if (words <= 0) continue;
        const bool mean = context == kernel::Context::mean;
        for (int i = step.begin[at]; i < step.end[at]; ++i)
          if (i != own) pairs_[static_cast<std::size_t>(i - first)] += 1;
        const float pairs = mean ? 1.f : static_cast<float>(words);
        scored += pairs;
        outputs_.add(step.tokens[static_cast<std::size_t>(own)], outs + p - first, pairs);
      }
      step.pairs += static_cast<std::uint64_t>(scored);
      if (scored == 0) return;
      for (int i = 0; i < all.inputs(); ++i)
        if (const float pairs = pairs_[static_cast<std::size_t>(i)]; pairs > 0)
          subwords_->each(step.tokens[static_cast<std::size_t>(first + i)], [&](std::int32_t row) {
            inputs_.add(row, group * all.inputs() + i, pairs * (1 + all.negative));
          });
      for (int k = 0; k < K; ++k)
        outputs_.add(step.negatives[static_cast<std::size_t>(group * K + k)], outs + B + k, scored * all.weight());
    }

    Options o_;
    const Subwords* subwords_;
    const NegativeSampler* sampler_;
    detail::SlotsByRow inputs_, outputs_;
    std::vector<float> pairs_;
  };
  Work work() const { return Work(o_, *lexicon_, *subwords_, sampler_); }

 private:
  struct Word {
    std::int32_t id;
    std::uint32_t text;  // number of its text
    std::uint64_t read;  // words read before it, with those that sub-sampling left out
  };

  /// Appends the words of a block that sub-sampling keeps; drops those before the windows of the next position.
  void refill() {
    const auto window = static_cast<std::size_t>(o_.window);
    if (at_ > window) {
      words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(at_ - window));
      at_ = window;
    }
    if (!from_.next(block_)) {
      ended_ = true;
      return;
    }
    std::size_t i = 0;
    for (const std::uint32_t end : block_.ends) {
      for (; i < end; ++i, ++read_) {
        const std::int32_t id = block_.ids[i];
        const std::uint32_t keep = keep_[static_cast<std::size_t>(id)];
        if (keep == ~std::uint32_t{0} || keeps_(read_) <= keep) words_.push_back({id, text_, read_});
      }
      ++text_;
    }
  }

  batch::Pulled<From> from_;
  Options o_;
  const Lexicon* lexicon_;
  const Subwords* subwords_;
  std::vector<std::uint32_t> keep_;
  NegativeSampler sampler_;
  std::uint32_t epoch_ = 0;
  Draws keeps_, windows_;
  typename From::Item block_;
  std::vector<Word> words_;
  std::size_t at_ = 0;  // the next position in words_
  std::uint32_t text_ = 0;
  std::uint64_t read_ = 0, kept_ = 0, number_ = 0;
  bool ended_ = false;
};

}  // namespace entrain::vectors
