// core > [report]
//
// Colour, if the terminal supports it: the few styles that reports use, as the escape sequences of ECMA-48.
#pragma once
#include <string>
#include <string_view>

#include "entrain/report/terminal.hpp"

namespace entrain::report {

enum class Style { plain, bold, dim, red, green, yellow, blue, magenta, cyan };

/// The sequence that switches to a style; empty without colour.
constexpr std::string_view on(Style style, const Terminal& at) {
  if (!at.colour) return {};
  switch (style) {
    case Style::plain:
      return {};
    case Style::bold:
      return "\x1b[1m";
    case Style::dim:
      return "\x1b[2m";
    case Style::red:
      return "\x1b[31m";
    case Style::green:
      return "\x1b[32m";
    case Style::yellow:
      return "\x1b[33m";
    case Style::blue:
      return "\x1b[34m";
    case Style::magenta:
      return "\x1b[35m";
    case Style::cyan:
      return "\x1b[36m";
  }
  return {};
}
constexpr std::string_view off(Style style, const Terminal& at) {
  return at.colour && style != Style::plain ? "\x1b[0m" : std::string_view();
}

inline std::string painted(std::string_view text, Style style, const Terminal& at) {
  return std::string(on(style, at)).append(text).append(off(style, at));
}

}  // namespace entrain::report
