// text > [batch] > embed > encode > head > optim > checkpoint
//
// Groups samples into chunks, so that cheap per-sample costs are paid once a chunk: hand-over, locks, wake-ups. And
// splits chunks into samples again. Read stage.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// S gives a sample at a time; this gives `size` samples at a time; the last chunk has the rest. Any free thread makes
/// the samples of a chunk (Divisible), so a sample that sleeps does not delay the others. If a sample cannot be read,
/// its exception comes after the chunk of the samples before it.
template <class S> class Chunked {
  using From = InParts<S>;
  using Sample = typename From::Item;
  using Tool = decltype(std::declval<From&>().work());
  static_assert(
      !std::is_same_v<Sample, bool>,
      "entrain: Chunked<S> does not support bool, as std::vector<bool> stores eight in a byte; let S yield char.");

 public:
  using Raw = std::vector<typename From::Raw>;
  using Item = std::vector<Sample>;
  using Cursor = typename From::Cursor;

  Chunked(S from, std::size_t size) : from_(std::move(from)), size_(std::max<std::size_t>(size, 1)) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    error_ = nullptr;
    from_.start(epoch, at);
  }
  Cursor cursor() { return from_.cursor(); }
  static constexpr std::string_view name = name_or<S>("map");
  bool read(Raw& raw, Lane* lane = nullptr) {
    const Doing now(lane, Activity::read);  // for all samples, so that the clock is not read for each
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    raw.resize(size_);
    std::size_t n = 0;
    try {
      while (n < size_ && read_from(from_, raw[n], lane)) ++n;
    } catch (...) {
      if (n == 0) throw;
      error_ = std::current_exception();
    }
    raw.resize(n);
    return n > 0;
  }
  class Work {
   public:
    explicit Work(Tool tool) : tool_(std::move(tool)) {}
    int begin(Raw& raw, Item& item, Lane* = nullptr) {
      item.resize(raw.size());
      return static_cast<int>(raw.size());
    }
    void sample(Raw& raw, Item& item, int i) {
      tool_(raw[static_cast<std::size_t>(i)], item[static_cast<std::size_t>(i)]);
    }
    void operator()(Raw& raw, Item& item, Lane* lane = nullptr) {
      const Doing now(lane, activity_of<Chunked>(lane, Activity::map));
      for (int i = 0, n = begin(raw, item); i < n; ++i) sample(raw, item, i);
    }

   private:
    Tool tool_;
  };
  Work work() { return Work(from_.work()); }

 private:
  From from_;
  std::size_t size_;
  std::exception_ptr error_;
};

/// S gives chunks; this gives their samples, one after another.
template <class S> class Dealt {
  using From = Pulled<S>;
  static_assert(is_chunk<typename From::Item>,
                "entrain: Dealt<S> needs S to yield chunks of samples, such as std::vector<Sample>; Chunked<S> builds "
                "them from a stage that yields samples.");
  using Chunk = ChunkOr<typename From::Item>;

 public:
  using Item = typename Chunk::value_type;
  struct Cursor {
    typename From::Cursor chunk{};
    std::size_t sample = 0;
  };

  explicit Dealt(S from) : from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    from_.start(epoch, at.chunk);
    at_ = at;
    there_ = false;
  }
  Cursor cursor() const { return at_; }
  bool next(Item& item, Lane* lane = nullptr) {
    while (!there_ || at_.sample >= chunk_.size()) {
      if (std::exchange(there_, false)) at_ = {from_.cursor(), 0};
      if (!next_from(from_, chunk_, lane)) return false;
      there_ = true;
    }
    std::swap(item, chunk_[at_.sample++]);
    return true;
  }

 private:
  From from_;
  Cursor at_;
  Chunk chunk_;
  bool there_ = false;  // chunk_ is the chunk at at_
};

}  // namespace entrain::batch
