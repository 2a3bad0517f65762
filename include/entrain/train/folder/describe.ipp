// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of describe.hpp.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/train/folder/describe.hpp"

namespace entrain::train {

ENTRAIN_INLINE void Description::separate() {
  if (!words.empty()) words += bare_ ? "<" : ", ";
  bare_ = false;
}

ENTRAIN_INLINE void Description::open(std::string_view name) {
  separate();
  words += name;
  bare_ = true;
}

ENTRAIN_INLINE void Description::close() {
  if (!bare_) words += ">";
  bare_ = false;
}

ENTRAIN_INLINE void Description::number(int n) {
  separate();
  words += std::to_string(n);
}

namespace detail {

/// "Stack<4, Residual<X>>" -> "Stack", {"4", "Residual<X>"}
struct Parsed {
  std::string_view head;
  std::vector<std::string_view> arguments;

  explicit Parsed(std::string_view s) : head(s.substr(0, s.find('<'))) {
    if (head.size() == s.size()) return;
    const std::string_view inside = s.substr(head.size() + 1);
    int depth = 0;
    for (std::size_t i = 0, from = 0; i < inside.size(); ++i) {
      if (inside[i] == '<') ++depth;
      if (inside[i] == '>') --depth;
      if (depth >= 0 && (depth > 0 || inside[i] != ',')) continue;
      arguments.push_back(inside.substr(from, i - from));
      from = i + 1 + (inside.substr(i + 1, 1) == " ");
      if (depth < 0) break;
    }
  }
};

}  // namespace detail

ENTRAIN_INLINE Difference first_difference(std::string_view a, std::string_view b) {
  const detail::Parsed left(a), right(b);
  if (left.head != right.head || left.arguments.size() != right.arguments.size()) return {a, b};
  for (std::size_t i = 0; i < left.arguments.size(); ++i) {
    const std::string_view x = left.arguments[i], y = right.arguments[i];
    if (x == y) continue;
    const bool both_have_parts = x.find('<') != x.npos && y.find('<') != y.npos;
    return both_have_parts ? first_difference(x, y) : Difference{a, b};
  }
  return {a, b};
}

ENTRAIN_INLINE std::string head_in(std::string_view words) {
  detail::Parsed part(words);
  if (part.arguments.empty()) return {};
  part = detail::Parsed(part.arguments.back());
  while ((part.arguments.size() == 1 || (part.head == "After" && part.arguments.size() == 2)) &&
         part.arguments.back().find('<') != std::string_view::npos)
    part = detail::Parsed(part.arguments.back());
  std::string head(part.head);
  for (char& c : head)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return head;
}

}  // namespace entrain::train
