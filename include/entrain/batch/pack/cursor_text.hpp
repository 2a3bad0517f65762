// text > [batch] > embed > encode > head > optim > checkpoint
//
// The position of a loader as a line of numbers, which is saved when a training stops. Read batch/pipeline/stage.hpp
// first.
#pragma once
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "entrain/core/error.hpp"

namespace entrain::batch {
namespace detail {

template <class C> inline constexpr bool one_of_cursors = false;
template <class... C> inline constexpr bool one_of_cursors<std::variant<C...>> = true;

/// Makes a variant hold its alternative i; false if it has no such alternative.
template <std::size_t I = 0, class Variant> bool hold(Variant& v, std::size_t i) {
  if constexpr (I == std::variant_size_v<Variant>) {
    return false;
  } else {
    if (i != I) return hold<I + 1>(v, i);
    if (v.index() != I) v.template emplace<I>();
    return true;
  }
}

/// f(number) -> bool for each number of a cursor, in a fixed order, until one call returns false. A cursor lists its
/// parts by static void each(cursor, f); a cursor that is one of several begins with its index.
template <class C, class F> bool each_number(C& cursor, F& f) {
  using Plain = std::remove_const_t<C>;
  if constexpr (std::is_arithmetic_v<Plain>) {
    return f(cursor);
  } else if constexpr (one_of_cursors<Plain>) {
    std::size_t which = cursor.index();
    if (!f(which)) return false;
    if constexpr (!std::is_const_v<C>)
      if (!hold(cursor, which)) return false;
    return std::visit([&](auto& one) { return each_number(one, f); }, cursor);
  } else {
    bool good = true;
    Plain::each(cursor, [&](auto& part) { good = good && each_number(part, f); });
    return good;
  }
}

}  // namespace detail

/// `0 1 17 ...`
template <class Cursor> [[gnu::cold]] std::string cursor_text(const Cursor& cursor) {
  std::string text;
  auto write = [&](const auto& number) {
    text += (text.empty() ? "" : " ") + std::to_string(number);
    return true;
  };
  detail::each_number(cursor, write);
  return text;
}

/// The inverse of cursor_text.
///
/// throws    entrain.batch.40: not what cursor_text writes of such a cursor
template <class Cursor> [[gnu::cold]] Cursor cursor_from(std::string_view text, std::string_view where) {
  Cursor cursor{};
  std::string_view rest = text;
  auto read = [&](auto& number) {
    using Number = std::remove_reference_t<decltype(number)>;
    std::conditional_t<std::is_same_v<Number, bool>, int, Number> value{};
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (fault != std::errc()) return false;
    number = static_cast<Number>(value);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.empty()) return true;
    const bool apart = rest.front() == ' ' && rest.size() > 1;
    rest.remove_prefix(1);
    return apart;
  };
  if (!detail::each_number(cursor, read) || !rest.empty())
    throw Error("entrain.batch.40", where, "'" + std::string(text.substr(0, 80)) + "'",
                "a loader position of this program", "resume with the original program and options, or start again");
  return cursor;
}

}  // namespace entrain::batch
