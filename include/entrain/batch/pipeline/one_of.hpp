// text > [batch] > embed > encode > head > optim > checkpoint
//
// A stage that is one of several types, chosen at run time: for what only a file determines, such as its format. The
// choice is tested once an item, so it is for large items: blocks of files, buffers of sentences.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// All of them give the same items. If all can be divided, so can this.
template <class First, class... Others> class OneOf {
  static constexpr bool divided = (Divided<First> && ... && Divided<Others>);
  template <class S> using AsIs = std::conditional_t<divided, InParts<S>, Pulled<S>>;
  template <class... S> using Variant = std::variant<S...>;

 public:
  using Item = typename AsIs<First>::Item;
  static_assert((ItemsMeet<typename AsIs<Others>::Item, Item>::value && ...));
  /// The stages' own, if all have the same.
  static constexpr bool one_cursor =
      (std::is_same_v<typename AsIs<First>::Cursor, typename AsIs<Others>::Cursor> && ...);
  using Cursor = std::conditional_t<one_cursor, typename AsIs<First>::Cursor,
                                    Variant<typename AsIs<First>::Cursor, typename AsIs<Others>::Cursor...>>;

  template <class S> static constexpr bool is_one = (std::is_same_v<S, First> || ... || std::is_same_v<S, Others>);
  template <class S>
  requires is_one<S>
  explicit OneOf(S stage) : stage_(AsIs<S>(std::move(stage))) {}
  template <class S>
  requires(!is_one<S>) explicit OneOf(const S&) {
    static_assert(sizeof(S) == 0,
                  "entrain: OneOf<S...> is constructed from one of the stages S; this is not one of them.");
  }

  /// at: a cursor of the chosen stage; any other cursor is the beginning.
  void start(std::uint32_t epoch, const Cursor& at) {
    with_stage([&]<std::size_t I>(auto& stage, Index<I>) {
      if constexpr (one_cursor) {
        stage.start(epoch, at);
      } else {
        stage.start(epoch, at.index() == I ? std::get<I>(at) : std::variant_alternative_t<I, Cursor>{});
      }
    });
  }
  Cursor cursor() {
    return with_stage([]<std::size_t I>(auto& stage, Index<I>) {
      if constexpr (one_cursor) {
        return Cursor(stage.cursor());
      } else {
        return Cursor(std::in_place_index<I>, stage.cursor());
      }
    });
  }

  bool next(Item& item, Lane* lane = nullptr) requires(!divided) {
    return with_stage([&]<std::size_t I>(auto& stage, Index<I>) { return next_from(stage, item, lane); });
  }

  /// The data that was read, by the stage that read it.
  template <class S> struct RawOf { using type = std::monostate; };
  template <Divided S> struct RawOf<S> { using type = typename S::Raw; };
  using Raw = Variant<typename RawOf<First>::type, typename RawOf<Others>::type...>;

  bool read(Raw& raw, Lane* lane = nullptr) requires divided {
    return with_stage([&]<std::size_t I>(auto& stage, Index<I>) {
      if (raw.index() != I) raw.template emplace<I>();
      return read_from(stage, std::get<I>(raw), lane);
    });
  }
  auto work() requires divided {
    using Tools =
        Variant<decltype(std::declval<AsIs<First>&>().work()), decltype(std::declval<AsIs<Others>&>().work())...>;
    return [tools = with_stage([]<std::size_t I>(auto& stage, Index<I>) {
              return Tools(std::in_place_index<I>, stage.work());
            })](Raw& raw, Item& item, Lane* lane = nullptr) mutable {
      with_index(tools.index(), [&]<std::size_t I>(Index<I>) {
        using S = std::variant_alternative_t<I, Variant<AsIs<First>, AsIs<Others>...>>;
        work_by<S>(std::get<I>(tools), std::get<I>(raw), item, lane);
      });
    };
  }

 private:
  template <std::size_t I> using Index = std::integral_constant<std::size_t, I>;

  /// f(Index<i>()). std::visit does not give the index of an alternative.
  template <std::size_t I = 0, class F> static decltype(auto) with_index(std::size_t i, F&& f) {
    if constexpr (I == sizeof...(Others)) {
      return f(Index<I>());
    } else {
      return i == I ? f(Index<I>()) : with_index<I + 1>(i, std::forward<F>(f));
    }
  }
  template <class F> decltype(auto) with_stage(F&& f) {
    return with_index(stage_.index(), [&]<std::size_t I>(Index<I> index) { return f(std::get<I>(stage_), index); });
  }

  Variant<AsIs<First>, AsIs<Others>...> stage_;
};

}  // namespace entrain::batch
