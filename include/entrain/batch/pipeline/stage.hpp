// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stages of which a loader consists. Each is a type around the one before it, and the stage or caller around it
// pulls one item at a time. Read this first, then workers.hpp, which adds threads.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/contract.hpp"
#include "entrain/batch/pipeline/measured.hpp"

namespace entrain::batch {

/// The position of a stage in an epoch, between two items: it can be copied, stored, and passed to start() later.
template <class S> using CursorOf = typename S::Cursor;

/// A stage gives items in an order that depends only on its options and the epoch.
///
///   using Item, Cursor;
///   void start(std::uint32_t epoch, const Cursor& at)   an epoch begins; at: Cursor{}, or a past result of cursor()
///   Cursor cursor()                                     its position: before the item that next() gives
///   bool next(Item&)                                    false: the epoch is over. The item's memory may be reused
template <class S>
concept Stage = std::default_initializable<typename S::Item> && std::default_initializable<typename S::Cursor> &&
    requires(S& s, typename S::Item& item, typename S::Cursor at) {
  { s.next(item) } -> std::same_as<bool>;
  { s.cursor() } -> std::convertible_to<typename S::Cursor>;
  s.start(std::uint32_t{}, at);
};

/// A stage whose work can be divided among threads: reading is sequential, and any thread can make an item from what
/// was read.
///
///   using Raw, Item, Cursor;
///   bool read(Raw&)              in order, by one thread at a time; false: the epoch is over
///   auto work()                  a thread's own worker function: function(raw, item) makes the item, which depends on
///                                raw alone. Called once a thread, after the first start() and while no thread reads;
///                                the stage is not moved after that
///   start, cursor                as a Stage's, of what read() gives next
template <class S>
concept Divided = std::default_initializable<typename S::Raw> && std::default_initializable<typename S::Item> &&
    std::default_initializable<typename S::Cursor> &&
    requires(S& s, typename S::Raw& raw, typename S::Item& item, typename S::Cursor at) {
  { s.read(raw) } -> std::same_as<bool>;
  s.work()(raw, item);
  { s.cursor() } -> std::convertible_to<typename S::Cursor>;
  s.start(std::uint32_t{}, at);
};

/// A worker function (a tool) whose items have many samples. Several threads may make these at once, each with its own
/// tool.
///
///   int begin(raw, item)         by one thread, first; returns the number of samples
///   void sample(raw, item, i)    in any order; no other sample reads what it writes
///   tool(raw, item)              still makes the whole item
template <class Tool, class Raw, class Item>
concept Divisible = requires(Tool& tool, Raw& raw, Item& item) {
  { tool.begin(raw, item) } -> std::same_as<int>;
  tool.sample(raw, item, 0);
};

/// Whether a tool is Divisible. One that has begin or sample and is not does not compile: its samples would be made one
/// after the other.
template <class Tool, class Raw, class Item> consteval bool divides() {
  constexpr bool divisible = Divisible<Tool, Raw, Item>;
  static_assert(
      divisible || !detail::HasBeginOrSample<Tool>,
      "entrain: this tool has begin or sample, but not both 'int begin(Raw&, Item&)' and 'sample(Raw&, Item&, "
      "int)', so threads cannot share its samples; see Divisible in batch/pipeline/stage.hpp.");
  return divisible;
}

/// Of a stage that can be divided, one that reads and works on the thread that asks.
template <Divided S> class InTurn {
 public:
  using Item = typename S::Item;
  using Cursor = typename S::Cursor;
  explicit InTurn(S from) : from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    from_.start(epoch, at);
    if (!work_) work_.emplace(from_.work());
  }
  Cursor cursor() { return from_.cursor(); }
  bool next(Item& item, Lane* lane = nullptr) {
    if (!read_from(from_, raw_, lane)) return false;
    work_by<S>(*work_, raw_, item, lane);
    return true;
  }

 private:
  S from_;
  std::optional<decltype(std::declval<S&>().work())> work_;
  typename S::Raw raw_;
};

/// Makes of an undivided stage a divided one: it reads, and what was read is the item.
template <Stage S> class Undivided {
 public:
  using Item = typename S::Item;
  using Raw = Item;
  using Cursor = typename S::Cursor;
  struct Work {
    void operator()(Raw& raw, Item& item, Lane* = nullptr) const { std::swap(raw, item); }
  };
  explicit Undivided(S from) : from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw, Lane* lane = nullptr) { return next_from(from_, raw, lane); }
  static Work work() { return {}; }

 private:
  S from_;
};

namespace detail {
template <class S> struct PulledOf {
  static_assert(StageLacks<S>::value);
  using type = NoStage;
};
template <Divided S> struct PulledOf<S> { using type = InTurn<S>; };
template <Stage S> struct PulledOf<S> { using type = S; };
template <class S> struct DividedOf {
  static_assert(StageLacks<S>::value);
  using type = Undivided<NoStage>;
};
template <Stage S> struct DividedOf<S> { using type = Undivided<S>; };
template <Divided S> struct DividedOf<S> { using type = S; };
}  // namespace detail

/// A stage of either kind, as one that gives items, and as one that can be divided.
template <class S> using Pulled = typename detail::PulledOf<S>::type;
template <class S> using InParts = typename detail::DividedOf<S>::type;

/// Whether an item is a chunk of samples, such as std::vector<Sample>.
template <class Item> inline constexpr bool is_chunk = requires(Item& chunk) {
  typename Item::value_type;
  chunk[chunk.size()];
};
/// An item that is a chunk. For another item, which an assertion refuses, a chunk of such items, so that no further
/// errors follow.
template <class Item> using ChunkOr = std::conditional_t<is_chunk<Item>, Item, std::vector<Item>>;

/// A of an Item<A>; void of another type, which ItemsMeet refuses.
template <template <class> class Item, class Given> struct ArgumentOf { using type = void; };
template <template <class> class Item, class A> struct ArgumentOf<Item, Item<A>> { using type = A; };

/// What one stage gives is what the next one takes. Both names appear in the message of g++, clang and nvcc.
template <class Given, class Taken> struct ItemsMeet {
  static constexpr bool value = true;
  static_assert(std::is_same_v<Given, Taken>,
                "entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.");
};

}  // namespace entrain::batch
