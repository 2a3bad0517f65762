// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The checks of option values, with CLI11: each message names the value found and the values accepted.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/app/options/nearest.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app::detail {

/// The library's own check of a value: empty, or why it refuses the value.
template <class Check> CLI::Validator accepted_by(Check check) {
  return CLI::Validator(
      [check](const std::string& text) -> std::string {
        try {
          if (!text.empty()) check(text);
        } catch (const Error& e) {
          return e.what();
        }
        return {};
      },
      "");
}

/// The shortest exact form: 0.9999999, 1e-12.
template <class T> std::string shortest(T number) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return std::string(digits.data(), end);
}

/// The number that the whole text spells, in a range. Whole numbers are decimal: CLI11 would read 010 as 8.
template <class T> std::optional<T> number_in(std::string_view text, T least, T most) {
  text.remove_prefix(text.starts_with('+'));
  T number{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool taken = fault == std::errc{} && end == text.data() + text.size();
  return taken && number >= least && number <= most ? std::optional(number) : std::nullopt;  // NaN is in no range
}

template <class T> CLI::Validator between(T least, T most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        constexpr bool whole = std::is_integral_v<T>;
        const auto number = number_in(text, least, most);
        if constexpr (whole)
          if (number) text = std::to_string(*number);  // without leading zeros
        if (number) return {};
        if (least == 0 && text.starts_with('-')) return "'" + text + "' is below 0";
        return "'" + text + "' is not a " + (whole ? "whole " : "") + "number from " + shortest(least) + " to " +
               shortest(most);
      },
      "");
}
/// Up to 2^63 - 1, the largest whole number that config.json stores.
template <class T> CLI::Validator not_negative() {
  return between<T>(0, static_cast<T>(std::min<std::uint64_t>(std::numeric_limits<T>::max(),
                                                              std::numeric_limits<std::int64_t>::max())));
}

inline CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](const std::string& text) -> std::string {
        std::string all;
        for (const std::string& name : names) {
          if (name == text) return {};
          all.append(all.empty() ? "" : ", ").append(name);
        }
        return "'" + text + "' is not one of " + all + did_you_mean(text, names);
      },
      "");
}

/// An empty text names no file and is no choice: a shell passes it for a variable that is not set.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) { return text.empty() ? std::string("an empty value") : std::string(); }, "");
}

inline CLI::Validator without_blanks_around() {
  return CLI::Validator(
      [](std::string& text) {
        const auto first = text.find_first_not_of(" \t");
        text = first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
        return std::string();
      },
      "");
}

}  // namespace entrain::app::detail
