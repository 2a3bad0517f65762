// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A composition in words, made from its type: what config.json keeps, and what loading compares.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace entrain::train {

namespace detail {

/// `Tagger` for entrain::model::Tagger<...>: the type's own name as the compiler spells it, without room and arguments.
template <class T> constexpr std::string_view short_name() {
  std::string_view s = __PRETTY_FUNCTION__;  // "... [with T = entrain::model::Tagger<...>; ...]", or "[T = ...]"
  s.remove_prefix(s.find("T = ") + 4);
  s = s.substr(0, s.find_first_of("<;]"));
  if (const auto colon = s.rfind(':'); colon != s.npos) s.remove_prefix(colon + 1);
  return s;
}

inline std::string listed(std::string_view name, const std::vector<std::string>& arguments) {
  std::string s(name);
  for (std::size_t i = 0; i < arguments.size(); ++i) s.append(i == 0 ? "<" : ", ").append(arguments[i]);
  return arguments.empty() ? s : s + ">";
}

}  // namespace detail

/// `Tagger<MultiHash<96, HashedWords<4, 5000, 1000, 2500, 2500>, 3>, ..., Crf<96, Bioes>>`: every argument, defaults
/// included, so that g++ and clang say the same. A type whose arguments are other than types and ints in one of the
/// orders below says itself what it is: `static std::string describe()`.
template <class T> std::string describe();

namespace detail {

template <class T> struct Arguments {
  static std::vector<std::string> list() { return {}; }
};
template <template <class...> class L, class... A> struct Arguments<L<A...>> {
  static std::vector<std::string> list() { return {describe<A>()...}; }
};
template <template <int...> class L, int... N> struct Arguments<L<N...>> {
  static std::vector<std::string> list() { return {std::to_string(N)...}; }
};
template <template <int, class, class...> class L, int N, class A, class... B> struct Arguments<L<N, A, B...>> {
  static std::vector<std::string> list() { return {std::to_string(N), describe<A>(), describe<B>()...}; }
};
template <template <int, class, int, int...> class L, int N, class A, int M, int... K>
struct Arguments<L<N, A, M, K...>> {
  static std::vector<std::string> list() {
    return {std::to_string(N), describe<A>(), std::to_string(M), std::to_string(K)...};
  }
};
template <template <class, int, int...> class L, class A, int N, int... K> struct Arguments<L<A, N, K...>> {
  static std::vector<std::string> list() { return {describe<A>(), std::to_string(N), std::to_string(K)...}; }
};

}  // namespace detail

template <class T> std::string describe() {
  if constexpr (requires { T::describe(); }) {
    return T::describe();
  } else {
    return detail::listed(detail::short_name<T>(), detail::Arguments<T>::list());
  }
}

/// The smallest parts in which two descriptions differ, as in {"MultiHash<96, ...>", "MultiHash<128, ...>"}.
struct Difference {
  std::string_view a, b;
};

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

inline Difference first_difference(std::string_view a, std::string_view b) {
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

}  // namespace entrain::train
