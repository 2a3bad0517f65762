// text > [batch] > embed > encode > head > optim > checkpoint
//
// Numbers of arrays as text: the shortest text that reads back as the same number, bit for bit.
#pragma once
#include <charconv>
#include <string>
#include <type_traits>

#include "entrain/core/fp16.hpp"

namespace entrain::batch {

/// Appends 0.1, -3, 1e-45, inf or nan; a NaN loses its sign and its payload. Independent of the locale.
template <class T> void append_number(std::string& out, T number) {
  char text[40];
  if constexpr (std::is_same_v<T, fp16>) {
    append_number(out, static_cast<float>(number));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (number != number)
      out += "nan";
    else
      out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
  } else {
    out.append(text, std::to_chars(text, text + sizeof text, static_cast<long long>(number)).ptr);
  }
}

}  // namespace entrain::batch
