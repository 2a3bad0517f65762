// text > [batch] > embed > encode > head > optim > checkpoint
//
// A user-defined stage without chunk handling: a function that is applied to each sample of a chunk. Read mapped.hpp
// and chunked.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// S gives chunks, of any type with value_type, size() and [i]. F: void(Sample&), or Other(Sample&): then the chunk
/// becomes a std::vector<Other>. Each thread has a copy of F, and threads that have nothing to read take samples of
/// others' chunks. So a result must not depend on state that F kept from another sample.
template <class F, class S> class EachSample {
  using From = InParts<S>;
  static_assert(is_chunk<typename From::Item>,
                "entrain: EachSample<F, S> needs S to yield chunks of samples, such as std::vector<Sample>; Chunked<S> "
                "builds them from a stage that yields samples, and Mapped<F, S> takes single items.");
  using Given = ChunkOr<typename From::Item>;
  using Sample = typename Given::value_type;
  static_assert(std::is_invocable_v<F&, Sample&>,
                "entrain: EachSample<F, S> needs F to take the samples of S's chunks: void operator()(Sample&) to "
                "change them, or Other operator()(Sample&) to return new ones.");
  static_assert(detail::maps<F, Sample>());
  using Made = MappedTo<F, Sample>;
  static_assert(!std::is_same_v<Made, bool>,
                "entrain: EachSample<F, S> does not support bool, as std::vector<bool> stores eight in a byte; let F "
                "return char.");
  static constexpr bool in_place = detail::changes_in_place<F, Sample>;
  using Inner = decltype(std::declval<From&>().work());
  struct RawAndChunk {
    typename From::Raw raw{};
    Given chunk{};
  };

 public:
  using Raw = std::conditional_t<in_place, typename From::Raw, RawAndChunk>;
  using Item = std::conditional_t<in_place, Given, std::vector<Made>>;
  using Cursor = typename From::Cursor;

  EachSample(F f, S from) : f_(std::move(f)), from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  static constexpr std::string_view name = name_or<F>("map");
  bool read(Raw& raw, Lane* lane = nullptr) {
    if constexpr (in_place)
      return read_from(from_, raw, lane);
    else
      return read_from(from_, raw.raw, lane);
  }
  class Work {
   public:
    Work(const F& f, Inner inner) : f_(f), inner_(std::move(inner)) {}
    int begin(Raw& raw, Item& item, Lane* lane = nullptr) {
      if constexpr (in_place) {
        return begin_chunk(raw, item, lane);
      } else {
        const int n = begin_chunk(raw.raw, raw.chunk, lane);
        item.resize(static_cast<std::size_t>(n));
        return n;
      }
    }
    void sample(Raw& raw, Item& item, int i) {
      const auto at = static_cast<std::size_t>(i);
      if constexpr (in_place) {
        if constexpr (inner_divides) inner_.sample(raw, item, i);
        f_(item[at]);
      } else {
        if constexpr (inner_divides) inner_.sample(raw.raw, raw.chunk, i);
        item[at] = f_(raw.chunk[at]);
      }
    }
    void operator()(Raw& raw, Item& item, Lane* lane = nullptr) {
      const int n = begin(raw, item, lane);
      const Doing now(lane, activity_of<EachSample>(lane, Activity::map));
      for (int i = 0; i < n; ++i) sample(raw, item, i);
    }

   private:
    static constexpr bool inner_divides = divides<Inner, typename From::Raw, Given>();
    int begin_chunk(typename From::Raw& raw, Given& chunk, Lane* lane) {
      if constexpr (inner_divides) {
        return begin_by<From>(inner_, raw, chunk, lane);
      } else {
        work_by<From>(inner_, raw, chunk, lane);
        return static_cast<int>(chunk.size());
      }
    }
    F f_;
    Inner inner_;
  };
  Work work() { return Work(f_, from_.work()); }

 private:
  F f_;
  From from_;
};

}  // namespace entrain::batch
