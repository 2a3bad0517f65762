// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that shuffles a corpus of any size: one buffer of sentences at a time. Read shuffle_buffer.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/joined.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pipeline/returned.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

struct ShuffledOptions {
  std::uint64_t seed = 0;
  std::size_t buffer_size = std::numeric_limits<std::size_t>::max();  // sentences; a smaller corpus is shuffled whole
  bool unknown_word_copies = false;  // for word dropout: batch::add_unknown_word_copies
};

/// S: a stage that gives one EncodedBlock at a time. A buffer is as many blocks as hold buffer_size sentences. Its
/// sentences are shuffled by the seed, the epoch and the buffer's number. So the position in an epoch is the place of a
/// buffer in the files, and the following items depend on nothing before it.
template <class S> class Shuffled {
  using From = Pulled<S>;
  using Block = typename From::Item;

 public:
  using Features = typename ArgumentOf<EncodedBlock, Block>::type;
  static_assert(ItemsMeet<Block, EncodedBlock<Features>>::value);
  using Item = ShuffleBuffer<Features>;
  struct Cursor {
    typename From::Cursor from{};
    std::uint32_t buffer = 0;
    static void each(auto& c, auto&& f) { f(c.from), f(c.buffer); }
  };

  explicit Shuffled(S from, const ShuffledOptions& options = {}) : from_(std::move(from)), options_(options) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    epoch_ = epoch;
    buffer_ = at.buffer;
    from_.start(epoch, at.from);
  }
  Cursor cursor() { return {from_.cursor(), buffer_}; }
  static constexpr std::string_view name = "shuffle";
  bool next(Item& buffer, Lane* lane = nullptr) {
    const Doing now(lane, Activity::shuffle);
    const auto sentences = bounded() ? buffers_.take() : std::make_shared<Encoded<Features>>();
    sentences->clear();
    join_.into(*sentences);
    while (sentences->sentences() < options_.buffer_size && next_from(from_, block_, lane)) join_(block_.sentences);
    if (sentences->sentences() == 0) return false;
    if (options_.unknown_word_copies) add_unknown_word_copies(*sentences);
    shuffle(buffer.order, sentences->sentences(), options_.seed, epoch_, buffer_++);
    buffer.sentences = sentences;
    return true;
  }

 private:
  /// A whole corpus comes once an epoch: its memory is not kept until the next one.
  bool bounded() const { return options_.buffer_size != ShuffledOptions{}.buffer_size; }

  From from_;
  ShuffledOptions options_;
  std::uint32_t epoch_ = 0, buffer_ = 0;
  Block block_;
  Joined<Features> join_;
  Returned<Encoded<Features>> buffers_;
};

}  // namespace entrain::batch
