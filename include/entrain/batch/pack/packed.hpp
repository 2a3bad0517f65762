// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that packs sentences into a batch as the device reads it. Each batch has its own memory, so that one batch
// can be packed while another is used. Read packer.hpp and budgeted.hpp first.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/pack/budgeted.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// A batch and its memory.
template <class Features> struct Loaded {
  Packer<Features> packer;
  Batch<Features> batch;
  int room = 0;  // rows that the packer has memory for
  bool last_of_step = false, last_of_epoch = false;
};

struct PackedOptions : BudgetedOptions {
  int labels = 0;                    // of the label set
  std::vector<float> class_weights;  // as the packer's
  int rows = 0;                      // memory for batches of this size is allocated at once
};

/// S: a stage that gives one ShuffleBuffer at a time.
template <class S> class Packed {
  using From = Budgeted<S>;

 public:
  using Features = typename From::Features;
  using Raw = typename From::Item;
  using Item = Loaded<Features>;
  using Cursor = typename From::Cursor;

  Packed(S from, PackedOptions options) : from_(std::move(from), options), options_(std::move(options)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() const { return from_.cursor(); }
  static constexpr std::string_view name = "pack";  // of its work
  bool read(Raw& pick, Lane* lane = nullptr) { return next_from(from_, pick, lane); }
  auto work() const {
    return [&o = options_](const Raw& pick, Item& item) {
      if (item.room < o.rows) item.packer = Packer<Features>(item.room = o.rows);
      item.batch = item.packer.pack_to_learn(*pick.of, pick.sentences, o.labels, pick.unknown, o.class_weights);
      item.last_of_step = pick.last_of_step;
      item.last_of_epoch = pick.last_of_epoch;
    };
  }

 private:
  From from_;
  PackedOptions options_;
};

}  // namespace entrain::batch
