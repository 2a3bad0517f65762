// text > [batch] > embed > encode > head > optim > checkpoint
//
// A user-defined stage: a function that is applied to each item. Read stage.hpp first.
#pragma once
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/tags/tags_of.hpp"

namespace entrain::batch {

namespace detail {
/// The type that F returns for an item. void for an F that does not take it: an assertion of the stage refuses that F,
/// and no further error follows.
template <class F, class Item> struct ResultOf { using type = void; };
template <class F, class Item>
requires std::is_invocable_v<F&, Item&>
struct ResultOf<F, Item> {
  using type = std::invoke_result_t<F&, Item&>;
};
template <class F, class Item> inline constexpr bool changes_in_place =
    std::is_void_v<typename ResultOf<F, Item>::type>;
}  // namespace detail

/// The result of F: the item itself, changed in place, or the value that F returns.
template <class F, class Item> using MappedTo =
    std::conditional_t<detail::changes_in_place<F, Item>, Item, std::decay_t<typename detail::ResultOf<F, Item>::type>>;

namespace detail {
/// The argument of a function that returns nothing and is neither a template nor overloaded.
template <class F, class A> std::type_identity<A> argument_of(void (F::*)(A));
template <class F, class A> std::type_identity<A> argument_of(void (F::*)(A) const);
template <class A> std::type_identity<A> argument_of(void (*)(A));
template <class F>
concept TakesCopy = requires {
  requires !std::is_reference_v<typename decltype(argument_of(&F::operator()))::type>;
}
|| requires(F f) { requires !std::is_reference_v<typename decltype(argument_of(f))::type>; };
template <class F> inline constexpr bool takes_copy = TakesCopy<F>;

/// `static_assert(maps<F, Item>());` does not compile for an F that takes Item& and still is of no use: one sentence
/// for each reason.
template <class F, class Item> consteval bool maps() {
  static_assert(!takes_copy<F>,
                "entrain: the function of Mapped or EachSample takes a copy and returns nothing, so it changes no "
                "item; let it take Item&, or return the new item.");
  static_assert(std::is_copy_constructible_v<F>,
                "entrain: the function of Mapped or EachSample cannot be copied, but each thread has a copy of it; let "
                "it hold members that cannot be copied in a std::shared_ptr.");
  if constexpr (std::is_invocable_v<F&, Item&>)
    static_assert(std::is_default_constructible_v<MappedTo<F, Item>>,
                  "entrain: the type that the function of Mapped or EachSample returns has no default constructor, "
                  "which is needed as items are allocated ahead; add one, or return a std::optional of it.");
  return true;
}
}  // namespace detail

/// F: void(Item&), or Other(Item&). A copy of it works in each thread, so the result for an item must not depend on
/// anything that F kept from another item.
template <class F, class S> class Mapped : public text::SameTags<S> {
  using From = InParts<S>;
  using Given = typename From::Item;
  static_assert(std::is_invocable_v<F&, Given&>,
                "entrain: Mapped<F, S> needs F to take the items of S: void operator()(Item&) to change them, or Other "
                "operator()(Item&) to return new ones.");
  static_assert(detail::maps<F, Given>());

 public:
  using Raw = typename From::Raw;
  using Item = MappedTo<F, Given>;
  using Cursor = typename From::Cursor;

  Mapped(F f, S from) : f_(std::move(f)), from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw, Lane* lane = nullptr) { return read_from(from_, raw, lane); }
  auto work() {
    if constexpr (detail::changes_in_place<F, Given>) {
      return [f = f_, inner = from_.work()](Raw& raw, Item& item, Lane* lane = nullptr) mutable {
        work_by<From>(inner, raw, item, lane);
        const Doing now(lane, activity_of<F>(lane, Activity::map));
        f(item);
      };
    } else {
      return [f = f_, inner = from_.work(), given = Given{}](Raw& raw, Item& item, Lane* lane = nullptr) mutable {
        work_by<From>(inner, raw, given, lane);
        const Doing now(lane, activity_of<F>(lane, Activity::map));
        item = f(given);
      };
    }
  }

 private:
  F f_;
  From from_;
};

}  // namespace entrain::batch
