// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What parse.ipp asks of a value before it takes it, with CLI11: each complaint says what was found and what is taken.
#pragma once
#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/app/nearest.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app::detail {

/// What the library itself says about a value: empty, or its refusal.
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

/// As short as it is exact: 0.9999999, 1e-12.
template <class T> std::string shortest(T number) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return std::string(digits.data(), end);
}

/// A number of the range, all of the text and nothing else. Whole numbers are decimal: to the library 010 would be 8.
template <class T> CLI::Validator between(T least, T most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        constexpr bool whole = std::is_integral_v<T>;
        const auto refuse = [&] {
          return "'" + text + "' is not a " + (whole ? "whole " : "") + "number from " + shortest(least) + " to " +
                 shortest(most);
        };
        if (text.starts_with('-')) return "'" + text + "' is below 0";
        const std::string_view digits = std::string_view(text).substr(text.starts_with('+'));
        T number{};
        const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (fault != std::errc{} || end != digits.data() + digits.size()) return refuse();
        if (!(number >= least && number <= most)) return refuse();
        if constexpr (whole) text = std::to_string(number);
        return {};
      },
      "");
}
template <class T> CLI::Validator not_negative() {
  // 2^63 and above would be read back as numbers below 0 (config.json).
  constexpr auto most = std::numeric_limits<std::make_signed_t<T>>::max();
  return between<T>(0, sizeof(T) < sizeof(most) ? std::numeric_limits<T>::max() : static_cast<T>(most));
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

/// Of files and folders: no name is an empty one, which is what a variable that is not set comes to.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) { return text.empty() ? std::string("an empty name") : std::string(); }, "");
}

}  // namespace entrain::app::detail
