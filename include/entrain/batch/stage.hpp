// text > [batch] > embed > encode > head > optim > checkpoint
//
// What the loader is made of: stages, each a type around the one before it, pulled one item at a time by whoever stands
// behind. Read this first, then workers.hpp: it is where threads come in.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "entrain/batch/measured.hpp"

namespace entrain::batch {

/// Where a stage stands in an epoch, between two items: copied, kept, and handed to start() later.
template <class S> using CursorOf = typename S::Cursor;

/// A stage gives items in an order that its options and the epoch alone decide.
///
///   using Item, Cursor;
///   void start(std::uint32_t epoch, const Cursor& at)   an epoch begins; at: Cursor{}, or what cursor() said once
///   Cursor cursor()                                     where it stands: before the item that next() gives
///   bool next(Item&)                                    false: the epoch is over. What the item held may be used again
template <class S>
concept Stage = std::default_initializable<typename S::Item> &&
    requires(S& s, typename S::Item& item, typename S::Cursor at) {
  { s.next(item) } -> std::same_as<bool>;
  { s.cursor() } -> std::convertible_to<typename S::Cursor>;
  s.start(std::uint32_t{}, at);
};

/// A stage whose work can be divided among threads: what is read one after the other, and what is made of it anywhere.
///
///   using Raw, Item, Cursor;
///   bool read(Raw&)              in order, by one thread at a time; false: the epoch is over
///   auto work()                  a thread's own tool: tool(raw, item) makes the item, which hangs on raw alone. Asked
///                                for once a thread, after the first start() and while nobody reads; the stage stays
///                                where it is then
///   start, cursor                as a Stage's, of what read() gives next
template <class S>
concept Divided = std::default_initializable<typename S::Raw> && std::default_initializable<typename S::Item> &&
    requires(S& s, typename S::Raw& raw, typename S::Item& item, typename S::Cursor at) {
  { s.read(raw) } -> std::same_as<bool>;
  s.work()(raw, item);
  { s.cursor() } -> std::convertible_to<typename S::Cursor>;
  s.start(std::uint32_t{}, at);
};

/// A tool whose items have many samples, which several threads may make at once, each with a tool of its own.
///
///   int begin(raw, item)         by one thread, first; how many samples there are
///   void sample(raw, item, i)    in any order; what it writes no other sample reads
///   tool(raw, item)              still does it all
template <class Tool, class Raw, class Item>
concept Divisible = requires(Tool& tool, Raw& raw, Item& item) {
  { tool.begin(raw, item) } -> std::same_as<int>;
  tool.sample(raw, item, 0);
};

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

/// Of a stage that cannot be divided, one that can: it is read, and what was read is the item.
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
  static_assert(
      Stage<S> || Divided<S>,
      "entrain: this is no stage: it has neither next(Item&) nor read(Raw&) with work(), or lacks Item, Cursor, "
      "start(epoch, cursor) or cursor(); see batch/stage.hpp.");
};
template <Divided S> struct PulledOf<S> { using type = InTurn<S>; };
template <Stage S> struct PulledOf<S> { using type = S; };
template <class S> struct DividedOf : PulledOf<S> {};
template <Stage S> struct DividedOf<S> { using type = Undivided<S>; };
template <Divided S> struct DividedOf<S> { using type = S; };
}  // namespace detail

/// A stage as one that gives items, and as one that can be divided; whatever it is.
template <class S> using Pulled = typename detail::PulledOf<S>::type;
template <class S> using InParts = typename detail::DividedOf<S>::type;

/// What one stage gives is what the next one takes. Both names appear in the message of g++, clang and nvcc.
template <class Given, class Taken> struct ItemsMeet {
  static_assert(std::is_same_v<Given, Taken>,
                "entrain: a stage takes other items than the one inside it gives; see ItemsMeet<Given, Taken>.");
  static constexpr bool value = true;
};

}  // namespace entrain::batch
